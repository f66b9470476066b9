/** The history of a page: a form that compares two of its revisions. */
import { type Fragment, type Html, html, trusted } from '../html.js'
import type { Links } from '../links.js'
import { type Speaker, text, word } from '../messages.js'
import type { LinkTarget } from './comment.js'
import { pager } from './pager.js'
import {
  marks,
  type ShownRevision,
  size,
  sizeChange,
  summary,
  tags,
  timeLink,
  userLinks,
} from './revision.js'

export interface HistoryView {
  readonly site: Speaker
  readonly links: Links
  /** Title of the page in URL form. */
  readonly key: string
  /** Newest first. */
  readonly revisions: readonly ShownRevision[]
  readonly latestId: number
  /** Most revisions in a segment. */
  readonly limit: number
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  readonly linkTo: LinkTarget
}

export function historyList(view: HistoryView): Html {
  const { site, links, key, revisions } = view
  if (revisions.length === 0) return html`<p>${text('no-history')}</p>`
  const pages = historyPager(view)
  const button = html`<p><button type="submit">${word(site, 'compare-selected')}</button></p>`
  const canCompare = revisions.filter(({ textHidden }) => !textHidden).length > 1
  return html`${pages}
    <form class="history" action="${links.page(key)}">
      ${canCompare && html`<p class="legend">${text('history-legend')}</p>`} ${canCompare && button}
      <ul class="revisions">
        ${revisionItems(view, canCompare)}
      </ul>
      ${canCompare && button}
    </form>
    ${pages}`
}

function revisionItems(view: HistoryView, canCompare: boolean): Html[] {
  const comparable = view.revisions.filter(({ textHidden }) => !textHidden)
  const [newer, older] = [comparable[0]?.id, comparable[1]?.id]
  return view.revisions.map((revision) => {
    const choice = canCompare && html`<span class="choice">${choices(revision, older, newer)}</span> `
    return html`<li>${choice}${revisionLine(revision, view)}</li> `
  })
}

/** Radio buttons: the first column is what to compare from, the second what to compare to. */
function choices(revision: ShownRevision, older: number | undefined, newer: number | undefined): Html {
  const time = revision.formats.time(revision.timestamp)
  const radio = (name: 'oldid' | 'diff', label: string, chosen: number | undefined): Html => {
    const state = [revision.textHidden && trusted(' disabled'), revision.id === chosen && trusted(' checked')]
    return html`<input type="radio" name="${name}" value="${revision.id}" aria-label="${label}"${state}>`
  }
  return html`${radio('oldid', text('choose-older', time), older)}${radio('diff', text('choose-newer', time), newer)}`
}

function revisionLine(revision: ShownRevision, { site, links, key, latestId, linkTo }: HistoryView): Html {
  const { id, textHidden, isNew } = revision
  const link = (label: Fragment, href: string | undefined): Html =>
    href === undefined ? html`<span>${label}</span>` : html`<a href="${href}">${label}</a>`
  const cur = textHidden || id === latestId ? undefined : links.comparison(key, 'cur', id)
  const prev = textHidden || isNew ? undefined : links.comparison(key, 'prev', id)
  return html`<span class="links">(${link(word(site, 'link-cur'), cur)} | ${link(word(site, 'link-prev'), prev)})</span>
    ${timeLink(revision)}
    <span class="by">${userLinks(revision.user, site)}</span> ${marks({ ...revision, isNew: false })}
    ${size(revision)} ${sizeChange(revision)} ${summary(revision, linkTo)} ${tags(revision)}`
}

function historyPager(view: HistoryView): Html | undefined {
  const { site, links, key, revisions, limit, hasOlder, hasNewer } = view
  const [newest, oldest] = [revisions[0]!.id, revisions.at(-1)!.id]
  return pager([
    { label: word(site, 'newest'), href: hasNewer ? links.action(key, 'history') : undefined },
    {
      label: text('newer-count', limit),
      href: hasNewer ? links.action(key, 'history', { newer_than: newest }) : undefined,
      rel: 'prev',
    },
    {
      label: text('older-count', limit),
      href: hasOlder ? links.action(key, 'history', { older_than: oldest }) : undefined,
      rel: 'next',
    },
  ])
}
