/** A rendering of all pages as the command line asks for it: it stops at a signal, and ends with a summary. */
import { loadavg } from 'node:os'
import type { Config } from '../../config/config.js'
import { usableProcessors } from '../../runtime/processors.js'
import { UserError } from '../../runtime/userError.js'
import { renderAhead, type RenderCounts } from '../../workers/html/renderAhead.js'
import { renderSettings } from '../../workers/html/renderTasks.js'
import { openDisplay, printAlways } from '../import/display.js'
import { formatCount, type ImportState } from '../import/progress.js'
import { openStore } from '../openStore.js'

export interface RenderFlags {
  readonly namespace?: readonly number[]
  readonly threads?: number
  readonly limit?: number
  readonly maxLoad?: number
  readonly quiet?: boolean
}

/** A signal stopped the command. All HTML that was ready is kept. */
export class RenderInterrupted extends UserError {
  override readonly name = 'RenderInterrupted'

  constructor() {
    super('interrupted; run the same command again to go on')
  }
}

export async function runRender(config: Config, flags: RenderFlags): Promise<void> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  const display = openDisplay(process.stderr, { quiet: flags.quiet ?? false })
  const startMs = performance.now()
  const store = openStore(config.dataDir)
  try {
    const counts = await renderAhead({
      store,
      dataDir: config.dataDir,
      renderSettings: renderSettings({ ...config, html: 'here' }),
      threads: flags.threads ?? Math.max(1, usableProcessors() - 1),
      timeoutMs: config.renderTimeoutMs,
      maxBytes: config.htmlCacheBytes,
      namespaces: flags.namespace && new Set(flags.namespace),
      limit: flags.limit,
      maxLoad: flags.maxLoad,
      load: () => loadavg()[0]!,
      nowMs: () => Date.now(),
      signal: stop.signal,
      onProgress: (soFar) => display.show(() => stateOf(soFar, performance.now() - startMs)),
      onFailure: ({ title, reason }) =>
        printAlways(`no HTML of ${title}: ${reason}`, display, flags.quiet ?? false),
      onNote: (note) => display.print(note),
    })
    display.stop()
    process.stdout.write(`${summary(counts, (performance.now() - startMs) / 1000)}\n`)
    if (stop.signal.aborted) throw new RenderInterrupted()
    if (counts.failed > 0) process.exitCode = 1
  } finally {
    display.stop()
    await store.close()
  }
}

const doneOf = ({ made, skipped, failed }: RenderCounts): number => made + skipped + failed

function stateOf(counts: RenderCounts, elapsedMs: number): ImportState {
  const done = doneOf(counts)
  const share = counts.total === 0 ? 1 : Math.min(1, done / counts.total)
  return {
    phase: 'rendering',
    name: 'HTML',
    phaseShare: undefined,
    share,
    leftMs: done === 0 ? undefined : elapsedMs / share - elapsedMs,
    speed: `${((1000 * done) / Math.max(1, elapsedMs)).toFixed(1)} pages/s`,
    pages: done,
    revisions: undefined,
  }
}

function summary(counts: RenderCounts, seconds: number): string {
  const { total, made, skipped, failed, changed, bytes } = counts
  const parts = [
    `HTML of ${formatCount(made)} of ${formatCount(total)} pages made (${(bytes / 1e6).toFixed(1)} MB)`,
  ]
  if (skipped > 0) parts.push(`${formatCount(skipped)} needed none any more`)
  if (changed > 0) parts.push(`${formatCount(changed)} left to the server, since they change all the time`)
  if (failed > 0) parts.push(`${formatCount(failed)} failed`)
  return `${parts.join(', ')} in ${seconds.toFixed(1)} s`
}
