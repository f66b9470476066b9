/** Facts of a page, and references to it. */
import { type Fragment, type Html, html } from '../html.js'
import { type MessageKey, text } from '../messages.js'

export type Fact = readonly [label: MessageKey, value: Fragment]

export function pageFacts(facts: readonly Fact[]): Html {
  return html`<table class="wikitable">
    ${facts.map(
      ([label, value]) =>
        html`<tr>
          <th scope="row">${text(label)}</th>
          <td dir="auto">${value}</td>
        </tr> `,
    )}
  </table>`
}

export interface CitedPage {
  readonly title: string
  readonly wiki: string
  /** `2 March 2024, 14:05`. */
  readonly time: string
  readonly year: number
  /** Of the revision, on this server or absolute. */
  readonly url: string
  readonly revisionId: number
}

export function citations({ title, wiki, time, year, url, revisionId }: CitedPage): Html {
  // A brace would end the field.
  const field = (value: string): string => value.replace(/[{}\\]/g, '')
  const bibTex = `@misc{revision${revisionId},
  title = {${field(title)}},
  author = {{${field(wiki)}}},
  year = {${year}},
  url = {${field(url)}},
  note = {Version of ${time} UTC}
}`
  return html`<p>${text('cite-legend')}</p>
    <h2>${text('cite-plain')}</h2>
    <p dir="auto">${text('cite-accessed', title, wiki, time, url)}</p>
    <h2>BibTeX</h2>
    <pre tabindex="0">${bibTex}</pre>`
}
