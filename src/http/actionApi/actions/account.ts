/** `action=login`, `clientlogin` and `logout`, which begin and end sessions, and `createaccount`. */
import type { CreationOutcome, LoginOutcome } from '../../../auth/accounts.js'
import { whyClosed } from '../../../auth/closedWiki.js'
import { isSameToken } from '../../../auth/sessions.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { flag, requiredSecret, secret, text } from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import type { Fields } from '../frame/values.js'

const WRONG_PASSWORD = 'Incorrect username or password entered. Please try again.'
const THROTTLED = 'You have made too many recent login attempts. Please wait 5 minutes before trying again.'

/** Clients send these, and they change nothing here. */
const OF_MANAGER = {
  loginrequests: text('without effect'),
  loginmessageformat: text('without effect'),
  loginmergerequestfields: flag('without effect'),
  loginpreservestate: flag('without effect'),
  rememberMe: text('without effect'),
}

/** The old way to log in: the first request gets a token, and the second one sends it. */
export const login = defineAction({
  name: 'login',
  summary: 'Log in, the old way',
  mustBePosted: true,
  parameters: {
    lgname: text('name of the account'),
    lgpassword: secret('its password'),
    lgdomain: text('without effect'),
    lgtoken: secret('token of the type `login`'),
  },
  async run(call, { lgname = '', lgpassword = '', lgtoken }) {
    const { cookie } = call
    if (!lgtoken) return { login: { result: 'NeedToken', token: cookie.token('login') } }
    if (!isSameToken(lgtoken, cookie.token('login'))) return { login: { result: 'WrongToken' } }
    const outcome = await logIn(call, lgname, lgpassword)
    if (outcome.result !== 'in') {
      return { login: { result: 'Failed', reason: outcome.result === 'wrong' ? WRONG_PASSWORD : THROTTLED } }
    }
    return { login: { result: 'Success', lguserid: outcome.user.id, lgusername: outcome.user.name } }
  },
})

/** The new way to log in. It has one step, so the server ignores the value of `logincontinue`. */
export const clientLogin = defineAction({
  name: 'clientlogin',
  summary: 'Log in',
  mustBePosted: true,
  parameters: {
    logintoken: requiredSecret('token of the type `login`'),
    loginreturnurl: text('any URL'),
    logincontinue: text('in place of `loginreturnurl`'),
    username: text('name of the account'),
    password: secret('its password'),
    ...OF_MANAGER,
  },
  async run(call, { logintoken, loginreturnurl, logincontinue, username = '', password = '' }) {
    requireToken(logintoken, call.cookie.token('login'))
    requireReturn('login', loginreturnurl, logincontinue)
    const outcome = await logIn(call, username, password)
    if (outcome.result === 'in') return { clientlogin: { status: 'PASS', username: outcome.user.name } }
    const [message, messagecode] =
      outcome.result === 'wrong' ? [WRONG_PASSWORD, 'wrongpassword'] : [THROTTLED, 'login-throttled']
    return { clientlogin: { status: 'FAIL', message, messagecode } }
  },
})

/** Ends the session. Without a session, does nothing more than remove the cookies. */
export const logout = defineAction({
  name: 'logout',
  summary: 'Log out',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters: {},
  async run({ cookie, context }) {
    if (cookie.sent !== undefined) await context.accounts.logOut(cookie.sent)
    cookie.drop()
    cookie.tellPosition(context.store)
    return {}
  },
})

async function logIn(
  { client, wiki, context, cookie }: ActionCall,
  name: string,
  password: string,
): Promise<LoginOutcome> {
  const outcome = await context.accounts.logIn(wiki, name, password, client)
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

function requireReturn(kind: 'login' | 'create', url: string | undefined, goesOn: string | undefined): void {
  if (url || goesOn) return
  const info = `At least one of the parameters "${kind}continue" and "${kind}returnurl" is required.`
  throw new ActionError('missingparam', info)
}

const BAD_NAME =
  'The name cannot be used: it looks like an address, has a sign that names cannot have, or is too long.'

/** On wikis where anyone may create an account. */
export const createAccount = defineAction({
  name: 'createaccount',
  summary: 'Create an account',
  mustBePosted: true,
  parameters: {
    createtoken: requiredSecret('token of the type `createaccount`'),
    createreturnurl: text('any URL'),
    createcontinue: text('in place of `createreturnurl`'),
    username: text('name of the account'),
    password: secret('its password'),
    retype: secret('the password again'),
    email: text('without effect'),
    realname: text('without effect'),
    reason: text('without effect'),
    createrequests: text('without effect'),
    createmessageformat: text('without effect'),
    createmergerequestfields: flag('without effect'),
    createpreservestate: flag('without effect'),
  },
  async run(
    call,
    { createtoken, createreturnurl, createcontinue, username = '', password = '', retype = '' },
  ) {
    const { cookie, identity, client, wiki, context } = call
    const { config, accounts } = context
    if (!config.createAccounts)
      throw new ActionError('permissiondenied', 'You do not have permission to create accounts.')
    const closed = whyClosed(context)
    if (closed !== undefined) throw new ActionError('readonly', closed.message)
    requireToken(createtoken, cookie.token('createaccount'))
    requireReturn('create', createreturnurl, createcontinue)
    if (password !== retype) return failed('The passwords you entered do not match.', 'badretype')
    const isLimited = !(identity.rights.has('noratelimit') && identity.hasWriteScope)
    const outcome = await accounts.create(wiki, username, password, isLimited ? client : undefined)
    if (outcome.result === 'made') return { createaccount: { status: 'PASS', username: outcome.name } }
    if (outcome.result === 'bad-name' && username.trim() !== '') return failed(BAD_NAME, 'invaliduser')
    return failed(...faultOf(outcome))
  },
})
function failed(message: string, messagecode: string): Fields {
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
