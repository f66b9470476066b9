/** A store of made-up pages with histories, whose neighbouring revisions differ by some words. */
import type { IncomingPage } from '../../src/domain/page.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { randomNumbers } from './random.js'
import { editWords, wikiLines } from './text.js'

export interface HistoryShape {
  readonly pages: number
  readonly revisionsOfPage: number
  /** Size of each text, in bytes, or a little more. */
  readonly sizeBytes: number
  /** Lines in which a revision changes words. */
  readonly edits: number
}

const PAGES_OF_TRANSACTION = 50
const START = Date.UTC(2020, 0, 1) / 1000
const SEED = 4

/** Writes the pages into a new store: revision ids rise from page to page, from 1. Always the same texts. */
export async function writeHistoryStore(dataDir: string, shape: HistoryShape): Promise<void> {
  const random = randomNumbers(SEED)
  const store = Store.open(dataDir, { create: true })
  try {
    const applier = new Applier(store)
    for (let first = 1; first <= shape.pages; first += PAGES_OF_TRANSACTION) {
      const count = Math.min(PAGES_OF_TRANSACTION, shape.pages - first + 1)
      applier.importPages(
        'bench',
        Array.from({ length: count }, (_, n) => makePage(first + n, shape, random)),
      )
    }
  } finally {
    await store.close()
  }
}

/** Paths of all pages. */
export function pagePaths({ pages }: HistoryShape): string[] {
  return Array.from({ length: pages }, (_, n) => `/v1/page/${titleOf(n + 1)}`)
}

/** Paths of the comparisons of all neighbouring revisions. */
export function comparisonPaths({ pages, revisionsOfPage }: HistoryShape): string[] {
  return Array.from({ length: pages }, (_, page) =>
    Array.from({ length: revisionsOfPage - 1 }, (_, n) => {
      const from = page * revisionsOfPage + n + 1
      return `/v1/revision/${from}/compare/${from + 1}`
    }),
  ).flat()
}

const titleOf = (pageId: number): string => `Page_${pageId}`

function makePage(id: number, shape: HistoryShape, random: () => number): IncomingPage {
  const revisions: IncomingRevision[] = []
  let lines = wikiLines(shape.sizeBytes, random)
  for (let n = 0; n < shape.revisionsOfPage; n++) {
    const revisionId = (id - 1) * shape.revisionsOfPage + n + 1
    revisions.push(makeRevision(revisionId, lines.join('\n')))
    lines = editWords(lines, shape.edits, random)
  }
  return { id, namespace: 0, dbkey: titleOf(id), redirectTarget: undefined, revisions }
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
