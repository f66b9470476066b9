/** The content shown for a title without a page. */
import { type Html, html } from '../html.js'
import type { Links } from '../links.js'
import { sentence, text } from '../messages.js'

export interface Suggestion {
  readonly key: string
  readonly title: string
  readonly description: string | null
}

export interface MissingFacts {
  readonly links: Links
  /** As it is written. */
  readonly name: string
  /** As the reader sees it. */
  readonly shown: string
  readonly key: string
  readonly suggestions: readonly Suggestion[]
  readonly mayCreate: boolean
}

export function missingView({ links, name, shown, key, suggestions, mayCreate }: MissingFacts): Html {
  const bold = html`<strong dir="auto">${shown}</strong>`
  const search = html`<a href="${links.search(name)}">${text('missing-search')}</a>`
  const create = html`<a href="${links.action(key, 'edit')}" rel="nofollow">${text('missing-create')}</a>`
  return html`<p>${sentence('missing-page', bold)}</p>
    ${suggestions.length > 0 && html`<h2>${text('similar-titles')}</h2><ul>${suggestions.map((suggestion) => item(suggestion, links))}</ul>`}
    <p>${search}${mayCreate && html` · ${create}`}</p>`
}

function item({ key, title, description }: Suggestion, links: Links): Html {
  const more = description !== null && html` <span class="description" dir="auto">${description}</span>`
  return html`<li><a href="${links.page(key)}" dir="auto">${title}</a>${more}</li>\n`
}
