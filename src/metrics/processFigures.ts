/** Figures of the process, with the names that prom-client and Prometheus' own libraries use. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, type Figure, gauge } from './figures.js'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const KIB = 1024
const PERCENTILES = [50, 90, 99]
const RESOLUTION_MS = 10

export class ProcessFigures {
  readonly #version: string
  readonly #startSeconds = Date.now() / 1000 - process.uptime()
  /** Delay of the event loop, measured with timers of 10 ms. The values include these 10 ms. */
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  /** Undefined when the system has no such file. */
  readonly #maxFiles = maxOpenFiles(procFile('limits'))

  /** `version` is the product's version. */
  constructor(version: string) {
    this.#version = version
    this.#delay.enable()
  }

  figures(): Figure[] {
    return [this.#buildInfo(), ...this.#times(), ...memoryFigures(), ...this.#limits(), ...this.#eventLoop()]
  }

  close(): void {
    this.#delay.disable()
  }

  #buildInfo(): Figure {
    const labels = { version: this.#version, node: process.version, arch: process.arch }
    return gauge('palimpsest_build_info', 'Always 1; its labels say which program runs, and on what.', [
      { labels, value: 1 },
    ])
  }

  #times(): Figure[] {
    const { user, system } = process.cpuUsage()
    return [
      gauge(
        'process_start_time_seconds',
        'When the process started, in seconds since 1970.',
        this.#startSeconds,
      ),
      counter('process_cpu_user_seconds_total', 'Processor time in the program itself.', user / MICROSECONDS),
      counter('process_cpu_system_seconds_total', 'Processor time in the system.', system / MICROSECONDS),
      counter('process_cpu_seconds_total', 'Processor time of both kinds.', (user + system) / MICROSECONDS),
    ]
  }

  #limits(): Figure[] {
    const files = this.#maxFiles
    if (files === undefined) return []
    return [gauge('process_max_fds', 'Files and connections that the process may have open.', files)]
  }

  /** Figures since the last request. With two Prometheus servers, each one misses the other's intervals. */
  #eventLoop(): Figure[] {
    const name = 'nodejs_eventloop_lag'
    const help = 'of timers of 10 ms since the last scrape.'
    const percentiles = PERCENTILES.map((p) =>
      gauge(`${name}_p${p}_seconds`, `Percentile ${p} ${help}`, this.#delay.percentile(p) / NANOSECONDS),
    )
    const longest = gauge(`${name}_max_seconds`, `Longest ${help}`, this.#delay.max / NANOSECONDS)
    this.#delay.reset()
    return [...percentiles, longest]
  }
}

function memoryFigures(): Figure[] {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const status = procFile('status')
  const ofStatus = (name: string, help: string, field: string): Figure[] => {
    const kib = new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]
    return kib === undefined ? [] : [gauge(name, help, Number(kib) * KIB)]
  }
  return [
    gauge('process_resident_memory_bytes', 'Memory in use, mapped pages of the store included.', rss),
    ...ofStatus('process_virtual_memory_bytes', 'Address space, the map of the store included.', 'VmSize'),
    ...ofStatus('process_heap_bytes', 'Address space for data: heaps of all threads.', 'VmData'),
    gauge('nodejs_heap_size_total_bytes', 'Heap of the main thread.', heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Heap of the main thread that is in use.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that objects hold.', external),
    gauge(
      'nodejs_array_buffers_bytes',
      'Memory of buffers: a part of nodejs_external_memory_bytes.',
      arrayBuffers,
    ),
  ]
}

/** A file about this process; empty on systems without /proc. */
function procFile(name: string): string {
  return process.platform === 'linux' ? readFileSync(`/proc/self/${name}`, 'utf8') : ''
}

function maxOpenFiles(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? undefined : Number(soft)
}
