/** `action=login`, `clientlogin` and `logout`, which begin and end sessions, and `createaccount`. */
import { isSameToken } from '../../auth/sessions.js'
import type { CreationOutcome, LoginOutcome } from '../../auth/accounts.js'
import { ActionError } from './parameters.js'
import type { ActionCall, ActionResult } from './call.js'
import { whyClosed } from '../../auth/closedWiki.js'

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
function requireToken(given: string, wanted: string): void {
  if (!isSameToken(given, wanted)) throw new ActionError('badtoken', 'Invalid CSRF token.')
}

const BAD_NAME =
  'The name cannot be used: it looks like an address, has a sign that names cannot have, or is too long.'

/** On wikis where anyone may create an account. */
export async function createAccount({
  parameters,
  cookie,
  identity,
  request,
  wiki,
  context,
}: ActionCall): Promise<ActionResult> {
  const { config, accounts } = context
  if (!config.createAccounts) {
    throw new ActionError('permissiondenied', 'You do not have permission to create accounts.')
  }
  const closed = whyClosed(context)
  if (closed !== undefined) throw new ActionError('readonly', closed.message)
  requireToken(parameters.requirePosted('createtoken'), cookie.token('createaccount'))
  if (!parameters.get('createreturnurl') && !parameters.get('createcontinue')) {
    const info = 'At least one of the parameters "createcontinue" and "createreturnurl" is required.'
    throw new ActionError('missingparam', info)
  }
  const password = parameters.getPosted('password') ?? ''
  if (password !== (parameters.getPosted('retype') ?? '')) {
    return failed('The passwords you entered do not match.', 'badretype')
  }
  const name = parameters.get('username') ?? ''
  const isLimited = !(identity.rights.has('noratelimit') && identity.hasWriteScope)
  const address = isLimited ? request.clientAddress() : undefined
  const outcome = await accounts.create(wiki, name, password, address)
  if (outcome.result === 'made') return { createaccount: { status: 'PASS', username: outcome.name } }
  if (outcome.result === 'bad-name' && name.trim() !== '') return failed(BAD_NAME, 'invaliduser')
  return failed(...faultOf(outcome))
}

function failed(message: string, messagecode: string): ActionResult {
  return { createaccount: { status: 'FAIL', message, messagecode } }
}

function faultOf(outcome: Exclude<CreationOutcome, { result: 'made' }>): [message: string, code: string] {
  switch (outcome.result) {
    case 'bad-name':
      return ['You have not specified a valid username.', 'noname']
    case 'taken':
      return ['Username entered already in use. Please choose a different name.', 'userexists']
    case 'throttled':
      return [
        'Too many accounts were created from your address; please try again later.',
        'acct_creation_throttle_hit',
      ]
    case 'bad-password':
      return [`The password cannot be used: ${outcome.fault}.`, 'passwordinvalid']
  }
}
