/** Indexes the pages of an import for search: some while the dump is read, and the rest at its end. */
import { buildIndex, finishBuild, IndexBuild } from '../../workers/index/indexBuild.js'
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import type { Store } from '../../storage/store.js'
import type { ImportOptions } from './importOptions.js'
import type { ImportProgress } from './importProgress.js'
import { formatCount } from './progress.js'

export class ImportIndexing {
  readonly #store: Store
  readonly #options: ImportOptions
  readonly #progress: ImportProgress
  readonly #target: IndexTarget
  readonly #build: IndexBuild
  #showShare: ((share: number) => void) | undefined

  constructor(store: Store, options: ImportOptions, progress: ImportProgress) {
    this.#store = store
    this.#options = options
    this.#progress = progress
    this.#target = store.search.target()
    const { dataDir, signal, indexThreads: threads = 0 } = options
    const onShare = (share: number): void => this.#showShare?.(share)
    this.#build = new IndexBuild(store, this.#target, { dataDir, threads, onShare, signal })
    progress.followIndexing(() => this.#build.encoded)
  }

  /** Call it when pages were written. */
  more(): void {
    if (this.#store.search.condition() === 'ready') this.#build.more()
  }

  /**
   * Indexes all imported pages, and returns lines for the user. After an interruption, the next import continues. An
   * unusable index needs `palimpsest reindex`.
   */
  async finish(): Promise<string[]> {
    const { search } = this.#store
    if (search.condition() !== 'ready') {
      return [`search does not work yet: run palimpsest reindex --data-dir ${this.#options.dataDir}`]
    }
    const start = performance.now()
    this.#showShare = this.#progress.indexing(search.countQueued())
    const pages = await this.#finishBuild()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const left = search.countQueued()
    return [
      ...(pages > 0
        ? [`${formatCount(pages)} pages indexed for search, ${seconds} s after the last was read`]
        : []),
      ...(left > 0 ? [`${formatCount(left)} pages are not indexed yet: the next import indexes them`] : []),
    ]
  }

  close(): Promise<void> {
    return this.#build.close()
  }

  async #finishBuild(): Promise<number> {
    const { dataDir, signal, indexThreads: threads = 0 } = this.#options
    try {
      const pages = await finishBuild(this.#store, this.#target, this.#build, signal)
      if (this.#store.search.target().set === this.#target.set) return pages
    } catch (error) {
      if (!(error instanceof IndexReplacedError)) throw error
    }
    // A rebuild has put another index into force, which has the pages up to then.
    return buildIndex(this.#store, { dataDir, threads, signal })
  }
}
