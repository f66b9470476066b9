/** Contents of files at a server of a node: on demand, and in the background. */
import type { Figure } from '../metrics/figures.js'
import { contentsFigures } from './figures.js'
import { PeerContents, type PeerContentsOptions, type WantedContents } from './contents.js'
import { ContentsWatch, type ContentsWatchOptions } from './contentsWatch.js'

export interface NodeContentsOptions
  extends Omit<PeerContentsOptions, 'onFault'>, Omit<ContentsWatchOptions, 'fetch'> {
  readonly onPeerFault: (error: Error) => void
  /** Receives the SHA-256 of contents that came after their file had been removed or replaced. */
  readonly noteUnused: (sha256: string) => Promise<void>
}

export class NodeContents {
  readonly #options: NodeContentsOptions
  readonly #contents: PeerContents
  readonly #watch: ContentsWatch

  constructor(options: NodeContentsOptions) {
    this.#options = options
    this.#contents = new PeerContents({ ...options, onFault: options.onPeerFault })
    this.#watch = new ContentsWatch({ ...options, fetch: (wanted) => this.fetch(wanted) })
  }

  /** True once the contents are on the disk here. False if no other node gives them. */
  async fetch(wanted: WantedContents): Promise<boolean> {
    if (!(await this.#contents.fetch(wanted))) return false
    const { store, noteUnused, onFault } = this.#options
    store.refresh()
    if (store.getFile(wanted.name)?.sha256 !== wanted.sha256) await noteUnused(wanted.sha256).catch(onFault)
    return true
  }

  figures(): Figure[] {
    return contentsFigures({ ...this.#contents.counts(), missing: this.#watch.missing })
  }

  /** Ends fetches first, since the watch waits for its own. */
  async close(): Promise<void> {
    await this.#contents.close()
    await this.#watch.close()
  }
}
