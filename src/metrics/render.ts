/** Prometheus' text format. */
import { AggregatorRegistry } from 'prom-client'
import type { Figure } from './figures.js'

export const METRICS_TYPE = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE

/** Puts the figures of processes together, each of them by its own rule. */
export function renderFigures(processes: readonly (readonly Figure[])[]): Promise<string> {
  const lists = processes.map((figures) => figures.filter(({ values }) => values.length > 0))
  return AggregatorRegistry.aggregate(lists).metrics()
}
