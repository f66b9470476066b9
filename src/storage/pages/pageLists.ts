/** Lists for readers: revisions of a page, titles in order, the newest revisions, a page by chance. All are bounded. */
import { compareUtf8, type Title } from '../../domain/title.js'
import { decodePageRow, type HistoryRow, titleRowPageId } from '../rows/rows.js'
import { MAX_U32 } from '../rows/keys.js'
import { readCounters } from '../tables/meta.js'
import {
  listRevisionRows,
  type RevisionAnchor,
  type RevisionQuery,
  type RevisionRowSegment,
} from './history.js'
import { type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { StoreError } from '../tables/errors.js'
import { decodeBinaryText, readBinaryText } from './texts.js'
import { MAIN } from '../../domain/namespaceIds.js'

/** Most revisions to read for one segment of recent changes. Revisions of deleted pages are read and left out. */
const MAX_READ_REVISIONS = 200
/** Page ids to try before `random` looks for a page near a title. With one id in ten in use, 99 % need no more. */
const RANDOM_TRIES = 44
/** Pages to look at near a title, since some are redirects. */
const NEAR_TITLES = 10

/** Titles that a walk reads at once. */
const WALKED_TITLES = 64
/** Above all letters that follow the beginning of a title. */
const LAST_LETTER = '\u{10ffff}'

/** Both ends are included. Backwards, `from` is the upper end. */
export interface TitleRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Titles begin so. */
  readonly prefix?: string | undefined
  readonly isReverse: boolean
}

const isAfter = (one: string, other: string): boolean => compareUtf8(one, other) > 0

/** A page's title in a list, with the titles that its neighbours begin with. */
interface TitleSegment {
  /** Keys of titles without their prefix, in the order of their UTF-8 bytes. */
  readonly dbkeys: readonly string[]
  /** The first title of the next segment; undefined at the end. */
  readonly next: string | undefined
  /** The first title of the segment before; undefined at the beginning. */
  readonly previous: string | undefined
}

interface RecentRevision extends HistoryRow, RevisionAnchor {
  readonly title: Title
}

interface RecentSegment {
  /** Newest first, by id. */
  readonly revisions: readonly RecentRevision[]
  /** Older revisions have ids below this one; undefined at the end. */
  readonly olderThan: number | undefined
}

/** A revision with its text; undefined if it is hidden. */
export interface RevisionText extends HistoryRow, RevisionAnchor {
  readonly text: string | undefined
}

/** The reads of a store that lists need. */
interface ListedStore extends TableHolder {
  getRevision(id: number): (HistoryRow & RevisionAnchor) | undefined
}

/** Ids to read at once. */
const IDS_AT_ONCE = 500

export class PageLists {
  readonly #store: ListedStore

  constructor(store: ListedStore) {
    this.#store = store
  }

  /** A segment of a page's history as unpacked rows, which tell of hidden texts too. */
  history(pageId: number, query: RevisionQuery): RevisionRowSegment {
    return listRevisionRows(this.#store.tables, pageId, query)
  }

  /** At most `limit` revisions of a page after one of them, oldest first, with their texts. */
  texts(
    pageId: number,
    newerThan: RevisionAnchor,
    limit: number,
  ): { readonly revisions: readonly RevisionText[]; readonly hasNewer: boolean } {
    const { tables } = this.#store
    const { rows, hasNewer } = listRevisionRows(tables, pageId, { newerThan, limit })
    let newer: { readonly id: number; readonly text: string } | undefined
    // Newest first: most texts are packed as their difference from the next newer one.
    const revisions = rows.map((row) => {
      if (row.textHidden) return { ...row, text: undefined }
      const text = readBinaryText(tables, row.id, newer)
      if (text === undefined) throw new StoreError(`revision ${row.id} has no text: run "palimpsest verify"`)
      newer = { id: row.id, text }
      return { ...row, text: decodeBinaryText(text) }
    })
    return { revisions: revisions.reverse(), hasNewer }
  }

  /** Ids of pages from one on, in order. Deleted pages have ids, too. Other reads may come between. */
  *pageIds(from = 1): Generator<number, void> {
    for (let start = from; ;) {
      const ids = [...this.#store.tables.page.getKeys({ start, limit: IDS_AT_ONCE })]
      yield* ids
      if (ids.length < IDS_AT_ONCE) return
      start = ids.at(-1)! + 1
    }
  }

  /** The first title by namespace and dbkey; undefined if there are no pages. */
  first(): Title | undefined {
    for (const [namespace, dbkey] of this.#store.tables.title.getKeys({ ...WHOLE_TABLE, limit: 1 }))
      return { namespace, dbkey }
    return undefined
  }

  /** At most `limit` titles of a namespace, beginning with `from`, which need not be a title. */
  titles(namespace: number, from: string, limit: number): TitleSegment {
    const { title } = this.#store.tables
    const end = [namespace + 1, ''] as const
    const start = [namespace, from] as const
    const dbkeys = [...title.getKeys({ start, end, limit: limit + 1 })].map(([, dbkey]) => dbkey)
    const next = dbkeys.length > limit ? dbkeys.pop() : undefined
    const before = [...title.getKeys({ start, end: [namespace, ''], reverse: true, limit: limit + 1 })].map(
      ([, dbkey]) => dbkey,
    )
    // LMDB includes the start of a range.
    if (before[0] === from) before.shift()
    return { dbkeys, next, previous: before.slice(0, limit).at(-1) }
  }

  /** Titles of a namespace in the order of their bytes, or the other way round. End the walk as soon as you can. */
  *walkTitles(namespace: number, range: TitleRange): Generator<string, void> {
    const { from, to, prefix, isReverse } = range
    const [low, high] = isReverse ? [to, from] : [from, to]
    const first = prefix === undefined || (low !== undefined && isAfter(low, prefix)) ? (low ?? '') : prefix
    const beyond = prefix === undefined ? undefined : `${prefix}${LAST_LETTER}`
    const last = high === undefined || (beyond !== undefined && isAfter(high, beyond)) ? beyond : high
    const bottom = [namespace, first] as const
    const top = last === undefined ? ([namespace + 1, ''] as const) : ([namespace, last] as const)
    let place = isReverse ? top : bottom
    for (let isFirst = true; ; isFirst = false) {
      const end = isReverse ? ([namespace, first] as const) : top
      const range = { start: place, end, reverse: isReverse, limit: WALKED_TITLES }
      const keys = [...this.#store.tables.title.getKeys(range)]
      for (const key of keys) {
        const isKnown = !isFirst && key[0] === place[0] && key[1] === place[1]
        if (!isKnown && key[0] === namespace) yield key[1]
      }
      const next = keys.at(-1)
      if (keys.length < WALKED_TITLES || next === undefined) break
      place = next
    }
    // LMDB leaves out the end of a range.
    const edge = isReverse ? first : last
    if (edge !== undefined && edge !== beyond && this.#store.tables.title.doesExist([namespace, edge]))
      yield edge
  }

  /** At most `limit` revisions with ids below `olderThan`, of all pages. */
  recent(olderThan: number | undefined, limit: number): RecentSegment {
    const start = olderThan === undefined ? MAX_U32 : olderThan - 1
    if (start < 1) return { revisions: [], olderThan: undefined }
    const revisions: RecentRevision[] = []
    let read = 0
    let last = start
    const ids = this.#store.tables.rev.getKeys({ start, end: 0, reverse: true, limit: MAX_READ_REVISIONS })
    for (const id of ids) {
      if (revisions.length === limit) return { revisions, olderThan: last }
      read++
      last = id
      const revision = this.#store.getRevision(id)
      const title = revision && this.#titleOf(revision.pageId)
      if (title !== undefined) revisions.push({ ...revision!, title })
    }
    return { revisions, olderThan: read === MAX_READ_REVISIONS ? last : undefined }
  }

  /**
   * The title of a page that is no redirect; undefined if none was found. `chance` gives numbers from 0 up to 1. Every
   * page has the same chance if a good part of the page ids is in use by the namespace. Otherwise the page follows a
   * drawn place between the first and the last title.
   */
  random(namespace: number, chance: () => number): Title | undefined {
    const { nextPageId } = readCounters(this.#store.tables)
    for (let tries = 0; tries < RANDOM_TRIES; tries++) {
      const title = this.#content(1 + Math.floor(chance() * (nextPageId - 1)))
      if (title?.namespace === namespace) return title
    }
    return this.#near(namespace, chance())
  }

  /** The first page at or after a place between the namespace's first and last title: 0 is the first, 1 the last. */
  #near(namespace: number, place: number): Title | undefined {
    const first = this.#edge(namespace, false)
    const last = this.#edge(namespace, true)
    if (first === undefined || last === undefined) return undefined
    const drawn = between(first, last, place)
    return this.#firstContent(namespace, drawn) ?? this.#firstContent(namespace, first)
  }

  #firstContent(namespace: number, from: string): Title | undefined {
    const { title, page } = this.#store.tables
    const keys = title.getKeys({ start: [namespace, from], end: [namespace + 1, ''], limit: NEAR_TITLES })
    for (const key of [...keys]) {
      const bytes = title.getBinaryFast(key)
      const row = bytes && page.getBinaryFast(titleRowPageId(bytes))
      if (row !== undefined && decodePageRow(row).redirectTarget === undefined)
        return { namespace, dbkey: key[1] }
    }
    return undefined
  }

  #edge(namespace: number, isLast: boolean): string | undefined {
    const [lowest, highest] = [[namespace, ''] as const, [namespace + 1, ''] as const]
    const [start, end] = isLast ? [highest, lowest] : [lowest, highest]
    for (const [found, dbkey] of this.#store.tables.title.getKeys({ start, end, reverse: isLast, limit: 2 }))
      if (found === namespace) return dbkey
    return undefined
  }

  /** The title of a page that is no redirect. */
  #content(pageId: number): Title | undefined {
    const bytes = this.#store.tables.page.getBinaryFast(pageId)
    const page = bytes && decodePageRow(bytes)
    if (page === undefined || page.deleted || page.redirectTarget !== undefined) return undefined
    return { namespace: page.namespace, dbkey: page.dbkey }
  }

  #titleOf(pageId: number): Title | undefined {
    const bytes = this.#store.tables.page.getBinaryFast(pageId)
    if (bytes === undefined) return undefined
    const { namespace, dbkey } = decodePageRow(bytes)
    return { namespace, dbkey }
  }
}

/** The second letter of a drawn place: from a blank to the end of ASCII. */
const SECOND_FIRST = 0x20
const SECOND_COUNT = 0x60
const LAST_BEFORE_SURROGATES = 0xd7ff
const FIRST_AFTER_SURROGATES = 0xe000

/** A text between two others: what both begin with, a letter between theirs, and one more letter. */
function between(first: string, last: string, place: number): string {
  const [low, high] = [[...first], [...last]]
  let same = 0
  while (same < low.length && low[same] === high[same]) same++
  const [from, to] = [low[same]?.codePointAt(0) ?? 0, high[same]?.codePointAt(0) ?? 0]
  const drawn = from + place * (to - from + 1)
  const letter = Math.min(Math.floor(drawn), to)
  const second = SECOND_FIRST + Math.floor((drawn - Math.floor(drawn)) * SECOND_COUNT)
  const isSurrogate = letter > LAST_BEFORE_SURROGATES && letter < FIRST_AFTER_SURROGATES
  const letters = String.fromCodePoint(isSurrogate ? LAST_BEFORE_SURROGATES : letter, second)
  return low.slice(0, same).join('') + letters
}

export interface ListedPage {
  readonly dbkey: string
  /** Time of the latest revision, in seconds since 1970. */
  readonly time: number
}

/** Pages of the main namespace with ids from `from` to before `end`, without redirects. Sitemaps list them. */
export function listedPages(tables: Tables, from: number, end: number): ListedPage[] {
  const pages: ListedPage[] = []
  for (const { value } of tables.page.getRange({ start: from, end })) {
    const { namespace, dbkey, latestTimestamp, redirectTarget, deleted } = decodePageRow(value)
    if (!deleted && namespace === MAIN && redirectTarget === undefined)
      pages.push({ dbkey, time: latestTimestamp })
  }
  return pages
}

/** Numbers of the ranges of `size` ids that have pages of any namespace, from 1. */
export function rangesWithPages(tables: Tables, size: number, nextPageId: number): number[] {
  const numbers: number[] = []
  for (let from = 1; from < nextPageId; from += size) {
    for (const _id of tables.page.getKeys({ start: from, end: from + size, limit: 1 }))
      numbers.push(1 + (from - 1) / size)
  }
  return numbers
}
