/** Lists beside and below a page: other languages, and categories. */
import { escapeHtml } from '../../domain/html.js'
import { type Html, html, safeUrl, trusted } from '../html.js'
import { type Speaker, text, word, wordOf } from '../messages.js'

export interface LanguageLink {
  readonly code: string
  /** Name of the language in itself. */
  readonly name: string
  readonly href: string
  /** Title of the page in that language. */
  readonly title: string
}

export interface Category {
  /** Title in reading form, without its namespace. */
  readonly name: string
  readonly href: string
  /** The category has no page. */
  readonly isMissing?: boolean
}

export function languageMenu(languages: readonly LanguageLink[]): Html | undefined {
  const links = languages.filter(({ href }) => safeUrl(href) !== undefined)
  if (links.length === 0) return undefined
  const label = links.length === 1 ? text('languages-one') : text('languages-count', links.length)
  return html`<details class="languages">
    <summary lang="en" dir="auto">${label}</summary>
    <nav aria-label="${text('languages')}">
      <ul>
        ${trusted(languageItems(links))}
      </ul>
    </nav>
  </details>`
}

/** Written without the tag `html`, since a page may have hundreds. */
function languageItems(links: readonly LanguageLink[]): string {
  let items = ''
  for (const { code, name, href, title } of links) {
    const language = escapeHtml(code)
    const shown = `lang="${language}" hreflang="${language}" dir="auto" title="${escapeHtml(title)}">${escapeHtml(name)}`
    items += `<li><a href="${escapeHtml(href)}" ${shown}</a></li>\n`
  }
  return items
}

export function categoryList(categories: readonly Category[], site: Speaker): Html | undefined {
  if (categories.length === 0) return undefined
  return html`<nav class="categories" aria-label="${wordOf(site, 'categories')}">
    <h2 lang="en">${word(site, 'categories')}</h2>
    <ul>
      ${categories.map(categoryItem)}
    </ul>
  </nav>`
}

function categoryItem({ name, href, isMissing = false }: Category): Html {
  const missing = isMissing && trusted(' class="new"')
  return html`<li><a href="${href}"${missing} dir="auto">${name}</a></li>`
}
