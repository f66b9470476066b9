/**
 * Draws bench/results/report.html from the results that are there: one page without scripts, pictures inside of it.
 *
 *     node bench/report.mjs
 *
 * Every median with its span (a summary of statistics.ts) becomes a bar, beside those of the same figure.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const RESULTS = join(import.meta.dirname, 'results')
const WIDTH = 860
const LABEL_WIDTH = 260
const BAR_WIDTH = 440
const ROW = 22
const NAME_FIELDS = ['server', 'route', 'task', 'neighbour', 'name', 'step', 'dump', 'threads', 'peer']

function page(all) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Palimpsest: what was measured</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
  svg { font: 12px system-ui, sans-serif; display: block; margin: 0.5rem 0 1.5rem }
  h3 { font-size: 1rem; margin: 1rem 0 0 } small { color: #666 }
</style>
<h1>What was measured</h1>
<p>Bars are medians, lines their spans over all rounds. Where spans overlap, two figures say nothing against each other.
<p>${all.map(({ bench }) => `<a href="#${escape(bench)}">${escape(bench)}</a>`).join(' · ')}
${all.map(section).join('\n')}
</html>
`
}

function section({ bench, measuredAt, machine, summary }) {
  const charts = [...chartsOf(summary)].map(([title, bars]) => chart(title, bars))
  return `<h2 id="${escape(bench)}">${escape(bench)}</h2>
<small>${escape(measuredAt)}<br>${escape(Object.values(machine).flat().join(' · '))}</small>
${charts.join('\n')}`
}

/** Bars by the name of their figure, found wherever they are in a summary. */
function chartsOf(summary) {
  const charts = new Map()
  const visit = (value, names, figure) => {
    if (typeof value !== 'object' || value === null) return
    if (isSummary(value)) {
      const title = figure ?? 'figure'
      charts.set(title, [...(charts.get(title) ?? []), { label: names.join(' / '), ...value }])
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, names, figure)
    } else {
      const own = NAME_FIELDS.filter((field) => typeof value[field] === 'string').map((field) => value[field])
      for (const [key, part] of Object.entries(value)) visit(part, [...names, ...own], key)
    }
  }
  visit(summary, [], undefined)
  return charts
}

const isSummary = (value) => ['median', 'min', 'max'].every((key) => typeof value[key] === 'number')

function chart(title, bars) {
  const largest = Math.max(...bars.map(({ max }) => max), Number.MIN_VALUE)
  const x = (value) => LABEL_WIDTH + (value / largest) * BAR_WIDTH
  const rows = bars.map(({ label, median, min, max }, n) => {
    const y = n * ROW
    const middle = y + ROW / 2
    return `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escape(short(label || title))}</text>
<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${x(median) - LABEL_WIDTH}" height="${ROW - 6}" fill="#6c8ebf"/>
<line x1="${x(min)}" x2="${x(max)}" y1="${middle}" y2="${middle}" stroke="#222"/>
<text x="${LABEL_WIDTH + BAR_WIDTH + 8}" y="${middle + 4}">${number(median)} (${number(min)} to ${number(max)})</text>`
  })
  return `<h3>${escape(title)}</h3>
<svg width="${WIDTH}" height="${bars.length * ROW}" viewBox="0 0 ${WIDTH} ${bars.length * ROW}" role="img" aria-label="${escape(title)}">
${rows.join('\n')}
</svg>`
}

const short = (label) => (label.length > 42 ? `${label.slice(0, 41)}…` : label)

function number(value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

function escape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}

const results = readdirSync(RESULTS)
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')))
const path = join(RESULTS, 'report.html')
writeFileSync(path, page(results))
console.log(`${results.length} results drawn: ${path}`)
