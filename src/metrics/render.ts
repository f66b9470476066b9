/** Prometheus' text format. */
import { AggregatorRegistry } from 'prom-client'
import type { Figure } from './figures.js'

export const METRICS_TYPE = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE

/** Merges the figures of several processes, each by its aggregator. */
export function renderFigures(processes: readonly (readonly Figure[])[]): Promise<string> {
  const lists = processes.map((figures) => figures.filter(({ values }) => values.length > 0))
  return AggregatorRegistry.aggregate(lists).metrics()
}
