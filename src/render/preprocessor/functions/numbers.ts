/** Numbers: arithmetic, formats, and statistics of the wiki. */
import type { Expander } from '../expander.js'
import { costlyText, type FunctionCall, type ParserFunction, type FunctionTable } from '../functionCall.js'
import { strongError } from '../literal.js'
import type { SiteStatistics } from '../source.js'
import { aroundMarkers, withoutMarkers } from '../stripMarkers.js'
import { NAMESPACE } from '../titles.js'
import { evaluate, ExpressionError, formatNumber } from './expression.js'
import { formatNumbers, unformatNumbers } from './numberFormat.js'

/** Counts change with every edit, but nobody needs them exact to the second. */
const COUNTS_HOLD_SECONDS = 3600
const RAW = 'R'

const COUNTS: Readonly<Record<string, keyof SiteStatistics>> = {
  NUMBEROFPAGES: 'pages',
  NUMBEROFARTICLES: 'articles',
  NUMBEROFEDITS: 'edits',
  NUMBEROFFILES: 'files',
  NUMBEROFUSERS: 'users',
  NUMBEROFACTIVEUSERS: 'activeUsers',
  NUMBEROFADMINS: 'admins',
}

export const COUNT_WORDS: FunctionTable = Object.fromEntries(
  Object.entries(COUNTS).map(([name, kind]): [string, ParserFunction] => [
    name,
    (call) => count(call.expander.source.statistics()[kind], call.text(0), call.expander),
  ]),
)

export const NUMBER_FUNCTIONS: FunctionTable = {
  '#expr': sum,
  formatnum: formatNumberCall,
  PAGESINCATEGORY: pagesInCategory,
  PAGESINCAT: pagesInCategory,
  PAGESINNAMESPACE: pagesInNamespace,
  PAGESINNS: pagesInNamespace,
  NUMBERINGROUP: (call) => count(groupSize(call), call.text(1), call.expander),
  NUMINGROUP: (call) => count(groupSize(call), call.text(1), call.expander),
}

function sum(call: FunctionCall): string {
  try {
    const value = evaluate(withoutMarkers(costlyText(call, 0)))
    return value === undefined ? '' : formatNumber(value)
  } catch (error) {
    if (error instanceof ExpressionError) return strongError(error.message)
    throw error
  }
}

function formatNumberCall(call: FunctionCall): string {
  const { facts, numbers } = call.expander.locale
  const kind = call.text(1)
  const isPlain = facts.means('nocommafysuffix', kind)
  return aroundMarkers(costlyText(call, 0), (text) =>
    isRaw(kind, call.expander) ? unformatNumbers(text, numbers) : formatNumbers(text, numbers, !isPlain),
  )
}

const isRaw = (kind: string, { locale }: Expander): boolean =>
  kind.toUpperCase() === RAW || locale.facts.means('rawsuffix', kind)

/** Formatted for the language, or raw. */
function count(number: number, kind: string, expander: Expander): string {
  expander.report.holdsFor(COUNTS_HOLD_SECONDS)
  const text = String(number)
  return isRaw(kind, expander) ? text : formatNumbers(text, expander.locale.numbers, true)
}

const CATEGORY_PARTS = ['all', 'pages', 'files', 'subcats'] as const

/** Arguments: name, then `R` and one of the parts in any order. */
function pagesInCategory(call: FunctionCall): string {
  const { titles, source, budget, locale } = call.expander
  const options = [call.text(1), call.text(2)]
  const has = (word: string): boolean => options.some((text) => locale.facts.means(word, text))
  const raw = has('rawsuffix') ? RAW : ''
  const part = CATEGORY_PARTS.find((name) => has(`pagesincategory_${name}`)) ?? 'all'
  const title = titles.parseIn(NAMESPACE.category, call.text(0))
  const known = title?.namespace === NAMESPACE.category && budget.takeLookup()
  return count(known ? source.categorySize(title.dbkey, part) : 0, raw, call.expander)
}

function pagesInNamespace(call: FunctionCall): string {
  const { source } = call.expander
  const text = call.text(0)
  const namespace = /^[0-9]{1,9}$/.test(text)
    ? Number(text)
    : source.site.namespaces.idByName(text.slice(0, 255))
  return count(namespace === undefined ? 0 : source.pagesInNamespace(namespace), call.text(1), call.expander)
}

function groupSize(call: FunctionCall): number {
  return call.expander.source.usersInGroup(call.text(0).toLowerCase())
}
