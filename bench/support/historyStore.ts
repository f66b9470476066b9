/** A store of generated pages with histories. Neighbouring revisions differ by some words. */
import type { IncomingPage } from '../../src/domain/page.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { readCounters } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { randomNumbers } from './random.js'
import { editWords, wikiLines } from './text.js'

export interface HistoryShape {
  readonly pages: number
  readonly revisionsOfPage: number
  /** Least size of each text, in bytes. Texts may be a little longer. */
  readonly sizeBytes: number
  /** Number of lines in which a revision changes words. */
  readonly edits: number
}

/** The largest ids in a store. */
export interface LargestIds {
  readonly page: number
  readonly revision: number
}

const PAGES_OF_TRANSACTION = 50
const START = Date.UTC(2020, 0, 1) / 1000
const SEED = 4

/** Adds the pages to a store, always with the same texts. Returns the largest ids before; the new ids follow them. */
export async function addHistories(dataDir: string, shape: HistoryShape): Promise<LargestIds> {
  const store = Store.open(dataDir)
  try {
    const { nextPageId, nextRevisionId } = readCounters(store.tables)
    const ids = { page: nextPageId, revision: nextRevisionId }
    importHistories(store, shape, ids).end(null)
    return ids
  } finally {
    await store.close()
  }
}

function importHistories(store: Store, shape: HistoryShape, ids: LargestIds): DumpWriter {
  const random = randomNumbers(SEED)
  const writer = new DumpWriter(store, new Applier(store), 'bench')
  for (let first = 1; first <= shape.pages; first += PAGES_OF_TRANSACTION) {
    const count = Math.min(PAGES_OF_TRANSACTION, shape.pages - first + 1)
    const pages = Array.from({ length: count }, (_, n) => makePage(first + n, shape, ids, random))
    writer.writePages(pages)
  }
  return writer
}

/** Paths of the comparisons of all neighbouring revisions. */
export function comparisonPaths({ pages, revisionsOfPage }: HistoryShape, ids: LargestIds): string[] {
  return Array.from({ length: pages }, (_, page) =>
    Array.from({ length: revisionsOfPage - 1 }, (_, n) => {
      const from = ids.revision + page * revisionsOfPage + n + 1
      return `/v1/revision/${from}/compare/${from + 1}`
    }),
  ).flat()
}

const titleOf = (number: number): string => `Page_${number}`

function makePage(number: number, shape: HistoryShape, ids: LargestIds, random: () => number): IncomingPage {
  const revisions: IncomingRevision[] = []
  let lines = wikiLines(shape.sizeBytes, random)
  for (let n = 0; n < shape.revisionsOfPage; n++) {
    const revisionId = ids.revision + (number - 1) * shape.revisionsOfPage + n + 1
    revisions.push(makeRevision(revisionId, lines.join('\n')))
    lines = editWords(lines, shape.edits, random)
  }
  return { id: ids.page + number, namespace: 0, dbkey: titleOf(number), redirectTarget: undefined, revisions }
}

function makeRevision(id: number, text: string): IncomingRevision {
  return {
    id,
    parentId: undefined,
    timestamp: START + id,
    editor: { id: 1, name: 'Bench' },
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    text,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
}
