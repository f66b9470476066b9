/** Maps refusals of the wiki to HTTP errors, with the fields and headers that clients expect. */
import { EDIT_REFUSALS, type Refusal, type RefusalKey } from '../../domain/refusal.js'
import { EditConflict } from '../../wiki/saving.js'
import { type ErrorExtras, type ErrorKey, HttpError } from './errors.js'

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
