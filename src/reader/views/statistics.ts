/** Figures of the wiki. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { type Fragment, type Html, html } from '../html.js'
import { type MessageKey, text } from '../messages.js'

export interface WikiFigures {
  readonly pages: number
  readonly redirects: number
  readonly revisions: number
  readonly editors: number
  readonly files: number
}

export function statistics(figures: WikiFigures, formats: LocalFormats): Html {
  const { pages, redirects, revisions, editors, files } = figures
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['stat-pages', formats.number(pages)],
    ['stat-content', formats.number(pages - redirects)],
    ['stat-redirects', formats.number(redirects)],
    ['stat-revisions', formats.number(revisions)],
    [
      'stat-per-page',
      pages === 0 ? formats.number(0) : formats.number(Math.round((10 * revisions) / pages) / 10),
    ],
    ['stat-editors', formats.number(editors)],
    ['stat-files', formats.number(files)],
  ]
  return factTable(rows, 'figures')
}

/** The software of the wiki. */
export const versionFacts = (facts: readonly (readonly [MessageKey, Fragment])[]): Html =>
  factTable(facts, '')

function factTable(rows: readonly (readonly [MessageKey, Fragment])[], kind: string): Html {
  return html`<table class="wikitable ${kind}">
    <tbody>
      ${rows.map(
        ([label, figure]) =>
          html`<tr>
            <th scope="row">${text(label)}</th>
            <td>${figure}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}
