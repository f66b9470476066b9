/** `Store.categories`: members of categories, from the index in force. */
import { firstBytes } from '../../domain/utf8.js'
import type { Title } from '../../domain/title.js'
import type { TitleRange } from '../pages/pageLists.js'
import { readPageCategories } from './pageCategories.js'
import { readTally } from '../tables/meta.js'
import { MAX_U32 } from '../rows/keys.js'
import { decodePageRow } from '../rows/rows.js'
import { indexInForce, readIndexState } from '../search/indexState.js'
import { type IndexSet, type Table, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { endOf, type PlaceRange, walk } from '../tables/walk.js'
import {
  type CategoryCounts,
  type CategoryEntry,
  decodeCounts,
  MAX_KEY_BYTES,
  MEMBER_KINDS,
  type MemberKey,
  type MemberKind,
  type MemberTimeKey,
  NO_MEMBERS,
} from '../rows/categoryRows.js'

interface MemberPage extends Title {
  readonly pageId: number
}

export interface MemberByTime extends MemberPage {
  /** Seconds since 1970. */
  readonly timestamp: number
}

export interface CategoryMember extends MemberPage {
  /** Its place in the list, in capitals. After a sort key, a line break and the title follow. */
  readonly sortKey: string
}

/**
 * Without `until`: the first entries from `from` on. With it: the last entries before `until`. Both are texts of a
 * reader, or come from an earlier list.
 */
interface ListQuery {
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly limit: number
}

interface Neighbours {
  /** `until` for the entries before these; undefined if there are none. */
  readonly previousUntil: string | undefined
  /** `from` for the entries after these; undefined if there are none. */
  readonly nextFrom: string | undefined
}

interface MemberList extends Neighbours {
  readonly members: readonly CategoryMember[]
}

interface CategoryList extends Neighbours {
  readonly categories: readonly { readonly dbkey: string; readonly counts: CategoryCounts }[]
}

/** Between sort key and page id in a place of a list. No sort key has two line breaks in a row. */
const ID_MARK = '\n\n'
/** Below and above all names of categories. */
const NAMES = { low: '\u0001', high: '\u{10ffff}' } as const

export class CategoryReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** False in a store that an older version of the program filled. A reindex adds the categories of its pages. */
  isComplete(): boolean {
    return readIndexState(this.#tables).categories === true
  }

  /** The same for the times of members. */
  hasTimes(): boolean {
    return readIndexState(this.#tables).categoryTimes === true
  }

  /** Returns a function that tells whether no list can have changed since now: the store was not written. */
  watch(): () => boolean {
    const before = readTally(this.#tables, 'generation')
    return () => readTally(this.#tables, 'generation') === before
  }

  /** Number of categories with members. It walks over them. */
  count(): number {
    return this.#index().categoryCount.getKeysCount(WHOLE_TABLE)
  }

  /** Numbers of a category's members. The category need not have a page of its own. */
  counts(category: string): CategoryCounts {
    const row = this.#index().categoryCount.getBinaryFast(category)
    return row === undefined ? NO_MEMBERS : decodeCounts(row)
  }

  /** The categories of a page, ordered by name. */
  ofPage(pageId: number): readonly CategoryEntry[] {
    return readPageCategories(this.#index(), pageId)?.entries ?? []
  }

  /** Categories with members, by the UTF-8 bytes of their names, or the other way round. End the walk early. */
  *walk({ from, to, prefix, isReverse }: TitleRange): Generator<{ dbkey: string; size: number }, void> {
    const table = this.#index().categoryCount
    const [low, high] = isReverse ? [to, from] : [from, to]
    const bottom =
      [low, prefix]
        .filter((each) => each !== undefined)
        .sort()
        .at(-1) ?? NAMES.low
    const top = high ?? (prefix === undefined ? NAMES.high : prefix + NAMES.high)
    const [start, end] = isReverse ? [top, bottom] : [bottom, top]
    const shown = (dbkey: string): { dbkey: string; size: number } => {
      const { subcategory, page, file } = this.counts(dbkey)
      return { dbkey, size: subcategory + page + file }
    }
    for (const dbkey of table.getKeys({ start: cut(start), end: cut(end), reverse: isReverse })) {
      if (prefix !== undefined && !dbkey.startsWith(prefix)) {
        if (isReverse === dbkey < prefix) return
        continue
      }
      yield shown(dbkey)
    }
    const isEdgeIn = prefix === undefined || end.startsWith(prefix)
    if (isEdgeIn && table.doesExist(cut(end))) yield shown(end)
  }

  /** Members of one kind, ordered by sort key and page id. Names are dbkeys. */
  listMembers(category: string, kind: MemberKind, { from, until, limit }: ListQuery): MemberList {
    const number = MEMBER_KINDS.indexOf(kind)
    const place = (text: string | undefined): MemberKey | undefined =>
      text === undefined ? undefined : placeOf(category, number, text)
    const range = { low: [category, number, '', 0], high: [category, number + 1, '', 0] } as const
    const query = { from: place(from), until: place(until), limit }
    const { keys, previousUntil, nextFrom } = pageOfKeys<MemberKey>(
      this.#index().categoryMember,
      range,
      query,
    )
    return {
      members: keys.flatMap(([, , sortKey, pageId]) => {
        const member = this.#member(pageId)
        return member === undefined ? [] : [{ ...member, sortKey }]
      }),
      previousUntil: previousUntil && this.#textOf(previousUntil),
      nextFrom: nextFrom && this.#textOf(nextFrom),
    }
  }

  /** Members of all kinds by the time when they came into the category, then by page id. */
  *byTime(category: string, range: PlaceRange): Generator<MemberByTime, void> {
    const { from, until, ascending = false } = range
    const { timestamp = ascending ? 0 : MAX_U32, id = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: MemberTimeKey = [category, timestamp, id]
    const end: MemberTimeKey = [category, ...endOf(until, ascending)]
    for (const [, time, pageId] of walk(this.#index().categoryTime, { start, end, ascending })) {
      const member = this.#member(pageId)
      if (member !== undefined) yield { ...member, timestamp: time }
    }
  }

  /** Categories with members, ordered by the UTF-8 bytes of their dbkeys. */
  list({ from, until, limit }: ListQuery): CategoryList {
    const table = this.#index().categoryCount
    const query = { from: from && cut(from), until: until && cut(until), limit }
    const { keys, ...neighbours } = pageOfKeys<string>(table, NAMES, query)
    return { categories: keys.map((dbkey) => ({ dbkey, counts: this.counts(dbkey) })), ...neighbours }
  }

  #member(pageId: number): MemberPage | undefined {
    const row = this.#tables.page.getBinaryFast(pageId)
    if (row === undefined) return undefined
    const { namespace, dbkey, deleted } = decodePageRow(row)
    return deleted ? undefined : { pageId, namespace, dbkey }
  }

  /** The text for a place. It has the page id if other members before it have the same sort key. */
  #textOf(key: MemberKey): string {
    const [category, kind, sortKey, pageId] = key
    const start: MemberKey = [category, kind, sortKey, 0]
    for (const _same of this.#index().categoryMember.getKeys({ start, end: key, limit: 1 }))
      return `${sortKey}${ID_MARK}${pageId}`
    return sortKey
  }

  #index(): IndexSet {
    return indexInForce(this.#tables)
  }
}

function placeOf(category: string, kind: number, text: string): MemberKey {
  const mark = text.lastIndexOf(ID_MARK)
  const id = mark < 0 ? 0 : Number(text.slice(mark + ID_MARK.length))
  const isPlace = mark >= 0 && Number.isInteger(id) && id >= 0 && id <= MAX_U32
  return [category, kind, cut((isPlace ? text.slice(0, mark) : text).toUpperCase()), isPlace ? id : 0]
}

/** A text that fits into a key. */
const cut = (text: string): string => firstBytes(text, MAX_KEY_BYTES)

export interface KeyRange<K> {
  /** Below all keys of the range, and none of them. */
  readonly low: K
  /** Above all keys of the range, and none of them. */
  readonly high: K
}

/** Without `until`: the first keys from `from` on. With it: the last keys before `until`. */
interface PlaceQuery<K> {
  readonly from?: K | undefined
  readonly until?: K | undefined
  readonly limit: number
}

interface KeyPage<K> {
  /** In their order. */
  readonly keys: readonly K[]
  /** Where the page before ends; undefined if nothing comes before. */
  readonly previousUntil: K | undefined
  /** Where the page after begins; undefined if nothing follows. */
  readonly nextFrom: K | undefined
}

/** A page of the keys in a range, with what lies before and after it. */
function pageOfKeys<K>(
  table: Table<K>,
  { low, high }: KeyRange<K>,
  { from, until, limit }: PlaceQuery<K>,
): KeyPage<K> {
  const has = (start: K, end: K): boolean => {
    for (const _key of table.getKeys({ start, end, limit: 1 })) return true
    return false
  }
  if (until === undefined) {
    const start = from ?? low
    const keys = [...table.getKeys({ start, end: high, limit: limit + 1 })]
    const hasEarlier = from !== undefined && has(low, from)
    return {
      keys: keys.slice(0, limit),
      previousUntil: hasEarlier ? (keys[0] ?? start) : undefined,
      nextFrom: keys[limit],
    }
  }
  const behind = [...table.getKeys({ start: until, end: low, reverse: true, limit: limit + 2 })]
  const last = behind[0]
  // A walk in reverse begins with its start.
  if (last !== undefined && isSameKey(last, until)) behind.shift()
  const keys = behind.slice(0, limit).reverse()
  return {
    keys,
    previousUntil: behind.length > limit ? keys[0] : undefined,
    nextFrom: has(until, high) ? until : undefined,
  }
}

const isSameKey = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
