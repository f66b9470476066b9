/** Searches of a store: full text, and titles by their beginning. */
import { FILE } from '../../domain/namespaceIds.js'
import { type FileFacts } from '../../domain/file.js'
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle } from '../../domain/title.js'
import { Completer } from '../../index/titles/completer.js'
import { readIndexedRow } from '../../index/write/indexWriter.js'
import { parseQuery, type Query, splitNamespace } from '../../index/search/query.js'
import { searchAnswer, type ThumbnailOf } from '../../index/search/results.js'
import { type Hit, type PageDirectory, Searcher } from '../../index/search/searcher.js'
import { findFile } from '../files.js'
import { readCounters } from '../meta.js'
import { decodePageRow, titleRowPageId } from '../rows/rows.js'
import { type IndexName, type IndexSet, type Tables, WHOLE_TABLE } from '../tables.js'
import {
  type IndexCondition,
  indexCondition,
  indexInForce,
  type IndexTarget,
  readIndexState,
  targetInForce,
} from './indexState.js'
import { countQueued, queuedPages } from './queuedPages.js'

/** A search as clients ask for it. */
export interface SearchRequest {
  /** Not empty; see index/search/query.ts for what it may hold. */
  readonly text: string
  readonly limit: number
  /** Namespaces to search where the text names none. */
  readonly namespaces: readonly number[]
}

/**
 * What a result shows of a file; undefined: nothing. Depends on where clients find files, which the store does not
 * know.
 */
export type PictureOf = (dbkey: string, facts: FileFacts) => object | undefined

const noPicture: PictureOf = () => undefined

/** Postings that are read for an answer in the turn of its request: searches for common words read more. */
const MAX_POSTINGS_IN_TURN = 2000
/**
 * No search begins in a turn of the event loop in which others have taken so long. With 1 ms, page reads beside a flood
 * of searches wait twice as long at the median.
 */
const MAX_MS_PER_TURN = 0.3

/** The settings of the wiki, as they are when asked for. */
export interface WikiSettings {
  site(): Site
  namespaces(): Namespaces
}

/** One of the two indexes, and what searches it. */
interface SearchedIndex {
  readonly tables: IndexSet
  readonly searcher: Searcher
  readonly completer: Completer
}

/**
 * Which of the indexes is in force is read for every search: a rebuild in another process may have put one into force.
 */
export class SearchIndex {
  readonly #tables: Tables
  readonly #wiki: WikiSettings
  readonly #directory: PageDirectory
  readonly #searched: Readonly<Record<IndexName, SearchedIndex>>
  /** What `answerInTurn` has taken in this turn of the event loop. */
  #spentMs = 0

  constructor(tables: Tables, wiki: WikiSettings) {
    this.#tables = tables
    this.#wiki = wiki
    this.#directory = {
      pageIdOf: (namespace, dbkey) => {
        const row = tables.title.getBinaryFast([namespace, dbkey])
        return row && titleRowPageId(row)
      },
      namespaces: () =>
        wiki
          .site()
          .namespaces.map(({ id }) => id)
          .filter((id) => id >= 0),
    }
    const searched = (index: IndexSet): SearchedIndex => ({
      tables: index,
      searcher: new Searcher(index, this.#directory),
      completer: new Completer(index, this.#directory),
    })
    this.#searched = { a: searched(tables.indexes.a), b: searched(tables.indexes.b) }
  }

  condition(): IndexCondition {
    return indexCondition(this.#tables)
  }

  /** Whether a rebuild has begun and not ended; it may have been killed. */
  isRebuilt(): boolean {
    return readIndexState(this.#tables).rebuild !== undefined
  }

  /** The tables of the index in force. */
  inForce(): IndexSet {
    return indexInForce(this.#tables)
  }

  /** The index in force, for those who write it in many transactions. */
  target(): IndexTarget {
    return targetInForce(this.#tables)
  }

  /** Pages that an index has yet to take in; by default that in force. */
  countQueued(set: IndexName = this.target().set): number {
    return countQueued(this.#tables.indexes[set])
  }

  /** Ids of such pages after `afterId`, in order, at most `limit`. */
  queuedPages(set: IndexName, afterId: number, limit: number): number[] {
    return queuedPages(this.#tables.indexes[set], afterId, limit)
  }

  /** Pages that an index holds; by default that in force. */
  countIndexed(set: IndexName = this.target().set): number {
    return this.#tables.indexes[set].indexed.getKeysCount({ ...WHOLE_TABLE })
  }

  parse({ text, namespaces }: SearchRequest): Query {
    return parseQuery(text, this.#wiki.namespaces(), namespaces)
  }

  /** The pages that answer a query, best first. */
  find(query: Query, limit: number): Hit[] {
    return this.#current().searcher.search(query, limit)
  }

  /** The answer to a search, as JSON; undefined when more than `maxPostings` may have to be read for it. */
  answer(query: Query, limit: number, maxPostings?: undefined, pictureOf?: PictureOf): string
  answer(query: Query, limit: number, maxPostings: number, pictureOf?: PictureOf): string | undefined
  answer(
    query: Query,
    limit: number,
    maxPostings = Number.POSITIVE_INFINITY,
    pictureOf: PictureOf = noPicture,
  ): string | undefined {
    const { tables, searcher } = this.#current()
    const hits = searcher.search(query, limit, maxPostings)
    return hits && searchAnswer(tables, query, hits, this.#thumbnails(tables, pictureOf))
  }

  /**
   * The answer to a search if it takes no more of the event loop than there is for searches in this turn; else
   * undefined. What others wait for is bounded so, however many searches come in at once.
   */
  answerInTurn(query: Query, limit: number, pictureOf: PictureOf): string | undefined {
    if (this.#spentMs >= MAX_MS_PER_TURN) return undefined
    const start = performance.now()
    const answer = this.answer(query, limit, MAX_POSTINGS_IN_TURN, pictureOf)
    // Immediates run after all sockets of the turn were served.
    if (this.#spentMs === 0) setImmediate(() => (this.#spentMs = 0))
    this.#spentMs += performance.now() - start
    return answer
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
    const request = { namespaces: usable, text: beginning, limit, exactId }
    const { tables, completer } = this.#current()
    return completer.answer(request, this.#thumbnails(tables, pictureOf))
  }

  #current(): SearchedIndex {
    return this.#searched[readIndexState(this.#tables).set]
  }

  /** Descriptions of files show the file; other pages the first of their files that there is a picture of. */
  #thumbnails(index: IndexSet, pictureOf: PictureOf): ThumbnailOf {
    // Most mirrors have no files: their results cost no reads for pictures.
    if (readCounters(this.#tables).fileChanges === 0) return () => 'null'
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
