/** Means of memory in each quarter of a long run, and their verdict. */
import { printTable } from '../support/table.js'
import { meanOfQuarter, type MemorySample } from './samples.js'

/** Most that the mean of private memory may grow from the second to the last quarter. */
const AIM = 0.05
const MB = 1e6
const FIGURES: readonly (readonly [name: string, label: string])[] = [
  ['residentBytes', 'resident'],
  ['privateBytes', 'private'],
  ['mappedBytes', 'mapped from files'],
  ['heapTotalBytes', 'heap'],
  ['heapUsedBytes', 'heap used'],
  ['externalBytes', 'external'],
  ['bufferBytes', 'buffers'],
]

export interface QuarterSummary {
  readonly process: string
  readonly figure: string
  /** Means of the quarters of the requests, 1 to 4. */
  readonly means: readonly (number | undefined)[]
  /** Change from the second quarter to the last, 0 for no change. */
  readonly change: number | undefined
}

/** Means of each quarter of `total` requests, for each process and figure. */
export function summariseQuarters(samples: readonly MemorySample[], total: number): QuarterSummary[] {
  return [...new Set(samples.map(({ process }) => process))].flatMap((process) => {
    const own = samples.filter((sample) => sample.process === process)
    const quarters = [1, 2, 3, 4].map((quarter) => meanOfQuarter(own, quarter, total))
    return [...FIGURES.map(([name]) => name), 'threads', 'openFiles'].flatMap((figure) => {
      const means = quarters.map((quarter) => quarter?.[figure])
      if (means.every((mean) => mean === undefined)) return []
      const [, second, , last] = means
      const change = second === undefined || last === undefined ? undefined : last / second - 1
      return [{ process, figure, means, change }]
    })
  })
}

/** Prints the means, and whether private memory meets the aim. */
export function printQuarters(quarters: readonly QuarterSummary[]): void {
  console.log()
  printTable(
    ['means of quarters', 'first', 'second', 'third', 'last', 'last to second'],
    quarters.map(({ process, figure, means, change }) => {
      const label = FIGURES.find(([name]) => name === figure)?.[1]
      const format = label === undefined ? (mean?: number) => mean?.toFixed(1) ?? '-' : mb
      const name = label === undefined ? figure : `${label}, MB`
      const percent = change === undefined ? '-' : `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)} %`
      return [`${process}: ${name}`, ...means.map(format), percent]
    }),
  )
  console.log(
    `Aim: private memory at most ${100 * AIM} % above that of the second quarter: ${judge(quarters)}.`,
  )
}

/** The verdict on private memory, in words. */
export function judge(quarters: readonly QuarterSummary[]): string {
  const known = quarters.flatMap(({ process, figure, change }) =>
    figure === 'privateBytes' && change !== undefined ? [{ process, change }] : [],
  )
  if (known.length === 0) return 'unknown, the run was too short'
  const grown = known.filter(({ change }) => change > AIM).map(({ process }) => process)
  return grown.length === 0 ? 'met' : `not met by ${grown.join(', ')}`
}

function mb(bytes: number | undefined): string {
  return bytes === undefined ? '-' : (bytes / MB).toFixed(1)
}
