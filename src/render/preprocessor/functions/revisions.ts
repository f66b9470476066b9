/** Words for the revision of the page, or of the title after the colon. */
import { type FunctionCall, type ParserFunction, titleOf, type FunctionTable } from '../functionCall.js'
import { escapeWikitext } from '../literal.js'
import type { PageFacts, PageRevision, TitleProtection } from '../source.js'
import { formatNumbers } from './numberFormat.js'
import { formatTime } from './timeFormat.js'
import { type Title, sameTitle } from '../../../domain/title.js'
import type { Expander } from '../expander.js'

// Protections of titles, as words and modules show them.

/** What is shown of a protection is true until it ends. */
export function protectionOf(title: Title, { source, report }: Expander): TitleProtection {
  const protection = source.protection(title)
  for (const end of [protection.expires, protection.moveExpires])
    if (end !== undefined) report.holdsFor(end - source.now)
  return protection
}

/** Time format of each word after `REVISION`. */
const TIMES: Readonly<Record<string, string>> = {
  DAY: 'j',
  DAY2: 'd',
  MONTH: 'm',
  MONTH1: 'n',
  YEAR: 'Y',
  TIMESTAMP: 'YmdHis',
}

export const REVISION_WORDS: FunctionTable = {
  REVISIONID: (call) => String(revisionOf(call)?.id ?? ''),
  REVISIONUSER: (call) => escapeWikitext(revisionOf(call)?.userName ?? ''),
  REVISIONSIZE: (call) => String(revisionOf(call)?.sizeBytes ?? ''),
  ...Object.fromEntries(
    Object.entries(TIMES).map(([name, format]): [string, ParserFunction] => [
      `REVISION${name}`,
      (call) => time(call, format),
    ]),
  ),
  PAGESIZE: pageSize,
  PROTECTIONLEVEL: (call) => protectedFrom(call)?.level ?? '',
  PROTECTIONEXPIRY: protectionEnd,
  CASCADINGSOURCES: () => '',
}

/** Recognised in any case; names are lower case here. */
export const UNCASED_REVISION_WORDS: FunctionTable = {
  pageid: (call) => String(pageOf(call)?.id ?? (call.count > 0 ? 0 : '')),
}

/** The page itself, or another page as the wiki has it. */
function pageOf(call: FunctionCall): Pick<PageFacts, 'id' | 'revision'> | undefined {
  const { page, report, source, budget } = call.expander
  const title = titleOf(call)
  if (title === undefined || sameTitle(title, page.title)) return title && page
  report.addPage(title)
  return title.namespace >= 0 && budget.takeLookup() ? source.readPage(title) : undefined
}

function revisionOf(call: FunctionCall): PageRevision | undefined {
  return pageOf(call)?.revision
}

/** An unsaved text has the present time. */
function time(call: FunctionCall, format: string): string {
  const { source, report, locale } = call.expander
  const revision = revisionOf(call)
  if (revision === undefined && call.count > 0) return ''
  const moment = {
    seconds: revision?.timestamp ?? source.now,
    offset: 0,
    zoneName: 'UTC',
    language: locale.language,
  }
  const { text, holdsForSeconds } = formatTime(`xN${format}`, moment)
  if (revision === undefined) report.holdsFor(holdsForSeconds)
  return text
}

interface ProtectedAction {
  /** Who may still do it. */
  readonly level: string
  /** Seconds since 1970, UTC; undefined: for good. */
  readonly expires: number | undefined
}

/** The action of the first argument, on the page or the title of the second; undefined: everybody may do it. */
function protectedFrom(call: FunctionCall): ProtectedAction | undefined {
  const { page, report, source, budget } = call.expander
  const title = titleOf(call, 1)
  if (title === undefined || title.namespace < 0) return undefined
  if (!sameTitle(title, page.title) && !budget.takeLookup()) return undefined
  report.addPage(title)
  const { edit, create, move, expires, moveExpires } = protectionOf(title, call.expander)
  const found = source.pageExists(title)
    ? new Map([
        ['edit', { level: edit, expires }],
        ['move', { level: move, expires: moveExpires }],
      ])
    : new Map([['create', { level: create, expires }]])
  const { level, expires: end } = found.get(call.text(0).toLowerCase()) ?? {}
  return level === undefined ? undefined : { level, expires: end }
}

function protectionEnd(call: FunctionCall): string {
  const expires = protectedFrom(call)?.expires
  if (expires === undefined) return 'infinity'
  const { language } = call.expander.locale
  return formatTime('xNYmdHis', { seconds: expires, offset: 0, zoneName: 'UTC', language }).text
}

/** Bytes of the page, or 0 when it is missing. `R` leaves out digit group separators. */
function pageSize(call: FunctionCall): string {
  const size = String(revisionOf(call)?.sizeBytes ?? 0)
  return call.expander.locale.facts.means('rawsuffix', call.text(1))
    ? size
    : formatNumbers(size, call.expander.locale.numbers, true)
}
