/** Wikis of any size, made from the pages of a dump, repeated under other titles. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { IncomingPage } from '../../src/domain/page.js'
import { titleFromDump } from '../../src/domain/title.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { openDump } from '../../src/dump/openDump.js'
import { readDump } from '../../src/dump/readDump.js'
import { ENCODER_VERSION } from '../../src/index/text/encoder.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { PALIMPSEST, RESULTS } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'

const BATCH = 200
const MAX_DBKEY_BYTES = 240

/** A data folder with this number of pages. Makes it if necessary, and prints the time for indexing. */
export async function scaledStore(sandbox: Sandbox, dump: string, pages: number): Promise<string> {
  const folder = join(RESULTS, 'cache', `${basename(dump)}-${pages}-pages-index${ENCODER_VERSION}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const store = Store.open(unfinished, { create: true })
  const writer = new DumpWriter(store, new Applier(store), basename(dump))
  const originals = await readPages(dump)
  let batch: IncomingPage[] = []
  for (let id = 1; id <= pages; id++) {
    const round = Math.floor((id - 1) / originals.length)
    const page = originals[(id - 1) % originals.length]!
    const revision = { ...page.revisions[0]!, id }
    const dbkey = round === 0 ? page.dbkey : `${page.dbkey}_(${round})`
    batch.push({ ...page, id, dbkey, revisions: [revision] })
    if (batch.length < BATCH && id < pages) continue
    writer.writePages(batch)
    batch = []
  }
  writer.end(null)
  await store.close()
  const { status, stdout } = await sandbox.run(PALIMPSEST, ['reindex', '--missing', '--data-dir', unfinished])
  if (status !== 0) throw new Error(`the index of ${unfinished} could not be made`)
  console.log(stdout.trim())
  renameSync(unfinished, folder)
  return folder
}

async function readPages(dump: string): Promise<IncomingPage[]> {
  const namespaces = new Namespaces(DEFAULT_SITE)
  const pages: IncomingPage[] = []
  const source = await openDump(dump)
  for await (const event of readDump(source)) {
    if (event.type !== 'page') continue
    const { id, title, namespace, redirectTarget, revisions } = event.page
    const parsed = titleFromDump(title, namespace, namespaces)
    const latest = revisions.at(-1)
    if (!parsed.ok || latest === undefined || Buffer.byteLength(parsed.title.dbkey) > MAX_DBKEY_BYTES)
      continue
    const revision = { ...latest, contentModel: 'wikitext', parentId: undefined, statedSha1: undefined }
    pages.push({ id, ...parsed.title, redirectTarget, revisions: [revision] })
  }
  await source.close()
  return pages
}
