/** The pages `Special:UserLogin` and `Special:UserLogout`, and their forms. */
import { decodePercent } from '../../../domain/percent.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import type { Html } from '../../../reader/html.js'
import { text } from '../../../reader/messages.js'
import { loggedIn, loggedOut, loginForm, logoutForm } from '../../../reader/views/account.js'
import type { Reply } from '../../reply/reply.js'
import { leadTo } from '../pageReply.js'
import type { FormHandler, Visit, VisitHandler } from '../visit.js'
import { hasToken, menuOf, type Sender, senderOf } from './sender.js'
import { privateReply, specialShell } from './viewReply.js'

export const showLogin: VisitHandler = async (visit, context) => {
  const returnTo = returnTarget(visit.query.get('returnto') ?? pageBefore(visit), visit)
  const sender = await senderOf(visit, context)
  return loginReply(visit, sender, { name: '', returnTo })
}

/** Checks the password, opens a session, and goes back to the page that the reader came from. */
export const logIn: FormHandler = async (visit, fields, context) => {
  const { request, wiki } = visit
  const address = request.clientAddress()
  const sender = await senderOf(visit, context)
  const { cookie } = sender
  const [name, returnTo] = [fields.wpName ?? '', returnTarget(fields.returnto, visit)]
  if (!hasToken(sender, 'login', fields.wpLoginToken)) {
    return loginReply(visit, sender, { name, returnTo, message: text('login-token'), status: 403 })
  }
  const outcome = await context.accounts.logIn(wiki, name, fields.wpPassword ?? '', address)
  if (outcome.result !== 'in') {
    const isWrong = outcome.result === 'wrong'
    const message = text(isWrong ? 'login-wrong' : 'login-throttled')
    return loginReply(visit, sender, { name, returnTo, message, status: isWrong ? 403 : 429 })
  }
  // Session fixation: someone who knew the session from before the login must not know the new one.
  if (cookie.sent !== undefined) await context.accounts.logOut(cookie.sent)
  cookie.hold(outcome.sessionText, outcome.user, outcome.maxAge)
  cookie.tellPosition(context.store)
  return withCookies(leadTo(returnTo === '' ? visit.links.front : visit.links.page(returnTo), 303), sender)
}

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
): Reply {
  const { identity, cookie } = sender
  const isIn = !identity.anonymous && message === undefined
  const content = isIn
    ? loggedIn(identity.editor.name, returnTo, visit.links)
    : loginForm({ links: visit.links, name, token: cookie.token('login'), returnTo })
  return accountReply(visit, sender, { heading: 'login-heading', content, message, status })
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

interface AccountPage {
  readonly heading: 'login-heading' | 'logout-heading'
  readonly content: Html
  readonly message?: string | undefined
  readonly status?: number
}

function accountReply(
  visit: Visit,
  sender: Sender & { readonly isOut?: boolean },
  { heading, content, message, status = 200 }: AccountPage,
): Reply {
  const path = visit.links.special(heading === 'login-heading' ? 'UserLogin' : 'UserLogout')
  const isKnown = !sender.identity.anonymous && sender.isOut !== true
  const view = {
    ...specialShell(visit, text(heading), path),
    ...(message !== undefined && { notices: [message] }),
    ...(isKnown && { user: menuOf(sender, '', visit.links) }),
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
  const isForm = pathname === links.special('UserLogin') || pathname === links.special('UserLogout')
  if (isForm || !pathname.startsWith(links.wiki)) return ''
  return decodePercent(pathname.slice(links.wiki.length))
}

/** Key of a page of this wiki; empty for a text that is no title, so that no link leads elsewhere. */
function returnTarget(asked: string | null | undefined, { namespaces }: Visit): string {
  const parsed = parseTitle(asked ?? '', namespaces)
  return parsed.ok ? prefixedKey(parsed.title, namespaces) : ''
}
