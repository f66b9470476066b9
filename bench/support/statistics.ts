/** Median and span: few samples from a machine that drifts allow no finer statements. */

export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Throws for an empty list. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  if (low === undefined || high === undefined) throw new Error('no samples')
  return { median: (low + high) / 2, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The value that a share of the samples, such as 0.99, does not exceed. Throws for an empty list. */
export function percentile(samples: readonly number[], share: number): number {
  const value = samples.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(samples.length * share) - 1)]
  if (value === undefined) throw new Error('no samples')
  return value
}

/** Medians and spans of `samples`, for the names in `figures`. Throws if there are no samples. */
export function summariseFigures<Sample, Name extends string>(
  samples: readonly Sample[],
  figures: Readonly<Record<Name, (sample: Sample) => number>>,
): Record<Name, Summary> {
  const entries = Object.entries<(sample: Sample) => number>(figures)
  return Object.fromEntries(
    entries.map(([name, figure]) => [name, summarise(samples.map(figure))]),
  ) as Record<Name, Summary>
}
