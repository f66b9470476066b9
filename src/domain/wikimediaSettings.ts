/**
 * Settings that Wikimedia's wikis are known to have, by the name of the database. Their dumps do not state them.
 *
 * Sources: pages of these wikis, which show a way back above each subpage, and their numbers in articles. The answers
 * to `meta=siteinfo` that the package `parsoid` has of 17 Wikipedias agree: none has subpages in the main namespace
 * or string functions. The wiki's own answer wins over this table.
 */
import { MAIN } from './namespaceIds.js'
import type { WikiRules } from './site.js'

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
