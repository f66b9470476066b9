/** The figures of a running server, and of those that run beside it. */
import { type Figure } from './figures.js'
import { renderFigures } from './render.js'

/** A part of the server that has figures to tell; asked only when somebody wants to know. */
export type MetricSource = () => readonly Figure[]

/** Gives the figures of all processes that serve together, this one's among them. */
export type AskAllProcesses = () => Promise<readonly (readonly Figure[])[]>

export class Metrics {
  readonly #sources: MetricSource[] = []
  readonly #processNumber: number | undefined
  readonly #askAll: AskAllProcesses

  /** Of several processes each has a number, and a way to ask the others. */
  constructor(processNumber?: number, askAll?: AskAllProcesses) {
    this.#processNumber = processNumber
    this.#askAll = askAll ?? (() => Promise.resolve([this.collect()]))
  }

  add(source: MetricSource): void {
    this.#sources.push(source)
  }

  /** The figures of this process as of now. What belongs to the process carries its number. */
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
