/** Figures of the wiki. */
import { type Html, html } from '../html.js'
import { type MessageKey, text } from '../messages.js'
import { formatNumber } from './revision.js'

export interface WikiFigures {
  readonly pages: number
  readonly redirects: number
  readonly revisions: number
  readonly editors: number
  readonly files: number
}

export function statistics({ pages, redirects, revisions, editors, files }: WikiFigures): Html {
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['stat-pages', formatNumber(pages)],
    ['stat-content', formatNumber(pages - redirects)],
    ['stat-redirects', formatNumber(redirects)],
    ['stat-revisions', formatNumber(revisions)],
    ['stat-per-page', pages === 0 ? '0' : formatNumber(Math.round((10 * revisions) / pages) / 10)],
    ['stat-editors', formatNumber(editors)],
    ['stat-files', formatNumber(files)],
  ]
  return html`<table class="wikitable figures">
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
