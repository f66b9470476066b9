/** The plots that answer common questions. A plot is left out if its bench has not run. */
import { barChart, lineChart } from './charts.mjs'
import { escape } from './scale.mjs'

/** Converts a percentile to a place that spreads the slow answers: 90, 99 and 99.9 have equal distances. */
const rarity = (percentile) => 100 / (100 - percentile)
const PERCENTILE_MARKS = [50, 90, 99, 99.9, 99.99].map(rarity)
const PERCENTILE_AXIS = {
  label: 'percentile of the answers',
  log: true,
  marks: PERCENTILE_MARKS,
  format: (mark) => `${Number((100 - 100 / mark).toFixed(2))} %`,
}
const MB = 1e6

/** Sections `{ title, text, svg }` made from `results`, a map from names of benches to their results. */
export function overview(results) {
  const sections = [
    throughput(results.get('http-routes')),
    latencies('Latency of page reads, by server', 'server', results.get('http-page')),
    latencies('Latency by route', 'route', results.get('http-routes')),
    sizes(results.get('http-size')),
    peers(results),
    isolation(results.get('http-isolation')),
    memory(results.get('soak')),
  ]
  return sections.filter((section) => section !== undefined)
}

function throughput(result) {
  const routes = result?.summary.routes
  if (routes === undefined) return undefined
  return {
    title: 'Throughput by route',
    text: `One server process on one core, ${result.setup.connections} connections: rounds: ${result.setup.rounds}, with their spans.`,
    svg: barChart(
      routes.map(({ route, requestsPerSecond }) => ({ label: route, ...requestsPerSecond })),
      { unit: 'requests a second' },
    ),
  }
}

function latencies(title, field, result) {
  const samples = result?.samples.filter(({ percentilesMs }) => percentilesMs !== undefined) ?? []
  if (samples.length === 0) return undefined
  const names = [...new Set(samples.map((sample) => sample[field]))]
  const series = names.map((name) => {
    const own = samples.filter((sample) => sample[field] === name)
    const percentiles = Object.keys(own[0].percentilesMs)
      .map(Number)
      .toSorted((a, b) => a - b)
    return {
      name,
      points: percentiles
        .filter((percentile) => percentile >= 50)
        .map((percentile) => [
          rarity(percentile),
          median(own.map(({ percentilesMs }) => percentilesMs[percentile])),
        ]),
    }
  })
  return {
    title,
    text: `${result.setup.connections} connections that ask again at once, so most of it is waiting in line; rounds: ${result.setup.rounds}.`,
    svg: lineChart(series, { x: PERCENTILE_AXIS, y: { label: 'ms', log: true } }),
  }
}

function sizes(result) {
  if (result === undefined) return undefined
  const { sizes: measured } = result.summary
  const routes = [...new Set(measured.map(({ route }) => route))]
  const series = routes.map((route) => ({
    name: route,
    points: measured
      .filter((one) => one.route === route)
      .map(({ pages, figures }) => [pages, figures.cpuMicros.median]),
  }))
  return {
    title: 'Cost against the size of the wiki',
    text: 'Processor time of the server for one request, over random titles.',
    svg: lineChart(series, {
      x: { label: 'pages of the wiki', log: true, marks: [...new Set(measured.map(({ pages }) => pages))] },
      y: { label: 'CPU µs a request' },
    }),
  }
}

function peers(results) {
  const page = (results.get('http-page')?.summary.ratios ?? []).map(({ peer, rate }) => ({
    label: `page reads / ${peer}`,
    ...rate,
  }))
  const mediaWiki = (results.get('http-mediawiki')?.summary.routes ?? []).map(({ route, ratio }) => ({
    label: `${route} / MediaWiki`,
    ...ratio,
  }))
  // Ratios of times, inverted, so that values above 1 mean faster here too.
  const comparisons = (results.get('diff')?.summary.ratios ?? [])
    .filter(({ engine, lang }) => engine === 'palimpsest' && lang === 'all')
    .map(({ peer, figures: { sum } }) => ({
      label: `comparisons / ${peer}`,
      median: 1 / sum.median,
      min: 1 / sum.max,
      max: 1 / sum.min,
    }))
  const bars = [...page, ...comparisons]
  const charts = [
    ...(bars.length === 0 ? [] : [barChart(bars, { unit: 'times as fast as the peer', reference: 1 })]),
    ...(mediaWiki.length === 0
      ? []
      : [barChart(mediaWiki, { unit: 'times the rate of MediaWiki', reference: 1 })]),
  ]
  if (charts.length === 0) return undefined
  return {
    title: 'Ratios against peers',
    text: 'Pairs of one round; above 1, Palimpsest is faster.',
    svg: charts.join('\n'),
  }
}

function isolation(result) {
  if (result === undefined) return undefined
  const chart = ({ placement, loads, idle }) =>
    barChart(
      [
        { label: `${placement}: nothing else`, ...idle.p99 },
        ...loads.flatMap(({ load, p99Ms, elsewhereP99Ms }) => [
          { label: load, ...p99Ms },
          { label: `${load}, on another server`, ...elsewhereP99Ms },
        ]),
      ],
      { unit: 'ms' },
    )
  return {
    title: 'Page reads beside other work',
    text: `99th percentile of ${result.setup.readsPerSecond} reads a second: alone, while the server is full of other work, and while another server on the machine is; with a core for the event loop alone, and with all cores shared.`,
    svg: result.summary.map(chart).join('\n'),
  }
}

function memory(result) {
  if (result === undefined) return undefined
  const [{ memory: samples }] = result.samples
  const every = Math.ceil(samples.length / 2000)
  const kinds = [
    ['residentBytes', 'resident'],
    ['privateBytes', 'private'],
  ]
  const names = [...new Set(samples.map(({ process }) => process))].filter((name) =>
    /^process \d+$/.test(name),
  )
  const series = names.flatMap((name) =>
    kinds.map(([figure, label]) => ({
      name: `${name}: ${label}`,
      points: samples
        .filter(({ process }) => process === name)
        .filter((_sample, n) => n % every === 0)
        .map(({ requests, figures }) => [requests / 1e6, figures[figure] / MB]),
    })),
  )
  return {
    title: 'Memory over a long run',
    text: `${escape(result.summary.requests.toLocaleString('en'))} mixed requests with edits.`,
    svg: lineChart(series, { x: { label: 'requests, in millions' }, y: { label: 'MB' } }),
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}
