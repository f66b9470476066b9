/**
 * Addresses of shared logs: the address of a server, with two parameters of ours, such as
 * `postgres://wiki@db.example/wiki?log=handbook&retention=30d`. All other parameters are for the engine.
 */
import { UnusableEngineError } from './logEngine.js'

export interface EngineAddress {
  /** The address without our parameters. */
  readonly url: URL
  /** Name of the log among those of the server. */
  readonly log: string
  /** Age from which the server may remove records. */
  readonly retentionMs: number
}

const DEFAULT_LOG = 'palimpsest'
const DEFAULT_RETENTION = '14d'
const LOG_NAME = /^[a-z0-9_-]{1,63}$/
const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }
/** Ten years. */
const LONGEST_MS = 3650 * 86_400_000

/** Takes our parameters from an address. Throws an UnusableEngineError that quotes nothing but them. */
export function readEngineAddress(address: URL): EngineAddress {
  const url = new URL(address)
  const log = take(url, 'log') ?? DEFAULT_LOG
  if (!LOG_NAME.test(log)) {
    throw new UnusableEngineError(
      `log=${log}: the name of a log is 1 to 63 of the characters a-z, 0-9, "_" and "-"`,
    )
  }
  return { url, log, retentionMs: durationMs(take(url, 'retention') ?? DEFAULT_RETENTION) }
}

/** Removes a parameter from an address, and returns its value. */
function take(url: URL, name: string): string | undefined {
  const values = url.searchParams.getAll(name)
  if (values.length > 1) throw new UnusableEngineError(`the address has the parameter "${name}" twice`)
  url.searchParams.delete(name)
  return values[0]
}

function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,5})([hd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS_MS[unit] ?? 0)
  if (ms > 0 && ms <= LONGEST_MS) return ms
  throw new UnusableEngineError(
    `retention=${text}: write hours or days, such as 36h or 14d, from 1h to 3650d`,
  )
}
