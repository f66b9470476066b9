/** The wiki's own style sheet: a thread makes it of `MediaWiki:Common.css` and `Vector.css` for its first request. */
import { createHash } from 'node:crypto'
import type { AppContext } from '../../context.js'
import { MEDIAWIKI } from '../../domain/namespaceIds.js'
import { productVersion } from '../../runtime/version.js'

/** In the order in which they count. */
const PAGES = ['Common.css', 'Vector.css']
/** Longer pages have no effect. */
const MAX_BYTES = 200_000
const HASH_DIGITS = 16

export interface WikiSheet {
  /** Path, with a hash of the revisions. */
  readonly path: string
  readonly revisionIds: readonly number[]
}

export class WikiSheets {
  readonly #context: Pick<AppContext, 'config' | 'store' | 'root'>
  #generation = -1
  #sheet: WikiSheet | undefined
  #made: { readonly path: string; readonly bytes: Promise<Uint8Array> } | undefined

  constructor(context: Pick<AppContext, 'config' | 'store' | 'root'>) {
    this.#context = context
  }

  /** The same object as long as the pages are the same; undefined if there are none. Reads two rows after a write. */
  current(generation = this.#context.store.generation()): WikiSheet | undefined {
    const { store, config } = this.#context
    if (!config.readerWikiStyles) return undefined
    if (generation === this.#generation) return this.#sheet
    this.#generation = generation
    const revisionIds = PAGES.flatMap((name) => {
      const page = store.getPage(MEDIAWIKI, name)
      const isUsed = page !== undefined && !page.textHidden && page.source.byteLength <= MAX_BYTES
      return isUsed ? page.latestId : []
    })
    if (revisionIds.join() !== (this.#sheet?.revisionIds.join() ?? '')) this.#sheet = this.#named(revisionIds)
    return this.#sheet
  }

  /** The text of a sheet. Simultaneous requests share one task. */
  bytes({ path, revisionIds }: WikiSheet, pool: Pick<AppContext['pool'], 'run'>): Promise<Uint8Array> {
    if (this.#made?.path === path) return this.#made.bytes
    const bytes = pool.run('wikiSheet', { revisionIds })
    const made = { path, bytes }
    this.#made = made
    bytes.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    return bytes
  }

  #named(revisionIds: readonly number[]): WikiSheet | undefined {
    if (revisionIds.length === 0) return undefined
    const facts = `${productVersion()} ${revisionIds.join()}`
    const hash = createHash('sha256').update(facts).digest('hex').slice(0, HASH_DIGITS)
    return { path: `${this.#context.root}/assets/wiki.${hash}.css`, revisionIds }
  }
}
