/** Summaries of the samples of one dump. */
import { type Summary, summarise } from '../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../support/table.js'
import type { DumpCounts } from './countPages.js'
import { STEPS, type StepName, type StepUsage } from './steps.js'

export interface ImportSample extends Omit<StepUsage, 'stdout'> {
  readonly dump: string
  readonly step: StepName
  /** Counted from 1. */
  readonly round: number
}

export interface StepSummary {
  readonly step: StepName
  readonly wallSeconds: Summary
  /** User and system time together. */
  readonly cpuSeconds: Summary
  readonly xmlMegabytesPerSecond: number
  readonly pagesPerSecond: number
  readonly revisionsPerSecond: number
  readonly residentBytes: Summary | undefined
  readonly ownBytes: Summary | undefined
  readonly storeBytes: Summary | undefined
}

/** An import divided by a step of the same round. */
export interface ImportRatio {
  readonly peer: StepName
  readonly wall: Summary
  readonly cpu: Summary
}

const MB = 1e6
const cpuOf = ({ userSeconds, systemSeconds }: ImportSample): number => userSeconds + systemSeconds

/** `samples` are those of one step and one dump. */
export function summariseStep(
  step: StepName,
  samples: readonly ImportSample[],
  counts: DumpCounts,
): StepSummary {
  const wallSeconds = summarise(samples.map((sample) => sample.wallSeconds))
  const where = (figure: (sample: ImportSample) => number | undefined): Summary | undefined => {
    const values = samples.map(figure).filter((value) => value !== undefined)
    return values.length === 0 ? undefined : summarise(values)
  }
  return {
    step,
    wallSeconds,
    cpuSeconds: summarise(samples.map(cpuOf)),
    xmlMegabytesPerSecond: counts.xmlBytes / MB / wallSeconds.median,
    pagesPerSecond: counts.pages / wallSeconds.median,
    revisionsPerSecond: counts.revisions / wallSeconds.median,
    residentBytes: where(({ memory }) => memory?.residentBytes),
    ownBytes: where(({ memory }) => memory?.ownBytes),
    storeBytes: where(({ storeBytes }) => storeBytes),
  }
}

/** Pairs imports with runs of `peer` in the same round. `samples` are all those of one dump. */
export function summariseImportRatio(samples: readonly ImportSample[], peer: StepName): ImportRatio {
  const imports = samples.filter(({ step }) => step === 'import')
  const ratios = (figure: (sample: ImportSample) => number): Summary =>
    summarise(
      imports.map((sample) => {
        const other = samples.find(({ step, round }) => step === peer && round === sample.round)
        if (other === undefined) throw new Error(`${peer} has no sample in round ${sample.round}`)
        return figure(sample) / figure(other)
      }),
    )
  return { peer, wall: ratios(({ wallSeconds }) => wallSeconds), cpu: ratios(cpuOf) }
}

export function printSteps(summaries: readonly StepSummary[]): void {
  const header = [
    'step',
    'wall s',
    'CPU s',
    'XML MB/s',
    'pages/s',
    'revisions/s',
    'peak MB',
    'own MB',
    'store MB',
  ]
  const rows = summaries.map((summary) => [
    STEPS[summary.step],
    formatSummary(summary.wallSeconds, 2),
    formatSummary(summary.cpuSeconds, 2),
    formatNumber(summary.xmlMegabytesPerSecond, 1),
    formatNumber(summary.pagesPerSecond, 0),
    formatNumber(summary.revisionsPerSecond, 0),
    formatNumber(megabytes(summary.residentBytes), 0),
    formatNumber(megabytes(summary.ownBytes), 0),
    formatNumber(megabytes(summary.storeBytes), 1),
  ])
  printTable(header, rows)
}

export function printImportRatios(ratios: readonly ImportRatio[]): void {
  printTable(
    ['ratio within a round', 'wall', 'CPU'],
    ratios.map(({ peer, wall, cpu }) => [
      `import / ${STEPS[peer]}`,
      formatSummary(wall, 2),
      formatSummary(cpu, 2),
    ]),
  )
}

/** The largest value of all rounds, since memory must suffice for the worst. */
const megabytes = (bytes: Summary | undefined): number | undefined => bytes && bytes.max / MB
