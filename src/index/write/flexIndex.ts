/**
 * FlexSearch's `Index` with our encoder and score, mounted on the rows of LMDB.
 *
 * FlexSearch keeps what was added in memory, term by term, until it is committed. Its own commit is asynchronous; here
 * `takeChanges` empties the same memory within the page's transaction. That relies on fields of version 0.8.212
 * (`map`, `reg`, `commit_task`): test/dependencies/flexsearch.test.ts fails when they change.
 */
import { type Encoder, Index } from 'flexsearch'
import { type EncodedText, encodeText } from '../text/encoder.js'
import { scoreHook, SLOTS } from '../rows/impact.js'
import { ChangeCollector, GONE, type TermChanges } from './termChanges.js'

/** Fields of an `Index` that its types leave out. */
interface IndexInside {
  /** term → slot → page ids */
  readonly map: Map<string, (number[] | undefined)[]>
  readonly reg: Set<number>
  commit_task: object[]
}

/** The terms that a page has in the rows; undefined when it has none. */
export type Before = (pageId: number) => string | undefined

export class FlexIndex {
  readonly #score: (content: readonly string[], term: string, index: number) => number
  readonly #index: Index & IndexInside
  readonly #touched = new Map<number, string | undefined>()

  constructor(referenceTokens: number) {
    this.#score = scoreHook(referenceTokens)
    this.#index = makeIndex(this.#score)
  }

  /** Replaces the text of a page: `before` is what its postings were made from, `after` what they are to be. */
  replace(pageId: number, before: string | undefined, after: string | undefined): void {
    this.#touched.set(pageId, before)
    if (after !== undefined) this.#index.add(pageId, after)
  }

  /** What has to change in the rows since the last call. FlexSearch's memory is empty then. */
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
  // The package's types know its own encoders alone; it calls anything that has `encode`.
  const encoder = { encode: encodeText } as unknown as Encoder
  const index = new Index({ tokenize: 'strict', resolution: SLOTS, commit: false, encoder, score })
  return index as unknown as Index & IndexInside
}
