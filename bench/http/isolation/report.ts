/** Tables and result of the measurement of page reads beside other work. */
import type { ProbeSample } from '../../support/readProbe.js'
import { writeResult } from '../../support/results.js'
import { type Summary, summariseFigures } from '../../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../../support/table.js'

/** Most that p99 beside a load may be, as a multiple of p99 idle. */
const AIMS: Readonly<Record<Placement, number>> = { 'own core': 2, 'shared cores': 4, 'real time': 4 }

/**
 * The round that is printed and not counted. V8 compiles what a load needs for some five seconds, on the core that the
 * load fills. Edits then take twice the time of the event loop.
 */
export const WARM_UP = 0

/** Cores on which threads run, and who comes first there. */
export type Placement = 'own core' | 'shared cores' | 'real time'
const PLACEMENTS: Readonly<Record<Placement, string>> = {
  'own core': 'The event loop has a core of its own; threads, load and the other server share another.',
  'shared cores': 'Event loop, threads, load and the other server share the cores.',
  'real time':
    'They share the cores, and event loop and sender of reads have real-time priority (serve --real-time).',
}

export interface Sample {
  readonly load: string
  readonly placement: Placement
  readonly round: number
  readonly idle: ProbeSample
  /** Reads from the loaded server, and from an idle server on the same machine. */
  readonly beside: ProbeSample
  readonly elsewhere: ProbeSample
  readonly donePerSecond: number
  readonly refused: number
}

/** One line of progress: p50, p99 and longest, in ms. */
export function describeSample({ placement, round, load, idle, beside, elsewhere }: Sample): string {
  const show = ({ p50Ms, p99Ms, maxMs }: ProbeSample): string =>
    [p50Ms, p99Ms, maxMs].map((ms) => formatNumber(ms, 2)).join(' / ')
  const name = round === WARM_UP ? 'warm-up' : `round ${round}`
  return `${placement}, ${name}, ${load}: ${show(beside)} ms; idle ${show(idle)}; elsewhere ${show(elsewhere)}`
}

type LoadSummary = Pick<Sample, 'load'> &
  Readonly<
    Record<
      | 'idleP50Ms'
      | 'idleP99Ms'
      | 'p50Ms'
      | 'p99Ms'
      | 'maxMs'
      | 'elsewhereP99Ms'
      | 'toIdle'
      | 'toElsewhere'
      | 'donePerSecond',
      Summary
    >
  >

function summariseLoads(samples: readonly Sample[]): LoadSummary[] {
  return [...new Set(samples.map(({ load }) => load))].map((load) => {
    const own = samples.filter((sample) => sample.load === load)
    return {
      load,
      ...summariseFigures(own, {
        idleP50Ms: ({ idle }) => idle.p50Ms,
        idleP99Ms: ({ idle }) => idle.p99Ms,
        p50Ms: ({ beside }) => beside.p50Ms,
        p99Ms: ({ beside }) => beside.p99Ms,
        maxMs: ({ beside }) => beside.maxMs,
        elsewhereP99Ms: ({ elsewhere }) => elsewhere.p99Ms,
        toIdle: ({ beside, idle }) => beside.p99Ms / idle.p99Ms,
        toElsewhere: ({ beside, elsewhere }) => beside.p99Ms / elsewhere.p99Ms,
        donePerSecond: ({ donePerSecond }) => donePerSecond,
      }),
    }
  })
}

/** Prints all samples and writes them as a result. `setup` is part of the result. */
export function report(samples: readonly Sample[], setup: object): void {
  const placements = [...new Set(samples.map(({ placement }) => placement))]
  const summary = placements.map((placement) => {
    const own = samples.filter((sample) => sample.placement === placement)
    const idle = summariseFigures(own, { p50: (one) => one.idle.p50Ms, p99: (one) => one.idle.p99Ms })
    return { placement, idle, loads: summariseLoads(own) }
  })
  for (const { placement, idle, loads } of summary) {
    console.log(`\n${PLACEMENTS[placement]}`)
    printTable(
      [
        'page reads beside',
        'p50 ms',
        'p99 ms',
        'longest ms',
        'p99 on another server',
        'p99 to idle',
        'to other server',
        'load/s',
      ],
      [
        ['nothing', formatSummary(idle.p50, 2), formatSummary(idle.p99, 2)],
        ...loads.map((row) => [
          row.load,
          formatSummary(row.p50Ms, 2),
          formatSummary(row.p99Ms, 2),
          formatSummary(row.maxMs, 1),
          formatSummary(row.elsewhereP99Ms, 2),
          formatSummary(row.toIdle, 2),
          formatSummary(row.toElsewhere, 2),
          formatSummary(row.donePerSecond, 0),
        ]),
      ],
    )
    console.log(`Aim: p99 at most ${AIMS[placement]} times that of idle.`)
  }
  const failed = samples.reduce(
    (sum, { idle: a, beside: b, elsewhere: c }) => sum + a.errors + b.errors + c.errors,
    0,
  )
  if (failed > 0) {
    console.log(`${failed} page reads failed: these figures are not to be trusted.`)
    process.exitCode = 1
  }
  writeResult('http-isolation', { setup, samples, summary })
}
