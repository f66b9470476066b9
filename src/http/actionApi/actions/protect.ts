/** `action=protect`: says who may edit and move a page, or create one. */
import type { ProtectionLevel } from '../../../domain/protection.js'
import { formatTimestamp, toSeconds } from '../../../domain/timestamp.js'
import { prefixedText } from '../../../domain/title.js'
import { type Levels, protectTitle } from '../../../wiki/protecting.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { flag, integer, secret, text, texts } from '../frame/declaration.js'
import { ActionError, missingParameter, shown } from '../frame/problems.js'
import { secondsOf } from '../frame/reading.js'
import type { Fields } from '../frame/values.js'
import { refusing, requireWriter, titleOf } from './writing.js'

export const protect = defineAction({
  name: 'protect',
  summary: 'Protect a page, or a title without one',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters: {
    title: text('the page'),
    pageid: integer('its id'),
    protections: texts(
      '`edit=LEVEL`, `move=LEVEL`, `create=LEVEL`: `all`, `autoconfirmed` or `sysop`. Others end',
    ),
    expiry: texts('when they end: a time, such as `2 weeks`, or `infinite`; the same for all'),
    reason: text('why'),
    tags: text('without effect'),
    cascade: flag('without effect: it has a warning'),
    watch: flag('without effect'),
    watchlist: text('without effect'),
    watchlistexpiry: text('without effect'),
    token: secret('token of the type `csrf`'),
  },
  run(call, { title: given, pageid, protections, expiry, reason = '', cascade }) {
    const title = titleOf(call, given, pageid)
    if (protections === undefined) throw missingParameter('protections')
    const expires = expiryOf(expiry ?? ['infinite'], protections.length, call)
    const wished = protections.map(readProtection)
    if (cascade) call.warnings.add('protect', 'nocascade', 'Protections do not cascade on this server.')
    return refusing(async () => {
      const identity = await requireWriter(call, 'protect')
      const levels: Levels = Object.fromEntries(wished.map(({ kind, level }) => [kind, level]))
      await protectTitle(call.context, { title, levels, expires, reason, identity })
      const end = expires === null ? 'infinite' : formatTimestamp(expires)
      return {
        protect: {
          title: prefixedText(title, call.wiki.namespaces),
          reason,
          protections: wished.map(({ kind, stated }): Fields => ({ [kind]: stated, expiry: end })),
        },
      }
    })
  },
})

const KINDS = ['edit', 'move', 'create'] as const
/** Under MediaWiki's names: all accounts are autoconfirmed here. */
const LEVELS: ReadonlyMap<string, ProtectionLevel> = new Map([
  ['all', 'none'],
  ['', 'none'],
  ['autoconfirmed', 'user'],
  ['sysop', 'sysop'],
] as const)

interface WishedProtection {
  readonly kind: (typeof KINDS)[number]
  readonly level: ProtectionLevel
  /** As the answer says it. */
  readonly stated: string
}

/** Throws a protect-invalidaction or a protect-invalidlevel. */
function readProtection(given: string): WishedProtection {
  const [name = '', stated = ''] = given.split('=', 2)
  const kind = KINDS.find((each) => each === name)
  if (kind === undefined)
    throw new ActionError('protect-invalidaction', `Invalid protection type "${shown(name)}".`)
  const level = LEVELS.get(stated)
  if (level === undefined)
    throw new ActionError('protect-invalidlevel', `Invalid protection level "${shown(stated)}".`)
  return { kind, level, stated: stated === 'all' ? '' : stated }
}

const FOREVER = ['infinite', 'indefinite', 'infinity', 'never']
const DURATION = /^\+?(\d{1,5}) (second|minute|hour|day|week|month|year)s?$/
const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const

/** Null: never. Throws a toofewexpiries, an invalidexpiry, a pastexpiry, or an unsupported for different times. */
function expiryOf(given: readonly string[], count: number, call: ActionCall): number | null {
  if (given.length !== 1 && given.length !== count) {
    const were = `${given.length} expiry timestamp${given.length === 1 ? ' was' : 's were'}`
    const info = `${were} provided where ${count} ${count === 1 ? 'was' : 'were'} needed.`
    throw new ActionError('toofewexpiries', info)
  }
  const now = toSeconds(call.nowMs)
  const ends = new Set(given.map((each) => endOf(each, now)))
  if (ends.size > 1)
    throw new ActionError('unsupported', 'Protections of a title end at the same time on this server.')
  const [end = null] = ends
  return end
}

function endOf(given: string, now: number): number | null {
  if (FOREVER.includes(given)) return null
  const end = secondsOf(given) ?? afterDuration(given, now)
  if (end === undefined) throw new ActionError('invalidexpiry', `Invalid expiry time "${shown(given)}".`)
  if (end <= now) throw new ActionError('pastexpiry', `Expiry time "${shown(given)}" is in the past.`)
  return end
}

function afterDuration(given: string, now: number): number | undefined {
  const [, digits, unit] = DURATION.exec(given) ?? []
  if (digits === undefined) return undefined
  const count = Number(digits)
  if (unit !== 'month' && unit !== 'year') return now + count * SECONDS[unit as keyof typeof SECONDS]
  const date = new Date(1000 * now)
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1))
  return toSeconds(date.getTime())
}
