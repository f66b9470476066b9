/** Places where the package makes other HTML of a text than MediaWiki does, or is slow, set right when it is loaded. */
import console from 'node:console'
import type { Load } from './patches/load.js'

/**
 * The package asserts a hundred thousand times a page, through a function that collects its arguments and passes them
 * on to Node's, whether the assertion holds or not: a tenth of its processor time. Ours goes there only when one fails.
 */
export function patchAssertions(): void {
  const { assert } = console
  console.assert = (holds?: boolean, ...told: unknown[]) => {
    if (!holds) assert(holds, ...told)
  }
}

interface WikiConfig {
  getMagicWordIdFromAlias(word: string): string | null
  magicWordCanonicalName(word: string): string | null
}

/**
 * Options of images are words in their own case on every wiki: `[[File:A.jpg|thumb|Left]]` has a caption. The package
 * looks all words up in lower case as well.
 */
export function patchImageWords(load: Load): void {
  const { prototype } = load<{ WikiConfig: { prototype: WikiConfig } }>('lib/config/WikiConfig.js').WikiConfig
  prototype.magicWordCanonicalName = function (word) {
    const exact = this.getMagicWordIdFromAlias(word)
    if (exact !== null) return exact
    const folded = this.getMagicWordIdFromAlias(word.toLowerCase())
    return folded?.startsWith('img_') === true ? null : folded
  }
}

interface Gallery {
  modifyArgDict(this: void, env: unknown, description: { body?: object }): void
}

/** The package takes the content out of the description of a gallery that has none, as `<gallery/>`, and breaks. */
export function patchEmptyGalleries(load: Load): void {
  const gallery = load<Gallery>('lib/ext/Gallery/index.js')
  const { modifyArgDict } = gallery
  gallery.modifyArgDict = (env, description) => {
    if (description.body !== undefined) modifyArgDict(env, description)
  }
}

interface Token {
  readonly name?: string
  readonly attribs?: readonly { readonly k: unknown; readonly v: unknown }[]
  readonly dataAttribs?: { readonly html?: string }
}

interface FragmentNode {
  readonly nodeName: string
  querySelector?(selector: string): unknown
}

interface WikiLinkHandler {
  readonly env: { readonly fragmentMap: ReadonlyMap<string, readonly FragmentNode[]> }
  renderWikiLink(token: Token, target: unknown): unknown
}

interface WikiLinkHandlerClass {
  readonly prototype: WikiLinkHandler
  bailTokens(env: WikiLinkHandler['env'], token: Token, isExternal: boolean): unknown
}

/** A link whose text holds another link is none: its brackets are text. The package drops the outer one's text. */
export function patchNestedLinks(load: Load): void {
  const { WikiLinkHandler } = load<{ WikiLinkHandler: WikiLinkHandlerClass }>(
    'lib/wt2html/tt/WikiLinkHandler.js',
  )
  const EnginePromise = load<{ resolve(value: unknown): unknown }>('lib/utils/promise.js')
  const { prototype } = WikiLinkHandler
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the handler as `this` below
  const renderWikiLink = prototype.renderWikiLink
  prototype.renderWikiLink = function (token, target) {
    const { env } = this
    const holdsLink = token.attribs?.some(({ k, v }) => k === 'mw:maybeContent' && isLink(v, env)) === true
    if (!holdsLink) return renderWikiLink.call(this, token, target)
    return EnginePromise.resolve({ tokens: WikiLinkHandler.bailTokens(env, token, false) })
  }
}

/** Whether tokens are, or hold, a link that was made already. */
function isLink(value: unknown, env: WikiLinkHandler['env']): boolean {
  if (Array.isArray(value)) return value.some((part) => isLink(part, env))
  if (typeof value !== 'object' || value === null) return false
  const { name, dataAttribs } = value as Token
  if (name === 'a' || name === 'wikilink') return true
  const nodes = env.fragmentMap.get(dataAttribs?.html ?? '') ?? []
  return nodes.some((node) => node.nodeName === 'A' || (node.querySelector?.('a[href]') ?? null) !== null)
}

interface LoggerClass {
  readonly prototype: {
    readonly env: { onFatal(this: void, told: readonly unknown[]): void }
    log(type: string, ...told: unknown[]): void
  }
}

/**
 * The package tells of what breaks a run by logging it. Elements that nest too deeply fill the stack, and the logger
 * fails as well. It then takes itself for busy and logs nothing more, so the run never ends. Ours hands what is fatal
 * on, and where there is no stack left for that, throws to the callers, each of which tries again.
 */
export function patchLogger(load: Load): void {
  const { prototype } = load<{ ParsoidLogger: LoggerClass }>('lib/logger/ParsoidLogger.js').ParsoidLogger
  prototype.log = function (type, ...told) {
    if (type.startsWith('fatal')) this.env.onFatal(told)
  }
}

interface Parameters {
  dict(): object
  named(): { namedArgs: object; dict: object }
}

/**
 * Arguments are looked up by names that authors choose, which must not find what every object has: `{{{constructor}}}`.
 */
export function patchParameters(load: Load): void {
  const { prototype } = load<{ Params: { prototype: Parameters } }>('lib/wt2html/Params.js').Params
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the parameters as `this` below
  const { dict, named } = prototype
  const bare = <Names extends object>(names: Names): Names => {
    if (Object.getPrototypeOf(names) !== null) Object.setPrototypeOf(names, null)
    return names
  }
  prototype.dict = function () {
    return bare(dict.call(this))
  }
  prototype.named = function () {
    const found = named.call(this)
    bare(found.namedArgs)
    bare(found.dict)
    return found
  }
}

interface TitleResolver {
  resolveTitle(name: string, ...rest: readonly unknown[]): string
}

/**
 * JavaScript takes U+FEFF for white space, and MediaWiki's titles do not: it is a letter of a name, or a name of its
 * own.
 */
export function patchTitles(load: Load): void {
  const { prototype } = load<{ MWParserEnvironment: { prototype: TitleResolver } }>(
    'lib/config/MWParserEnvironment.js',
  ).MWParserEnvironment
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the run as `this` below
  const { resolveTitle } = prototype
  prototype.resolveTitle = function (name, ...rest) {
    if (!/^\s*\ufeff|\ufeff\s*$/.test(name)) return resolveTitle.call(this, name, ...rest)
    return resolveTitle
      .call(this, name.replaceAll('\ufeff', NO_CHARACTER), ...rest)
      .replaceAll(NO_CHARACTER, '\ufeff')
  }
}

/** Unicode has no character of this number, so that no text has it. */
const NO_CHARACTER = '\uffff'
