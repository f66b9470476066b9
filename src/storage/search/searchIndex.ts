/** Searches of a store: full text, and titles by their beginning. */
import { FILE } from '../../domain/namespaceIds.js'
import type { FileFacts } from '../../domain/file.js'
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle } from '../../domain/title.js'
import type { CategoryDirectory } from '../../index/search/categoryFilter.js'
import { AnswerWatch } from '../../index/search/answerWatch.js'
import { LetterSpellings } from '../../index/search/letterSpellings.js'
import { Completer } from '../../index/titles/completer.js'
import { readIndexedRow } from '../../index/write/pageStore.js'
import { parseQuery, type Query, splitNamespace } from '../../index/search/query.js'
import { JsonBytes } from '../../index/search/jsonBytes.js'
import { searchAnswer, shownPages, type ThumbnailOf } from '../../index/search/results.js'
import { type Hit, type PageDirectory, Searcher } from '../../index/search/searcher.js'
import {
  decodeCounts,
  decodePageCategories,
  MEMBER_KINDS,
  type MemberKey,
  NO_MEMBERS,
} from '../rows/categoryRows.js'
import { findFile } from '../pages/files.js'
import { decodePageRow, titleRowPageId } from '../rows/rows.js'
import { type IndexName, type IndexSet, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import {
  countQueued,
  type IndexCondition,
  indexInForce,
  type IndexTarget,
  queuedPages,
  readIndexState,
  targetInForce,
  conditionOf,
} from './indexState.js'
import { SearchChanges } from './searchChanges.js'
import { readCounters, readTally } from '../tables/meta.js'

/** A client's search request. */
export interface SearchRequest {
  /** See index/search/query.ts for its syntax. Empty only with categories. */
  readonly text: string
  /** Names of categories that results must be in, beside those of the text. */
  readonly categories?: readonly string[]
  readonly limit: number
  /** Number of better results to leave out; none by default. */
  readonly offset?: number
  /** Namespaces to search if the text names none. */
  readonly namespaces: readonly number[]
}

/**
 * The picture of a file for a search result; undefined if it has none. It depends on the address at which clients find
 * files, which the store does not know.
 */
export type PictureOf = (dbkey: string, facts: FileFacts) => object | undefined

const noPicture: PictureOf = () => undefined
const noThumbnail: ThumbnailOf = () => 'null'

/** Most postings to read for an answer in the same turn of the event loop. Searches for common words read more. */
const MAX_POSTINGS_IN_TURN = 2000
/**
 * Once searches have taken this long in a turn of the event loop, no further one begins in it. With 1 ms, page reads
 * beside a flood of searches wait twice as long at the median.
 */
const MAX_MS_PER_TURN = 0.3

/** After such a pause, a search may have to read its rows from the disk. */
const PAUSE_MS = 10_000

/** Writes after which a ready answer ends even if none concerns it. Until then its order may be out of date. */
const MAX_SURVIVED = 1000

/** The present settings of the wiki. */
export interface WikiSettings {
  site(): Site
  namespaces(): Namespaces
}

/** One of the two indexes, with its search engines. */
interface SearchedIndex {
  readonly tables: IndexSet
  readonly searcher: Searcher
  readonly completer: Completer
}

/** Every search reads which index is in force, since another process may have put a rebuilt one into force. */
export class SearchIndex {
  readonly #tables: Tables
  readonly #wiki: WikiSettings
  readonly #directory: PageDirectory
  readonly #searched: Readonly<Record<IndexName, SearchedIndex>>
  readonly #changes: SearchChanges
  readonly #json = new JsonBytes()
  readonly #state: SearchState
  #spelt: { readonly namespaces: Namespaces; readonly letters: LetterSpellings } | undefined
  /** When `hasPaused` was called last. */
  #askedMs = Number.NEGATIVE_INFINITY
  /** Time that `answerInTurn` has taken in this turn of the event loop. */
  #spentMs = 0

  constructor(tables: Tables, wiki: WikiSettings) {
    this.#tables = tables
    this.#wiki = wiki
    this.#changes = new SearchChanges(tables)
    this.#state = new SearchState(tables)
    this.#directory = {
      pageIdOf: (namespace, dbkey) => {
        const row = tables.title.getBinaryFast([namespace, dbkey])
        return row && titleRowPageId(row)
      },
      expect: (titles) =>
        tables.title.expect(() => titles().map(({ namespace, dbkey }) => [namespace, dbkey] as const)),
      namespaces: () =>
        wiki
          .site()
          .namespaces.map(({ id }) => id)
          .filter((id) => id >= 0),
    }
    const history = {
      generation: () => this.#state.generation,
      at: (generation: number) => this.#changes.at(generation),
    }
    const searched = (index: IndexSet): SearchedIndex => {
      const searcher = new Searcher(index, this.#directory, categoryDirectory(index), history)
      return { tables: index, searcher, completer: new Completer(index, searcher) }
    }
    this.#searched = { a: searched(tables.indexes.a), b: searched(tables.indexes.b) }
  }

  condition(): IndexCondition {
    return this.#state.now().condition
  }

  /** Tells if a rebuild has begun and not ended. Its process may have been killed. */
  isRebuilt(): boolean {
    return readIndexState(this.#tables).rebuild !== undefined
  }

  /** The tables of the index in force. */
  inForce(): IndexSet {
    return indexInForce(this.#tables)
  }

  /** The index in force, for writing it over many transactions. */
  target(): IndexTarget {
    return targetInForce(this.#tables)
  }

  /** Number of pages that an index has not taken in yet; by default the index in force. */
  countQueued(set: IndexName = this.target().set): number {
    return countQueued(this.#tables.indexes[set])
  }

  /** Ids of queued pages after `afterId`, in order, at most `limit`. */
  queuedPages(set: IndexName, afterId: number, limit: number): number[] {
    return queuedPages(this.#tables.indexes[set], afterId, limit)
  }

  /** Number of pages in an index; by default the index in force. */
  countIndexed(set: IndexName = this.target().set): number {
    return this.#tables.indexes[set].indexed.getKeysCount(WHOLE_TABLE)
  }

  /** Whether an index has no page. */
  isEmpty(set: IndexName): boolean {
    for (const _page of this.#tables.indexes[set].indexed.getKeys({ ...WHOLE_TABLE, limit: 1 })) return false
    return true
  }

  /** Pages that imports have added to the index in force since its titles were ranked. */
  countUnranked(): number {
    return readIndexState(this.#tables).unranked ?? 0
  }

  parse({ text, namespaces, categories }: SearchRequest): Query {
    const query = parseQuery(text, this.#wiki.namespaces(), namespaces, categories)
    const letters = this.#letters()
    return letters.mayDiffer(query.text) ? this.#current().searcher.withSpellings(query, letters) : query
  }

  /** Those of the wiki's language, made again when its settings change. */
  #letters(): LetterSpellings {
    const namespaces = this.#wiki.namespaces()
    if (this.#spelt?.namespaces !== namespaces) {
      const { digits } = namespaces.language.numbers
      this.#spelt = { namespaces, letters: new LetterSpellings(digits) }
    }
    return this.#spelt.letters
  }

  /** The pages that match a query, best first. */
  find(query: Query, limit: number): Hit[] {
    return this.#current().searcher.search(query, limit)
  }

  /**
   * The answer to a search, as UTF-8 of JSON: at most `limit` results after the first `offset` ones. Without any
   * result it may suggest another spelling. Undefined if it might read more than `maxPostings` postings, or look for
   * spellings.
   */
  answer(query: Query, limit: number, maxPostings?: undefined, pictureOf?: PictureOf, offset?: number): Buffer
  answer(
    query: Query,
    limit: number,
    maxPostings: number,
    pictureOf?: PictureOf,
    offset?: number,
  ): Buffer | undefined
  answer(
    query: Query,
    limit: number,
    maxPostings = Number.POSITIVE_INFINITY,
    pictureOf: PictureOf = noPicture,
    offset = 0,
  ): Buffer | undefined {
    const { tables, searcher } = this.#current()
    const hits = searcher.search(query, offset + limit, maxPostings)
    if (hits === undefined) return undefined
    const tools = { thumbnailOf: this.#thumbnails(tables, pictureOf), json: this.#json }
    if (hits.length > 0) return searchAnswer(searcher.pages, query, hits.slice(offset), tools)
    // Other spellings take milliseconds, so that only calls without a limit look for them.
    if (maxPostings < Infinity && searcher.maySuggest(query)) return undefined
    return searchAnswer(searcher.pages, query, hits, tools, searcher.suggest(query))
  }

  /**
   * The answer to a search, or undefined once searches have used up their time in this turn of the event loop. Also
   * undefined for a search that reads too many postings. This bounds the wait of other requests, however many searches
   * arrive at once.
   */
  answerInTurn(query: Query, limit: number, pictureOf: PictureOf, offset = 0): Buffer | undefined {
    if (this.#spentMs >= MAX_MS_PER_TURN) return undefined
    const start = performance.now()
    const answer = this.answer(query, limit, MAX_POSTINGS_IN_TURN, pictureOf, offset)
    // Immediates run after all sockets of the turn were served.
    if (this.#spentMs === 0) setImmediate(() => (this.#spentMs = 0))
    this.#spentMs += performance.now() - start
    return answer
  }

  /**
   * Whether a while has passed since the last call, so that rows for a search may no longer be in memory. Call it once
   * for each search.
   */
  hasPaused(): boolean {
    const now = performance.now()
    const before = this.#askedMs
    this.#askedMs = now
    return now - before > PAUSE_MS
  }

  /** What the index knows of a page beside its words. `picture` is the file that stands for it, and exists. */
  pageFacts(pageId: number): {
    readonly description: string | undefined
    readonly picture: string | undefined
  } {
    const row = readIndexedRow(this.#current().tables, pageId)
    const picture = row?.files
      .map((dbkey) => findFile(this.#tables, this.#wiki.namespaces(), dbkey))
      .find((file) => file !== undefined && (file.facts.width ?? 0) > 0)
    const description = row && (JSON.parse(row.descriptionJson) as string | null)
    return { description: description ?? undefined, picture: picture?.dbkey }
  }

  /** The text of a page from which excerpts are cut, and its revision. */
  indexedText(pageId: number): { readonly text: string; readonly revisionId: number } | undefined {
    const view = readIndexedRow(this.#current().tables, pageId)
    if (view === undefined || view.textHidden) return undefined
    const { row, textStart, textEnd, latestId } = view
    return { text: row.toString('utf8', textStart, textEnd), revisionId: latestId }
  }

  /** The answer to a search for titles that begin with a text, as JSON. */
  complete({ text, limit, namespaces }: SearchRequest, pictureOf: PictureOf = noPicture): string {
    const table = this.#wiki.namespaces()
    const { searched, text: beginning } = splitNamespace(text, table, namespaces)
    if (beginning === '' && searched === namespaces) return '{"pages":[]}'
    const parsed = parseTitle(text, table)
    const exact = parsed.ok && parsed.title.namespace >= 0 ? parsed.title : undefined
    const exactId = exact && this.#directory.pageIdOf(exact.namespace, exact.dbkey)
    const usable = (searched ?? this.#directory.namespaces()).filter((id) => id >= 0)
    const letters = this.#letters()
    const request = { namespaces: usable, text: beginning, limit, exactId, letters }
    const { tables, completer } = this.#current()
    return completer.answer(request, this.#thumbnails(tables, pictureOf))
  }

  /**
   * Returns a function that tells if completions of titles still are as `complete` has just found them. Edits of texts
   * do not change them; every other write counts as a change.
   */
  watchTitles(): () => boolean {
    const before = this.#state.otherWrites
    return () => this.#state.now().otherWrites === before
  }

  /**
   * For a search that is about to be answered. The result takes the answer, and returns a function that tells if it
   * still is right: see index/search/answerWatch.ts. An answer survives at most `MAX_SURVIVED` writes.
   */
  watchPages(search: SearchRequest): (answer: Uint8Array) => () => boolean {
    const made = this.#state.now().generation
    return (answer) => {
      const pages = shownPages(answer)
      let watch: AnswerWatch | undefined
      let checked = made
      return () => {
        watch ??= this.#watch(search, pages)
        const now = this.#state.now().generation
        if (!watch.isPossible || now > made + MAX_SURVIVED) return false
        for (; checked < now; checked++) {
          const change = this.#changes.at(checked + 1)
          if (change === undefined || watch.isConcernedBy(change)) return false
        }
        return true
      }
    }
  }

  #watch(search: SearchRequest, pages: readonly number[]): AnswerWatch {
    const query = this.parse(search)
    return new AnswerWatch(query, pages, () => this.#current().searcher.mayRedirect(query))
  }

  /** The index in force. Call it once at the start of each search, which may read another snapshot than the last. */
  #current(): SearchedIndex {
    const searched = this.#searched[this.#state.now().set]
    searched.searcher.renew()
    return searched
  }

  /**
   * The picture for each page in results. A file page shows its file. Other pages show the first of their files that
   * has a picture.
   */
  #thumbnails(index: IndexSet, pictureOf: PictureOf): ThumbnailOf {
    if (!this.#state.hasFiles) return noThumbnail
    return (pageId, namespace) => {
      for (const dbkey of this.#filesOf(index, pageId, namespace)) {
        const file = findFile(this.#tables, this.#wiki.namespaces(), dbkey)
        const picture = file && pictureOf(file.dbkey, file.facts)
        if (picture !== undefined) return JSON.stringify(picture)
      }
      return 'null'
    }
  }

  #filesOf(index: IndexSet, pageId: number, namespace: number): string[] {
    if (namespace !== FILE) return readIndexedRow(index, pageId)?.files ?? []
    const row = this.#tables.page.getBinaryFast(pageId)
    return row === undefined ? [] : [decodePageRow(row).dbkey]
  }
}

function categoryDirectory(index: IndexSet): CategoryDirectory {
  return {
    countMembers: (category) => {
      const row = index.categoryCount.getBinaryFast(category)
      const counts = row === undefined ? NO_MEMBERS : decodeCounts(row)
      return counts.subcategory + counts.page + counts.file
    },
    *members(category) {
      const [start, end] = [0, MEMBER_KINDS.length].map((kind): MemberKey => [category, kind, '', 0])
      for (const [, , , pageId] of index.categoryMember.getKeys({ start, end: end! })) yield pageId
    },
    has: (category, pageId) => {
      const row = index.pageCategories.getBinaryFast(pageId)
      return (
        row !== undefined && decodePageCategories(row).entries.some((entry) => entry.category === category)
      )
    },
  }
}

// The state of the wiki that every search asks for. It is read again only when the generation has changed: a read of
// each row takes a microsecond, and all that changes them raises the generation.

export class SearchState {
  generation = Number.NaN
  /** The index in force. */
  set: IndexName = 'a'
  condition: IndexCondition = 'outdated'
  /** Most mirrors have no files. Their results need no reads for pictures. */
  hasFiles = false
  /** Write transactions so far, without those that only changed texts. */
  otherWrites = 0
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** The state in the snapshot that is read now. */
  now(): this {
    const generation = readTally(this.#tables, 'generation')
    if (generation !== this.generation) this.#read(generation)
    return this
  }

  #read(generation: number): void {
    const index = readIndexState(this.#tables)
    this.set = index.set
    this.condition = conditionOf(index)
    this.hasFiles = readCounters(this.#tables).fileChanges > 0
    this.otherWrites = generation - readTally(this.#tables, 'textEdits')
    this.generation = generation
  }
}
