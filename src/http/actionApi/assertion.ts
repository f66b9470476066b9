/** `assert` and `assertuser`: clients state who they believe to be, and fail early if their session has ended. */
import type { Identity } from '../../auth/identities.js'
import { ActionError } from './actionError.js'
import type { ActionParameters } from './parameters.js'

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
const NAMES = Object.keys(ASSERTIONS) as (keyof typeof ASSERTIONS)[]
const MAX_SHOWN_LENGTH = 255

/** Throws the error of the assertion that fails. */
export function requireAssertion(parameters: ActionParameters, identity: Identity): void {
  if (parameters.get('assert') !== undefined) {
    const { holds, code, reason } = ASSERTIONS[parameters.oneOf('assert', NAMES, 'user')]
    if (!holds(identity)) throw failure(code, reason)
  }
  const name = parameters.get('assertuser')
  if (name === undefined) return
  const { editor, anonymous } = identity
  if (anonymous || editor.name !== name.replaceAll('_', ' ')) {
    const shown = name.slice(0, MAX_SHOWN_LENGTH)
    throw failure('assertnameduserfailed', `You are no longer logged in as "${shown}"`)
  }
}

const failure = (code: string, reason: string): ActionError =>
  new ActionError(code, `${reason}, so the action could not be completed.`)
