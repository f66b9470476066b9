/** Figures for Prometheus, as plain objects that processes can send to each other. */

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Set for the parts of a histogram: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
}

export interface Figure {
  /** Ends with the unit: `palimpsest_store_size_bytes`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /**
   * Rule for combining samples with equal labels from several processes. `sum` is for figures of one process, whose
   * number makes the labels different. `max` is for shared figures, such as those of the store.
   */
  readonly aggregator: 'sum' | 'max'
  readonly values: readonly Sample[]
}

/** The figures of one wiki of several: each sample gets the label `wiki`. Without a name they stay as they are. */
export function ofWiki(name: string | undefined, figures: readonly Figure[]): readonly Figure[] {
  return name === undefined ? figures : figures.map((figure) => labelled(figure, name))
}

function labelled(figure: Figure, wiki: string): Figure {
  return {
    ...figure,
    values: figure.values.map((sample) => ({ ...sample, labels: { ...sample.labels, wiki } })),
  }
}

type Values = number | readonly Sample[]

export const counter = (name: string, help: string, values: Values): Figure =>
  figure('counter', 'sum', name, help, values)

export const gauge = (name: string, help: string, values: Values): Figure =>
  figure('gauge', 'sum', name, help, values)

/** A gauge of a state that all processes share. */
export const sharedGauge = (name: string, help: string, values: Values): Figure =>
  figure('gauge', 'max', name, help, values)

/** A histogram of durations. Each item of `series` has its own labels. */
export function histogram(name: string, help: string, series: readonly HistogramSeries[]): Figure {
  const values = series.flatMap(({ labels, times }) => times.samples(name, labels))
  return { type: 'histogram', aggregator: 'sum', name, help, values }
}

export interface HistogramSeries {
  readonly labels: Sample['labels']
  readonly times: Times
}

/** Upper bounds of the buckets, in milliseconds. */
const BOUNDS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** A histogram of durations. */
export class Times {
  readonly #buckets = new Float64Array(BOUNDS_MS.length + 1)
  #sumMs = 0

  /** Counts `count` durations of `ms` each. */
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
