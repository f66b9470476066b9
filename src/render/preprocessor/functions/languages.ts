/** Functions of languages: names, plural forms, grammar, dates, and interface messages. */
import { languageName } from '../../../domain/languageNames.js'
import { NO_VALUES } from '../frame.js'
import { costlyText, type FunctionCall, type FunctionTable } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { withoutMarkers } from '../stripMarkers.js'
import { NAMESPACE_MESSAGES, MESSAGES } from './messages.js'
import { unformatNumbers } from './numberFormat.js'
import { formatTime } from './timeFormat.js'
import { parseTimeWords } from './timeWords.js'

const EXPLICIT_FORM = /^([0-9]+)=/
const PLACEHOLDER = /\$([1-9])/g

export const LANGUAGE_FUNCTIONS: FunctionTable = {
  '#language': (call) => nameOf(call.text(0)),
  plural,
  grammar: (call) => call.text(1),
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
  const { titles, report, source, budget } = call.expander
  const name = call.text(0)
  const title = titles.parseIn(NAMESPACE_MESSAGES, name)
  if (title?.namespace !== NAMESPACE_MESSAGES) return missingMessage(name)
  report.addPage(title)
  const key = title.dbkey.charAt(0).toLowerCase() + title.dbkey.slice(1)
  const text = source.readPage(title)?.text ?? MESSAGES.get(key)
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

const DATE_FORMATS: ReadonlyMap<string, string> = new Map([
  ['dmy', 'j F Y'],
  ['mdy', 'F j, Y'],
  ['ymd', 'Y F j'],
  ['iso 8601', 'Y-m-d'],
])
const DATE = /^\d{4}-\d\d-\d\d$|^\d{1,2} \p{L}+,? \d{4}$|^\p{L}+ \d{1,2},? \d{4}$|^\d{4},? \p{L}+ \d{1,2}$/u

/** A date in the order that the second argument names. A text that is not a date stays as it is. */
function formatDate(call: FunctionCall): string {
  const { source, locale } = call.expander
  const text = call.text(0)
  const format = DATE_FORMATS.get(call.text(1).toLowerCase())
  const parsed = text.length < 40 && DATE.test(text) ? parseTimeWords(text, source.now) : undefined
  if (parsed === undefined || parsed.dependsOnNow) return text
  const { language } = locale
  const moment = { seconds: parsed.seconds, offset: 0, zoneName: 'UTC', language }
  const shown = format === undefined ? text : formatTime(`xN${format}`, moment).text
  return `<span class="mw-formatted-date" title="${formatTime('xNY-m-d', moment).text}">${shown}</span>`
}
