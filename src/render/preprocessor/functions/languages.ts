/** Functions of languages: names, plural forms, grammar, dates, and interface messages. */
import { languageName } from '../../../domain/languageNames.js'
import { inflect } from '../../../language/grammar.js'
import type { Language } from '../../../language/language.js'
import { NO_VALUES } from '../frame.js'
import { costlyText, type FunctionCall, type FunctionTable } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { withoutMarkers } from '../stripMarkers.js'
import { NAMESPACE_MESSAGES, MESSAGES } from './messages.js'
import { unformatNumbers } from './numberFormat.js'

const EXPLICIT_FORM = /^([0-9]+)=/
const PLACEHOLDER = /\$([1-9])/g

export const LANGUAGE_FUNCTIONS: FunctionTable = {
  '#language': (call) => nameOf(call.text(0)),
  plural,
  grammar: (call) => inflect(call.expander.locale.language, call.text(1), call.text(0)),
  gender,
  int: message,
  '#formatdate': formatDate,
  '#dateformat': formatDate,
}

/** A language's own name. An unknown code stays as it is. */
function nameOf(code: string): string {
  return languageName(code.toLowerCase()) ?? code
}

/** The form for a number by the rules of the wiki's language. `12=a dozen` applies to exactly that number. */
function plural(call: FunctionCall): string {
  const { locale } = call.expander
  const number = Number(unformatNumbers(costlyText(call, 0), locale.numbers)) || 0
  const forms: number[] = []
  for (let index = 1; index < call.count; index++) {
    const form = call.text(index)
    const exact = EXPLICIT_FORM.exec(form)
    if (exact && Number(exact[1]) === number) return form.slice(exact[0].length)
    if (!exact) forms.push(index)
  }
  const wanted = locale.facts.pluralIndex(String(number))
  const chosen = forms[Math.min(wanted, forms.length - 1)]
  return chosen === undefined ? '' : call.text(chosen)
}

/** Uses the form for unspecified gender, since the server knows no gender of users. */
function gender(call: FunctionCall): string {
  return call.text(call.count > 3 ? 3 : 1)
}

/** A page of the MediaWiki namespace, or a message of the table. `$1` and so on are the arguments. */
function message(call: FunctionCall): string {
  const { titles, report, source, budget, locale } = call.expander
  const name = call.text(0)
  const title = titles.parseIn(NAMESPACE_MESSAGES, name)
  if (title?.namespace !== NAMESPACE_MESSAGES) return missingMessage(name)
  report.addPage(title)
  const key = title.dbkey.charAt(0).toLowerCase() + title.dbkey.slice(1)
  const text = source.readPage(title)?.text ?? locale.facts.listSigns.get(key) ?? MESSAGES.get(key)
  if (text === undefined) return missingMessage(name)
  const filled = text.replace(PLACEHOLDER, (_sign, number: string) => {
    const value = call.text(Number(number))
    return budget.takeArgument(value.length) ? value : ''
  })
  return call.frame.newChild(title, NO_VALUES).preprocess(filled)
}

function missingMessage(name: string): string {
  return `⧼${escapeHtml(withoutMarkers(name))}⧽`
}

/** A date as a text writes it. A year may be absent. */
interface WrittenDate {
  readonly day: string
  /** From 0. */
  readonly month: number
  readonly year: string | undefined
}

const MAX_DATE = 60
const MONTHS_OF_A_YEAR = 12
const ISO_DATE = /^(\p{Nd}{1,4})-(\d\d)-(\d\d)$/u
const DAY_FIRST = /^(?<day>\p{Nd}{1,2}) (?<month>.+?)(?:,? (?<year>\p{Nd}{1,4}))?$/u
const YEAR_FIRST = /^(?<year>\p{Nd}{1,4}),? (?<month>.+?) (?<day>\p{Nd}{1,2})$/u
const MONTH_FIRST = /^(?<month>.+?) (?<day>\p{Nd}{1,2})(?:,? (?<year>\p{Nd}{1,4}))?$/u

/**
 * A date in the order that the second argument names, with months of the wiki's language. Digits stay as they are
 * written, and so does a text that is not a date.
 */
function formatDate(call: FunctionCall): string {
  const { facts, numbers } = call.expander.locale
  const text = call.text(0)
  const date = text.length > MAX_DATE ? undefined : readDate(text, facts)
  if (date === undefined) return text
  const plain = (digits: string, length: number): string =>
    unformatNumbers(digits, numbers).padStart(length, '0')
  const { day, month, year } = date
  const iso = `${year === undefined ? '' : `${plain(year, 4)}-`}${plain(String(month + 1), 2)}-${plain(day, 2)}`
  const shown = inOrder(call.text(1), date, facts.months[month]?.name ?? '', iso)
  return `<span class="mw-formatted-date" title="${iso}">${shown ?? text}</span>`
}

function readDate(text: string, language: Language): WrittenDate | undefined {
  const [isIso, isoYear, isoMonth, isoDay = ''] = ISO_DATE.exec(text) ?? []
  if (isIso !== undefined) {
    const month = Number(isoMonth) - 1
    const isMonth = month >= 0 && month < MONTHS_OF_A_YEAR
    return isMonth ? { year: isoYear, month, day: isoDay.replace(/^0/, '') } : undefined
  }
  for (const order of [DAY_FIRST, YEAR_FIRST, MONTH_FIRST]) {
    const { day = '', month = '', year } = order.exec(text)?.groups ?? {}
    const number = day === '' ? -1 : monthNamed(month, language)
    if (number >= 0) return { day, month: number, year }
  }
  return undefined
}

/** -1 for none. */
function monthNamed(text: string, { months }: Language): number {
  const folded = text.toLowerCase()
  return months.findIndex(({ name, short }) => [name, short].some((each) => each.toLowerCase() === folded))
}

/** Undefined for a style that is none, or not one of dates without a year. */
function inOrder(style: string, date: WrittenDate, month: string, iso: string): string | undefined {
  const { day, year } = date
  const after = year === undefined ? '' : ` ${year}`
  if (style === 'dmy') return `${day} ${month}${after}`
  if (style === 'mdy') return `${month} ${day}${year === undefined ? '' : `,${after}`}`
  if (year === undefined) return undefined
  if (style === 'ymd') return `${year} ${month} ${day}`
  return style === 'ISO 8601' ? iso : undefined
}
