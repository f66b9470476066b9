/** The list of special pages. */
import { type Html, html } from '../html.js'
import type { SpecialName } from '../links.js'
import { type MessageKey, text, word } from '../messages.js'
import type { ReaderSite } from '../site.js'

type Entry = readonly [name: SpecialName, label: MessageKey]

export interface SpecialGroup {
  readonly heading: MessageKey
  readonly pages: readonly Entry[]
}

export function specialPages(
  groups: readonly SpecialGroup[],
  site: Pick<ReaderSite, 'links' | 'words' | 'language'>,
): Html {
  const { links } = site
  return html`${groups.map(
    ({ heading, pages }) =>
      html`<h2>${text(heading)}</h2>
        <ul>
          ${pages.map(([name, label]) => html`<li><a href="${links.special(name)}">${word(site, label)}</a></li> `)}
        </ul> `,
  )}`
}
