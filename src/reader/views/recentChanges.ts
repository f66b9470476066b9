/** The newest revisions of all pages, by day. */
import { type Html, html } from '../html.js'
import type { Links } from '../links.js'
import { type Speaker, text, word } from '../messages.js'
import type { LinkTarget } from './comment.js'
import { pager } from './pager.js'
import { marks, type ShownRevision, sizeChange, summary, tags, timeLink, userLinks } from './revision.js'

export interface RecentView {
  readonly site: Speaker
  readonly links: Links
  /** Newest first. */
  readonly revisions: readonly (ShownRevision & { readonly title: string })[]
  /** Most revisions in a segment. */
  readonly limit: number
  /** Older changes have ids below this one; undefined at the end. */
  readonly olderThan: number | undefined
  /** Whether this is not the newest segment. */
  readonly isLater: boolean
  readonly linkTo: LinkTarget
}

export function recentChanges(view: RecentView): Html {
  const { site, links, revisions, limit, olderThan, isLater } = view
  const segments = pager([
    { label: word(site, 'newest'), href: isLater ? links.special('RecentChanges') : undefined },
    {
      label: text('older-count', limit),
      href: olderThan === undefined ? undefined : links.special('RecentChanges', { older_than: olderThan }),
      rel: 'next',
    },
  ])
  if (revisions.length === 0)
    return html`<p>${text('recent-empty')}</p>
      ${segments}`
  return html`${segments} ${changesByDay(view)} ${segments}`
}

/** Changes below the headings of their days. */
export const changesByDay = ({ revisions, linkTo }: Pick<RecentView, 'revisions' | 'linkTo'>): Html =>
  html`${byDay(revisions, ({ formats, timestamp }) => formats.day(timestamp)).map(({ day, entries }) => daySection(day, entries, linkTo))}`

export type ListedChange = RecentView['revisions'][number]
type Day = RecentView['revisions']

/** Runs of entries of the same day. */
export function byDay<Entry>(
  entries: readonly Entry[],
  dayOf: (entry: Entry) => string,
): { readonly day: string; readonly entries: readonly Entry[] }[] {
  const found: { day: string; entries: Entry[] }[] = []
  for (const entry of entries) {
    const day = dayOf(entry)
    const last = found.at(-1)
    if (day === last?.day) last.entries.push(entry)
    else found.push({ day, entries: [entry] })
  }
  return found
}

function daySection(day: string, revisions: Day, linkTo: LinkTarget): Html {
  return html`<h2>${day}</h2>
    <ul class="revisions">
      ${revisions.map((revision) => html`<li>${changeLine(revision, linkTo)}</li> `)}
    </ul> `
}

function changeLine(revision: Day[number], linkTo: LinkTarget): Html {
  const { site, links, id, key, title, textHidden, isNew } = revision
  const diff =
    textHidden || isNew
      ? html`<span>${word(site, 'link-diff')}</span>`
      : html`<a href="${links.comparison(key, 'prev', id)}">${word(site, 'link-diff')}</a>`
  const hist = html`<a href="${links.action(key, 'history')}">${word(site, 'link-hist')}</a>`
  return html`<span class="links">(${diff} | ${hist})</span> ${marks(revision)}
    <a class="page-name" href="${links.page(key)}"><bdi>${title}</bdi></a> ${timeLink(revision, true)}
    ${sizeChange(revision)} <span class="by">${userLinks(revision.user, site)}</span> ${summary(revision, linkTo)}
    ${tags(revision)}`
}
