/** Content models: what kind of source a page holds. */
import { MEDIAWIKI, MODULE, TEMPLATE, USER } from './namespaceIds.js'
import type { Title } from './title.js'

/** Modules: Lua, as the extension Scribunto names it. */
export const SCRIBUNTO = 'Scribunto'
/** Style sheets of templates and modules: checked for what they load when they are used. */
export const SANITIZED_CSS = 'sanitized-css'

export const KNOWN_CONTENT_MODELS = [
  'wikitext',
  'css',
  'javascript',
  'json',
  'text',
  SCRIBUNTO,
  SANITIZED_CSS,
] as const
export type KnownContentModel = (typeof KNOWN_CONTENT_MODELS)[number]

/**
 * The default content model of a page, as in MediaWiki with the extensions Scribunto and TemplateStyles:
 *
 * - MediaWiki namespace and sub pages of users: by the ending `.css`, `.js` or `.json`
 * - namespace Module: `Scribunto`, but wikitext for `X/doc` and JSON for `X.json`
 * - sub pages of templates and modules that end in `.css`: `sanitized-css`
 * - all other pages: wikitext
 *
 * Endings count in lower case only.
 */
export function defaultContentModel(namespace: number, dbkey: string): KnownContentModel {
  if ((namespace === MODULE || namespace === TEMPLATE) && isSubpage(dbkey) && dbkey.endsWith('.css'))
    return SANITIZED_CSS
  if (namespace === MODULE) {
    if (isDocumentation(dbkey)) return 'wikitext'
    return dbkey.endsWith('.json') ? 'json' : SCRIBUNTO
  }
  if (namespace !== MEDIAWIKI && !(namespace === USER && isSubpage(dbkey))) return 'wikitext'
  if (dbkey.endsWith('.css')) return 'css'
  if (dbkey.endsWith('.js')) return 'javascript'
  if (dbkey.endsWith('.json')) return 'json'
  return 'wikitext'
}

/** The model that a namespace declares for its pages; undefined for one that declares none. */
export function namespaceContentModel(namespace: number): KnownContentModel | undefined {
  return namespace === MODULE ? SCRIBUNTO : undefined
}

/** Whether pages of a namespace can have a model at all: modules are pages of their own namespace alone. */
export function isModelAllowed(model: KnownContentModel, namespace: number): boolean {
  return model !== SCRIBUNTO || namespace === MODULE
}

const DOCUMENTATION = '/doc'

/** The page that describes a module, and is shown above its source. Undefined for all that is no module. */
export function documentationOf({ namespace, dbkey }: Title): Title | undefined {
  if (defaultContentModel(namespace, dbkey) !== SCRIBUNTO) return undefined
  return { namespace, dbkey: dbkey + DOCUMENTATION }
}

const isDocumentation = (dbkey: string): boolean => dbkey.endsWith(DOCUMENTATION)
const isSubpage = (dbkey: string): boolean => dbkey.includes('/')
