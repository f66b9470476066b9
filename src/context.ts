/** The context that all parts of the running server share. Types only: app.ts builds the one value. */
import type { Logger } from 'pino'
import type { NodeContents } from './cluster/nodeContents.js'
import type { Config } from './config/config.js'
import type { Metrics } from './metrics/metrics.js'
import type { Store } from './storage/store.js'
import type { ComputePool } from './workers/compute/pool.js'
import type { Renderings } from './workers/html/renderings.js'
import type { Thumbnails } from './workers/files/thumbnails.js'
import type { Writer } from './workers/writer/writer.js'

export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  nowMs(): number
}

export interface AppContext {
  readonly config: Config
  readonly store: Store
  readonly pool: ComputePool
  readonly writer: Writer
  /** Undefined when the settings turn HTML off, or when the package for it is not installed. */
  readonly renderings: Renderings | undefined
  readonly thumbnails: Thumbnails
  /** Undefined unless the settings name other nodes of the cluster. */
  readonly contents?: NodeContents | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}
