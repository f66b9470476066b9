/** Patches for places where the package differs from MediaWiki or is slow. They apply when it is loaded. */
import console from 'node:console'
import type { Load } from './patches/sourceEdits.js'
import { loads } from '../html/styles.js'
import type { DomElement, DomNode } from '../html/dom.js'

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
  // oxlint-disable-next-line typescript/unbound-method -- called with the handler as `this` below
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
  // oxlint-disable-next-line typescript/unbound-method -- called with the parameters as `this` below
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
  // oxlint-disable-next-line typescript/unbound-method -- called with the run as `this` below
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

interface Sanitizer {
  checkCss(text: string): string
  decodeCharReferences(text: string): string
  decodeEntity(name: string): string
}

/** Replaces a removed style, as MediaWiki writes it. */
const INSECURE = '/* insecure input */'

/**
 * Style attributes must load nothing. The package looks for functions that load, but decodes only some of the escapes
 * in which an author can write their names.
 */
export function patchStyles(load: Load): void {
  const { Sanitizer } = load<{ Sanitizer: Sanitizer }>('lib/wt2html/tt/Sanitizer.js')
  // oxlint-disable-next-line typescript/unbound-method -- called with their class as `this` below
  const { checkCss, decodeEntity } = Sanitizer
  Sanitizer.checkCss = function (text) {
    const checked = checkCss.call(Sanitizer, text)
    return loads(Sanitizer.decodeCharReferences(text)) || loads(checked) ? INSECURE : checked
  }
  // The package's table of entities is an object, so it also finds inherited names such as `constructor`.
  Sanitizer.decodeEntity = function (name) {
    return name in Object.prototype ? `&${name};` : decodeEntity.call(Sanitizer, name)
  }
}

// Removes markers that the engine leaves behind and that nothing uses.

interface CleanUpClass {
  stripMarkerMetas(this: void, node: DomElement, ...more: unknown[]): boolean | DomNode | null
}

/** Start or end of an argument, `{{{name}}}`, inside the output of a template. Only the outermost one is described. */
const ARGUMENT_MARK = /^mw:Param(?:\/End)?$/

export function patchArgumentMarks(load: Load): void {
  const { CleanUp } = load<{ CleanUp: CleanUpClass }>('lib/wt2html/pp/handlers/CleanUp.js')
  const { stripMarkerMetas } = CleanUp
  CleanUp.stripMarkerMetas = (node, ...more) => {
    const isMark = ARGUMENT_MARK.test(node.getAttribute('typeof') ?? '') && !node.hasAttribute('data-mw')
    if (!isMark) return stripMarkerMetas(node, ...more)
    const next = node.nextSibling
    node.parentNode?.removeChild(node)
    return next
  }
}

// Ignores options in gallery lines that a gallery cannot use.

interface GalleryLine {
  readonly line: string
}

interface GalleryItem {
  readonly rdfaType: string
}

interface GalleryClass {
  readonly name: string
  pLine(data: unknown, line: GalleryLine): { then(done: (item: GalleryItem | null) => unknown): unknown }
}

interface EngineConfig {
  readonly prototype: { readonly defaultNativeExtensions: readonly GalleryClass[] }
}

/** The type of a picture, such as `mw:Image/Thumb`, with its format. */
const FORM = /(mw:(?:Image|Audio|Video))\/\w+/g

/** Removes formats such as `thumb` from pictures of a gallery, and accepts Windows line ends. */
export function patchGalleries(load: Load): void {
  const { ParsoidConfig } = load<{ ParsoidConfig: EngineConfig }>('lib/config/ParsoidConfig.js')
  const gallery = ParsoidConfig.prototype.defaultNativeExtensions.find(({ name }) => name === 'Gallery')
  if (gallery === undefined) throw new Error('the engine has no galleries')
  const pLine = gallery.pLine.bind(gallery)
  gallery.pLine = (data, { line, ...more }) =>
    pLine(data, { ...more, line: line.replace(/\r$/, '') }).then(
      (item) => item && { ...item, rdfaType: item.rdfaType.replace(FORM, '$1') },
    ) as ReturnType<GalleryClass['pLine']>
}

// Expands a template at the beginning of a line as one there, so that its list continues the list before.

interface TemplateToken {
  readonly dataAttribs?: { readonly tsr?: readonly [start: number, end: number] | null }
}
type Settled = (error: unknown, wikitext?: unknown, ...more: unknown[]) => void

interface TemplateHandler {
  readonly manager: { readonly env: { readonly page: { readonly src: string } } }
  /** The token of the call that is being expanded. */
  openToken?: TemplateToken
  onTemplate(token: TemplateToken, ...more: unknown[]): unknown
  fetchExpandedTpl(title: string, text: string, parent: unknown, settled: Settled): unknown
}

/**
 * A result that begins a list or a table gets a newline in front, unless its call begins a line. The package asks for
 * the call alone, which begins a text and no line. This version asks for it after a newline.
 */
export function patchLineStarts(load: Load): void {
  const { prototype } = load<{ TemplateHandler: { prototype: TemplateHandler } }>(
    'lib/wt2html/tt/TemplateHandler.js',
  ).TemplateHandler
  // oxlint-disable-next-line typescript/unbound-method -- called with the handler as `this` below
  const { onTemplate, fetchExpandedTpl } = prototype
  prototype.onTemplate = function (token, ...more) {
    this.openToken = token
    return onTemplate.call(this, token, ...more)
  }
  prototype.fetchExpandedTpl = function (title, text, parent, settled) {
    if (!beginsLine(this.openToken, text, this.manager.env.page.src))
      return fetchExpandedTpl.call(this, title, text, parent, settled)
    return fetchExpandedTpl.call(this, title, `\n${text}`, parent, (error, wikitext, ...more) => {
      const isPut = typeof wikitext === 'string' && wikitext.startsWith('\n')
      settled(error, isPut ? wikitext.slice(1) : wikitext, ...more)
    })
  }
}

/** Parts of a page have offsets of their own, so the text at the place must be that of the call. */
function beginsLine(token: TemplateToken | undefined, text: string, source: string): boolean {
  const start = token?.dataAttribs?.tsr?.[0]
  return start !== undefined && source[start - 1] === '\n' && source.startsWith(text, start)
}
