/**
 * `#if` and similar functions, which expand only the chosen branch. Source: mediawiki.org,
 * Help:Extension:ParserFunctions.
 */
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { type Title, sameTitle } from '../../../domain/title.js'
import type { Expander } from '../expander.js'
import { costlyText, type FunctionCall, type FunctionTable } from '../functionCall.js'
import { strongError } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'
import { NAMESPACE, specialName } from '../titles.js'
import { evaluate, ExpressionError } from './expression.js'

const NUMBER = /^[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\v\f]*$/
const INTEGER = /^[+-]?[0-9]{1,30}$/
const MAX_NUMBER_LENGTH = 400
/** A tag that the expansion or an earlier function may have marked as an error. */
const MARKED = /<(?:strong|span|p|div)\s[^<>]*?\bclass="([^"<>]*)"/gi
/** Cost factor, since a text of references alone takes this many times as long as plain text. */
const STEPS_TO_DECODE = 50

export const CONDITIONALS: FunctionTable = {
  '#if': (call) => call.text(call.text(0) === '' ? 2 : 1),
  '#ifeq': (call) => call.text(equals(decoded(call.text(0), call), decoded(call.text(1), call)) ? 2 : 3),
  '#switch': choose,
  '#ifexpr': chooseByExpression,
  '#iferror': chooseByError,
  '#ifexist': (call) => call.text(namesPage(call) ? 1 : 2),
}

/** Compares numbers by value, and other texts literally. */
export function equals(left: string, right: string): boolean {
  if (left === right) return true
  if (!isNumber(left) || !isNumber(right)) return false
  if (INTEGER.test(left) && INTEGER.test(right)) return BigInt(unsigned(left)) === BigInt(unsigned(right))
  return Number(left) === Number(right)
}

function isNumber(text: string): boolean {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text)
}

/** `BigInt` accepts no plus sign. */
function unsigned(integer: string): string {
  return integer.startsWith('+') ? integer.slice(1) : integer
}

function decoded(text: string, { expander }: FunctionCall): string {
  if (!text.includes('&')) return text
  expander.budget.countText(STEPS_TO_DECODE * text.length)
  return decodeCharacterReferences(text)
}

/**
 * The value of the first case that equals the first argument. A case without `=` falls through to the next value.
 * `#default`, or a last argument without `=`, applies to all others.
 */
function choose(call: FunctionCall): string {
  const wanted = decoded(call.text(0), call)
  let falls = false
  let defaultFalls = false
  let preset: (() => string) | undefined
  for (let index = 1; index < call.count; index++) {
    call.expander.budget.countSteps(1)
    const part = call.split(index)
    const label = decoded(part.hasName ? part.name() : part.value(), call)
    const isDefault = label.startsWith('#') && call.expander.locale.facts.means('default', label)
    if (part.hasName) {
      if (falls || equals(label, wanted)) return part.value()
      if (defaultFalls || isDefault) preset = () => part.value()
      defaultFalls = false
    } else if (index === call.count - 1 && !falls && !equals(label, wanted)) {
      return part.value()
    } else {
      falls ||= equals(label, wanted)
      defaultFalls ||= isDefault
      if (falls && index === call.count - 1) return part.value()
    }
  }
  return preset?.() ?? ''
}

function chooseByExpression(call: FunctionCall): string {
  try {
    const value = evaluate(withoutMarkers(costlyText(call, 0)))
    return call.text(value === undefined || value === 0 ? 2 : 1)
  } catch (error) {
    if (error instanceof ExpressionError) return strongError(error.message)
    throw error
  }
}

function chooseByError(call: FunctionCall): string {
  const tested = costlyText(call, 0)
  for (const [, classes] of tested.matchAll(MARKED)) {
    if (classes?.split(/\s/).includes('error')) return call.text(1)
  }
  return call.count > 2 ? call.text(2) : tested
}

function namesPage(call: FunctionCall): boolean {
  const { expander } = call
  const title = expander.titles.parse(call.text(0))
  if (title === undefined) return false
  if (sameTitle(title, expander.page.title)) return expander.page.id !== undefined
  // A page that was looked up before costs nothing more.
  if (!expander.report.hasPage(title) && !expander.budget.takeLookup()) {
    expander.placeBound++
    expander.report.addFault('lookups')
    return false
  }
  return title.namespace === NAMESPACE.media ? fileExists(title, expander) : pageExists(title, expander)
}

function fileExists({ dbkey }: Title, { report, source }: Expander): boolean {
  report.addFile(dbkey)
  return source.fileUrl(dbkey) !== undefined
}

function pageExists(title: Title, { report, source }: Expander): boolean {
  report.addPage(title)
  if (title.namespace === NAMESPACE.special) return source.site.specialPages.has(specialName(title.dbkey))
  return title.namespace >= NAMESPACE.main && source.pageExists(title)
}
