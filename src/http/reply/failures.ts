/**
 * Maps every failure of a request to an error of the table. Refusals of the wiki get the fields and headers that
 * clients expect.
 */
import { EDIT_REFUSALS, Refusal, type RefusalKey } from '../../domain/refusal.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { StoreBusyError } from '../../storage/tables/errors.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/hosting/poolErrors.js'
import { UnwritableError } from '../../workers/writer/writeErrors.js'
import { LogUnavailableError, NoRoomError, WriteTimeoutError } from '../../workers/writer/writer.js'
import { type ErrorExtras, type ErrorKey, HttpError } from './errors.js'
import { EditConflict } from '../../wiki/saving.js'

const RETRY_AFTER_SECONDS = '1'
/** Seconds: a shared log may choose a new leader meanwhile. */
const LOG_RETRY_SECONDS = '5'
/** Seconds: longer, since an operator has to act first. */
const ROOM_RETRY_SECONDS = '60'

const EXTRAS: Readonly<Partial<Record<RefusalKey, ErrorExtras>>> = {
  'rest-invalid-token': { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
  'rest-insufficient-scope': {
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' },
  },
  'rest-cross-origin-anon-write': { data: { error: 'rest-cross-origin-anon-write' } },
  'apierror-readonly': actionCode('readonly'),
  'rest-wiki-is-mirror': actionCode('readonly'),
  'apierror-permissiondenied': actionCode('permissiondenied'),
  // MediaWiki checks the content model of a REST edit before its edit machinery begins.
  'rest-bad-content-model': {},
}

/** Calls that write, and errors of them for which an operator has to act. Scaled pictures are written to files. */
const WRITING_CALLS = ['mkdir', 'open', 'write', 'fsync', 'link', 'rename', 'copyfile']
const OUTSIDE_FAULTS = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO']

/** In words, a fault of the system while a file was written; undefined for all others. */
function fileFault(cause: unknown): Error | undefined {
  if (!isSystemError(cause)) return undefined
  const { syscall = '', code = '' } = cause
  if (!WRITING_CALLS.includes(syscall) || !OUTSIDE_FAULTS.includes(code)) return undefined
  return new Error(describeSystemError(cause), { cause })
}

/** Unexpected failures become an internal error without detail. */
export function toHttpError(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause
  if (cause instanceof Refusal) return refusalError(cause)
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS }
  if (cause instanceof PoolFullError || cause instanceof StoreBusyError)
    return new HttpError('rest-server-busy', [], { headers })
  if (cause instanceof TaskTimeoutError) return new HttpError('rest-task-timeout', [], { headers })
  if (cause instanceof WriteTimeoutError) {
    return new HttpError(cause.mayBeSaved ? 'rest-write-unknown' : 'rest-write-timeout', [], { headers })
  }
  if (cause instanceof LogUnavailableError) {
    const key = cause.mayBeSaved ? 'rest-write-unknown' : 'rest-log-unavailable'
    return new HttpError(key, [], { headers: { 'Retry-After': LOG_RETRY_SECONDS } })
  }
  if (cause instanceof NoRoomError) {
    return new HttpError('rest-storage-full', [], { headers: { 'Retry-After': ROOM_RETRY_SECONDS }, cause })
  }
  const fault = cause instanceof UnwritableError ? cause : fileFault(cause)
  if (fault !== undefined) {
    const headers = { 'Retry-After': ROOM_RETRY_SECONDS }
    return new HttpError('rest-storage-unwritable', [], { headers, cause: fault })
  }
  return new HttpError('rest-internal-error')
}

/** The answer to a refused request. */
export function refusalError(refusal: Refusal): HttpError {
  const { key, args, cause } = refusal
  if (key === 'rest-missing-token') {
    return new HttpError('paramvalidator-missingparam', ['token'], actionCode('missingparam'))
  }
  const extras = refusal instanceof EditConflict ? conflictExtras(refusal) : (EXTRAS[key] ?? editExtras(key))
  return new HttpError(key, args, cause === undefined ? extras : { ...extras, cause })
}

/** The key of ERRORS for a refusal. */
export const errorKeyOf = (key: RefusalKey): ErrorKey =>
  key === 'rest-missing-token' ? 'paramvalidator-missingparam' : key

const editExtras = (key: RefusalKey): ErrorExtras =>
  Object.hasOwn(EDIT_REFUSALS, key) ? actionCode(key) : {}

/** The error code of MediaWiki's edit machinery. */
function actionCode(actionModuleErrorCode: string): ErrorExtras {
  return { data: { actionModuleErrorCode } }
}

function conflictExtras({ sides }: EditConflict): ErrorExtras {
  if (sides === undefined) return {}
  const { baseId, latestId, local, remote } = sides
  return { data: { base: baseId, current: latestId }, json: { local, remote } }
}
