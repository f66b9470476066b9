/** The list of special pages. */
import { type Html, html } from '../html.js'
import type { Links, SpecialName } from '../links.js'
import { type MessageKey, text } from '../messages.js'

type Entry = readonly [name: SpecialName, label: MessageKey]

export interface SpecialGroup {
  readonly heading: MessageKey
  readonly pages: readonly Entry[]
}

export function specialPages(groups: readonly SpecialGroup[], links: Links): Html {
  return html`${groups.map(
    ({ heading, pages }) =>
      html`<h2>${text(heading)}</h2>
        <ul>
          ${pages.map(([name, label]) => html`<li><a href="${links.special(name)}">${text(label)}</a></li> `)}
        </ul> `,
  )}`
}
