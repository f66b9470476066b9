/** Who sends a request, and what that one may do. */
import type { Config } from '../config.js'
import type { Editor } from '../domain/revision.js'
import { HttpError } from './errors.js'
import type { RequestView } from './route.js'

export interface Identity {
  readonly editor: Editor
  readonly anonymous: boolean
  readonly rights: ReadonlySet<string>
}

/** The CSRF token of all who have no session. */
const ANONYMOUS_TOKEN = '+\\'
const ANONYMOUS_RIGHTS: ReadonlySet<string> = new Set(['edit', 'createpage', 'createtalk'])

export function identify(request: RequestView): Identity {
  const editor = { id: null, name: request.clientAddress() }
  return { editor, anonymous: true, rights: ANONYMOUS_RIGHTS }
}

/** Throws unless edits are open to this identity and the token is its own. */
export function requireWriter(
  _identity: Identity,
  token: string | undefined,
  { anonymousEdits, readOnly }: Config,
): void {
  if (readOnly) throw editRefusal('readonly')
  if (token === undefined || token === '') {
    throw new HttpError('paramvalidator-missingparam', ['token'], {
      data: { actionModuleErrorCode: 'missingparam' },
    })
  }
  if (!anonymousEdits) throw editRefusal('permissiondenied')
  if (token !== ANONYMOUS_TOKEN) throw new HttpError('rest-badtoken')
}

function editRefusal(key: 'readonly' | 'permissiondenied'): HttpError {
  return new HttpError(`apierror-${key}`, [], { data: { actionModuleErrorCode: key } })
}
