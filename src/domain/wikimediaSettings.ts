/**
 * Settings that Wikimedia's wikis are known to have, by the name of the database. Their dumps do not state them.
 *
 * Sources: pages of these wikis, which show a way back above each subpage, and their numbers in articles. The answers
 * to `meta=siteinfo` that the package `parsoid` has of 17 Wikipedias agree: none has subpages in the main namespace
 * or string functions. The wiki's own answer wins over this table.
 */
import { MAIN } from './namespaceIds.js'
import type { WikiRules, License } from './site.js'

/** Chapters of books, sources and courses are subpages of the main namespace, as are parts of pages on these two. */
const MAIN_SUBPAGES = /^(?:[a-z_]+(?:wikibooks|wikisource|wikiversity)|sourceswiki|metawiki|mediawikiwiki)$/
/** They write 0 to 9, although their languages have digits of their own. */
const PLAIN_DIGITS: ReadonlySet<string> = new Set(['arwiki', 'hiwiki'])

/** Empty for wikis of others, and for those without peculiarities. */
export function wikimediaSettings(wikiId: string): WikiRules {
  return {
    ...(MAIN_SUBPAGES.test(wikiId) && { subpages: { [MAIN]: true } }),
    ...(PLAIN_DIGITS.has(wikiId) && { localDigits: false }),
  }
}

// The licence of texts in Wikimedia's wikis, which their dumps do not state.

/**
 * Creative Commons Attribution-ShareAlike 4.0, since June 2023, in the projects that are listed here. Wikinews and the
 * main pages of Wikidata have other terms, so they are not among them.
 */
const BY_SA_4: License = {
  url: 'https://creativecommons.org/licenses/by-sa/4.0/',
  title: 'Creative Commons Attribution-Share Alike 4.0',
}
const PROJECTS = [
  'wikipedia',
  'wiktionary',
  'wikibooks',
  'wikiquote',
  'wikisource',
  'wikiversity',
  'wikivoyage',
]
const HOST = new RegExp(`^https?://[a-z-]+\\.(?:m\\.)?(?:${PROJECTS.join('|')})\\.org/`)
const SUFFIXES = ['wiki', ...PROJECTS.slice(1)]
const WIKI_ID = new RegExp(`^[a-z_]+(?:${SUFFIXES.join('|')})$`)

/** The licence of a dump's wiki, by its address and the name of its database; undefined for wikis of others. */
export function wikimediaLicense(base: string, wikiId: string): License | undefined {
  return HOST.test(base) && WIKI_ID.test(wikiId) ? BY_SA_4 : undefined
}
