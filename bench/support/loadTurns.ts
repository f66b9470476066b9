/** Loads several running servers in turns, and measures the cost of each request. */
import { type CpuTime, groupCpuTime } from './cpuTime.js'
import type { LoadCounts, LoadGenerator, LoadOptions } from './wrk.js'
import { formatNumber } from './table.js'

/** A running server. */
export interface LoadedServer {
  readonly name: string
  /** The process group of all its processes; undefined if its processor time cannot be measured. */
  readonly group: number | undefined
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string
  /** A load of its own, in place of that of all. */
  readonly script?: string
  readonly warmUpSeconds?: number
}

/** One turn of one server. Figures of processor time are `NaN` if it was not measured. */
export interface LoadSample extends LoadCounts {
  readonly server: string
  /** Counted from 1. */
  readonly round: number
  readonly requestsPerSecond: number
  readonly userMicros: number
  readonly systemMicros: number
  /** Processor time for each request, user and system together. */
  readonly cpuMicros: number
  /** Share of the turn in which the server was working. Well below 1, the load was too small to fill its core. */
  readonly busy: number
}

const WARM_UP_SECONDS = 2

/** Warms up every server, then loads one after another, round after round. Each round begins with another server. */
export async function loadInTurns(
  servers: readonly LoadedServer[],
  generate: LoadGenerator,
  options: LoadOptions & { readonly rounds: number },
): Promise<LoadSample[]> {
  for (const { origin, script = options.script, warmUpSeconds = WARM_UP_SECONDS } of servers)
    await generate(origin, { ...options, script, seconds: warmUpSeconds })
  const samples: LoadSample[] = []
  for (let round = 1; round <= options.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round - 1) % servers.length]!
      samples.push(await loadOnce(server, generate, options, round))
    }
    console.log(
      `round ${round} of ${options.rounds}: ${samples.slice(-servers.length).map(shortly).join(', ')}`,
    )
  }
  return samples
}

async function loadOnce(
  { name, group, origin, script }: LoadedServer,
  generate: LoadGenerator,
  options: LoadOptions,
  round: number,
): Promise<LoadSample> {
  const before = cpuTimeOf(group)
  const counts = await generate(origin, { ...options, script: script ?? options.script })
  const after = cpuTimeOf(group)
  const perRequest = (part: keyof CpuTime): number => ((after[part] - before[part]) * 1000) / counts.requests
  const [userMicros, systemMicros] = [perRequest('userMs'), perRequest('systemMs')]
  const requestsPerSecond = (counts.requests * 1000) / counts.durationMs
  const cpuMicros = userMicros + systemMicros
  const busy = (cpuMicros * requestsPerSecond) / 1e6
  return { server: name, round, ...counts, requestsPerSecond, userMicros, systemMicros, cpuMicros, busy }
}

const cpuTimeOf = (group: number | undefined): CpuTime =>
  group === undefined ? { userMs: NaN, systemMs: NaN } : groupCpuTime(group)

const shortly = ({ server, requestsPerSecond, cpuMicros }: LoadSample): string =>
  `${server} ${formatNumber(requestsPerSecond, 0)}/s ${formatNumber(cpuMicros, 2)} µs`
