/** Faults of an upstream: those that may pass, and those that need its reader. */
import { UserError } from '../../runtime/userError.js'

/** The upstream did not answer, or not in the way of the API. The same request may succeed later. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault'
  /** Code of the API's error, such as `maxlag`; `http-503` for a status, `network` or `answer` for the rest. */
  readonly code: string
  /** Time that the upstream asks to wait, in milliseconds. */
  readonly retryAfterMs: number

  constructor(code: string, message: string, { retryAfterMs = 0, cause }: FaultDetails = {}) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

interface FaultDetails {
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** The answer is longer than the limit: a request for fewer items may succeed. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

/** The server has no such file, or does not give it. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/** Following cannot go on by itself. The message says what to do. */
export class FollowRefused extends UserError {
  override readonly name: string = 'FollowRefused'
}

/** Codes of the API that mean a busy wiki, and no fault of the request. */
const BUSY = ['maxlag', 'ratelimited', 'readonly']

export const isBusy = ({ code }: UpstreamFault): boolean =>
  BUSY.includes(code) || code === 'http-429' || code === 'http-503'

/** The same request may succeed later. Other errors of the API lie in the request, and its sender must change it. */
export const mayPass = (fault: UpstreamFault): boolean =>
  isBusy(fault) || /^(?:http-|network$|answer$|internal_api_error)/.test(fault.code)

/** Errors of the API that no repetition mends, with the advice for each. */
const REFUSALS: Readonly<Record<string, string>> = {
  readapidenied: 'the wiki is closed to anonymous readers: give the token of an account with --token-file',
  permissiondenied: 'the account may not read what following needs: give another token with --token-file',
  assertuserfailed:
    'the wiki does not know the token, or the token has expired: give another with --token-file',
  'mwoauth-invalid-authorization': 'the wiki refuses the token: give another with --token-file',
  'mwoauth-invalid-authorization-invalid-user': 'the wiki refuses the token: give another with --token-file',
}

/** The refusal that an error of the API means; undefined for errors that may pass. */
export function refusalOf(code: string, info: string): FollowRefused | undefined {
  const advice = REFUSALS[code]
  return advice === undefined ? undefined : new FollowRefused(`${advice} (${code}: ${info})`)
}
