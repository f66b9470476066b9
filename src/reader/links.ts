/** URLs of the pages for readers. All are paths on this server; nothing else writes them. */
import { encodePercent } from '../domain/percent.js'

/** Names of special pages in English, which every wiki understands beside its own. */
export type SpecialName =
  | 'AllPages'
  | 'Categories'
  | 'CiteThisPage'
  | 'Contributions'
  | 'CreateAccount'
  | 'ListFiles'
  | 'Log'
  | 'MyContributions'
  | 'NewPages'
  | 'PermanentLink'
  | 'PrefixIndex'
  | 'Random'
  | 'RecentChanges'
  | 'RecentChangesLinked'
  | 'Search'
  | 'SpecialPages'
  | 'Statistics'
  | 'UserLogin'
  | 'UserLogout'
  | 'Version'
  | 'WhatLinksHere'

/** Actions on a page other than to view it. */
export type PageAction = 'edit' | 'history' | 'info' | 'raw' | 'submit'

/** Values of a query; undefined ones are left out. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>

/** Signs of titles that MediaWiki leaves in URLs, although a URL may have them encoded. */
const KEPT = /%(?:3B|40|24|21|2A|28|29|2C|2F|3A)/g

/** A key or fragment in MediaWiki's way: blanks as underscores, and the signs `;@$!*(),/:` as they are. */
export function encodeTitle(key: string): string {
  return encodePercent(key.toWellFormed().replaceAll(' ', '_')).replace(KEPT, decodeURIComponent)
}

/** The paths of one wiki. All begin with its root: empty for the only wiki of a host, else `/NAME`. */
export class Links {
  readonly root: string
  /** Path below which all pages are, with a slash at the end. */
  readonly wiki: string
  /** Leads to the main page. */
  readonly front: string
  readonly searchDescription: string

  /** `folder` is a variant of the wiki's language, if all pages are to be shown in it. */
  constructor(root: string, folder = 'wiki') {
    this.root = root
    this.wiki = `${root}/${folder}/`
    this.front = folder === 'wiki' ? `${root}/` : this.wiki
    this.searchDescription = `${root}/opensearch.xml`
  }

  /** Path of a page. `key` has the namespace: `Talk:Foo_bar`. */
  page(key: string, query: LinkQuery = {}): string {
    return this.wiki + encodeTitle(key) + queryOf(query)
  }

  /** Path of a section of a page. A base URL in the page's head makes a fragment alone lead elsewhere. */
  section(key: string, id: string): string {
    return `${this.page(key)}#${encodeFragment(id)}`
  }

  action(key: string, action: PageAction, query: LinkQuery = {}): string {
    return this.page(key, { action, ...query })
  }

  revision(key: string, revisionId: number): string {
    return this.page(key, { oldid: revisionId })
  }

  /** Comparison of a revision with an older one, or with its neighbour. */
  comparison(key: string, to: number | 'prev' | 'next' | 'cur', from?: number): string {
    return this.page(key, { diff: to, oldid: from })
  }

  /** Path of a special page; `target` is the part after the slash. */
  special(name: SpecialName, query: LinkQuery = {}, target = ''): string {
    return this.page(`Special:${name}${target && `/${target}`}`, query)
  }

  search(query: string): string {
    return this.special('Search', { search: query })
  }

  /** The list of all sitemaps, or the sitemap with a number. */
  sitemap(number?: number): string {
    return number === undefined ? `${this.root}/sitemap.xml` : `${this.root}/sitemap/${number}.xml`
  }
}

/** An id as the fragment of a URL, as MediaWiki writes it: only what a URL cannot have is encoded. */
export function encodeFragment(id: string): string {
  return id.toWellFormed().replaceAll(/[%\s"<>`\\^{|}#]/g, encodeURIComponent)
}

function queryOf(query: LinkQuery): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeValue(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function encodeValue(value: string): string {
  return encodePercent(value.toWellFormed()).replaceAll('%20', '+')
}
