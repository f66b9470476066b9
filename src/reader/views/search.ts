/** Results of a search. */
import { type Fragment, type Html, html, trusted } from '../html.js'
import type { LinkQuery, Links } from '../links.js'
import { sentence, text } from '../messages.js'
import { type NamespaceChoice, namespaceOptions } from './allPages.js'
import { pager } from './pager.js'

export interface SearchResult {
  /** Title in URL form. */
  readonly key: string
  readonly title: string
  /** HTML from the index: escaped text, with the words that were found in `<span class="searchmatch">`. */
  readonly excerpt: string
  /** The redirect that was found, in reading form. */
  readonly matchedTitle: string | null
  readonly description: string | null
  /** Where the words were found. */
  readonly section?: { readonly heading: string; readonly id: string } | undefined
  readonly thumbnail: { readonly url: string; readonly width: number; readonly height: number } | null
}

/** A page whose title is what was searched for. */
export interface NamedPage {
  readonly key: string
  readonly title: string
  readonly exists: boolean
  /** Whether readers may create it. */
  readonly mayCreate: boolean
}

/** Where to search. */
export interface SearchArea {
  readonly namespaces: readonly NamespaceChoice[]
  /** A namespace, or all of them. Undefined: the usual ones, or several. */
  readonly chosen: number | 'all' | undefined
  /** Name of the category whose members to search; empty for all pages. */
  readonly category: string
  /** The choice in the address of a search. */
  readonly inAddress: LinkQuery
}

export interface SearchView {
  readonly links: Links
  readonly area: SearchArea
  readonly query: string
  /** In order; those after the first `offset` ones. */
  readonly results: readonly SearchResult[]
  readonly offset: number
  readonly limit: number
  readonly hasMore: boolean
  /** Present if the results end because no more are shown. */
  readonly maxResults?: number | undefined
  readonly named: NamedPage | undefined
  /** The query in another spelling, if nothing was found. */
  readonly suggestion?: string | undefined
}

export function searchPage(view: SearchView): Html {
  const { links, area, query, results, offset, named, suggestion, maxResults } = view
  if (query === '' && area.category === '')
    return html`${searchForm(query, area, links)}
      <p>${text('search-empty')}</p>`
  const shown = html`<strong><bdi>${query === '' ? area.category : query}</bdi></strong>`
  const count = sentence('search-results', offset + 1, offset + results.length, shown)
  return html`${searchForm(query, area, links)} ${named && offset === 0 && namedNote(named, links)}
    <p>${results.length === 0 ? sentence('search-nothing', shown) : count}</p>
    ${suggestion !== undefined && suggestionNote(suggestion, view)}
    ${
      results.length > 0 &&
      html`<ol class="results" start="${offset + 1}">
        ${results.map((result) => resultItem(result, links))}
      </ol>`
    }
    ${maxResults !== undefined && html`<p>${text('search-end', maxResults)}</p>`} ${searchPager(view)}`
}

function searchForm(query: string, { namespaces, chosen, category }: SearchArea, links: Links): Html {
  return html`<form class="search-form" role="search" action="${links.wiki}Special:Search">
    <input
      type="search"
      name="search"
      value="${query}"
      aria-label="${text('search')}"
      dir="auto"
      maxlength="255"
    />
    <select name="namespace" aria-label="${text('all-pages-namespace')}">
      <option value="">${text('search-usual')}</option>
      <option value="all"${chosen === 'all' && trusted(' selected')}>${text('search-all')}</option>
      ${namespaceOptions(namespaces, chosen)}
    </select>
    ${categoryField(category)}
    <button type="submit">${text('search')}</button>
  </form>`
}

const categoryField = (category: string): Html =>
  html`<input
    name="category"
    value="${category}"
    placeholder="${text('search-category')}"
    aria-label="${text('search-category')}"
    dir="auto"
    maxlength="255"
  />`

/** Searches the members of one category: `name` is without its namespace. */
export function categorySearch(name: string, links: Links): Html {
  return html`<form class="search-form" role="search" action="${links.wiki}Special:Search">
    <input type="hidden" name="category" value="${name}" />
    <input type="hidden" name="namespace" value="all" />
    <input
      type="search"
      name="search"
      aria-label="${text('search-in-category')}"
      placeholder="${text('search-in-category')}"
      dir="auto"
      maxlength="255"
    />
    <button type="submit">${text('search')}</button>
  </form>`
}

function suggestionNote(suggestion: string, { links, area }: SearchView): Html {
  const address = links.special('Search', { search: suggestion, ...area.inAddress })
  const link = html`<a href="${address}"><bdi>${suggestion}</bdi></a>`
  return html`<p class="suggestion">${sentence('search-suggestion', link)}</p>`
}

function namedNote({ key, title, exists, mayCreate }: NamedPage, links: Links): Html {
  if (exists) {
    const link = html`<a href="${links.page(key)}"><bdi>${title}</bdi></a>`
    return html`<p class="named">${sentence('search-page-exists', link)}</p>`
  }
  const create =
    mayCreate && html` <a class="new" href="${links.action(key, 'edit')}">${text('search-create')}</a>`
  return html`<p class="named">${sentence('search-no-page', html`<bdi>${title}</bdi>`)}${create}</p>`
}

function resultItem(result: SearchResult, links: Links): Html {
  const { key, title, excerpt, matchedTitle, description, section, thumbnail } = result
  const redirect =
    matchedTitle !== null &&
    html` <span class="matched">(${sentence('search-matched', html`<bdi>${matchedTitle}</bdi>`)})</span>`
  return html`<li>
    ${thumbnail && picture(thumbnail)}
    <div class="result">
      <h2 class="result-title">
        <a href="${links.page(key)}"><bdi>${title}</bdi></a
        >${redirect}${section && sectionLink(links.section(key, section.id), section.heading)}
      </h2>
      ${description && html`<p class="description" dir="auto">${description}</p>`}
      <p class="excerpt" dir="auto">${trusted(excerpt)}</p>
    </div>
  </li> `
}

function sectionLink(href: string, heading: string): Html {
  const link = html`<a href="${href}"><bdi>${heading}</bdi></a>`
  return html` <span class="matched">(${sentence('search-section', link)})</span>`
}

function picture({ url, width, height }: NonNullable<SearchResult['thumbnail']>): Fragment {
  return html`<img
    class="thumbnail"
    src="${url}"
    width="${width}"
    height="${height}"
    alt=""
    loading="lazy"
  />`
}

function searchPager({ links, area, query, offset, limit, hasMore }: SearchView): Html | undefined {
  const at = (place: number): string =>
    links.special('Search', { search: query, ...area.inAddress, offset: place === 0 ? undefined : place })
  return pager([
    {
      label: text('previous-page'),
      href: offset > 0 ? at(Math.max(0, offset - limit)) : undefined,
      rel: 'prev',
    },
    { label: text('next-page'), href: hasMore ? at(offset + limit) : undefined, rel: 'next' },
  ])
}
