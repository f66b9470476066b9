/** Generates docs/metrics.md from the figures of a server. */
import type { FigureFacts } from './figureList.js'

/** The text of docs/metrics.md. */
export function metricsMarkdown(figures: readonly FigureFacts[]): string {
  const rows = figures.map(({ name, type, help, labels, isPerProcess }) => {
    const shown = labels.map((label) => `, \`${label}\``).join('')
    const kind = isPerProcess ? type : `${type} of the store`
    return `| \`${name}\` | ${kind}${shown} | ${help} |`
  })
  return `${HEAD}\n${rows.join('\n')}\n${TAIL}`
}

const HEAD = `<!-- Made by "npm run docs" from what a server tells at /metrics: change the help of a figure where the code makes it. -->

# Figures

\`GET /metrics\` answers these in Prometheus' text format. [operations.md](operations.md) says which of them to watch, and
\`deploy/monitoring\` has alert rules and a Grafana dashboard for them.

Where several processes serve together, a figure carries the label \`process\`: sum over it. A figure *of the store* is the same for all of
them. A histogram is three series, which end in \`_bucket\`, \`_sum\` and \`_count\`.

| figure | type, labels | meaning |
|---|---|---|`

const TAIL = `
\`palimpsest_processes\` and \`palimpsest_process_restarts_total\` are there where a supervisor is,
\`palimpsest_access_log_dropped_total\` where requests are logged, \`palimpsest_upstream_html_…\` with \`--html upstream\`,
\`palimpsest_log_…\` with \`--log\`.
`
