/** `#time`, `#timel`, and the words for the present time. */
import type { Expander } from '../expander.js'
import type { FunctionCall, ParserFunction, FunctionTable } from '../functionCall.js'
import { languageOf } from '../../../language/language.js'
import { strongError } from '../literal.js'
import { localDigits } from '../../../language/numbers.js'
import { DAY } from './wallTime.js'
import { formatTime, type TimeToFormat } from './timeFormat.js'
import { parseTimeWords } from './timeWords.js'

const MAX_FORMAT_LENGTH = 6000
const YEAR_10000_SECONDS = 253_402_300_800
const YEAR_0_SECONDS = -62_167_219_200
/** Minimum, since a result that shows seconds could otherwise never be cached. */
const MIN_LIFETIME_SECONDS = 60
/** For a format without time codes. */
const MAX_LIFETIME_SECONDS = 366 * DAY
/** Cost of parsing a time, and of writing each code. */
const STEPS = 10

/** Weeks have no leading zero, unlike in `#time`. */
const WEEK = 'xnW'

/** Time format of each word after `CURRENT` or `LOCAL`. */
const WORDS: Readonly<Record<string, string>> = {
  MONTH: 'm',
  MONTH2: 'm',
  MONTH1: 'n',
  MONTHNAME: 'F',
  MONTHNAMEGEN: 'xg',
  MONTHABBREV: 'M',
  DAY: 'j',
  DAY2: 'd',
  DAYNAME: 'l',
  YEAR: 'Y',
  TIME: 'H:i',
  HOUR: 'H',
  WEEK,
  DOW: 'w',
  TIMESTAMP: 'xNYmdHis',
}

export const TIME_FUNCTIONS: FunctionTable = {
  '#time': (call) => time(call, isTrue(call.text(3))),
  '#timel': (call) => time(call, true),
}

export const TIME_WORDS: FunctionTable = Object.fromEntries(
  Object.entries(WORDS).flatMap(([name, format]): [string, ParserFunction][] => [
    [`CURRENT${name}`, ({ expander }) => present(format, expander, false)],
    [`LOCAL${name}`, ({ expander }) => present(format, expander, true)],
  ]),
)

function isTrue(text: string): boolean {
  return text !== '' && text !== '0'
}

function present(format: string, expander: Expander, local: boolean): string {
  const { now, site } = expander.source
  const { text, holdsForSeconds } = formatTime(format, momentOf(expander, now, local, site.language))
  expander.report.holdsFor(Math.max(MIN_LIFETIME_SECONDS, holdsForSeconds))
  return format === WEEK ? localDigits(String(Number(text)), expander.locale.numbers.digits) : text
}

function momentOf(expander: Expander, at: number, local: boolean, language: string): TimeToFormat {
  const offset = local ? expander.locale.zone.offset(at) : 0
  const zoneName = local ? expander.locale.zone.name(at) : 'UTC'
  const { digits } = expander.locale.numbersIn(languageOf(language))
  return { seconds: at + offset, offset, zoneName, language, digits }
}

/** Arguments: format, time, language. */
function time(call: FunctionCall, local: boolean): string {
  const { expander } = call
  const { now, site } = expander.source
  const format = call.text(0)
  if (format.length > MAX_FORMAT_LENGTH) {
    return strongError(
      `Error: Total length of format strings for #time exceeds ${MAX_FORMAT_LENGTH} characters.`,
    )
  }
  expander.budget.countSteps(STEPS * (1 + format.length))
  const ownOffset = local ? expander.locale.zone.offset(now) : 0
  const parsed = parseTimeWords(call.text(1), now + ownOffset)
  if (parsed === undefined) return strongError('Error: Invalid time.')
  const { seconds, zone = ownOffset, dependsOnNow } = parsed
  if (seconds < YEAR_0_SECONDS) return strongError('Error: #time only supports years from 0.')
  if (seconds >= YEAR_10000_SECONDS) return strongError('Error: #time only supports years up to 9999.')
  const moment = momentOf(expander, seconds - zone, local, call.text(2) || site.language)
  // A time without a zone is shown as written, even if the clocks change on that day.
  const shown = parsed.zone === undefined ? { ...moment, seconds } : moment
  const { text, holdsForSeconds } = formatTime(format, shown)
  if (dependsOnNow) {
    expander.report.holdsFor(Math.min(MAX_LIFETIME_SECONDS, Math.max(MIN_LIFETIME_SECONDS, holdsForSeconds)))
  }
  return text
}
