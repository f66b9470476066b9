/** `<timeline>`: the bars, periods and texts of a chart in the EasyTimeline language, as a list. */
import { plainLabel, standIn } from './standIn.js'
import { MAX_TAG_LENGTH, type ExtensionTag } from './tag.js'

/** A command such as `BarData=` or `PlotData =`. Its attributes follow in the same line or in indented lines. */
const COMMAND = /^([a-z]+)\s*=\s*(.*)$/i
/** An attribute such as `from:1990` or `text:"two words"`. Blanks may follow the colon. */
const ATTRIBUTE =
  /([a-z]{2,20})\s*:\s*(?:"([^"\n]{0,1000})"|(\[\[[^\]\n]{0,500}\]\]\S{0,500}|[^\s"]\S{0,999}))/gi
const COMMENT = /^\s*#(?!>)|#>[^]*?(?:<#|$)/
const MAX_LINES = 5000

export function renderTimeline({ content }: ExtensionTag): string {
  return standIn('timeline', 'Timeline', content.length > MAX_TAG_LENGTH ? [] : labelsOf(content))
}

/** One label for each line with content: the bar's name, the period, the text. */
function labelsOf(source: string): Set<string> {
  const barNames = new Map<string, string>()
  const labels = new Set<string>()
  let command = ''
  let preset = new Map<string, string>()
  for (const line of source.split('\n').slice(0, MAX_LINES)) {
    if (COMMENT.test(line)) continue
    const begun = COMMAND.exec(line)
    if (begun !== null) {
      command = begun[1]!.toLowerCase()
      preset = new Map()
    }
    const given = attributesOf(begun?.[2] ?? line)
    if (given.size === 0) continue
    if (command === 'bardata') {
      const name = given.get('bar') ?? given.get('barset')
      if (name !== undefined) barNames.set(name, given.get('text') ?? name)
    } else if (command === 'plotdata' || command === 'textdata') {
      // A line without bar or time sets defaults for the next lines.
      const attributes = new Map([...preset, ...given])
      const label = labelOf(attributes, barNames)
      if (label === undefined) preset = attributes
      else labels.add(label)
    }
  }
  if (labels.size > 0) return labels
  return new Set(Array.from(barNames.values(), plainLabel))
}

function attributesOf(line: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', quoted, word] of line.matchAll(ATTRIBUTE))
    attributes.set(name.toLowerCase(), quoted ?? word ?? '')
  return attributes
}

/** A label such as `Bar: 1990 – 1999, text`; undefined for a line that shows nothing. */
function labelOf(
  attributes: ReadonlyMap<string, string>,
  barNames: ReadonlyMap<string, string>,
): string | undefined {
  const from = attributes.get('from')
  const till = attributes.get('till')
  const at = attributes.get('at')
  const period = from !== undefined && till !== undefined ? `${from} – ${till}` : (at ?? '')
  // A tilde breaks the line, and an underscore means a blank.
  const text = plainLabel((attributes.get('text') ?? '').replace(/[~^_]/g, ' '))
  if (period === '' && text === '') return undefined
  const bar = attributes.get('bar')
  const name = bar === undefined ? '' : plainLabel(barNames.get(bar) ?? bar)
  const said = [period, text === period || text === name ? '' : text].filter((part) => part !== '').join(', ')
  return name === '' ? said : `${name}: ${said}`
}
