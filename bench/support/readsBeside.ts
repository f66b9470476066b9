/** The report of page reads alone and beside other work. */
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
