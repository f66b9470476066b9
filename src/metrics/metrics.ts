/** The figures of a running server, and of the processes beside it. */
import { type Figure } from './figures.js'
import { renderFigures } from './render.js'

/** A part of the server with figures, called on demand. */
export type MetricSource = () => readonly Figure[]

/** Collects the figures of all server processes, including this one. */
export type AskAllProcesses = () => Promise<readonly (readonly Figure[])[]>

export class Metrics {
  readonly #sources: MetricSource[] = []
  readonly #processNumber: number | undefined
  readonly #askAll: AskAllProcesses

  /** With several processes, each has a number and a way to ask the others. */
  constructor(processNumber?: number, askAll?: AskAllProcesses) {
    this.#processNumber = processNumber
    this.#askAll = askAll ?? (() => Promise.resolve([this.collect()]))
  }

  add(source: MetricSource): void {
    this.#sources.push(source)
  }

  /** The current figures of this process. Those of one process get its number as a label. */
  collect(): Figure[] {
    const figures = this.#sources.flatMap((source) => source())
    const number = this.#processNumber
    if (number === undefined) return figures
    return figures.map((figure) => (figure.aggregator === 'max' ? figure : numbered(figure, number)))
  }

  /** The figures of all processes in Prometheus' text format. */
  async render(): Promise<string> {
    return renderFigures(await this.#askAll())
  }
}

function numbered(figure: Figure, process: number): Figure {
  const values = figure.values.map((sample) => ({ ...sample, labels: { ...sample.labels, process } }))
  return { ...figure, values }
}
