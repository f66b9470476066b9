/** Values of the flags of `palimpsest follow`. */
import { InvalidArgumentError } from 'commander'
import type { HistoryKept } from '../../domain/upstreamPosition.js'
import { contactLacking, isContact } from '../../follow/api/etiquette.js'
import { CommandError } from '../commandError.js'

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }
const LONGEST_MS = 30 * 86_400_000

export const FILES_FOLLOWED = ['facts', 'contents', 'none'] as const
export type FilesFollowed = (typeof FILES_FOLLOWED)[number]

export interface FollowFlags {
  readonly upstream?: string
  readonly contact?: string
  readonly interval: number
  readonly overlap: number
  readonly stream?: string
  readonly tokenFile?: string
  readonly history?: HistoryKept
  readonly files: FilesFollowed
  readonly once?: boolean
  readonly check?: boolean
  readonly status?: boolean
  readonly json?: boolean
  readonly acceptRemovals: number
}

/** A time such as `5s`, `500ms` or `10min` in milliseconds; a number alone means seconds. */
export function parseDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m|min|h)?$/.exec(text) ?? []
  const ms = amount === undefined ? undefined : Math.round(Number(amount) * UNIT_MS[unit]!)
  if (ms === undefined || ms > LONGEST_MS)
    throw new InvalidArgumentError('It must be a time such as 5s, 500ms or 10min, and at most 30 days.')
  return ms
}

/** Address of an action API, which ends in `api.php`. */
export function parseUpstream(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/api.php'))
    throw new InvalidArgumentError(
      "It must be the address of the wiki's action API, such as https://simple.wikipedia.org/w/api.php.",
    )
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It must not have a password: give a token with --token-file.')
  return `${url.origin}${url.pathname}`
}

export function parseStream(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an http or https URL.')
  return text
}

export function parseContact(text: string): string {
  if (!isContact(text))
    throw new InvalidArgumentError(
      'It must be a mail address or a URL: 3 to 200 letters of ASCII, no brackets.',
    )
  return text
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Throws a CommandError for a wiki that asks for the operator's address. */
export function requireContact(url: string, contact: string | undefined): void {
  const lacking = contactLacking(url, contact)
  if (lacking !== undefined) throw new CommandError(`${lacking}: give --contact with a mail address or a URL`)
}
