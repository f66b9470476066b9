/** The special pages of accounts: to log in and out, to create an account, and to see one's own changes. */
import { whyClosed } from '../../../auth/closedWiki.js'
import type { CreationOutcome, LoginOutcome } from '../../../auth/accounts.js'
import { decodePercent } from '../../../domain/percent.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import type { Html } from '../../../reader/html.js'
import { text } from '../../../reader/messages.js'
import { creationForm, loggedIn, loggedOut, loginForm, logoutForm } from '../../../reader/views/account.js'
import type { Reply } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { leadTo, problemPage } from '../pageReply.js'
import type { FormHandler, Visit, VisitHandler } from '../visit.js'
import { hasToken, menuOf, type Sender, senderOf } from './sender.js'
import { privateReply, specialShell } from './viewReply.js'

export const showLogin: VisitHandler = async (visit, context) => {
  const returnTo = returnTarget(visit.query.get('returnto') ?? pageBefore(visit), visit)
  const sender = await senderOf(visit, context)
  return loginReply(visit, sender, { name: '', returnTo }, context)
}

/** Checks the password, opens a session, and goes back to the page that the reader came from. */
export const logIn: FormHandler = async (visit, fields, context) => {
  const sender = await senderOf(visit, context)
  const [name, returnTo] = [fields.wpName ?? '', returnTarget(fields.returnto, visit)]
  if (!hasToken(sender, 'login', fields.wpLoginToken)) {
    return loginReply(visit, sender, { name, returnTo, message: text('login-token'), status: 403 }, context)
  }
  const outcome = await begin(visit, sender, { name, password: fields.wpPassword ?? '' }, context)
  if (outcome === 'in') return leadBack(returnTo, visit, sender)
  const isWrong = outcome === 'wrong'
  const message = text(isWrong ? 'login-wrong' : 'login-throttled')
  return loginReply(visit, sender, { name, returnTo, message, status: isWrong ? 403 : 429 }, context)
}

/** Opens a session, if the password is right. */
async function begin(
  { request, wiki }: Visit,
  { cookie }: Sender,
  { name, password }: { readonly name: string; readonly password: string },
  { accounts, store }: HttpContext,
): Promise<LoginOutcome['result']> {
  const outcome = await accounts.logIn(wiki, name, password, request.clientAddress())
  if (outcome.result !== 'in') return outcome.result
  // Session fixation: someone who knew the session from before the login must not know the new one.
  if (cookie.sent !== undefined) await accounts.logOut(cookie.sent)
  cookie.hold(outcome.sessionText, outcome.user, outcome.maxAge)
  cookie.tellPosition(store)
  return 'in'
}

const leadBack = (returnTo: string, { links }: Visit, sender: Sender): Reply =>
  withCookies(leadTo(returnTo === '' ? links.front : links.page(returnTo), 303), sender)

interface LoginPage {
  readonly name: string
  readonly returnTo: string
  readonly message?: string
  readonly status?: number
}

function loginReply(
  visit: Visit,
  sender: Sender,
  { name, returnTo, message, status = 200 }: LoginPage,
  context: HttpContext,
): Reply {
  const { identity, cookie } = sender
  const isIn = !identity.anonymous && message === undefined
  const content = isIn
    ? loggedIn(identity.editor.name, returnTo, visit.links)
    : loginForm({
        ...{ links: visit.links, name, returnTo, token: cookie.token('login') },
        mayCreate: whyNoCreation(context) === undefined,
      })
  return accountReply(visit, sender, { heading: 'login-heading', content, message, status })
}

/** `Special:CreateAccount`, where the operator lets everybody create an account. */
export const showCreation: VisitHandler = async (visit, context) => {
  const refusal = whyNoCreation(context)
  if (refusal !== undefined) return problemPage(visit.site, 403, refusal)
  const returnTo = returnTarget(visit.query.get('returnto') ?? pageBefore(visit), visit)
  return creationReply(visit, await senderOf(visit, context), { name: '', returnTo }, context)
}

/** Creates the account, logs in with it, and goes back to the page that the reader came from. */
export const createAccount: FormHandler = async (visit, fields, context) => {
  const refusal = whyNoCreation(context)
  if (refusal !== undefined) return problemPage(visit.site, 403, refusal)
  const sender = await senderOf(visit, context)
  const [name, returnTo] = [fields.wpName ?? '', returnTarget(fields.returnto, visit)]
  if (!sender.identity.anonymous) return creationReply(visit, sender, { name, returnTo }, context)
  const failed = (message: string, status: number): Reply =>
    creationReply(visit, sender, { name, returnTo, message, status }, context)
  if (!hasToken(sender, 'createaccount', fields.wpCreateaccountToken)) return failed(text('login-token'), 403)
  const password = fields.wpPassword ?? ''
  if (password !== fields.retype) return failed(text('create-account-retype-wrong'), 400)
  const outcome = await context.accounts.create(visit.wiki, name, password, visit.request.clientAddress())
  if (outcome.result !== 'made') return failed(...creationFault(outcome))
  const login = await begin(visit, sender, { name: outcome.name, password }, context)
  if (login === 'in') return leadBack(returnTo, visit, sender)
  return loginReply(visit, sender, { name, returnTo, message: text('login-throttled'), status: 429 }, context)
}

/** Undefined if everybody may create an account. */
function whyNoCreation(context: HttpContext): string | undefined {
  return context.config.createAccounts ? whyClosed(context)?.message : text('create-account-closed')
}

function creationFault(outcome: Exclude<CreationOutcome, { result: 'made' }>): [string, number] {
  switch (outcome.result) {
    case 'bad-name':
      return [text('create-account-name'), 400]
    case 'taken':
      return [text('create-account-taken'), 409]
    case 'throttled':
      return [text('create-account-throttled'), 429]
    case 'bad-password':
      return [text('create-account-password-wrong', outcome.fault), 400]
  }
}

function creationReply(
  visit: Visit,
  sender: Sender,
  { name, returnTo, message, status }: LoginPage,
  { config }: HttpContext,
): Reply {
  const { identity, cookie } = sender
  const { links } = visit
  const content = identity.anonymous
    ? creationForm({
        ...{ links, name, returnTo, token: cookie.token('createaccount') },
        minLength: config.passwordMinLength,
      })
    : loggedIn(identity.editor.name, returnTo, links)
  return accountReply(visit, sender, { heading: 'create-account', content, message, status })
}

/** `Special:MyContributions` leads to the reader's own changes, or to the form to log in. */
export const showOwnChanges: VisitHandler = async (visit, context) => {
  const sender = await senderOf(visit, context)
  const { anonymous, rights, editor } = sender.identity
  const isKnown = !anonymous || rights.has('edit')
  const path = isKnown
    ? visit.links.special('Contributions', {}, editor.name)
    : visit.links.special('UserLogin', { returnto: visit.key })
  return withCookies(leadTo(path), sender)
}

export const showLogout: VisitHandler = async (visit, context) => {
  const sender = await senderOf(visit, context)
  const { identity, cookie } = sender
  const returnTo = returnTarget(visit.query.get('returnto'), visit)
  const content = identity.anonymous
    ? loggedOut(text('logout-nobody'), returnTo, visit.links)
    : logoutForm({ links: visit.links, name: identity.editor.name, token: cookie.token('csrf'), returnTo })
  return accountReply(visit, sender, { heading: 'logout-heading', content })
}

/** Ends the session in every process, and removes the cookies. */
export const logOut: FormHandler = async (visit, fields, context) => {
  const sender = await senderOf(visit, context)
  const { cookie, identity } = sender
  const returnTo = returnTarget(fields.returnto, visit)
  if (!identity.anonymous && !hasToken(sender, 'csrf', fields.wpLogoutToken)) {
    const content = logoutForm({
      links: visit.links,
      name: identity.editor.name,
      token: cookie.token('csrf'),
      returnTo,
    })
    const message = text('login-token')
    return accountReply(visit, sender, { heading: 'logout-heading', content, message, status: 403 })
  }
  if (cookie.sent !== undefined) await context.accounts.logOut(cookie.sent)
  cookie.drop()
  cookie.tellPosition(context.store)
  const content = loggedOut(text(identity.anonymous ? 'logout-nobody' : 'logout-done'), returnTo, visit.links)
  return accountReply(visit, { ...sender, isOut: true }, { heading: 'logout-heading', content })
}

/** By heading. */
const PAGES = {
  'login-heading': 'UserLogin',
  'logout-heading': 'UserLogout',
  'create-account': 'CreateAccount',
} as const

interface AccountPage {
  readonly heading: keyof typeof PAGES
  readonly content: Html
  readonly message?: string | undefined
  readonly status?: number | undefined
}

function accountReply(
  visit: Visit,
  sender: Sender & { readonly isOut?: boolean },
  { heading, content, message, status = 200 }: AccountPage,
): Reply {
  const path = visit.links.special(PAGES[heading])
  const isKnown = !sender.identity.anonymous && sender.isOut !== true
  const view = {
    ...specialShell(visit, text(heading), path),
    ...(message !== undefined && { notices: [message] }),
    ...(isKnown && { user: menuOf(sender, '', visit.site) }),
  }
  return privateReply(view, [content], { status, headers: sender.cookie.lines() })
}

const withCookies = (reply: Reply, { cookie }: Sender): Reply => ({
  ...reply,
  headers: reply.headers + cookie.lines(),
})

/**
 * Title in the address of the page whose link led here. Pages that all readers share have one link to log in, so it
 * cannot name the page.
 */
function pageBefore({ request, links }: Visit): string {
  const address = request.header('referer')
  if (!URL.canParse(address)) return ''
  const { pathname } = new URL(address)
  const isForm = Object.values(PAGES).some((page) => pathname === links.special(page))
  if (isForm || !pathname.startsWith(links.wiki)) return ''
  return decodePercent(pathname.slice(links.wiki.length))
}

/** Key of a page of this wiki; empty for a text that is no title, so that no link leads elsewhere. */
function returnTarget(asked: string | null | undefined, { namespaces }: Visit): string {
  const parsed = parseTitle(asked ?? '', namespaces)
  return parsed.ok ? prefixedKey(parsed.title, namespaces) : ''
}
