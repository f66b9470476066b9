/** The page at the root of a server with several wikis: which there are. */
import type { Direction } from '../../domain/direction.js'
import { type Html, html } from '../html.js'
import { INTERFACE_LANGUAGE, text } from '../messages.js'
import type { AssetLinks } from '../site.js'
import { formatNumber } from './revision.js'

export interface ShownWiki {
  /** Where it stands: `/NAME/`, or the address of its host. */
  readonly href: string
  readonly title: string
  readonly language: string
  readonly direction: Direction
  /** Name of the language in itself. */
  readonly languageName: string
  readonly pages: number
}

/** A whole document. It has no search and no menu, which are of one wiki each. */
export function wikiListPage(wikis: readonly ShownWiki[], assets: AssetLinks): string {
  const heading = text('wikis-heading')
  return html`<!doctype html>
    <html lang="${INTERFACE_LANGUAGE}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${heading}</title>
        <script src="${assets.theme}"></script>
        <link rel="stylesheet" href="${assets.style}" />
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <div class="page">
          <main id="reader-content">
            <div class="heading"><h1>${heading}</h1></div>
            <div class="content">
              <table class="wikitable">
                <thead>
                  <tr>
                    <th scope="col">${text('wikis-name')}</th>
                    <th scope="col">${text('wikis-language')}</th>
                    <th scope="col">${text('wikis-pages')}</th>
                  </tr>
                </thead>
                <tbody>
                  ${wikis.map(row)}
                </tbody>
              </table>
            </div>
          </main>
        </div>
      </body>
    </html> `.text
}

function row({ href, title, language, direction, languageName, pages }: ShownWiki): Html {
  const lang = language || INTERFACE_LANGUAGE
  return html`<tr>
    <th scope="row"><a href="${href}" lang="${lang}" dir="${direction}">${title}</a></th>
    <td lang="${lang}" dir="${direction}">${languageName}</td>
    <td>${formatNumber(pages)}</td>
  </tr> `
}
