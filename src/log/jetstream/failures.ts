/** Errors of the NATS client, as errors of an engine. */
import { LogCutError } from '../editLog.js'
import { EngineError, LogExistsError, LogTakenError, UnusableEngineError } from '../logEngine.js'

/** Numbers that JetStream gives its errors. */
export const CODES = {
  noPeersForReplicas: 10005,
  noJetStreamForAccount: 10039,
  streamNameInUse: 10058,
  streamNotFound: 10059,
  subjectsOverlap: 10065,
  wrongLastSequence: 10071,
  replicasWithoutCluster: 10074,
  sameIdInProcess: 10158,
  wrongLastSequenceUnknown: 10164,
} as const

/** Errors that no later attempt mends. */
const FOR_THE_OPERATOR: readonly number[] = [
  CODES.noPeersForReplicas,
  CODES.noJetStreamForAccount,
  CODES.subjectsOverlap,
  CODES.replicasWithoutCluster,
]

const WRONG_RIGHTS = ['AuthorizationError', 'UserAuthenticationExpiredError', 'PermissionViolationError']

/** The number of JetStream's error, if it answered with one. */
export function codeOf(error: unknown): number | undefined {
  const { code } = error as { code?: unknown }
  return error instanceof Error && typeof code === 'number' ? code : undefined
}

export const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && (error.name === name || isNamed(error.cause, name))

/** `action` says what failed: `cannot read the log`. Errors of an engine stay as they are. */
export function engineFailure(action: string, error: unknown): Error {
  if (isOfEngine(error)) return error
  const options = { cause: error }
  const reason = error instanceof Error ? error.message : String(error)
  if (WRONG_RIGHTS.some((name) => isNamed(error, name))) {
    return new UnusableEngineError(`${action}: NATS refuses the account: ${reason.toLowerCase()}`, options)
  }
  if (FOR_THE_OPERATOR.includes(codeOf(error) ?? 0)) {
    return new UnusableEngineError(`${action}: JetStream says: ${reason}`, options)
  }
  if (isNamed(error, 'TimeoutError'))
    return new EngineError(`${action}: JetStream did not answer in time`, options)
  return new EngineError(`${action}: ${reason === '' ? 'the connection failed' : reason}`, options)
}

function isOfEngine(error: unknown): error is Error {
  return (
    error instanceof EngineError ||
    error instanceof UnusableEngineError ||
    error instanceof LogCutError ||
    error instanceof LogExistsError ||
    error instanceof LogTakenError
  )
}
