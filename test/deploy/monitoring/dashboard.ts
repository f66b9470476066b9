/** Generates deploy/monitoring/dashboard.json, with a panel for each figure, for Grafana. */
import type { FigureFacts } from './figureList.js'

/** Rows of the dashboard. A figure belongs to the first row whose prefix matches its name. */
const ROWS = [
  ['Requests', 'palimpsest_http_'],
  ['Ready answers', 'palimpsest_hot_'],
  ['Threads', 'palimpsest_pool_'],
  ['HTML', 'palimpsest_html_'],
  ['HTML: threads', 'palimpsest_render_'],
  ['Edits', 'palimpsest_writer_'],
  ['Store', 'palimpsest_store_'],
  ['Cluster', 'palimpsest_log_'],
  ['Mirror', 'palimpsest_mirror_'],
  ['Server', 'palimpsest_'],
  ['Event loop and memory', 'nodejs_'],
  ['Process', 'process_'],
] as const

const WIDTH = 24
const PANEL = { w: 8, h: 8 }
const ROW_HEIGHT = 1
/** Version of dashboards in Grafana 10 and later. */
const SCHEMA_VERSION = 39
const DATA_SOURCE = { type: 'prometheus', uid: '${source}' }
const CHOSEN = 'instance=~"$instance"'

interface Target {
  readonly expr: string
  readonly legendFormat: string
}

/** The text of deploy/monitoring/dashboard.json. Throws for a figure that matches no row. */
export function dashboardJson(figures: readonly FigureFacts[]): string {
  const dashboard = {
    __comment: 'Made by "npm run docs" from test/deploy/monitoring/dashboard.ts: change it there.',
    uid: 'palimpsest',
    title: 'Palimpsest',
    tags: ['palimpsest'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'instance',
          label: 'Server',
          type: 'query',
          datasource: DATA_SOURCE,
          query: 'label_values(palimpsest_build_info, instance)',
          refresh: 2,
          includeAll: true,
          multi: true,
        },
      ],
    },
    panels: panelsOf(figures),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

function panelsOf(figures: readonly FigureFacts[]): object[] {
  const rowOf = ({ name }: FigureFacts): string => {
    const row = ROWS.find(([, beginning]) => name.startsWith(beginning))
    if (row === undefined) throw new Error(`no row of the dashboard is for ${name}`)
    return row[0]
  }
  const panels: object[] = []
  let y = 0
  for (const [title] of ROWS) {
    const own = figures.filter((figure) => rowOf(figure) === title)
    if (own.length === 0) continue
    panels.push({ id: panels.length + 1, type: 'row', title, gridPos: { x: 0, y, w: WIDTH, h: ROW_HEIGHT } })
    y += ROW_HEIGHT
    for (const [n, figure] of own.entries()) {
      const x = (n * PANEL.w) % WIDTH
      if (n > 0 && x === 0) y += PANEL.h
      panels.push({ id: panels.length + 1, ...panelOf(figure), gridPos: { x, y, ...PANEL } })
    }
    y += PANEL.h
  }
  return panels
}

function panelOf(figure: FigureFacts): object {
  const { name, help } = figure
  return {
    type: 'timeseries',
    title: titleOf(name),
    description: `${name}: ${help}`,
    datasource: DATA_SOURCE,
    fieldConfig: { defaults: { unit: unitOf(figure), min: 0 }, overrides: [] },
    targets: targetsOf(figure).map((target, n) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + n),
      datasource: DATA_SOURCE,
      ...target,
    })),
  }
}

function targetsOf({ name, type, labels, isPerProcess }: FigureFacts): Target[] {
  const legend = ['{{instance}}', ...labels.map((label) => `{{${label}}}`)].join(' ')
  const by = ['instance', ...labels].join(', ')
  const rate = (series: string): string => `rate(${series}{${CHOSEN}}[$__rate_interval])`
  switch (type) {
    case 'counter':
      return [{ expr: `sum by (${by}) (${rate(name)})`, legendFormat: legend }]
    case 'histogram':
      return [0.5, 0.99].map((quantile) => ({
        expr: `histogram_quantile(${quantile}, sum by (le, ${by}) (${rate(`${name}_bucket`)}))`,
        legendFormat: `p${100 * quantile} ${legend}`,
      }))
    case 'gauge': {
      const series = `${name}{${CHOSEN}}`
      const expr = name === 'process_start_time_seconds' ? `time() - ${series}` : series
      return [{ expr, legendFormat: isPerProcess ? `${legend} {{process}}` : legend }]
    }
  }
}

/** Turns `palimpsest_http_requests_total` into `http requests`. */
const titleOf = (name: string): string =>
  name
    .replace(/^palimpsest_/, '')
    .replace(/_total$/, '')
    .replaceAll('_', ' ')

/** Grafana's name of the unit. */
function unitOf({ name, type }: FigureFacts): string {
  if (/_bytes(_total)?$/.test(name)) return type === 'counter' ? 'Bps' : 'bytes'
  if (name.endsWith('_seconds')) return 's'
  if (name.endsWith('_seconds_total')) return 'percentunit'
  return type === 'counter' ? 'cps' : 'short'
}
