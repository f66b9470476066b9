/** `action=login`, `clientlogin` and `logout`: they begin and end sessions. */
import { isSameToken } from '../../auth/sessions.js'
import type { LoginOutcome } from '../../auth/accounts.js'
import { ActionError } from './actionError.js'
import type { ActionCall, ActionResult } from './call.js'

const WRONG_PASSWORD = 'Incorrect username or password entered. Please try again.'
const THROTTLED = 'You have made too many recent login attempts. Please wait 5 minutes before trying again.'

/** The old way to log in: the first request gets a token, and the second one sends it. */
export async function login(call: ActionCall): Promise<ActionResult> {
  const { parameters, cookie } = call
  const [name, password] = [parameters.get('lgname'), parameters.getPosted('lgpassword')]
  const token = parameters.getPosted('lgtoken')
  if (!token) return { login: { result: 'NeedToken', token: cookie.token('login') } }
  if (!isSameToken(token, cookie.token('login'))) return { login: { result: 'WrongToken' } }
  const outcome = await logIn(call, name ?? '', password ?? '')
  if (outcome.result !== 'in') {
    return { login: { result: 'Failed', reason: outcome.result === 'wrong' ? WRONG_PASSWORD : THROTTLED } }
  }
  return { login: { result: 'Success', lguserid: outcome.user.id, lgusername: outcome.user.name } }
}

/** The new way to log in. It has one step, so the server ignores the value of `logincontinue`. */
export async function clientLogin(call: ActionCall): Promise<ActionResult> {
  const { parameters, cookie } = call
  requireToken(parameters.requirePosted('logintoken'), cookie.token('login'))
  if (!parameters.get('loginreturnurl') && !parameters.get('logincontinue')) {
    const info = 'At least one of the parameters "logincontinue" and "loginreturnurl" is required.'
    throw new ActionError('missingparam', info)
  }
  const [name, password] = [parameters.get('username') ?? '', parameters.getPosted('password') ?? '']
  const outcome = await logIn(call, name, password)
  if (outcome.result === 'in') return { clientlogin: { status: 'PASS', username: outcome.user.name } }
  const [message, messagecode] =
    outcome.result === 'wrong' ? [WRONG_PASSWORD, 'wrongpassword'] : [THROTTLED, 'login-throttled']
  return { clientlogin: { status: 'FAIL', message, messagecode } }
}

/** Ends the session. Without a session, does nothing more than remove the cookies. */
export async function logout({ parameters, cookie, identity, context }: ActionCall): Promise<ActionResult> {
  const { csrfToken } = identity
  const token = parameters.requirePosted('token')
  if (csrfToken !== undefined) requireToken(token, csrfToken)
  if (cookie.sent !== undefined) await context.accounts.logOut(cookie.sent)
  cookie.drop()
  cookie.tellPosition(context.store)
  return {}
}

async function logIn(
  { request, wiki, context, cookie }: ActionCall,
  name: string,
  password: string,
): Promise<LoginOutcome> {
  const outcome = await context.accounts.logIn(wiki, name, password, request.clientAddress())
  if (outcome.result !== 'in') return outcome
  // Session fixation: someone who knew the session from before the login must not know the new one.
  if (cookie.sent !== undefined) await context.accounts.logOut(cookie.sent)
  cookie.hold(outcome.sessionText, outcome.user, outcome.maxAge)
  cookie.tellPosition(context.store)
  return outcome
}

/** Throws a badtoken. */
export function requireToken(given: string, wanted: string): void {
  if (!isSameToken(given, wanted)) throw new ActionError('badtoken', 'Invalid CSRF token.')
}
