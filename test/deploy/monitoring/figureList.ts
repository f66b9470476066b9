/** The list of all figures, taken from a running server, without values. */
import type { Figure } from '../../../src/metrics/figures.js'

export interface FigureFacts {
  readonly name: string
  readonly type: Figure['type']
  readonly help: string
  /** All labels except `process`. */
  readonly labels: readonly string[]
  /** Whether each of several server processes has its own value, under the label `process`. */
  readonly isPerProcess: boolean
}

const PROCESS = 'process'

/** The figures by name, each once, with the labels of all of its samples. */
export function listFigures(figures: readonly Figure[]): FigureFacts[] {
  const facts = new Map<string, FigureFacts>()
  for (const { name, type, help, aggregator, values } of figures) {
    const labels = new Set(facts.get(name)?.labels)
    let isPerProcess = aggregator === 'sum'
    for (const sample of values) for (const label of Object.keys(sample.labels)) labels.add(label)
    if (labels.delete(PROCESS)) isPerProcess = true
    labels.delete('le')
    facts.set(name, { name, type, help, labels: [...labels], isPerProcess })
  }
  return [...facts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
