/** The parts of a server that all its wikis share: threads and processes, clock, log and figures. */
import type { Logger } from 'pino'
import { type Config, threadCounts } from '../config/config.js'
import type { WikiSettings } from '../config/wikis.js'
import type { Clock } from '../context.js'
import type { Metrics } from '../metrics/metrics.js'
import { parsoidVersion } from '../render/parsoid/loadPackage.js'
import type { TakeTurn } from '../runtime/turns.js'
import { ComputePool } from '../workers/compute/pool.js'
import { readThaiDictionary } from '../workers/compute/thaiDictionaryFile.js'
import { FileProcesses } from '../workers/files/fileProcesses.js'
import { ModuleBlocks } from '../workers/html/moduleBlocks.js'
import { RenderPools } from '../workers/html/renderPools.js'
import { renderSettings } from '../workers/html/renderTasks.js'

export interface SharedPartsOptions {
  /** Settings of the server. */
  readonly config: Config
  readonly wikis: readonly WikiSettings[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Turns of all server processes at the followed wikis. */
  readonly takeTurn: TakeTurn | undefined
}

export class SharedParts {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly takeTurn: TakeTurn | undefined
  readonly pool: ComputePool
  /** Undefined when the settings turn HTML off, or when the package for it is not installed. */
  readonly renderPools: RenderPools | undefined
  readonly fileProcesses: FileProcesses

  constructor({ config, wikis, clock, log, metrics, takeTurn }: SharedPartsOptions) {
    const { compute, render } = threadCounts(config)
    const places = wikis.map((wiki) => ({
      dataDir: wiki.config.dataDir,
      renderSettings: renderSettings(wiki.config),
    }))
    const thai = readThaiDictionary(config.thaiDictionary)
    if (thai.fault !== undefined) log.warn(`${thai.fault}: ICU cuts the words of Thai texts instead`)
    const moduleBlocks = new ModuleBlocks()
    this.clock = clock
    this.log = log
    this.metrics = metrics
    this.takeTurn = takeTurn
    this.pool = new ComputePool({
      wikis: places,
      thaiDictionary: thai.bytes,
      moduleBlocks,
      threads: compute,
      taskTimeoutMs: config.taskTimeoutMs,
      onThreadError: (error) => log.error({ err: error }, 'a compute thread failed'),
    })
    if (config.html !== 'none' && parsoidVersion() !== undefined) {
      this.renderPools = new RenderPools({
        wikis: places,
        moduleBlocks,
        renderThreads: render,
        renderTimeoutMs: config.renderTimeoutMs,
        convertTimeoutMs: config.convertTimeoutMs,
        onThreadError: (error) => log.error({ err: error }, 'a render thread failed'),
      })
    }
    this.fileProcesses = new FileProcesses({ processes: 1, timeoutMs: config.thumbnailTimeoutMs })
    metrics.add(() => [...this.pool.figures(), ...(this.renderPools?.figures() ?? [])])
  }

  /** Closes all workers at once: a starting thread can end only after it has loaded its native code. */
  async close(): Promise<void> {
    this.fileProcesses.close()
    await Promise.all([this.renderPools?.close(), this.pool.close()])
  }
}
