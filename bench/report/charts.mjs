/** Charts as SVG: bars with the span of their rounds, and lines. */
import { escape, linearScale, logScale, number } from './scale.mjs'

const WIDTH = 900
const COLORS = ['#31688e', '#d1495b', '#66a182', '#edae49', '#7b4b94', '#f28e9c', '#8d6a4f', '#444444']
const CHARACTER = 6.6
/** Spans are cut at this multiple of the longest bar, since longer ones would leave no room for the bars. */
const MOST_OF_LONGEST_BAR = 3

/**
 * Horizontal bars of medians with their spans, `[{ label, median, min, max }]`. `unit` names the axis. `reference` draws a
 * line at a value, such as 1 for ratios.
 */
export function barChart(bars, { unit, reference }) {
  const labelWidth = Math.min(380, 16 + CHARACTER * Math.max(...bars.map(({ label }) => label.length)))
  const valueWidth = 190
  const rowHeight = 24
  const bottom = bars.length * rowHeight + 6
  const longestBar = Math.max(...bars.map(({ median }) => median), reference ?? 0)
  const longestSpan = Math.max(...bars.map(({ max }) => max))
  const end = WIDTH - valueWidth
  const { at, marks } = linearScale(
    Math.max(longestBar, Math.min(longestSpan, MOST_OF_LONGEST_BAR * longestBar)),
    labelWidth,
    end,
  )
  const rows = bars.map(({ label, median, min, max }, n) => {
    const y = n * rowHeight + 4
    const middle = y + (rowHeight - 4) / 2
    const span = min === max ? '' : ` (${number(min)} to ${number(max)})`
    return `${text(labelWidth - 8, middle + 4, fit(label, labelWidth - 12), 'end')}
<rect x="${labelWidth}" y="${y + 1}" width="${width(at(median) - labelWidth)}" height="${rowHeight - 8}" fill="${COLORS[0]}" opacity="0.75"/>
<line x1="${place(at(min))}" x2="${place(Math.min(at(max), end))}" y1="${middle}" y2="${middle}" stroke="#111" stroke-width="1.5"/>
${at(max) > end ? text(end, middle + 4, '▸', 'end', '#111') : ''}
${text(WIDTH - valueWidth + 10, middle + 4, number(median) + span)}`
  })
  const grid = marks.map(
    (mark) =>
      `${vertical(at(mark), 0, bottom)}${text(at(mark), bottom + 16, number(mark), 'middle', '#555')}`,
  )
  const line = reference === undefined ? '' : vertical(at(reference), 0, bottom, '#d1495b')
  const axis = text((labelWidth + WIDTH - valueWidth) / 2, bottom + 34, unit, 'middle', '#333')
  return svg(bottom + 42, [...grid, line, ...rows, axis])
}

/**
 * Lines through points, `[{ name, points: [[x, y], …] }]`. Axes are `{ label, log, marks, format }`. `marks` replaces
 * the default round numbers.
 */
export function lineChart(series, { x, y }) {
  const legendWidth = Math.min(330, 60 + CHARACTER * Math.max(...series.map(({ name }) => name.length)))
  const [left, right, top, bottom] = [76, WIDTH - legendWidth, 10, 300]
  const xs = series.flatMap(({ points }) => points.map(([value]) => value))
  const ys = series.flatMap(({ points }) => points.map(([, value]) => value))
  const across = scaleOf(x, xs, left, right)
  const up = scaleOf(y, ys, bottom, top)
  const grid = [
    ...(x.marks ?? across.marks).map(
      (mark) =>
        `${vertical(across.at(mark), top, bottom)}${text(across.at(mark), bottom + 17, (x.format ?? number)(mark), 'middle', '#555')}`,
    ),
    ...up.marks.map(
      (mark) =>
        `<line x1="${left}" x2="${right}" y1="${place(up.at(mark))}" y2="${place(up.at(mark))}" stroke="#ddd"/>${text(left - 8, up.at(mark) + 4, (y.format ?? number)(mark), 'end', '#555')}`,
    ),
  ]
  const lines = series.map(({ points, name }, n) => {
    const color = COLORS[n % COLORS.length]
    const dash = n < COLORS.length ? '' : ' stroke-dasharray="6 4"'
    const path = points.map(([a, b]) => `${place(across.at(a))},${place(up.at(b))}`).join(' ')
    const dots =
      points.length > 40
        ? []
        : points.map(
            ([a, b]) =>
              `<circle cx="${place(across.at(a))}" cy="${place(up.at(b))}" r="2.5" fill="${color}"/>`,
          )
    const legendY = top + 14 + n * 20
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.8"${dash}/>${dots.join('')}
<line x1="${right + 14}" x2="${right + 34}" y1="${legendY - 4}" y2="${legendY - 4}" stroke="${color}" stroke-width="3"${dash}/>${text(right + 40, legendY, fit(name, legendWidth - 44))}`
  })
  const labels = [
    text((left + right) / 2, bottom + 38, x.label, 'middle', '#333'),
    `<text transform="translate(16 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle" fill="#333">${escape(y.label)}</text>`,
  ]
  return svg(Math.max(bottom + 46, top + 24 + series.length * 20), [...grid, ...lines, ...labels])
}

function scaleOf({ log, marks }, values, start, end) {
  const all = [...values, ...(marks ?? [])]
  const largest = Math.max(...all)
  return log === true
    ? logScale(Math.min(...all.filter((value) => value > 0)), largest, start, end)
    : linearScale(largest, start, end)
}

const place = (value) => value.toFixed(1)
const width = (value) => Math.max(0, value).toFixed(1)
const fit = (label, room) => {
  const most = Math.floor(room / CHARACTER)
  return label.length > most ? `${label.slice(0, most - 1)}…` : label
}
const vertical = (x, from, to, color = '#ddd') =>
  `<line x1="${place(x)}" x2="${place(x)}" y1="${from}" y2="${to}" stroke="${color}"/>`
const text = (x, y, content, anchor = 'start', color = '#222') =>
  `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}" fill="${color}">${escape(content)}</text>`
const svg = (height, parts) =>
  `<svg width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
${parts.join('\n')}
</svg>`
