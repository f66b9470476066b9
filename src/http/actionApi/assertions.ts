/** What a request states about its sender: who it believes to be, and its token. */
import type { Identity } from '../../auth/identities.js'
import { isSameToken } from '../../auth/sessions.js'
import type { ActionCall } from './frame/call.js'
import { ActionError, missingParameter, shown } from './frame/problems.js'

interface Assertion {
  readonly holds: (identity: Identity) => boolean
  readonly code: string
  readonly reason: string
}

const ASSERTIONS = {
  user: {
    holds: ({ anonymous }) => !anonymous,
    code: 'assertuserfailed',
    reason: 'You are no longer logged in',
  },
  bot: {
    holds: ({ rights }) => rights.has('bot'),
    code: 'assertbotfailed',
    reason: 'You do not have the "bot" right',
  },
  anon: { holds: ({ anonymous }) => anonymous, code: 'assertanonfailed', reason: 'You are logged in' },
} as const satisfies Record<string, Assertion>

/**
 * `assert` and `assertuser`: clients state who they believe to be, and fail early if their session has ended. Throws
 * the error of the assertion that fails.
 */
export function requireAssertion(
  {
    assert,
    assertuser,
  }: { readonly assert: keyof typeof ASSERTIONS | undefined; readonly assertuser: string | undefined },
  identity: Identity,
): void {
  if (assert !== undefined) {
    const { holds, code, reason } = ASSERTIONS[assert]
    if (!holds(identity)) throw failure(code, reason)
  }
  if (assertuser === undefined) return
  const { editor, anonymous } = identity
  if (anonymous || editor.name !== assertuser.replaceAll('_', ' ')) {
    throw failure('assertnameduserfailed', `You are no longer logged in as "${shown(assertuser)}"`)
  }
}

const failure = (code: string, reason: string): ActionError =>
  new ActionError(code, `${reason}, so the action could not be completed.`)

const TOKEN: ReadonlySet<string> = new Set(['token'])

/** Throws a missingparam, a mustpostparams or a badtoken. */
export function requireToken(
  { input, identity, cookie }: ActionCall,
  type: 'csrf' | 'rollback' = 'csrf',
): void {
  input.use(TOKEN)
  const token = input.getPosted('token')
  if (!token) throw missingParameter('token')
  const { csrfToken, way } = identity
  // As `meta=tokens` gives them.
  const wanted = type === 'rollback' && way === 'session' ? cookie.token(type) : csrfToken
  if (wanted !== undefined && !isSameToken(token, wanted))
    throw new ActionError('badtoken', 'Invalid CSRF token.')
}
