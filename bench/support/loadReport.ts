/** Summarises the samples of loads in turns: medians and spans by server, and ratios of pairs of one round. */
import type { LoadSample } from './loadTurns.js'
import { type Summary, summarise, summariseFigures } from './statistics.js'
import { formatNumber, formatSummary, printTable } from './table.js'

type Figure = 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'cpuMicros' | 'userMicros' | 'systemMicros' | 'busy'

export interface ServerSummary {
  readonly server: string
  readonly figures: Readonly<Record<Figure, Summary>>
  readonly errors: number
}

/** A server's figures divided by those of a peer in the same round. */
export interface RatioSummary {
  readonly server: string
  readonly peer: string
  /** Above 1: the server gives more answers per second. */
  readonly rate: Summary
  /** Below 1: the server needs less processor time. */
  readonly cpu: Summary
}

export function summariseServer(samples: readonly LoadSample[], server: string): ServerSummary {
  const own = samples.filter((sample) => sample.server === server)
  const figures = summariseFigures<LoadSample, Figure>(own, {
    requestsPerSecond: (sample) => sample.requestsPerSecond,
    p50Ms: (sample) => sample.p50Ms,
    p99Ms: (sample) => sample.p99Ms,
    cpuMicros: (sample) => sample.cpuMicros,
    userMicros: (sample) => sample.userMicros,
    systemMicros: (sample) => sample.systemMicros,
    busy: (sample) => sample.busy,
  })
  return { server, figures, errors: own.reduce((sum, { errors }) => sum + errors, 0) }
}

/** Pairs each sample of `server` with that of `peer` in the same round, since the machine drifts between rounds. */
export function summariseRatio(samples: readonly LoadSample[], server: string, peer: string): RatioSummary {
  const ratios = (figure: 'requestsPerSecond' | 'cpuMicros'): Summary =>
    summarise(
      samples
        .filter((sample) => sample.server === server)
        .map((sample) => {
          const other = samples.find(({ server: name, round }) => name === peer && round === sample.round)
          if (other === undefined) throw new Error(`${peer} has no sample in round ${sample.round}`)
          return sample[figure] / other[figure]
        }),
    )
  return { server, peer, rate: ratios('requestsPerSecond'), cpu: ratios('cpuMicros') }
}

export function printServers(summaries: readonly ServerSummary[]): void {
  const header = [
    'server',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs/request',
    'user',
    'system',
    'busy %',
    'errors',
  ]
  const rows = summaries.map(({ server, figures, errors }) => [
    server,
    formatSummary(figures.requestsPerSecond, 0),
    formatNumber(figures.p50Ms.median, 2),
    formatSummary(figures.p99Ms, 2),
    formatSummary(figures.cpuMicros, 2),
    formatNumber(figures.userMicros.median, 2),
    formatNumber(figures.systemMicros.median, 2),
    formatNumber(figures.busy.median * 100, 0),
    formatNumber(errors, 0),
  ])
  printTable(header, rows)
}

export function printRatios(ratios: readonly RatioSummary[]): void {
  printTable(
    ['ratio within a round', 'rate', 'CPU'],
    ratios.map(({ server, peer, rate, cpu }) => [
      `${server} / ${peer}`,
      formatSummary(rate, 3),
      formatSummary(cpu, 3),
    ]),
  )
}
