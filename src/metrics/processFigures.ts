/** Memory, processor time and event loop of this process. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, type Figure, gauge } from './figures.js'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const QUANTILES = [0.5, 0.9, 0.99, 1]
const RESOLUTION_MS = 10

export class ProcessFigures {
  readonly #startSeconds = Date.now() / 1000 - process.uptime()
  /** How late timers of 10 ms fire; what is measured includes these. */
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor() {
    this.#delay.enable()
  }

  figures(): Figure[] {
    const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const delays = QUANTILES.map((quantile) => ({
      labels: { quantile },
      value: this.#delay.percentile(100 * quantile) / NANOSECONDS,
    }))
    this.#delay.reset()
    const kinds = {
      resident: rss,
      heap_used: heapUsed,
      heap_total: heapTotal,
      external,
      buffers: arrayBuffers,
    }
    return [
      gauge(
        'process_start_time_seconds',
        'When the process started, in seconds since 1970.',
        this.#startSeconds,
      ),
      counter('process_cpu_seconds_total', 'Processor time that the process has used.', [
        { labels: { mode: 'user' }, value: user / MICROSECONDS },
        { labels: { mode: 'system' }, value: system / MICROSECONDS },
      ]),
      gauge(
        'palimpsest_memory_bytes',
        'Memory of the process by kind; resident memory counts mapped pages of the store.',
        Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value })),
      ),
      gauge(
        'palimpsest_event_loop_delay_seconds',
        'How long timers of 10 ms took since figures were last asked for, by quantile.',
        delays,
      ),
    ]
  }

  close(): void {
    this.#delay.disable()
  }
}
