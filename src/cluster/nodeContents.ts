/** Contents of files at a server of a node: on demand, and in the background. */
import type { Figure } from '../metrics/figures.js'
import { contentsFigures } from './figures.js'
import { PeerContents, type PeerContentsOptions, type WantedContents } from './contents.js'
import { ContentsWatch, type ContentsWatchOptions } from './contentsWatch.js'

export interface NodeContentsOptions
  extends Omit<PeerContentsOptions, 'onFault'>, Omit<ContentsWatchOptions, 'contents'> {
  readonly onPeerFault: (error: Error) => void
}

export class NodeContents {
  readonly #contents: PeerContents
  readonly #watch: ContentsWatch

  constructor({ onPeerFault, ...options }: NodeContentsOptions) {
    this.#contents = new PeerContents({ ...options, onFault: onPeerFault })
    this.#watch = new ContentsWatch({ ...options, contents: this.#contents })
  }

  /** True once the contents are on the disk here. False if no other node gives them. */
  fetch(wanted: WantedContents): Promise<boolean> {
    return this.#contents.fetch(wanted)
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
