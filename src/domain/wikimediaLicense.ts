/** The licence of texts in Wikimedia's wikis, which their dumps do not state. */
import type { License } from './site.js'

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
