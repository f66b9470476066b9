/** Parts of a revision as lists and comparisons show them. Hidden parts give the words that readers know. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { type Fragment, type Html, html, trusted } from '../html.js'
import type { Links } from '../links.js'
import { type MessageKey, type Speaker, text, word, wordOf } from '../messages.js'
import { timeElement, timeOfDayElement } from '../parts/time.js'
import { commentHtml, type LinkTarget } from './comment.js'

/** The user who made a revision. */
export interface ShownUser {
  readonly name: string
  readonly contributions: string
  /** Paths of the user's page and its discussion; absent for an address. */
  readonly pages?: { readonly user: string; readonly talk: string }
}

export interface ShownRevision {
  readonly site: Speaker
  readonly links: Links
  readonly formats: LocalFormats
  readonly id: number
  /** Title of its page in URL form, with the namespace. */
  readonly key: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Undefined: hidden. */
  readonly user: ShownUser | undefined
  /** Undefined: hidden. */
  readonly comment: string | undefined
  readonly textHidden: boolean
  readonly minor: boolean
  readonly bot: boolean
  readonly reverted: boolean
  /** The page's first revision. */
  readonly isNew: boolean
  /** Bytes; undefined if unknown. */
  readonly sizeBytes: number | undefined
  /** Change in bytes; undefined if unknown. */
  readonly delta: number | undefined
}

/** Made for the first number, since the first use of ICU takes 10 ms. */
let numbers: Intl.NumberFormat | undefined

export function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat('en')
  return numbers.format(value)
}

/** The time, as a link to the revision. Below the heading of a day, the time of day suffices. */
export function timeLink(revision: ShownRevision, isBelowDay = false): Html {
  const { links, formats, id, key, timestamp, textHidden } = revision
  const time = isBelowDay ? timeOfDayElement(timestamp, formats) : timeElement(timestamp, formats)
  return textHidden
    ? html`<span class="removed">${time} ${text('text-removed')}</span>`
    : html`<a class="time-link" href="${links.revision(key, id)}">${time}</a>`
}

export function userLinks(user: ShownUser | undefined, site: Speaker): Html {
  if (user === undefined) return html`<span class="removed">${word(site, 'username-removed')}</span>`
  const name = html`<bdi>${user.name}</bdi>`
  if (user.pages === undefined) return html`<a class="user-name" href="${user.contributions}">${name}</a>`
  return html`<a class="user-name" href="${user.pages.user}">${name}</a>
    <span class="user-tools">(<a href="${user.pages.talk}">${word(site, 'talk-link')}</a> |
      <a href="${user.contributions}">${word(site, 'contributions-link')}</a>)</span>`
}

/** The summary in brackets; nothing for an empty one. */
export function summary({ site, links, comment, key }: ShownRevision, linkTo: LinkTarget): Html | undefined {
  if (comment === undefined)
    return html`<span class="comment removed">${word(site, 'comment-removed')}</span>`
  if (comment === '') return undefined
  return html`<span class="comment" dir="auto">(${commentHtml(comment, links.page(key), linkTo)})</span>`
}

/** Letters for the kind of an edit. */
export function marks({
  site,
  isNew,
  minor,
  bot,
}: Pick<ShownRevision, 'site' | 'isNew' | 'minor' | 'bot'>): Fragment {
  const mark = (letter: MessageKey, title: MessageKey): Html =>
    html`<abbr class="mark" title="${wordOf(site, title)}">${word(site, letter)}</abbr> `
  return [
    isNew && mark('new-page', 'new-page-title'),
    minor && mark('minor-edit', 'minor-edit-title'),
    bot && mark('bot-edit', 'bot-edit-title'),
  ]
}

export function tags({ site, reverted }: Pick<ShownRevision, 'site' | 'reverted'>): Html | undefined {
  return reverted ? html`<span class="tag">${word(site, 'reverted-edit')}</span>` : undefined
}

export function size({ sizeBytes, formats }: Pick<ShownRevision, 'sizeBytes' | 'formats'>): Html | undefined {
  if (sizeBytes === undefined) return undefined
  const words = sizeBytes === 1 ? text('size-byte') : text('size-bytes', formats.number(sizeBytes))
  return html`<span class="size">(${words})</span>`
}

/** Changes from this size on are bold. */
const LARGE_CHANGE = 500

export function sizeChange({ delta, formats }: Pick<ShownRevision, 'delta' | 'formats'>): Html | undefined {
  if (delta === undefined) return undefined
  const kind = delta > 0 ? 'grown' : delta < 0 ? 'shrunk' : 'same'
  const words = delta > 0 ? `+${formats.number(delta)}` : formats.number(delta)
  const isLarge = Math.abs(delta) >= LARGE_CHANGE
  return html`<span class="change ${kind}${isLarge && ' large'}" dir="ltr">${words}</span>`
}

/** Parts with a separator between them; those that are absent are left out. */
export function joined(parts: readonly Fragment[], separator: string): Fragment[] {
  const present = parts.filter((part) => part !== undefined && part !== false && part !== null)
  return present.map((part, n) => [n > 0 && trusted(separator), part])
}
