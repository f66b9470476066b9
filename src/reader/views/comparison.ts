/** The page that compares two revisions: what each is, and links to the changes before and after. */
import { type Html, html } from '../html.js'
import type { Links } from '../links.js'
import { type Speaker, text, word } from '../messages.js'
import type { LinkTarget } from './comment.js'
import { formatNumber, marks, type ShownRevision, summary, tags, timeLink, userLinks } from './revision.js'

export interface ComparisonView {
  readonly site: Speaker
  readonly links: Links
  /** Title of the page in URL form. */
  readonly key: string
  /** Undefined: `to` is the first revision. */
  readonly from: ShownRevision | undefined
  readonly to: ShownRevision
  readonly latestId: number
  /** Number of revisions between the two. */
  readonly between: number
  /** The count of these revisions stopped. */
  readonly isBetweenCut: boolean
  /** Whether the two revisions have neighbours whose change can be shown. */
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  readonly linkTo: LinkTarget
}

/** All that stands above the compared lines. */
export function comparisonHead(view: ComparisonView): Html {
  const { site, links, key, from, to, hasOlder, hasNewer } = view
  const older =
    from &&
    hasOlder &&
    html`<a rel="prev" href="${links.comparison(key, 'prev', from.id)}">${word(site, 'older-change')}</a>`
  const newer =
    hasNewer &&
    html`<a rel="next" href="${links.comparison(key, 'next', to.id)}">${word(site, 'newer-change')}</a>`
  return html`<div class="diff-heads">
      ${from ? revisionHead(from, view, 'old') : html`<div class="diff-head old"></div>`}
      ${revisionHead(to, view, 'new')}
    </div>
    ${
      (older || newer) &&
      html`<nav class="pager diff-pager" aria-label="${text('pages')}">
        <ul>
          <li>${older}</li>
          <li>${newer}</li>
        </ul>
      </nav>`
    }
    ${from === undefined && html`<p>${text('first-revision')}</p>`} ${betweenNote(view)}`
}

function revisionHead(
  revision: ShownRevision,
  { site, latestId, linkTo }: ComparisonView,
  side: 'old' | 'new',
): Html {
  const message = revision.id === latestId ? 'latest-revision-of' : 'revision-of'
  return html`<div class="diff-head ${side}">
    <p><strong>${word(site, message, timeLink(revision))}</strong></p>
    <p>${userLinks(revision.user, site)}</p>
    <p>${marks(revision)} ${summary(revision, linkTo)} ${tags(revision)}</p>
  </div>`
}

function betweenNote({ between, isBetweenCut }: ComparisonView): Html | undefined {
  if (between === 0) return undefined
  const count = `${formatNumber(between)}${isBetweenCut ? '+' : ''}`
  return html`<p class="diff-between">
    ${between === 1 ? text('revision-between') : text('revisions-between', count)}
  </p>`
}
