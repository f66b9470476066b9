/**
 * Renders the pages of a bench in a process of its own, since the server's changes of the package `parsoid` hold for a
 * whole process. Answers each message, the path of a store, with a round over its pages.
 */
import { createHash } from 'node:crypto'
import { loadParsoid } from '../../../src/render/parsoid/loadPackage.js'
import type { ParsoidPackage } from '../../../src/render/parsoid/package.js'
import { packedParts, unpackParts } from '../../../src/storage/html/packedHtml.js'
import { Store } from '../../../src/storage/store.js'
import { openLua } from '../../../src/workers/html/luaThread.js'
import { Renderer } from '../../../src/workers/html/renderer.js'
import { renderedFiles } from '../../../src/workers/html/renderSource.js'
import { BareEngine } from './bareEngine.js'
import { type ColdPage, coldPages } from './pages.js'

/** The time that pages see. Always the same, so that outputs are. */
const NOW_MS = Date.UTC(2026, 2, 14)

export interface RoundRequest {
  readonly dataDir: string
  readonly pages: number
}

export interface PageTime {
  readonly key: string
  /** Processor time of all threads of the process. */
  readonly cpuMs: number
  readonly htmlCharacters: number
  /** SHA-256 of everything that was made of the page. */
  readonly hash: string
}

interface Rendered {
  readonly htmlCharacters: number
  readonly parts: readonly (string | Uint8Array)[]
}

type Render = (page: ColdPage) => Promise<Rendered>

interface Opened {
  readonly store: Store
  readonly render: Render
}

const SETTINGS = {
  mediaUrl: '',
  remoteFileUrl: '',
  remoteThumbnailUrl: '',
  wikiFileUrl: '',
  wikiThumbnailUrl: '',
  fileDescriptionUrl: '',
  html: 'here',
  maxImagePixels: 50_000_000,
  baseUrl: '',
  lua: true,
  luaTimeMs: 3_600_000,
  luaMemoryBytes: 50_000_000,
} as const

const isBare = process.argv[2] === 'bare'
const opened = new Map<string, Opened>()
/** Once for all stores, as in a server: each loading would change the package again. */
const parsoid = isBare ? undefined : loadParsoid()

process.on('message', (request: RoundRequest) => {
  void round(request).then((times) => process.send!(times))
})
process.on('disconnect', () => process.exit())

async function round({ dataDir, pages }: RoundRequest): Promise<PageTime[]> {
  const { store, render } = open(dataDir)
  const times: PageTime[] = []
  for (const page of coldPages(store, pages)) {
    const before = process.cpuUsage()
    const { htmlCharacters, parts } = await render(page)
    const { user, system } = process.cpuUsage(before)
    times.push({ key: page.key, cpuMs: (user + system) / 1000, htmlCharacters, hash: hashOf(parts) })
  }
  return times
}

function open(dataDir: string): Opened {
  const known = opened.get(dataDir)
  if (known !== undefined) return known
  const store = Store.open(dataDir)
  const files = renderedFiles(SETTINGS)
  const modules = openLua(SETTINGS)
  const render =
    parsoid === undefined
      ? bareRender(new BareEngine({ store, files, modules }))
      : serverRender(store, parsoid)
  const made = { store, render }
  opened.set(dataDir, made)
  return made
}

function bareRender(engine: BareEngine): Render {
  return async ({ pageId }) => {
    const html = await engine.render(pageId, NOW_MS / 1000)
    return { htmlCharacters: html.length, parts: [html] }
  }
}

function serverRender(store: Store, parsoid: ParsoidPackage): Render {
  const files = renderedFiles(SETTINGS)
  const modules = openLua(SETTINGS)
  const renderer = new Renderer(store, parsoid, { files, settings: SETTINGS, modules })
  return async ({ revisionId }) => {
    const made = await renderer.run({ task: 'page', revisionId, nowMs: NOW_MS })
    if (made.result !== 'rendering') return { htmlCharacters: 0, parts: [JSON.stringify(made)] }
    const { packedHtml, outline, bundle, uses, categories } = made.rendering
    const html = unpackParts(packedParts(packedHtml))
    const facts = JSON.stringify([uses, categories])
    return { htmlCharacters: html.length, parts: [html, outline, bundle, facts] }
  }
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
