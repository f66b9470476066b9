/** All titles of a namespace, in their order. */
import { type Html, html, trusted } from '../html.js'
import type { Links } from '../links.js'
import { text } from '../messages.js'
import { pager } from './pager.js'

export interface NamespaceChoice {
  readonly id: number
  /** Empty for the main namespace. */
  readonly name: string
}

export interface AllPagesView {
  readonly links: Links
  /** Namespaces of pages, by number. */
  readonly namespaces: readonly NamespaceChoice[]
  readonly namespace: number
  /** Where the list begins, as typed. */
  readonly from: string
  readonly pages: readonly { readonly key: string; readonly title: string }[]
  /** Where the neighbouring lists begin, in reading form. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

export function allPages(view: AllPagesView): Html {
  const { links, pages, namespace, previous, next } = view
  const at = (from: string | undefined): string | undefined =>
    from === undefined ? undefined : links.special('AllPages', { from, namespace: namespace || undefined })
  const neighbours = pager([
    { label: text('previous-page'), href: at(previous), rel: 'prev' },
    { label: text('next-page'), href: at(next), rel: 'next' },
  ])
  return html`${form(view)} ${neighbours}
  ${
    pages.length === 0
      ? html`<p>${text('all-pages-empty')}</p>`
      : html`<ul class="titles">
          ${pages.map(
            ({ key, title }) =>
              html`<li>
                <a href="${links.page(key)}"><bdi>${title}</bdi></a>
              </li> `,
          )}
        </ul>`
  }
  ${neighbours}`
}

function form({ links, namespaces, namespace, from }: AllPagesView): Html {
  return html`<form class="fields" action="${links.wiki}Special:AllPages">
    <label>${text('all-pages-from')} <input name="from" value="${from}" dir="auto" maxlength="255" /></label>
    <label
      >${text('all-pages-namespace')}
      <select name="namespace">
        ${namespaces.map(
          ({ id, name }) =>
            html`<option value="${id}" ${id === namespace && trusted(' selected')}>
              ${name || text('main-namespace')}
            </option> `,
        )}
      </select></label
    >
    <button type="submit">${text('all-pages-show')}</button>
  </form>`
}
