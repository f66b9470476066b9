/** Figures for Prometheus, as plain objects that can travel between processes. */

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Of a part of a histogram: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
}

export interface Figure {
  /** With its unit at the end: `palimpsest_store_size_bytes`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /**
   * What becomes of samples with the same labels when the figures of several processes come together: `sum` for what
   * belongs to a process, whose number makes its labels different; `max` for what all see alike, such as the store.
   */
  readonly aggregator: 'sum' | 'max'
  readonly values: readonly Sample[]
}

type Values = number | readonly Sample[]

export const counter = (name: string, help: string, values: Values): Figure =>
  figure('counter', 'sum', name, help, values)

export const gauge = (name: string, help: string, values: Values): Figure =>
  figure('gauge', 'sum', name, help, values)

/** A gauge of what all processes share. */
export const sharedGauge = (name: string, help: string, values: Values): Figure =>
  figure('gauge', 'max', name, help, values)

/** A histogram of times; each sample is a series of its own. */
export function histogram(name: string, help: string, series: readonly HistogramSeries[]): Figure {
  const values = series.flatMap(({ labels, times }) => times.samples(name, labels))
  return { type: 'histogram', aggregator: 'sum', name, help, values }
}

export interface HistogramSeries {
  readonly labels: Sample['labels']
  readonly times: Times
}

/** Upper ends of the buckets, in milliseconds. */
const BOUNDS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** Counts of times by bucket. */
export class Times {
  readonly #buckets = new Float64Array(BOUNDS_MS.length + 1)
  #sumMs = 0

  /** Notes that something took `ms`, `count` times. */
  add(ms: number, count = 1): void {
    let bucket = 0
    while (bucket < BOUNDS_MS.length && ms > BOUNDS_MS[bucket]!) bucket++
    this.#buckets[bucket]! += count
    this.#sumMs += ms * count
  }

  /** The samples of a Prometheus histogram, in seconds. */
  samples(name: string, labels: Sample['labels']): Sample[] {
    let count = 0
    const buckets = [...this.#buckets].map((value, bucket) => {
      count += value
      const bound = BOUNDS_MS[bucket]
      const le = bound === undefined ? '+Inf' : bound / 1000
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}

function figure(
  type: Figure['type'],
  aggregator: Figure['aggregator'],
  name: string,
  help: string,
  values: Values,
): Figure {
  const samples = typeof values === 'number' ? [{ labels: {}, value: values }] : values
  return { type, aggregator, name, help, values: samples }
}
