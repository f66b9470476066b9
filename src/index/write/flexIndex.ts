/**
 * FlexSearch's `Index` with our encoder and score, mounted on rows in LMDB.
 *
 * FlexSearch collects additions in memory, term by term, and hands them to the storage on a commit. Its storages for
 * databases are asynchronous. Ours answers at once, so that a commit is a part of the page's transaction.
 */
import { type Encoder, Index, type StorageInterface } from 'flexsearch'
import { type EncodedText, encodeText } from '../text/encoder.js'
import { scoreHook, SLOTS } from '../rows/impact.js'
import { ChangeCollector, GONE, type TermChanges } from './termChanges.js'

/** What a storage sees of the index, beyond its types: FlexSearch's own storages use these fields. */
interface MountedIndex {
  db: unknown
  /** term → slot → page ids */
  readonly map: Map<string, (number[] | undefined)[]>
  readonly reg: Set<number>
  commit_task: object[]
}

/** The text whose terms a page has in the rows; undefined when it has none. */
export type Before = (pageId: number) => string | undefined

type Score = (content: readonly string[], term: string, index: number) => number

export class FlexIndex {
  readonly #index: Index
  readonly #storage: TermStorage

  constructor(referenceTokens: number) {
    const score = scoreHook(referenceTokens)
    this.#index = makeIndex(score)
    this.#storage = new TermStorage(score)
    void this.#index.mount(this.#storage as unknown as StorageInterface)
  }

  /** Replaces the text of a page: its postings were made from `before`, and will be made from `after`. */
  replace(pageId: number, before: string | undefined, after: string | undefined): void {
    this.#storage.replaced.set(pageId, before)
    if (after !== undefined) this.#index.add(pageId, after)
  }

  /** The changes of rows since the last call. */
  takeChanges(): TermChanges {
    void this.#index.commit()
    return this.#storage.takeChanges()
  }
}

/** Compares what was added with what the rows have of the same pages. */
class TermStorage {
  /** Texts behind the rows of pages that were replaced. */
  readonly replaced = new Map<number, string | undefined>()
  readonly #score: Score
  #changes: TermChanges | undefined

  constructor(score: Score) {
    this.#score = score
  }

  mount(index: MountedIndex): void {
    index.db = this
  }

  /** Takes all additions, and empties the index's memory, as each storage does. */
  commit(index: MountedIndex): void {
    const { map, reg } = index
    const collector = new ChangeCollector()
    const known = new Map<number, Map<string, number>>()
    for (const [pageId, before] of this.replaced) {
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
    this.replaced.clear()
    map.clear()
    reg.clear()
    index.commit_task = []
    this.#changes = collector.finish()
  }

  /** The changes of the last commit. */
  takeChanges(): TermChanges {
    if (this.#changes === undefined) throw new Error('FlexSearch has not committed')
    const changes = this.#changes
    this.#changes = undefined
    return changes
  }

  #slots(content: EncodedText): Map<string, number> {
    return new Map(content.map((term, n) => [term, this.#score(content, term, n)]))
  }
}

function makeIndex(score: Score): Index {
  // The package's types only accept its own encoders. At runtime anything with `encode` works.
  const encoder = { encode: encodeText } as unknown as Encoder
  return new Index({ tokenize: 'strict', resolution: SLOTS, commit: false, encoder, score })
}
