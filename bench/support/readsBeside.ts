/** Page reads alone and beside other work: the core for the event loop, and the report. */
import { runFirst, separateEventLoops } from './eventLoopCore.js'
import { choosePinning } from './pinning.js'
import type { ProbeSample } from './readProbe.js'
import { type Summary, summarise, summariseFigures } from './statistics.js'
import { formatSummary, printTable } from './table.js'

/** Most that p99 of reads beside the work may be, as a multiple of p99 of reads alone. */
const AIM = 2

/** One round. */
export interface ReadsBeside {
  readonly idle: ProbeSample
  readonly beside: ProbeSample
}

/** The core of the event loops, and the one of all other threads. Undefined where there are no two cores. */
export function chooseLoopCores(): { loopCore: number; otherCore: number } | undefined {
  const { serverCore: loopCore, loadCore: otherCore } = choosePinning()
  return loopCore !== undefined && otherCore !== undefined ? { loopCore, otherCore } : undefined
}

/**
 * Gives the event loop of a server a core, which the calling thread shares to send reads. Its little work has priority
 * there. Call the returned function at the end of the reads.
 */
export async function reserveLoopCore(
  pid: number,
  cores: { readonly loopCore: number; readonly otherCore: number },
): Promise<() => void> {
  if (!runFirst()) console.log('no right to run first (chrt): the reads include waits of their own.')
  return separateEventLoops([pid, process.pid], cores)
}

/** Prints latencies and their ratio. `work` is what ran beside the reads, such as `a catch-up`. */
export function reportReadsBeside(
  samples: readonly ReadsBeside[],
  work: string,
): { readonly ratio: Summary; readonly errors: number } {
  const row = (name: string, side: keyof ReadsBeside): string[] => {
    const { p50, p99, max } = summariseFigures(samples, {
      p50: (round) => round[side].p50Ms,
      p99: (round) => round[side].p99Ms,
      max: (round) => round[side].maxMs,
    })
    return [name, ...[p50, p99, max].map((figure) => formatSummary(figure, 2))]
  }
  printTable(
    ['latency in ms', 'p50', 'p99', 'longest'],
    [row('reads alone', 'idle'), row(`reads beside ${work}`, 'beside')],
  )
  const ratio = summarise(samples.map(({ idle, beside }) => beside.p99Ms / idle.p99Ms))
  console.log(`p99 beside ${work} to p99 alone: ${formatSummary(ratio, 2)}; aim: at most ${AIM}.`)
  const errors = samples.reduce((sum, { idle, beside }) => sum + idle.errors + beside.errors, 0)
  return { ratio, errors }
}
