/**
 * Draws bench/results/report.html from the existing results: one page without scripts, with embedded pictures.
 *
 *     node bench/report.mjs
 *
 * It begins with the plots of report/overview.mjs. Then come all figures of all benches. Each median with its span (a
 * summary of statistics.ts) becomes a bar, next to bars of the same figure.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barChart } from './report/charts.mjs'
import { overview } from './report/overview.mjs'
import { escape } from './report/scale.mjs'

const RESULTS = join(import.meta.dirname, 'results')
const NAME_FIELDS = [
  'server',
  'engine',
  'route',
  'task',
  'load',
  'name',
  'step',
  'dump',
  'threads',
  'peer',
  'lang',
]

function page(all) {
  const plots = overview(new Map(all.map((result) => [result.bench, result])))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Palimpsest: what was measured</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; max-width: 920px; margin: 2rem auto; padding: 0 1rem; color: #222 }
  svg { font: 12px system-ui, sans-serif; display: block; margin: 0.5rem 0 1.5rem; max-width: 100%; height: auto }
  h3 { font-size: 1rem; margin: 1rem 0 0 } small { color: #666 } .busy svg { opacity: 0.35 } summary { cursor: pointer }
</style>
<h1>What was measured</h1>
<p>Bars are medians, lines on them their spans over all rounds, with an arrow where one leaves the chart. Where spans overlap, two figures say nothing against each other. Figures of runs beside other work are grey.
${plots.map(({ title, text, svg }) => `<h2>${escape(title)}</h2>\n<p>${escape(text)}\n${svg}`).join('\n')}
<h1>Every figure</h1>
<p>${all.map(({ bench }) => `<a href="#${escape(bench)}">${escape(bench)}</a>`).join(' · ')}
${all.map(section).join('\n')}
</html>
`
}

function section({ bench, measuredAt, machine, others, summary }) {
  const charts = [...chartsOf(summary)].map(
    ([title, bars]) => `<h3>${escape(title)}</h3>\n${barChart(bars, { unit: title })}`,
  )
  const warning = others?.isBusy
    ? `<p><strong>Other programs took ${Math.round(100 * others.share)} % of the processors during this run.</strong>`
    : ''
  return `<section${others?.isBusy ? ' class="busy"' : ''}><h2 id="${escape(bench)}">${escape(bench)}</h2>
<small>${escape(measuredAt)}<br>${escape(Object.values(machine).flat().join(' · '))}</small>
${warning}
${charts.join('\n')}</section>`
}

/** Bars by the name of their figure, found at any depth of a summary. */
function chartsOf(summary) {
  const charts = new Map()
  const visit = (value, names, figure) => {
    if (typeof value !== 'object' || value === null) return
    if (isSummary(value)) {
      const title = figure ?? 'figure'
      charts.set(title, [...(charts.get(title) ?? []), { label: names.join(' / ') || title, ...value }])
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

const results = readdirSync(RESULTS)
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')))
const path = join(RESULTS, 'report.html')
writeFileSync(path, page(results))
console.log(`${results.length} results drawn: ${path}`)
