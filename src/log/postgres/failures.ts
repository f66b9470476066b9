/** Errors of PostgreSQL and of the way to it, as errors of engines. No message has the password. */
import { EngineError, LogCutError, LogExistsError, LogTakenError, UnusableEngineError } from '../logEngine.js'
import { NO_LOG, TAKEN } from './schema.js'

const OURS = [EngineError, UnusableEngineError, LogCutError, LogExistsError, LogTakenError]

/** SQLSTATEs that say how an operator has set up server, database or role. */
const SET_UP: Readonly<Record<string, string>> = {
  '28000': 'the server refuses the login',
  '28P01': 'the server refuses the login',
  '3D000': 'the server does not have the database',
  '42501': 'the role lacks a right',
  '42704': 'the server does not know a parameter of the address',
  '22023': 'the server refuses a parameter of the address',
}

const READ_ONLY = '25006'
const LOCK_TIMEOUT = '55P03'
const UNIQUE = '23505'

/** SQLSTATEs of a database without our schema, table or function. */
const NO_TABLES = ['3F000', '42P01', '42883']

/** Codes of Node's TLS for certificates that it does not accept. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/

const codeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

const wordsOf = (error: unknown): string => {
  const words = error instanceof Error ? error.message : String(error)
  return words === '' ? codeOf(error) : words
}

export const isWithoutLog = (error: unknown): boolean =>
  [...NO_TABLES, NO_LOG].includes(codeOf(error)) && !(error instanceof EngineError)

/** False for errors after which a connection is dropped. After a failover it leads to the wrong server. */
export const isOfStatement = (error: unknown): boolean =>
  [NO_LOG, TAKEN, LOCK_TIMEOUT, UNIQUE, ...NO_TABLES].includes(codeOf(error))

export const isRepeatOfName = (error: unknown): boolean => codeOf(error) === UNIQUE

/** For a running node: it tries again after all errors of the engine, whatever the reason is. */
export function asEngineError(error: unknown): Error {
  if (OURS.some((kind) => error instanceof kind)) return error as Error
  const [code, words] = [codeOf(error), wordsOf(error)]
  if (code === TAKEN) return new LogTakenError(words, { cause: error })
  return new EngineError(explained(code, words), { cause: error })
}

/** For operators, who can change the set-up: UnusableEngineError if it is wrong. */
export function asSetUpError(error: unknown): Error {
  const [code, words] = [codeOf(error), wordsOf(error)]
  const reason = SET_UP[code]
  if (reason !== undefined) return new UnusableEngineError(`${reason}: ${words}`, { cause: error })
  if (CERTIFICATE.test(code)) {
    return new UnusableEngineError(`the certificate of the server is not accepted: ${words}`, {
      cause: error,
    })
  }
  if (words.includes('does not support SSL')) {
    return new UnusableEngineError('the server has no TLS, but the address asks for it', { cause: error })
  }
  return asEngineError(error)
}

function explained(code: string, words: string): string {
  if (code === READ_ONLY)
    return `the server takes no writes, since it is a standby or set to read-only: ${words}`
  if (code === LOCK_TIMEOUT) return `another transaction holds the head of the log: ${words}`
  if (NO_TABLES.includes(code)) return `the database has no logs: ${words}`
  return `PostgreSQL: ${words}`
}
