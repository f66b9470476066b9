/** Links between the segments of a list. */
import { type Fragment, type Html, html } from '../html.js'
import { text } from '../messages.js'

export interface PagerLink {
  readonly label: Fragment
  /** Undefined: there is nothing in this direction, so the label stands alone. */
  readonly href: string | undefined
  readonly rel?: 'prev' | 'next'
}

/** Nothing if no link leads anywhere. */
export function pager(links: readonly PagerLink[]): Html | undefined {
  if (links.every(({ href }) => href === undefined)) return undefined
  return html`<nav class="pager" aria-label="${text('pages')}">
    <ul>
      ${links.map(
        ({ label, href, rel }) =>
          html`<li>
            ${href === undefined ? html`<span>${label}</span>` : html`<a href="${href}"${rel && html` rel="${rel}"`}>${label}</a>`}
          </li>`,
      )}
    </ul>
  </nav>`
}
