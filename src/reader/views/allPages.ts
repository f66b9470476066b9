/** All titles of a namespace, in their order. */
import { type Html, html, trusted } from '../html.js'
import type { Links } from '../links.js'
import { type MessageKey, text } from '../messages.js'
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

const form = ({ links, from, ...choice }: AllPagesView): Html =>
  titlesForm({
    ...{ ...choice, action: links.special('AllPages') },
    ...{ label: 'all-pages-from', field: 'from', value: from },
  })

/** Options of a choice of a namespace. */
export const namespaceOptions = (
  namespaces: readonly NamespaceChoice[],
  chosen: number | string | undefined,
): Html[] =>
  namespaces.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === chosen && trusted(' selected')}>
        ${name || text('main-namespace')}
      </option> `,
  )

interface TitlesForm extends Pick<AllPagesView, 'namespaces' | 'namespace'> {
  readonly action: string
  readonly label: MessageKey
  readonly field: string
  readonly value: string
  /** Further fields. */
  readonly more?: Html
}

function titlesForm({ action, label, field, value, namespaces, namespace, more }: TitlesForm): Html {
  return html`<form class="fields" action="${action}">
    <label>${text(label)} <input name="${field}" value="${value}" dir="auto" maxlength="255" /></label>
    <label
      >${text('all-pages-namespace')}
      <select name="namespace">
        ${namespaceOptions(namespaces, namespace)}
      </select></label
    >
    ${more}
    <button type="submit">${text('all-pages-show')}</button>
  </form>`
}

export interface PrefixView extends Pick<AllPagesView, 'links' | 'namespaces' | 'namespace'> {
  /** As typed. */
  readonly prefix: string
  readonly hidesRedirects: boolean
  readonly pages: readonly {
    readonly key: string
    readonly title: string
    readonly isRedirect: boolean
  }[]
  /** Paths of the first part and the next one. */
  readonly first: string | undefined
  readonly next: string | undefined
}

/** Titles of a namespace that begin with a text. Redirects say that they are some. */
export function prefixIndex(view: PrefixView): Html {
  const { links, prefix, hidesRedirects, pages, first, next } = view
  const hides = html`<span
    ><input type="checkbox" id="hideredirects" name="hideredirects" value="1" ${hidesRedirects && trusted(' checked')} />
    <label for="hideredirects">${text('prefix-hide-redirects')}</label></span
  >`
  const parts = pager([
    { label: text('first-page'), href: first },
    { label: text('next-page'), href: next, rel: 'next' },
  ])
  const action = links.special('PrefixIndex')
  return html`${titlesForm({ ...view, action, label: 'prefix-begin', field: 'prefix', value: prefix, more: hides })}
  ${parts}
  ${
    pages.length === 0
      ? html`<p>${text('prefix-empty')}</p>`
      : html`<ul class="titles">
          ${pages.map(({ key, title, isRedirect }) => {
            const href = links.page(key, { redirect: isRedirect ? 'no' : undefined })
            const mark = isRedirect && html` <span class="note">(${text('use-redirect')})</span>`
            return html`<li><a href="${href}"><bdi>${title}</bdi></a>${mark}</li>\n`
          })}
        </ul>`
  }
  ${parts}`
}
