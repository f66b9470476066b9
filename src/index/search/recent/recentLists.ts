/** Postings and completions of words that searches used lately. */
import type { Moment } from './moment.js'
import { Recent } from './recent.js'
import type { Completion, CompletionBounds, TermList } from '../termList.js'

/** Bytes of lists and completions, roughly: each has an overhead, and a posting takes five bytes. */
const LISTS_BYTES = 4 * 2 ** 20
const COMPLETIONS_BYTES = 2 ** 20
const OVERHEAD_BYTES = 300
const POSTING_BYTES = 5
const COMPLETION_BYTES = 80
const LETTERS = { bodyPostings: 'b', strongPostings: 's', titlePostings: 't' } as const

export class RecentLists {
  readonly lists: Recent<TermList | undefined>
  readonly completions: Recent<readonly Completion[]>

  constructor(moment: Moment) {
    this.lists = new Recent(moment, LISTS_BYTES)
    this.completions = new Recent(moment, COMPLETIONS_BYTES)
  }

  /** Those of one area of a table. */
  of(table: keyof typeof LETTERS, area: number): AreaLists {
    return new AreaLists(this, `${LETTERS[table]}${area} `)
  }
}

/** The lists of one area. Each is right as of the moment of the search. */
export class AreaLists {
  readonly #all: RecentLists
  readonly #prefix: string

  constructor(all: RecentLists, prefix: string) {
    this.#all = all
    this.#prefix = prefix
  }

  /** The list of a term, as `list` is undefined for a term that no page has. */
  find(term: string): { readonly value: TermList | undefined } | undefined {
    return this.#all.lists.get(this.#prefix + term, (change) => change.hasTerm(term), bytesOfList)
  }

  /** Keeps a list, and returns it with postings of its own. */
  keep(term: string, list: TermList | undefined): TermList | undefined {
    const kept = list && { ...list, first: list.first.copy() }
    this.#all.lists.set(this.#prefix + term, kept, bytesOfList(kept))
    return kept
  }

  findCompletions(prefix: string, bounds: CompletionBounds): readonly Completion[] | undefined {
    const key = this.#completionsKey(prefix, bounds)
    return this.#all.completions.get(key, (change) => change.hasBeginning(prefix), bytesOfCompletions)?.value
  }

  keepCompletions(prefix: string, bounds: CompletionBounds, found: readonly Completion[]): void {
    this.#all.completions.set(this.#completionsKey(prefix, bounds), found, bytesOfCompletions(found))
  }

  #completionsKey(prefix: string, { scanned }: CompletionBounds): string {
    return `${this.#prefix}${scanned} ${prefix}`
  }
}

const bytesOfList = (list: TermList | undefined): number =>
  OVERHEAD_BYTES + POSTING_BYTES * (list?.first.length ?? 0)

const bytesOfCompletions = (found: readonly Completion[]): number =>
  OVERHEAD_BYTES + COMPLETION_BYTES * found.length
