/** Wikis too large to write down: built through apply in a temporary folder. */
import type { IncomingPage } from '../../src/domain/page.js'
import { DumpApplier } from '../support/store.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import type { Site } from '../../src/domain/site.js'
import { Store } from '../../src/storage/store.js'
import { temporaryFolder } from './garden.js'

const START = Date.UTC(2021, 0, 1) / 1000

/** A folder with a store of pages as given, removed when the tests of the file have ended. */
export async function folderWith(
  pages: readonly IncomingPage[],
  { site }: { site?: Site } = {},
): Promise<string> {
  const dataDir = temporaryFolder()
  const store = Store.open(dataDir, { create: true })
  const applier = new DumpApplier(store)
  if (site !== undefined) applier.adoptSite(site)
  applier.importPages('made for a test', pages)
  applier.finishImport(null)
  await store.close()
  return dataDir
}

export function page(id: number, dbkey: string, revisions: readonly IncomingRevision[]): IncomingPage {
  return { id, namespace: 0, dbkey, redirectTarget: undefined, revisions }
}

/** A revision by user number `editorId`, a second after the one with the id before. */
export function revision(id: number, text: string, { minor = false, editorId = 1 } = {}): IncomingRevision {
  return {
    id,
    parentId: undefined,
    timestamp: START + id,
    editor: { id: editorId, name: `User ${editorId}` },
    comment: '',
    minor,
    contentModel: 'wikitext',
    text,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
}

/** `count` revisions with ids from `firstId`, each with its own text. */
export function revisions(
  firstId: number,
  count: number,
  options: (index: number) => { minor?: boolean; editorId?: number } = () => ({}),
): IncomingRevision[] {
  return Array.from({ length: count }, (_, index) =>
    revision(firstId + index, `text ${index}`, options(index)),
  )
}
