/** The store as a rendering sees it. What was asked for is remembered: a change of it makes the HTML untrue. */
import type { Title } from '../domain/title.js'
import type { FileFacts, SourcePage, WikiSource } from '../render/sources.js'
import type { Use } from '../storage/renderings.js'
import type { Store } from '../storage/store.js'

const FILE = 6

export class RecordingSource implements WikiSource {
  readonly #store: Store
  readonly #uses = new Map<string, Use>()
  /** Read once in a rendering, however often a page is used. */
  readonly #pages = new Map<string, SourcePage | undefined>()

  constructor(store: Store) {
    this.#store = store
  }

  /** In the order of their first use. */
  uses(): Use[] {
    return [...this.#uses.values()]
  }

  readPage(title: Title): SourcePage | undefined {
    const key = keyOf(title)
    if (this.#pages.has(key)) return this.#pages.get(key)
    const page = this.#read(title)
    this.#pages.set(key, page)
    this.#uses.set(key, { ...title, kind: 'content', revisionId: page?.revisionId ?? this.#latestId(title) })
    return page
  }

  pageExists(title: Title): boolean {
    const key = keyOf(title)
    const known = this.#uses.get(key)
    const revisionId = known?.revisionId ?? this.#latestId(title)
    if (known === undefined) this.#uses.set(key, { ...title, kind: 'existence', revisionId })
    return revisionId !== 0
  }

  readFile(dbkey: string): FileFacts | undefined {
    // Files are not stored yet; a description page that comes or goes stands for its file.
    this.pageExists({ namespace: FILE, dbkey })
    return undefined
  }

  #read(title: Title): SourcePage | undefined {
    const latest = this.#store.getRevision(this.#latestId(title))
    const wikitext = latest === undefined ? undefined : this.#store.getText(latest.id)
    if (latest === undefined || wikitext === undefined) return undefined
    const { id: revisionId, pageId, timestamp, contentModel } = latest
    return { pageId, revisionId, timestamp, contentModel, wikitext }
  }

  #latestId({ namespace, dbkey }: Title): number {
    return namespace < 0 ? 0 : (this.#store.getPage(namespace, dbkey)?.latestId ?? 0)
  }
}

const keyOf = ({ namespace, dbkey }: Title): string => `${namespace}:${dbkey}`
