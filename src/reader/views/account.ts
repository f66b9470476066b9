/** Forms to log in and out, and to create an account. */
import { type Html, html } from '../html.js'
import type { Links } from '../links.js'
import { sentence, text } from '../messages.js'

/** Names of the fields of all forms, as in MediaWiki. */
export const ACCOUNT_FIELDS = [
  'wpName',
  'wpPassword',
  'retype',
  'wpLoginToken',
  'wpLogoutToken',
  'wpCreateaccountToken',
  'returnto',
] as const

export interface LoginView {
  readonly links: Links
  readonly name: string
  readonly token: string
  /** Title of the page to go on to, in URL form; empty for the main page. */
  readonly returnTo: string
  /** Whether readers may create accounts. */
  readonly mayCreate: boolean
}

export function loginForm({ links, name, token, returnTo, mayCreate }: LoginView): Html {
  const address = links.special('CreateAccount', { returnto: returnTo || undefined })
  const link = html`<a href="${address}">${text('create-account')}</a>`
  return html`<form class="login" method="post" action="${links.special('UserLogin')}">
    <input type="hidden" name="wpLoginToken" value="${token}" />
    <input type="hidden" name="returnto" value="${returnTo}" />
    ${nameField(name)} ${passwordField('wpPassword', text('login-password'), 'current-password')}
    <p class="buttons"><button type="submit" class="primary">${text('log-in')}</button></p>
    ${mayCreate && html`<p>${sentence('create-account-invite', link)}</p>`}
  </form>`
}

export interface CreationView extends Omit<LoginView, 'mayCreate'> {
  readonly minLength: number
}

export function creationForm({ links, name, token, returnTo, minLength }: CreationView): Html {
  const password = text('create-account-password', minLength)
  return html`<form class="login" method="post" action="${links.special('CreateAccount')}">
    <input type="hidden" name="wpCreateaccountToken" value="${token}" />
    <input type="hidden" name="returnto" value="${returnTo}" />
    ${nameField(name)} ${passwordField('wpPassword', password, 'new-password')}
    ${passwordField('retype', text('create-account-retype'), 'new-password')}
    <p class="buttons"><button type="submit" class="primary">${text('create-account')}</button></p>
  </form>`
}

const nameField = (name: string): Html =>
  html`<p>
    <label for="wpName">${text('login-name')}</label>
    <input
      id="wpName"
      name="wpName"
      value="${name}"
      autocomplete="username"
      autocapitalize="off"
      spellcheck="false"
      dir="auto"
      maxlength="255"
      required
    />
  </p>`

const passwordField = (
  id: 'wpPassword' | 'retype',
  label: string,
  kind: 'current-password' | 'new-password',
): Html =>
  html`<p>
    <label for="${id}">${label}</label>
    <input id="${id}" name="${id}" type="password" autocomplete="${kind}" required />
  </p>`

/** Shown to users who are logged in. */
export function loggedIn(name: string, returnTo: string, links: Links): Html {
  return html`<p>${sentence('login-done', html`<strong><bdi>${name}</bdi></strong>`)}</p>
    <p>${text('login-shared')}</p>
    <p>${backLink(returnTo, links)} <a href="${links.special('UserLogout')}">${text('log-out')}</a></p>`
}

export interface LogoutView {
  readonly links: Links
  readonly name: string
  readonly token: string
  readonly returnTo: string
}

/** A form, so that a link cannot log anyone out. */
export function logoutForm({ links, name, token, returnTo }: LogoutView): Html {
  return html`<form class="login" method="post" action="${links.special('UserLogout')}">
    <input type="hidden" name="wpLogoutToken" value="${token}" />
    <input type="hidden" name="returnto" value="${returnTo}" />
    <p>${sentence('logout-ask', html`<strong><bdi>${name}</bdi></strong>`)}</p>
    <p class="buttons"><button type="submit" class="primary">${text('log-out')}</button></p>
  </form>`
}

/** Says that nobody is logged in any more, or was. */
export function loggedOut(message: string, returnTo: string, links: Links): Html {
  return html`<p>${message}</p>
    <p>${backLink(returnTo, links)} <a href="${links.special('UserLogin')}">${text('log-in')}</a></p>`
}

function backLink(returnTo: string, links: Links): Html {
  if (returnTo === '') return html`<a href="${links.front}">${text('main-page')}</a>`
  return html`<a href="${links.page(returnTo)}"><bdi>${returnTo.replaceAll('_', ' ')}</bdi></a>`
}
