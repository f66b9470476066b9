/** The content shown for a title without a page. */
import { type Html, html } from '../html.js'
import { actionLink, pageLink, searchLink } from '../links.js'
import { sentence, text } from '../messages.js'

export interface Suggestion {
  readonly key: string
  readonly title: string
  readonly description: string | null
}

export interface MissingFacts {
  readonly name: string
  readonly key: string
  readonly suggestions: readonly Suggestion[]
  readonly mayCreate: boolean
}

export function missingView({ name, key, suggestions, mayCreate }: MissingFacts): Html {
  const bold = html`<strong dir="auto">${name}</strong>`
  const search = html`<a href="${searchLink(name)}">${text('missing-search')}</a>`
  const create = html`<a href="${actionLink(key, 'edit')}" rel="nofollow">${text('missing-create')}</a>`
  return html`<p>${sentence('missing-page', bold)}</p>
    ${suggestions.length > 0 && html`<h2>${text('similar-titles')}</h2><ul>${suggestions.map(item)}</ul>`}
    <p>${search}${mayCreate && html` · ${create}`}</p>`
}

function item({ key, title, description }: Suggestion): Html {
  const more = description !== null && html` <span class="description" dir="auto">${description}</span>`
  return html`<li><a href="${pageLink(key)}" dir="auto">${title}</a>${more}</li>\n`
}
