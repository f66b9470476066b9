/**
 * FlexSearch's `Index` with our encoder and score, on top of rows in LMDB.
 *
 * FlexSearch collects additions in memory, term by term, until a commit. Its own commit is asynchronous. Instead,
 * `takeChanges` empties that memory within the page's transaction. This relies on internal fields of version 0.8.212
 * (`map`, `reg`, `commit_task`). test/dependencies/flexsearch.test.ts fails when they change.
 */
import { type Encoder, Index } from 'flexsearch'
import { type EncodedText, encodeText } from '../text/encoder.js'
import { scoreHook, SLOTS } from '../rows/impact.js'
import { ChangeCollector, GONE, type TermChanges } from './termChanges.js'

/** Fields of an `Index` that its types omit. */
interface IndexInside {
  /** term → slot → page ids */
  readonly map: Map<string, (number[] | undefined)[]>
  readonly reg: Set<number>
  commit_task: object[]
}

/** The text whose terms a page has in the rows; undefined when it has none. */
export type Before = (pageId: number) => string | undefined

export class FlexIndex {
  readonly #score: (content: readonly string[], term: string, index: number) => number
  readonly #index: Index & IndexInside
  readonly #touched = new Map<number, string | undefined>()

  constructor(referenceTokens: number) {
    this.#score = scoreHook(referenceTokens)
    this.#index = makeIndex(this.#score)
  }

  /** Replaces the text of a page: its postings were made from `before`, and will be made from `after`. */
  replace(pageId: number, before: string | undefined, after: string | undefined): void {
    this.#touched.set(pageId, before)
    if (after !== undefined) this.#index.add(pageId, after)
  }

  /** The changes of rows since the last call. Empties FlexSearch's memory. */
  takeChanges(): TermChanges {
    const { map, reg } = this.#index
    const collector = new ChangeCollector()
    const known = new Map<number, Map<string, number>>()
    for (const [pageId, before] of this.#touched) {
      if (before !== undefined) known.set(pageId, this.#slots(encodeText(before)))
    }
    for (const [term, bySlot] of map) {
      bySlot.forEach((pageIds, slot) => {
        for (const pageId of pageIds ?? []) {
          const old = known.get(pageId)
          const oldSlot = old?.get(term)
          old?.delete(term)
          if (oldSlot !== slot) collector.add(term, pageId, slot)
        }
      })
    }
    for (const [pageId, terms] of known) for (const term of terms.keys()) collector.add(term, pageId, GONE)
    this.#touched.clear()
    map.clear()
    reg.clear()
    this.#index.commit_task = []
    return collector.finish()
  }

  #slots(content: EncodedText): Map<string, number> {
    return new Map(content.map((term, n) => [term, this.#score(content, term, n)]))
  }
}

function makeIndex(
  score: (content: readonly string[], term: string, index: number) => number,
): Index & IndexInside {
  // The package's types only accept its own encoders. At runtime anything with `encode` works.
  const encoder = { encode: encodeText } as unknown as Encoder
  const index = new Index({ tokenize: 'strict', resolution: SLOTS, commit: false, encoder, score })
  return index as unknown as Index & IndexInside
}
