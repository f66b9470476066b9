/** The context that all parts of the running server share. Types only: src/app builds the value. */
import type { Logger } from 'pino'
import type { NodeContents } from './cluster/nodeContents.js'
import type { Config } from './config/config.js'
import type { Metrics } from './metrics/metrics.js'
import type { Store } from './storage/store.js'
import type { WikiPool } from './workers/compute/pool.js'
import type { Renderings } from './workers/html/renderings.js'
import type { FileProcesses } from './workers/files/fileProcesses.js'
import type { Thumbnails } from './workers/files/thumbnails.js'
import type { Writer } from './workers/writer/writer.js'

export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  nowMs(): number
}

export interface AppContext {
  /** Settings of the wiki. With several wikis, data folder, base path and public URL are its own. */
  readonly config: Config
  /** Name of the wiki among those of the server; empty for the only one. */
  readonly wikiName: string
  /** Path before everything of the wiki: empty, or `/NAME` if the server has several wikis. */
  readonly root: string
  readonly store: Store
  readonly pool: WikiPool
  readonly writer: Writer
  /** Undefined when the settings turn HTML off, or when the package for it is not installed. */
  readonly renderings: Renderings | undefined
  readonly thumbnails: Thumbnails
  /** Open files whose contents nobody has looked at yet. */
  readonly fileProcesses: Pick<FileProcesses, 'run'>
  /** Undefined unless the settings name other nodes of the cluster. */
  readonly contents?: NodeContents | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}
