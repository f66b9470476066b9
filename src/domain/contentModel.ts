/** Content models: what kind of source a page holds. */
import { MEDIAWIKI, USER } from './namespaceIds.js'

export const KNOWN_CONTENT_MODELS = ['wikitext', 'css', 'javascript', 'json', 'text'] as const
export type KnownContentModel = (typeof KNOWN_CONTENT_MODELS)[number]

/**
 * The default content model of a page. Names that end in `.css`, `.js` or `.json` choose the model in the MediaWiki
 * namespace and on sub pages of users. All other pages are wikitext. Endings count in lower case only, as in MediaWiki.
 */
export function defaultContentModel(namespace: number, dbkey: string): KnownContentModel {
  if (namespace !== MEDIAWIKI && !(namespace === USER && dbkey.includes('/'))) return 'wikitext'
  if (dbkey.endsWith('.css')) return 'css'
  if (dbkey.endsWith('.js')) return 'javascript'
  if (dbkey.endsWith('.json')) return 'json'
  return 'wikitext'
}
