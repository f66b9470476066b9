/** A store of made pages, larger than the memory that a measurement leaves it. Kept between runs. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { FORMAT_VERSION } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { RESULTS } from '../support/repository.js'
import { MadePages } from './madePages.js'

const BATCH = 200
const REPORT_EVERY = 100_000

export interface LargeStore {
  readonly dataDir: string
  readonly bytes: number
}

/** A store with this number of pages and no search index. Makes it if necessary, with a line for each 100,000 pages. */
export async function largeStore(pages: number): Promise<LargeStore> {
  const dataDir = join(RESULTS, 'cache', `made-${pages}-pages-format${FORMAT_VERSION}`)
  if (!existsSync(dataDir)) await make(dataDir, pages)
  return { dataDir, bytes: statSync(join(dataDir, 'store/data.mdb')).size }
}

async function make(dataDir: string, pages: number): Promise<void> {
  const unfinished = `${dataDir}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const store = Store.open(unfinished, { create: true })
  const writer = new DumpWriter(store, new Applier(store), 'made')
  const made = new MadePages()
  let startMs = performance.now()
  for (let first = 1; first <= pages; first += BATCH) {
    const count = Math.min(BATCH, pages - first + 1)
    writer.writePages(Array.from({ length: count }, (_, n) => made.page(first + n)))
    const done = first + count - 1
    if (done % REPORT_EVERY !== 0) continue
    const rate = REPORT_EVERY / ((performance.now() - startMs) / 1000)
    console.log(`${done} of ${pages} pages, ${rate.toFixed(0)} a second`)
    startMs = performance.now()
  }
  writer.end(null)
  await store.close()
  renameSync(unfinished, dataDir)
}

/** Has the system forget the pages of a file. */
export function forgetPages(path: string): void {
  const { status } = spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'])
  if (status !== 0) throw new Error(`the system did not forget the pages of ${path}`)
}
