/** The list of special pages. */
import { type Html, html, trusted, type Fragment } from '../html.js'
import type { SpecialName } from '../links.js'
import { type MessageKey, type Speaker, text, word } from '../messages.js'
import type { ReaderSite } from '../site.js'
import type { LocalFormats } from '../../domain/localFormats.js'
import { bytesInWords } from '../article/file.js'
import { timeElement, timeOfDayElement } from '../parts/time.js'
import { pager } from './pager.js'
import { commentHtml, type LinkTarget } from './comment.js'
import { byDay, changesByDay, type ListedChange } from './recentChanges.js'
import { type ShownUser, userLinks } from './revision.js'

type Entry = readonly [name: SpecialName, label: MessageKey]

export interface SpecialGroup {
  readonly heading: MessageKey
  readonly pages: readonly Entry[]
}

export function specialPages(
  groups: readonly SpecialGroup[],
  site: Pick<ReaderSite, 'links' | 'words' | 'language'>,
): Html {
  const { links } = site
  return html`${groups.map(
    ({ heading, pages }) =>
      html`<h2>${word(site, heading)}</h2>
        <ul>
          ${pages.map(([name, label]) => html`<li><a href="${links.special(name)}">${word(site, label)}</a></li> `)}
        </ul> `,
  )}`
}

// Files by name, with their facts.

interface ListedFile {
  readonly href: string
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** Seconds since 1970. */
  readonly time: number
  /** Undefined if the uploader is unknown. */
  readonly uploader: string | undefined
}

interface FileListView {
  readonly formats: LocalFormats
  /** Path of the list. */
  readonly path: string
  /** Where the list begins, as typed. */
  readonly from: string
  readonly files: readonly ListedFile[]
  readonly first: string | undefined
  readonly next: string | undefined
}

export function fileList({ formats, path, from, files, first, next }: FileListView): Html {
  const parts = pager([
    { label: text('first-page'), href: first },
    { label: text('next-page'), href: next, rel: 'next' },
  ])
  const row = (file: ListedFile): Html =>
    html`<tr>
      <td><a href="${file.href}"><bdi>${file.name}</bdi></a></td>
      <td>${file.mimeType}</td>
      <td>${bytesInWords(file.sizeBytes)}</td>
      <td>${timeElement(file.time, formats)}</td>
      <td>${file.uploader !== undefined && html`<bdi>${file.uploader}</bdi>`}</td>
    </tr>\n`
  const table = html`<div class="table-frame" tabindex="0" role="group" aria-label="${text('files-heading')}">
    <table class="wikitable">
      <thead>
        <tr>
          <th>${text('files-name')}</th>
          <th>${text('file-kind')}</th>
          <th>${text('info-size')}</th>
          <th>${text('file-time')}</th>
          <th>${text('file-uploader')}</th>
        </tr>
      </thead>
      <tbody>${files.map(row)}</tbody>
    </table>
  </div>`
  return html`<form class="fields" action="${path}">
      <label>${text('files-from')} <input name="from" value="${from}" dir="auto" maxlength="255" /></label>
      <button type="submit">${text('all-pages-show')}</button>
    </form>
    ${parts} ${files.length === 0 ? html`<p>${text('files-none')}</p>` : table} ${parts}`
}

// Entries of the public log, by day.

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

interface LogView {
  readonly site: Speaker
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
  /** Shown in place of an empty list. */
  readonly nothing: string
  readonly newest: string | undefined
  readonly older: string | undefined
  readonly linkTo: LinkTarget
}

export function logList(view: LogView): Html {
  const { site, entries, nothing, newest, older } = view
  const parts = pager([
    { label: word(site, 'newest'), href: newest },
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

const days = ({ entries, ...view }: LogView): Html =>
  html`${byDay(entries, ({ timestamp }) => view.formats.day(timestamp)).map(({ day, entries: ofDay }) => {
    const items = ofDay.map((entry) => html`<li>${entryLine(entry, view)}</li>\n`)
    return html`<h2>${day}</h2><ul class="revisions">${items}</ul>\n`
  })}`

function entryLine(
  entry: ListedEntry,
  { site, formats, linkTo }: Pick<LogView, 'site' | 'formats' | 'linkTo'>,
): Html {
  const { timestamp, type, action, user, comment, page, target } = entry
  const name = type === action ? type : `${type}/${action}`
  const removed = (words: string): Html => html`<span class="removed">${words}</span>`
  const link = (to: { readonly href: string; readonly title: string }): Html =>
    html`<a class="page-name" href="${to.href}"><bdi>${to.title}</bdi></a>`
  const about = page === undefined ? removed(text('log-page-removed')) : link(page)
  const said =
    comment === undefined
      ? html`<span class="comment removed">${word(site, 'comment-removed')}</span>`
      : comment !== '' &&
        html`<span class="comment" dir="auto">(${commentHtml(comment, page?.href ?? '', linkTo)})</span>`
  return html`${timeOfDayElement(timestamp, formats)} <span class="tag">${name}</span> ${about}
    ${target && html`→ ${link(target)}`} <span class="by">${userLinks(user, site)}</span> ${said}`
}

// Lists of changes that a special page chose: contributions, new pages, changes of linked pages.

interface ChangeListView {
  readonly site: Speaker
  /** Above the list. */
  readonly intro?: Fragment
  /** Newest first. */
  readonly revisions: readonly ListedChange[]
  /** Shown in place of an empty list. */
  readonly nothing: string
  /** Path of the newest part; undefined if this is it. */
  readonly newest: string | undefined
  /** Path of the next part; undefined at the end. */
  readonly older: string | undefined
  readonly linkTo: LinkTarget
}

export function changeList(view: ChangeListView): Html {
  const { site, intro, revisions, nothing, newest, older } = view
  const parts = pager([
    { label: word(site, 'newest'), href: newest },
    { label: text('older-changes'), href: older, rel: 'next' },
  ])
  const empty = older === undefined ? nothing : text('changes-part-empty')
  return html`${intro} ${parts} ${revisions.length === 0 ? html`<p>${empty}</p>` : changesByDay(view)} ${parts}`
}
