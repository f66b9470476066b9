/** Prometheus' text format. */
import type { Figure } from './figures.js'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Merges the figures of several processes, each by its aggregator. The first call loads the package: its 83 modules
 * would take a tenth of the start of a server.
 */
export async function renderFigures(processes: readonly (readonly Figure[])[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  const lists = processes.map((figures) => figures.filter(({ values }) => values.length > 0))
  return AggregatorRegistry.aggregate(lists).metrics()
}
