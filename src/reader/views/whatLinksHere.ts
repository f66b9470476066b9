/** Pages that name one page, with the ways in which they do. Redirects have their own links below them. */
import { type Html, html } from '../html.js'
import type { Links } from '../links.js'
import { sentence, type Speaker, text, word, wordOf } from '../messages.js'
import { type NamespaceChoice, namespaceOptions } from './allPages.js'
import { pager } from './pager.js'
import { joined } from './revision.js'

export type LinkUse = 'link' | 'template' | 'file' | 'redirect'

export interface LinkingPage {
  /** Title in URL form. */
  readonly key: string
  readonly title: string
  readonly uses: readonly LinkUse[]
  /** Pages that name this one, if it is a redirect. */
  readonly below: readonly LinkingPage[]
  readonly hasMoreBelow: boolean
}

export interface LinkingView {
  readonly site: Speaker
  readonly links: Links
  readonly key: string
  readonly title: string
  /** The title as it is written. */
  readonly asked: string
  readonly namespaces: readonly NamespaceChoice[]
  /** Undefined: all. */
  readonly namespace: number | undefined
  readonly pages: readonly LinkingPage[]
  /** Id of the page before which the part before ends. */
  readonly before: number | undefined
  /** Id of the page with which the next part begins. */
  readonly from: number | undefined
}

export function linkingPages(view: LinkingView): Html {
  const { site, links, key, title, namespace, pages, before, from } = view
  const at = (place: { before?: number; from?: number }): string =>
    links.special('WhatLinksHere', { target: key, namespace, ...place })
  const neighbours = pager([
    { label: text('previous-page'), href: before === undefined ? undefined : at({ before }), rel: 'prev' },
    { label: text('next-page'), href: from === undefined ? undefined : at({ from }), rel: 'next' },
  ])
  const name = html`<a href="${links.page(key, { redirect: 'no' })}"><bdi>${title}</bdi></a>`
  const nothing = from === undefined ? sentence('links-none', name) : text('links-none-here')
  return html`${form(view)} ${neighbours}
  ${pages.length === 0 ? html`<p>${nothing}</p>` : list(pages, { site, links })} ${neighbours}`
}

type Place = Pick<LinkingView, 'site' | 'links'>

function list(pages: readonly LinkingPage[], place: Place): Html {
  return html`<ul class="linking">
    ${pages.map((page) => html`<li>${item(page, place)}</li> `)}
  </ul>`
}

const USES = { template: 'use-template', file: 'use-file', redirect: 'use-redirect' } as const

function item({ key, title, uses, below, hasMoreBelow }: LinkingPage, place: Place): Html {
  const { site, links } = place
  const isRedirect = uses.includes('redirect')
  const kinds = uses.flatMap((use) => (use === 'link' ? [] : [word(site, USES[use])]))
  const all = links.special('WhatLinksHere', { target: key })
  return html`<a href="${links.page(key, { redirect: isRedirect ? 'no' : undefined })}"><bdi>${title}</bdi></a>
    ${kinds.length > 0 && html`(${joined(kinds, ', ')})`}
    <span class="links">(<a href="${all}" aria-label="${wordOf(site, 'tool-links')}: ${title}">←</a>)</span>
    ${below.length > 0 && list(below, place)}
    ${hasMoreBelow && html`<p><a href="${all}">${text('links-below-more')}</a></p>`}`
}

/** The form that asks for a page, and for the namespace of those that name it. */
function form({ links, namespaces, namespace, asked }: LinkingView): Html {
  return html`<form class="fields" action="${links.special('WhatLinksHere')}">
    <label>${text('tool-page')} <input name="target" value="${asked}" dir="auto" maxlength="512" /></label>
    <label
      >${text('all-pages-namespace')}
      <select name="namespace">
        <option value="">${text('tool-all-namespaces')}</option>
        ${namespaceOptions(namespaces, namespace)}
      </select></label
    >
    <button type="submit">${text('tool-show')}</button>
  </form>`
}

/** A form with one field, for special pages that need to know a page or a user. */
export function targetForm(
  action: string,
  { label, value }: { readonly label: string; readonly value: string },
): Html {
  return html`<form class="fields" action="${action}">
    <label>${label} <input name="target" value="${value}" dir="auto" maxlength="512" /></label>
    <button type="submit">${text('tool-show')}</button>
  </form>`
}
