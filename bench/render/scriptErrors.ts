/**
 * Every page of the dumps, rendered: which pages call modules, and which show an error of one, with its text? See
 * bench/README.md.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Namespaces } from '../../src/domain/namespaces.js'
import { prefixedKey } from '../../src/domain/title.js'
import { Store } from '../../src/storage/store.js'
import { findDump, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { cachedStore } from '../support/storeCache.js'
import { printTable } from '../support/table.js'

const DUMPS = [
  'demo-wikipedia-sample.xml.bz2',
  'aawiki-20260101-pages-meta-history.xml.bz2',
  'enwiki-pages-articles1-shortened.xml.bz2',
]
/** Times are judged by the processor's clock, so that a busy machine fails no page. */
const SERVER_FLAGS = ['--render-timeout-ms', '200000']
const SCRIPT_ERROR = /<span\b[^>]*class="scribunto-error"[^>]*>(.*?)<\/span>/gs
/** Its category has every page with an error, also where a template hides the text. */
const HAS_ERROR = /Pages_with_script_errors/
const HIDDEN = 'an error that the page does not show'
const CALL = /#invoke/i

interface Page {
  readonly key: string
  readonly revisionId: number
}

interface Sample extends Page {
  readonly corpus: string
  readonly status: number
  /** Texts of errors, in the order of the page. */
  readonly errors: readonly string[]
}

const sandbox = new Sandbox()
try {
  const samples: Sample[] = []
  const summary: object[] = []
  for (const name of DUMPS) {
    const dump = findDump(name)
    if (dump === undefined) continue
    const dataDir = join(sandbox.folder('scriptErrors'), 'store')
    cpSync(await cachedStore(sandbox, dump), dataDir, { recursive: true })
    const { figures, pages } = await renderAll(name, dataDir)
    samples.push(...pages)
    summary.push(figures)
  }
  if (samples.length > 0) writeResult('render-scriptErrors', { setup: { DUMPS }, samples, summary })
} finally {
  await sandbox.close()
}

async function renderAll(corpus: string, dataDir: string): Promise<{ figures: object; pages: Sample[] }> {
  const { pages, calling, modules } = await readPages(dataDir)
  const samples: Sample[] = []
  const args = ['serve', '--data-dir', dataDir, '--port', '0', ...SERVER_FLAGS]
  const { pid, greeting } = await sandbox.serve(PALIMPSEST, args, /at (http:\/\/[^/\s]+)\//)
  for (const page of pages) {
    const answer = await fetch(`${greeting[1]}/v1/revision/${page.revisionId}/html`)
    const html = await answer.text()
    const errors = [...html.matchAll(SCRIPT_ERROR)].map(([, text = '']) => text.replace(/<[^>]*>/g, ''))
    if (errors.length === 0 && HAS_ERROR.test(html)) errors.push(HIDDEN)
    samples.push({ corpus, ...page, status: answer.status, errors })
  }
  await sandbox.stop(pid)
  const failed = samples.filter(({ status }) => status !== 200)
  const faulty = samples.filter(({ errors }) => errors.length > 0)
  console.log(`\n${corpus}`)
  printTable(
    ['pages', 'count'],
    [
      ['rendered', `${samples.length - failed.length} of ${samples.length}`],
      ['that are modules', String(modules)],
      ['whose own text calls a module', String(calling)],
      ['with a script error', String(faulty.length)],
    ],
  )
  for (const { key, status } of failed) console.log(`  ${key}: status ${status}`)
  for (const [text, keys] of byError(faulty))
    console.log(`  ${keys.length} × ${text}\n      ${[...new Set(keys)].slice(0, 5).join(', ')}`)
  const figures = {
    corpus,
    pages: samples.length,
    failed: failed.length,
    modules,
    calling,
    faulty: faulty.length,
  }
  return { figures, pages: samples }
}

/** Pages by the texts of their errors, most frequent first; a page is there once for each time. */
function byError(samples: readonly Sample[]): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const { key, errors } of samples)
    for (const text of errors) found.set(text, [...(found.get(text) ?? []), key])
  return [...found].toSorted(([, a], [, b]) => b.length - a.length)
}

/** The latest revisions of all pages. */
async function readPages(dataDir: string): Promise<{ pages: Page[]; calling: number; modules: number }> {
  const store = Store.open(dataDir)
  try {
    const namespaces = new Namespaces(store.site())
    const pages: Page[] = []
    let calling = 0
    let modules = 0
    for (const pageId of store.tables.page.getKeys({ start: undefined })) {
      const row = store.getPageById(pageId)
      if (row === undefined) continue
      pages.push({ key: prefixedKey(row, namespaces), revisionId: row.latestId })
      if (CALL.test(store.getText(row.latestId) ?? '')) calling++
      if (store.getRevision(row.latestId)?.contentModel === 'Scribunto') modules++
    }
    return { pages, calling, modules }
  } finally {
    await store.close()
  }
}
