/** Members of a category, in three lists, and the list of all categories. */
import { type Html, html, trusted } from '../html.js'
import type { LinkQuery, Links } from '../links.js'
import { type MessageKey, text } from '../messages.js'
import { pager } from './pager.js'
import { categorySearch } from './search.js'

export type CategoryListKind = 'subcategory' | 'page' | 'file'

export interface ListedMember {
  /** With the namespace, in URL form. */
  readonly key: string
  /** In reading form; without the namespace for subcategories and files. */
  readonly name: string
  /** The letter under which it stands. */
  readonly letter: string
  /** For a subcategory: number of its members. */
  readonly members?: number
}

/** A list, or a part of it. */
export interface ListedMembers {
  readonly kind: CategoryListKind
  /** Of the whole list. */
  readonly count: number
  readonly members: readonly ListedMember[]
  /** Queries of the parts before and after this one. */
  readonly previous: LinkQuery | undefined
  readonly next: LinkQuery | undefined
}

const HEADINGS: Readonly<Record<CategoryListKind, MessageKey>> = {
  subcategory: 'category-subcategories',
  page: 'category-pages',
  file: 'category-files',
}

/** From so many members on, a search finds one faster than the lists. */
const MANY = 20

/** `key` is that of the category's page. Empty lists are left out. */
export function categoryMembers(key: string, lists: readonly ListedMembers[], links: Links): Html {
  const shown = lists.filter(({ count }) => count > 0)
  const isLong = shown.reduce((sum, { count }) => sum + count, 0) >= MANY
  return html`<div class="category-members" lang="en" dir="ltr">
    ${isLong && categorySearch(key.replace(/^[^:]*:/, '').replaceAll('_', ' '), links)}
    ${shown.length === 0 ? html`<p>${text('category-empty')}</p>` : shown.map((list) => memberList(key, list, links))}
  </div>`
}

function memberList(key: string, list: ListedMembers, links: Links): Html {
  const { kind, count, members, previous, next } = list
  const neighbours = partLinks(previous && links.page(key, previous), next && links.page(key, next))
  return html`<section aria-labelledby="members-${kind}">
    <h2 id="members-${kind}">${text(HEADINGS[kind], String(count))}</h2>
    ${neighbours}
    <div class="columns">${groups(members, links)}</div>
    ${neighbours}
  </section>`
}

function groups(members: readonly ListedMember[], links: Links): Html[] {
  const found: Html[] = []
  for (let start = 0; start < members.length;) {
    const { letter } = members[start]!
    let end = start
    while (members[end]?.letter === letter) end++
    const items = members.slice(start, end).map((member) => memberItem(member, links))
    found.push(html`<h3><bdi>${letter}</bdi></h3>\n<ul>${items}</ul>\n`)
    start = end
  }
  return found
}

const memberItem = ({ key, name, members }: ListedMember, links: Links): Html =>
  html`<li><a href="${links.page(key)}"><bdi>${name}</bdi></a>${members !== undefined && ` (${members})`}</li>\n`

const partLinks = (previous: string | undefined, next: string | undefined): Html | undefined =>
  pager([
    { label: text('members-previous'), href: previous, rel: 'prev' },
    { label: text('members-next'), href: next, rel: 'next' },
  ])

export interface CategoriesView {
  readonly links: Links
  readonly categories: readonly {
    readonly key: string
    readonly name: string
    readonly members: number
    readonly isMissing: boolean
  }[]
  /** Where the list begins, as typed. */
  readonly from: string
  readonly previous: LinkQuery | undefined
  readonly next: LinkQuery | undefined
}

/** All categories with members. */
export function categoryIndex({ links, categories, from, previous, next }: CategoriesView): Html {
  const place = (query: LinkQuery | undefined): string | undefined =>
    query && links.special('Categories', query)
  const neighbours = partLinks(place(previous), place(next))
  return html`<form class="fields" action="${links.wiki}Special:Categories">
      <label>${text('categories-from')} <input name="from" value="${from}" dir="auto" maxlength="255" /></label>
      <button type="submit">${text('categories-show')}</button>
    </form>
    ${neighbours}
    <ul class="titles">${categories.map(
      ({ key, name, members, isMissing }) =>
        html`<li>
          <a href="${links.page(key)}"${isMissing && trusted(' class="new"')}><bdi>${name}</bdi></a> (${members})
        </li>\n`,
    )}</ul>
    ${neighbours}`
}
