/** The kinds of work that fill a server while page reads are measured. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Store } from '../../../src/storage/store.js'
import { loadEdits } from '../../support/editLoad.js'
import { frequentWords } from '../../support/frequentWords.js'
import {
  addHistories,
  comparisonPaths,
  type HistoryShape,
  type LargestIds,
} from '../../support/historyStore.js'
import { drawPageKeys, pagePath } from '../../support/pageSample.js'
import { writePictures } from '../../support/pictures.js'
import { PALIMPSEST } from '../../support/repository.js'
import type { Sandbox } from '../../support/sandbox.js'
import { cachedStore } from '../../support/storeCache.js'
import { type LoadCounts, type LoadGenerator, writeLoadScript } from '../../support/wrk.js'

export const TITLES = 2000
export const HISTORIES: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 20_000, edits: 5 }
const PICTURES = 12
const RENDERED_PAGES = 500
/** Enough that every thread always finds its next task, and few enough that the server refuses hardly any. */
const SEARCH_CONNECTIONS = 32
const COMPARISON_CONNECTIONS = 32
const RENDER_CONNECTIONS = 12
const PICTURE_CONNECTIONS = 6
/** Number of pages with an edit under way at a time. The load offers more edits than can be saved. */
const EDITED_PAGES = 16
const EDITS_OFFERED_PER_SECOND = 2000

/** Loads a server for some seconds. Returns its answers per second, and the number of refusals. */
export type Load = (
  origin: string,
  seconds: number,
) => Promise<{ readonly done: number; readonly refused: number }>

/** Two copies of a wiki to serve, and the paths to request. */
export interface LoadedWiki {
  readonly dataDir: string
  readonly otherDir: string
  readonly paths: readonly string[]
  readonly pictures: readonly string[]
  readonly words: readonly string[]
  readonly ids: LargestIds
}

export async function makeWiki(sandbox: Sandbox, dumpPath: string): Promise<LoadedWiki> {
  const folder = sandbox.folder('isolation')
  const dataDir = join(folder, 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const words = await commonWords(dataDir)
  const ids = await addHistories(dataDir, HISTORIES)
  const pictures = await addPictures(sandbox, dataDir)
  const otherDir = join(folder, 'other')
  cpSync(dataDir, otherDir, { recursive: true })
  const paths = (await drawPageKeys(dumpPath, TITLES)).map(pagePath)
  return { dataDir, otherDir, paths, pictures, words, ids }
}

export function makeLoads(
  generate: LoadGenerator,
  sandbox: Sandbox,
  wiki: LoadedWiki,
): Readonly<Record<string, Load>> {
  const ofPaths = (paths: readonly string[], connections: number): Load => {
    const script = writeLoadScript(sandbox.folder('load'), paths, { neverTwice: true })
    return async (origin, length) =>
      countDone(await generate(origin, { seconds: length, connections, script }))
  }
  const searches = wiki.words.map((word, n) => {
    const other = wiki.words[(n + 1) % wiki.words.length]!
    return `/v1/search/page?limit=10&q=${encodeURIComponent(`${word} ${other}`)}`
  })
  const edited = wiki.paths.slice(0, EDITED_PAGES)
  return {
    'full-text search': ofPaths(searches, SEARCH_CONNECTIONS),
    comparisons: ofPaths(comparisonPaths(HISTORIES, wiki.ids), COMPARISON_CONNECTIONS),
    renderings: ofPaths(
      wiki.paths.slice(0, RENDERED_PAGES).map((path) => `${path}/html`),
      RENDER_CONNECTIONS,
    ),
    'scaled pictures': ofPaths(wiki.pictures, PICTURE_CONNECTIONS),
    edits: async (origin, length) => {
      const options = { origin, paths: edited, editsPerSecond: EDITS_OFFERED_PER_SECOND, seconds: length }
      return { done: (await loadEdits(options)).saved, refused: 0 }
    },
  }
}

function countDone({ requests, errors }: LoadCounts): { done: number; refused: number } {
  return { done: requests - errors, refused: errors }
}

async function commonWords(dataDir: string): Promise<string[]> {
  const store = Store.open(dataDir)
  try {
    return frequentWords(store, 40)
  } finally {
    await store.close()
  }
}

async function addPictures(sandbox: Sandbox, dataDir: string): Promise<string[]> {
  const folder = sandbox.folder('pictures')
  const paths = await writePictures(folder, PICTURES)
  const args = ['files', 'import', '--data-dir', dataDir, '--user', 'Bench', folder]
  const { status } = await sandbox.run(PALIMPSEST, args)
  if (status !== 0) throw new Error('the import of pictures failed')
  return paths
}
