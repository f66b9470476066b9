/** The two render pools of a server: for pages, and for texts that clients send. All its wikis share them. */
import type { Figure } from '../../metrics/figures.js'
import { LAST_NICENESS, NICENESS, type ThreadCpuTime } from '../hosting/systemThreads.js'
import { ModuleBlocks } from './moduleBlocks.js'
import { RenderPool } from './renderPool.js'
import type { RenderWiki } from './renderTasks.js'

/** A busy machine may delay a page up to this many times its limit. */
const PAGE_STRETCH = 2
/** The extra thread for pages ends after this time without a job. */
const EXTRA_IDLE_MS = 60_000
/** Threads for conversions end after this time without a request. */
const MAX_IDLE_MS = 5 * 60_000

export interface RenderPoolsOptions {
  readonly wikis: readonly RenderWiki[]
  readonly renderThreads: number
  readonly renderTimeoutMs: number
  readonly convertTimeoutMs: number
  /** Modules that must not run for a while; other pools may share the list. */
  readonly moduleBlocks?: ModuleBlocks
  readonly onThreadError: (error: Error) => void
  readonly threadCpuTimeMs?: ThreadCpuTime
}

export class RenderPools {
  readonly pages: RenderPool
  /**
   * Separate threads for clients' texts. Pages never wait for them, and get most of the processor. Clients share these
   * threads equally.
   */
  readonly conversions: RenderPool

  /** Threads for pages start with the first page, those for conversions with the first text. */
  constructor({ renderThreads, renderTimeoutMs, convertTimeoutMs, ...options }: RenderPoolsOptions) {
    const common = { moduleBlocks: new ModuleBlocks(), ...options }
    this.pages = new RenderPool({
      ...common,
      name: 'render',
      threads: renderThreads,
      maxWaitMs: renderTimeoutMs,
      maxStretch: PAGE_STRETCH,
      niceness: NICENESS,
      extraIdleMs: EXTRA_IDLE_MS,
    })
    this.conversions = new RenderPool({
      ...common,
      name: 'convert',
      threads: convertThreads(renderThreads),
      maxWaitMs: convertTimeoutMs,
      maxStretch: 1,
      niceness: LAST_NICENESS,
      maxIdleMs: MAX_IDLE_MS,
    })
  }

  figures(): Figure[] {
    return [...this.pages.figures(), ...this.conversions.figures()]
  }

  /** Ends the threads; jobs under way fail. May be called twice. */
  async close(): Promise<void> {
    await Promise.all([this.pages.close(), this.conversions.close()])
  }
}

/** Half as many threads as for pages, at least one. */
function convertThreads(renderThreads: number): number {
  return Math.max(1, Math.floor(renderThreads / 2))
}
