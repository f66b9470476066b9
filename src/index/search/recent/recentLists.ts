/** Postings and completions of words that searches used lately. */
import type { Moment } from './moment.js'
import { type Kind, Recent, Room } from './recent.js'
import { SlotTable } from '../slotTable.js'
import type { Completion, CompletionBounds } from '../termCompletions.js'
import type { KeptPostings, TermList } from '../termList.js'
import { Postings } from '../../rows/postingRow.js'

/** Bytes of lists and completions, roughly: each has an overhead, and a posting takes five bytes. */
const LISTS_BYTES = 8 * 2 ** 20
const COMPLETIONS_BYTES = 2 ** 20
const OVERHEAD_BYTES = 300
const POSTING_BYTES = 5
const COMPLETION_BYTES = 80

const LISTS: Kind<TermList | undefined> = {
  concerns: (change, term) => change.hasTerm(term),
  weigh: (list) => OVERHEAD_BYTES + (list === undefined ? 0 : bytesOf(list)),
}
const COMPLETIONS: Kind<readonly Completion[]> = {
  concerns: (change, key) => change.hasBeginning(prefixOf(key)),
  weigh: (found) => OVERHEAD_BYTES + COMPLETION_BYTES * found.length,
}

export class RecentLists {
  readonly #moment: Moment
  readonly #listRoom = new Room(LISTS_BYTES)
  readonly #completionRoom = new Room(COMPLETIONS_BYTES)
  readonly #areas = {
    bodyPostings: new Map<number, AreaLists>(),
    strongPostings: new Map<number, AreaLists>(),
    titlePostings: new Map<number, AreaLists>(),
  }

  constructor(moment: Moment) {
    this.#moment = moment
  }

  /** Those of one area of a table. */
  of(table: 'bodyPostings' | 'strongPostings' | 'titlePostings', area: number): AreaLists {
    const areas = this.#areas[table]
    let lists = areas.get(area)
    if (lists === undefined) {
      lists = new AreaLists(this.#moment, this.#listRoom, this.#completionRoom)
      areas.set(area, lists)
    }
    return lists
  }
}

/** The lists of one area. Each is right as of the moment of the search. */
export class AreaLists {
  readonly #moment: Moment
  readonly #room: Room
  readonly #lists: Recent<TermList | undefined>
  readonly #completions: Recent<readonly Completion[]>
  #pages = 0
  #pagesGeneration = Number.NaN

  constructor(moment: Moment, listRoom: Room, completionRoom: Room) {
    this.#moment = moment
    this.#room = listRoom
    this.#lists = new Recent(moment, listRoom, LISTS)
    this.#completions = new Recent(moment, completionRoom, COMPLETIONS)
  }

  /** Number of pages in the area, which `count` reads. */
  countPages(count: () => number): number {
    const { generation } = this.#moment
    if (generation !== this.#pagesGeneration) {
      this.#pages = count()
      this.#pagesGeneration = generation
    }
    return this.#pages
  }

  /** The list of a term, as `value` is undefined for a term that no page has. */
  find(term: string): { readonly value: TermList | undefined } | undefined {
    return this.#lists.get(term)
  }

  /** Keeps a list, and returns it with postings of its own. */
  keep(term: string, list: TermList | undefined): TermList | undefined {
    const kept = list && {
      ...list,
      first: list.first.copy(),
      kept: { wasRead: false, whole: undefined, table: undefined },
    }
    this.#lists.set(term, kept)
    return kept
  }

  /** Keeps a copy of all postings of a list with further rows. */
  keepWhole(list: TermList, kept: KeptPostings, postings: Postings): void {
    kept.whole = postings.copy()
    list.first = NO_POSTINGS
    this.#room.take(POSTING_BYTES * postings.length)
  }

  /** Keeps a table of all postings of a list, or a copy of them if they are too few. */
  keepTable(list: TermList, kept: KeptPostings, postings: Postings): void {
    const table = SlotTable.of(postings)
    kept.table = table ?? null
    if (table !== undefined) {
      if (list.hasMore) list.first = NO_POSTINGS
      this.#room.take(table.bytes)
    } else if (list.hasMore && kept.whole === undefined) this.keepWhole(list, kept, postings)
  }

  findCompletions(prefix: string, bounds: CompletionBounds): readonly Completion[] | undefined {
    return this.#completions.get(keyOf(prefix, bounds))?.value
  }

  keepCompletions(prefix: string, bounds: CompletionBounds, found: readonly Completion[]): void {
    this.#completions.set(keyOf(prefix, bounds), found)
  }
}

function bytesOf({ first, kept }: TermList): number {
  const { whole, table } = kept!
  return POSTING_BYTES * (first.length + (whole?.length ?? 0)) + (table?.bytes ?? 0)
}

const NO_POSTINGS = new Postings(0)

const keyOf = (prefix: string, { scanned }: CompletionBounds): string => `${scanned} ${prefix}`
const prefixOf = (key: string): string => key.slice(key.indexOf(' ') + 1)
