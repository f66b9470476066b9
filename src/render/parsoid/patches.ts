/** Patches for places where the package differs from MediaWiki or is slow. They apply when it is loaded. */
import console from 'node:console'
import type { Load } from './patches/load.js'

/**
 * The package asserts a hundred thousand times for a page. Its assertions collect arguments and call Node's
 * `console.assert` even when they hold, which takes a tenth of its processor time. This version calls it only on
 * failure.
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
 * Image options are case-sensitive on every wiki, so `[[File:A.jpg|thumb|Left]]` has a caption. The package also looks
 * up all words in lower case.
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

/** For a gallery without content, `<gallery/>`, the package tries to remove the missing content and fails. */
export function patchEmptyGalleries(load: Load): void {
  const gallery = load<Gallery>('lib/ext/Gallery/index.js')
  const { modifyArgDict } = gallery
  gallery.modifyArgDict = (env, description) => {
    if (description.body !== undefined) modifyArgDict(env, description)
  }
}

interface Token {
  readonly name?: string
  readonly attribs?: readonly { readonly k: unknown; v: unknown }[]
  readonly dataAttribs?: { readonly html?: string; readonly stx?: string }
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

/**
 * A link whose text contains another link is plain text, brackets included. The package drops the outer link's text. An
 * address or `RFC 1` in such a text is no link.
 */
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
    for (const label of token.attribs ?? []) {
      if (label.k === 'mw:maybeContent') label.v = withoutBareLinks(label.v)
    }
    const holdsLink = token.attribs?.some(({ k, v }) => k === 'mw:maybeContent' && isLink(v, env)) === true
    if (!holdsLink) return renderWikiLink.call(this, token, target)
    return EnginePromise.resolve({ tokens: WikiLinkHandler.bailTokens(env, token, false) })
  }
}

/** Without the tags of links that authors did not mark: addresses, and words such as `ISBN` with a number. */
function withoutBareLinks(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  let isOpen = false
  return value.filter((part: Token | string | null) => {
    if (typeof part !== 'object' || part === null || part.name !== 'a') return true
    if (isOpen && part.constructor.name === 'EndTagTk') isOpen = false
    else if (part.dataAttribs?.stx === 'url' || part.dataAttribs?.stx === 'magiclink') isOpen = true
    else return true
    return false
  })
}

/** True if tokens are or contain a finished link. */
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
 * The package reports fatal errors by logging them. Deeply nested elements exhaust the stack, and the logger fails too.
 * The logger then considers itself busy and logs nothing more, so the run never ends. This version passes on fatal
 * errors. Without enough stack for that, it throws to the callers, each of which tries again.
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

/** Authors choose argument names, and lookups must not find inherited properties: `{{{constructor}}}`. */
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
 * JavaScript treats U+FEFF as white space, but MediaWiki's titles do not: it is part of a name, or a name of its own.
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

/** A noncharacter of Unicode, which no text contains. */
const NO_CHARACTER = '\uffff'
