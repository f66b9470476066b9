/** Searches of a store: full text, and titles by their beginning. */
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle } from '../../domain/title.js'
import { Completer } from '../../index/completer.js'
import { parseQuery, type Query, splitNamespace } from '../../index/query.js'
import { searchAnswer, type ThumbnailOf } from '../../index/results.js'
import { type Hit, type PageDirectory, Searcher } from '../../index/searcher.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import { type IndexCondition, indexCondition } from './indexCondition.js'
import { countQueued } from './queuedPages.js'

/** A search as clients ask for it. */
export interface SearchRequest {
  /** Not empty; see index/query.ts for what it may hold. */
  readonly text: string
  readonly limit: number
  /** Namespaces to search where the text names none. */
  readonly namespaces: readonly number[]
}

export class SearchIndex {
  readonly #tables: Tables
  readonly #site: () => Site
  readonly #directory: PageDirectory
  readonly #searcher: Searcher
  readonly #completer: Completer
  #namespaces: { readonly site: Site; readonly table: Namespaces } | undefined

  constructor(tables: Tables, site: () => Site) {
    this.#tables = tables
    this.#site = site
    this.#directory = {
      pageIdOf: (namespace, dbkey) => tables.title.getBinaryFast([namespace, dbkey])?.readUInt32BE(0),
      namespaces: () =>
        site()
          .namespaces.map(({ id }) => id)
          .filter((id) => id >= 0),
    }
    this.#searcher = new Searcher(tables, this.#directory)
    this.#completer = new Completer(tables, this.#directory)
  }

  condition(): IndexCondition {
    return indexCondition(this.#tables)
  }

  /** Pages that the index has yet to take in. */
  countQueued(): number {
    return countQueued(this.#tables)
  }

  /** Pages that the index holds. */
  countIndexed(): number {
    return this.#tables.indexed.getKeysCount({ ...WHOLE_TABLE })
  }

  parse({ text, namespaces }: SearchRequest): Query {
    return parseQuery(text, this.#wikiNamespaces(), namespaces)
  }

  /** The pages that answer a query, best first. */
  find(query: Query, limit: number): Hit[] {
    return this.#searcher.search(query, limit)
  }

  /** The answer to a search, as JSON; undefined when more than `maxPostings` may have to be read for it. */
  answer(query: Query, limit: number): string
  answer(query: Query, limit: number, maxPostings: number): string | undefined
  answer(query: Query, limit: number, maxPostings = Number.POSITIVE_INFINITY): string | undefined {
    const hits = this.#searcher.search(query, limit, maxPostings)
    return hits && searchAnswer(this.#tables, query, hits, thumbnailOf)
  }

  /** The answer to a search for titles that begin with a text, as JSON. */
  complete({ text, limit, namespaces }: SearchRequest): string {
    const table = this.#wikiNamespaces()
    const { searched, text: beginning } = splitNamespace(text, table, namespaces)
    if (beginning === '' && searched === namespaces) return '{"pages":[]}'
    const parsed = parseTitle(text, table)
    const exact = parsed.ok && parsed.title.namespace >= 0 ? parsed.title : undefined
    const exactId = exact && this.#tables.title.getBinaryFast([exact.namespace, exact.dbkey])?.readUInt32BE(0)
    const usable = (searched ?? this.#directory.namespaces()).filter((id) => id >= 0)
    return this.#completer.answer({ namespaces: usable, text: beginning, limit, exactId }, thumbnailOf)
  }

  #wikiNamespaces(): Namespaces {
    const site = this.#site()
    if (this.#namespaces?.site !== site) this.#namespaces = { site, table: new Namespaces(site) }
    return this.#namespaces.table
  }
}

/** Thumbnails of results: none, until the store has files. */
const thumbnailOf: ThumbnailOf = () => 'null'
