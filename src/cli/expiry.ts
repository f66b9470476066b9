/** Expiry times in command arguments: `90d`, `2026-12-31`, `never`. */
import { InvalidArgumentError } from 'commander'
import { formatTimestamp, parseTimestamp, toSeconds } from '../domain/timestamp.js'

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
}
const MAX_SECONDS = 0xffffffff

export const EXPIRY_HELP = 'a time from now such as 30m, 12h, 90d, 2w, 1y, a day such as 2030-12-31, or never'

/** Seconds since 1970, or null for never. `now` is in seconds since 1970. Throws commander's InvalidArgumentError. */
export function parseExpiry(text: string, now: number): number | null {
  if (text === 'never') return null
  const [, amount, unit] = /^(\d{1,6})([mhdwy])$/.exec(text) ?? []
  const end =
    amount === undefined
      ? parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
      : now + Number(amount) * UNIT_SECONDS[unit!]!
  if (end === undefined || end > MAX_SECONDS) throw new InvalidArgumentError(`It must be ${EXPIRY_HELP}.`)
  if (end <= now) throw new InvalidArgumentError('It has passed already.')
  return end
}

export const nowSeconds = (): number => toSeconds(Date.now())

export const formatExpiry = (expires: number | null): string =>
  expires === null ? 'never' : formatTimestamp(expires)
