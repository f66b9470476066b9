/** Summarises the turns of all engines: figures by engine and language, and ratios of turns of one round. */
import { percentile, type Summary, summarise } from '../../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../../support/table.js'
import type { Pair } from './pairs.js'
import type { Turn } from './timedEngine.js'

/** Name for all languages together. */
export const ALL = 'all'

export type Figure = 'median' | 'p99' | 'worst' | 'sum' | 'cpu'

/** Times of the pairs of one language in one turn, in milliseconds. */
export interface PairSample extends Readonly<Record<Exclude<Figure, 'cpu'>, number>> {
  readonly engine: string
  readonly lang: string
  /** Counted from 1. */
  readonly round: number
  /** Processor time, measured for all languages together. */
  readonly cpu?: number
}

/** Figures of an engine, or their ratios to those of a peer. */
export interface PairSummary {
  readonly engine: string
  readonly peer?: string
  readonly lang: string
  readonly figures: Readonly<Partial<Record<Figure, Summary>>>
}

/** A sample for every language and one for all of them. */
export function samplesOf(engine: string, round: number, pairs: readonly Pair[], turn: Turn): PairSample[] {
  const sample = (lang: string): PairSample => {
    const times = turn.pairMicros
      .filter((_, n) => lang === ALL || pairs[n]!.lang === lang)
      .map((micros) => micros / 1000)
    return {
      engine,
      lang,
      round,
      median: summarise(times).median,
      p99: percentile(times, 0.99),
      worst: Math.max(...times),
      sum: times.reduce((total, time) => total + time, 0),
      ...(lang === ALL && { cpu: turn.cpuMicros / 1000 }),
    }
  }
  return [...languagesOf(pairs), ALL].map(sample)
}

export function summarisePairs(samples: readonly PairSample[], engine: string): PairSummary[] {
  return languagesOf(samples).map((lang) => {
    const own = samples.filter((sample) => sample.engine === engine && sample.lang === lang)
    return { engine, lang, figures: summariseEach(own) }
  })
}

/** Figures of `engine` divided by those of `peer` in the same round: below 1, `engine` is faster. */
export function summarisePairRatios(
  samples: readonly PairSample[],
  engine: string,
  peer: string,
): PairSummary[] {
  return languagesOf(samples).map((lang) => {
    const of = (name: string): PairSample[] =>
      samples.filter((sample) => sample.engine === name && sample.lang === lang)
    const ratios = of(engine).map((own) =>
      divide(
        own,
        of(peer).find(({ round }) => round === own.round)!,
      ),
    )
    return { engine, peer, lang, figures: summariseEach(ratios) }
  })
}

export function printPairs(title: string, summaries: readonly PairSummary[]): void {
  printTable(
    [title, 'median', 'p99', 'worst', 'sum', 'CPU'],
    summaries.map(({ engine, peer, lang, figures: { median, p99, worst, sum, cpu } }) => [
      `${engine}${peer === undefined ? '' : ` / ${peer}`}, ${lang}`,
      ...[median, p99, worst].map((summary) => formatNumber(summary?.median, 3)),
      ...[sum, cpu].map((summary) => (summary === undefined ? '-' : formatSummary(summary, 2))),
    ]),
  )
}

const languagesOf = (list: readonly { readonly lang: string }[]): string[] => [
  ...new Set(list.map(({ lang }) => lang)),
]

type Figures = Readonly<Partial<Record<Figure, number>>>

function divide(own: PairSample, peer: PairSample): Figures {
  return {
    median: own.median / peer.median,
    p99: own.p99 / peer.p99,
    worst: own.worst / peer.worst,
    sum: own.sum / peer.sum,
    ...(own.cpu !== undefined && peer.cpu !== undefined && { cpu: own.cpu / peer.cpu }),
  }
}

function summariseEach(list: readonly Figures[]): PairSummary['figures'] {
  const figures: Partial<Record<Figure, Summary>> = {}
  for (const figure of ['median', 'p99', 'worst', 'sum', 'cpu'] as const) {
    const values = list.flatMap((one) => one[figure] ?? [])
    if (values.length > 0) figures[figure] = summarise(values)
  }
  return figures
}
