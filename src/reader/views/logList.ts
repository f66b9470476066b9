/** Entries of the public log, by day. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { type Html, html, trusted } from '../html.js'
import { text } from '../messages.js'
import { timeOfDayElement } from '../parts/time.js'
import { commentHtml, type LinkTarget } from './comment.js'
import { pager } from './pager.js'
import { byDay } from './recentChanges.js'
import { type ShownUser, userLinks } from './revision.js'

export interface ListedEntry {
  readonly timestamp: number
  readonly type: string
  readonly action: string
  /** Undefined: hidden. */
  readonly user: ShownUser | undefined
  /** Undefined: hidden. */
  readonly comment: string | undefined
  /** Undefined: hidden. */
  readonly page: { readonly href: string; readonly title: string } | undefined
  /** Where a move led. */
  readonly target: { readonly href: string; readonly title: string } | undefined
}

export interface LogView {
  readonly formats: LocalFormats
  /** Path of the list. */
  readonly path: string
  readonly types: readonly string[]
  /** Those that the reader chose; empty for all. */
  readonly type: string
  readonly user: string
  readonly page: string
  /** Newest first. */
  readonly entries: readonly ListedEntry[]
  /** What stands for an empty list. */
  readonly nothing: string
  readonly newest: string | undefined
  readonly older: string | undefined
  readonly linkTo: LinkTarget
}

export function logList(view: LogView): Html {
  const { entries, nothing, newest, older } = view
  const parts = pager([
    { label: text('newest'), href: newest },
    { label: text('older-changes'), href: older, rel: 'next' },
  ])
  const empty = older === undefined ? nothing : text('changes-part-empty')
  return html`${form(view)} ${parts} ${entries.length === 0 ? html`<p>${empty}</p>` : days(view)} ${parts}`
}

function form({ path, types, type, user, page }: LogView): Html {
  return html`<form class="fields" action="${path}">
    <label
      >${text('log-type')}
      <select name="type">
        <option value="">${text('tool-all-namespaces')}</option>
        ${types.map((name) => html`<option ${name === type && trusted(' selected')}>${name}</option>\n`)}
      </select></label
    >
    <label>${text('tool-user')} <input name="user" value="${user}" dir="auto" maxlength="255" /></label>
    <label>${text('tool-page')} <input name="page" value="${page}" dir="auto" maxlength="255" /></label>
    <button type="submit">${text('tool-show')}</button>
  </form>`
}

const days = ({ entries, formats, linkTo }: LogView): Html =>
  html`${byDay(entries, ({ timestamp }) => formats.day(timestamp)).map(({ day, entries: ofDay }) => {
    const items = ofDay.map((entry) => html`<li>${entryLine(entry, formats, linkTo)}</li>\n`)
    return html`<h2>${day}</h2><ul class="revisions">${items}</ul>\n`
  })}`

function entryLine(entry: ListedEntry, formats: LocalFormats, linkTo: LinkTarget): Html {
  const { timestamp, type, action, user, comment, page, target } = entry
  const name = type === action ? type : `${type}/${action}`
  const removed = (words: string): Html => html`<span class="removed">${words}</span>`
  const link = (to: { readonly href: string; readonly title: string }): Html =>
    html`<a class="page-name" href="${to.href}"><bdi>${to.title}</bdi></a>`
  const about = page === undefined ? removed(text('log-page-removed')) : link(page)
  const said =
    comment === undefined
      ? html`<span class="comment removed">${text('comment-removed')}</span>`
      : comment !== '' &&
        html`<span class="comment" dir="auto">(${commentHtml(comment, page?.href ?? '', linkTo)})</span>`
  return html`${timeOfDayElement(timestamp, formats)} <span class="tag">${name}</span> ${about}
    ${target && html`→ ${link(target)}`} <span class="by">${userLinks(user)}</span> ${said}`
}
