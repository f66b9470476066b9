/** Content models: what kind of source a page holds. */
import { MEDIAWIKI, USER } from './namespaceIds.js'

export const KNOWN_CONTENT_MODELS = ['wikitext', 'css', 'javascript', 'json', 'text'] as const
export type KnownContentModel = (typeof KNOWN_CONTENT_MODELS)[number]

/**
 * The model of a page that states none, as MediaWiki chooses it: by the ending `.css`, `.js` or `.json` in the
 * MediaWiki namespace and on sub pages of users, wikitext everywhere else. Endings count in lower case only.
 */
export function defaultContentModel(namespace: number, dbkey: string): KnownContentModel {
  if (namespace !== MEDIAWIKI && !(namespace === USER && dbkey.includes('/'))) return 'wikitext'
  if (dbkey.endsWith('.css')) return 'css'
  if (dbkey.endsWith('.js')) return 'javascript'
  if (dbkey.endsWith('.json')) return 'json'
  return 'wikitext'
}
