/** What a writer needs to know, and whom it tells what. */
import type { NodeStatus } from '../../cluster/nodeStatus.js'

export interface WriterOptions {
  readonly dataDir: string
  /** Longest time that an entry may wait for its transaction. */
  readonly timeoutMs: number
  /** Address of the shared log, for the store of a cluster's node. */
  readonly logAddress?: string | undefined
  /** Called when the state of the link to the shared log changes. */
  readonly onClusterChange?: (status: NodeStatus) => void
  readonly onEngineWarning?: (warning: string) => void
  /** Tells if another process may hold the write lock. Then the thread may never end. */
  readonly isLockedElsewhere: () => boolean
  /** Called once when entries wait longer than that. Called again only after entries have been written meanwhile. */
  readonly onStuck: () => void
  /** Called when the thread ends by itself. A new one starts after a while. */
  readonly onThreadError: (error: Error) => void
  /**
   * Called once when outdated HTML cannot be dropped, for instance on a full disk. Retries continue until it succeeds.
   */
  readonly onDropFailure: (error: Error) => void
  /** Called once when erased words cannot be taken out of the log or the file. Retries continue until it succeeds. */
  readonly onEraseFailure: (error: Error) => void
}
