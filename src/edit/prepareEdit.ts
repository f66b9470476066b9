/**
 * Turns the sent source into the text and comment to store, or into the reason to refuse it. Uses no clock, no random
 * numbers and no I/O.
 */
import { type KnownContentModel, SCRIBUNTO } from '../domain/contentModel.js'
import { type Title, parseTitle, prefixedText } from '../domain/title.js'
import { normaliseComment, cutWithMark } from './comment.js'
import { chooseContentModel, formatForModel, type CheckModule } from './contentModels.js'
import { type EditError, MAX_TEXT_BYTES, sizeError, tooBig } from './editErrors.js'
import { normaliseText } from './normaliseText.js'
import { sign, type Signer } from './signatures.js'
import type { Language } from '../language/language.js'
import { MAIN } from '../domain/namespaceIds.js'
import { type InterwikiMap, interwikiPrefixOf } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { redirectTarget } from '../domain/redirect.js'
import { findLiteralParts, replaceOutside } from './literalParts.js'

export interface EditRequest {
  readonly title: Title
  readonly source: string
  /** Null or blank: the server writes one. */
  readonly comment: string | null
  /** As the client states it. Undefined or empty: not stated. */
  readonly contentModel?: string | undefined
  readonly editor: Signer
  /** True if the editor may change the content model of a page. */
  readonly mayChangeContentModel: boolean
  /** Seconds since 1970, for signatures. */
  readonly time: number
  /** The latest revision of the page. Undefined: the page is new. */
  readonly latest?: SummarisedText | undefined
  /** Content model of the revision that the editor started from; undefined when none was given. */
  readonly baseContentModel?: string | undefined
}

/** Services of the wiki that preparation needs. */
export interface EditSurroundings extends LinkedWiki {
  readonly substitute: Substitute
  readonly checkModule: CheckModule
}

export interface PreparedEdit {
  readonly text: string
  readonly comment: string
  readonly contentModel: KnownContentModel
}

export type PreparationResult =
  | { readonly ok: true; readonly edit: PreparedEdit }
  | { readonly ok: false; readonly error: EditError }

/**
 * Chooses the content model, normalises text and comment, and applies the changes of a save to the text. Wikitext gets
 * signatures, substitutions and short link labels; JSON gets its layout. A blank comment becomes a summary of the
 * change to the latest revision.
 *
 * Errors in the order of their checks: those of the model, `contenttoobig`, those of JSON and modules. The operation is
 * idempotent, including the comment, unless a template wrote something that a save acts upon.
 */
export function prepareEdit(request: EditRequest, surroundings: EditSurroundings): PreparationResult {
  const contentModel = chooseContentModel({
    title: request.title,
    namespaces: surroundings.namespaces,
    stated: request.contentModel,
    current: request.latest?.contentModel,
    base: request.baseContentModel,
    mayChange: request.mayChangeContentModel,
  })
  if (typeof contentModel !== 'string') return { ok: false, error: contentModel }
  const source = normaliseText(request.source)
  const text = prepareText(source, request, contentModel, surroundings)
  if (typeof text !== 'string') return { ok: false, error: text }
  const comment =
    normaliseComment(request.comment ?? '') ||
    normaliseComment(automaticSummary(request.latest, { text: source, contentModel }, surroundings))
  return { ok: true, edit: { text, comment, contentModel } }
}

/** In UTF-16 units. */
const QUICK_LENGTH = 20_000

/**
 * True if preparing a source takes about 0.1 ms; JSON takes 1 ms, and a hostile source some 3 ms. Other sources take up
 * to a second, since a substitution may insert long templates. They belong in a worker thread, as modules do: only
 * worker threads have Lua.
 */
export function isQuickToPrepare(source: string, contentModel: string, language: Language): boolean {
  return source.length <= QUICK_LENGTH && contentModel !== SCRIBUNTO && !maySubstitute(source, language)
}

function prepareText(
  source: string,
  request: EditRequest,
  contentModel: KnownContentModel,
  surroundings: EditSurroundings,
): string | EditError {
  const sourceError = sizeError(source)
  if (sourceError) return sourceError
  const text =
    contentModel === 'wikitext'
      ? transformWikitext(source, request, surroundings)
      : formatForModel(source, contentModel, surroundings.checkModule)
  if (typeof text !== 'string') return text
  return text === source ? text : (sizeError(text) ?? text)
}

/** Substitutions come first, since a template may contain a signature. */
function transformWikitext(
  source: string,
  { editor, time, title }: EditRequest,
  { namespaces, substitute }: EditSurroundings,
): string | EditError {
  const substituted = maySubstitute(source, namespaces.language) ? substitute(source) : source
  if (substituted.length > MAX_TEXT_BYTES) return tooBig()
  const signed = sign(substituted, editor, time, namespaces, MAX_TEXT_BYTES)
  const labelled = signed && labelLinks(signed, title.dbkey.replaceAll('_', ' '), MAX_TEXT_BYTES)
  if (labelled === undefined) return tooBig()
  return labelled === source ? source : normaliseText(labelled)
}

// The summary of an edit whose editor wrote none.

/** Limit for a summary with a quotation, in bytes. The `$1` that the quotation replaces counts too. */
const MAX_QUOTING_BYTES = 500
const CREATED = 'Created page with "$1"'
const REPLACED = 'Replaced content with "$1"'
/** Factor by which a new text must be shorter than the old one to count as a replacement. */
const REPLACING_FACTOR = 10
const LINE_ENDS = /\n/g
/** A link that the end of the text leaves open. */
const OPEN_LINK = /\[\[([^\]]*)\]?$/

interface SummarisedText {
  readonly text: string
  readonly contentModel: string
}

/** Names that redirect targets need. */
interface LinkedWiki {
  readonly namespaces: Namespaces
  readonly interwiki: InterwikiMap
}

/**
 * Summarises an edit from `before` (undefined: the page is new) to `after`, the text as its editor sent it. Covers a
 * redirect that is created, changed or removed, a page that is created or blanked, and nearly all content replaced.
 * Empty for other edits. Only wikitext can be a redirect.
 */
export function automaticSummary(
  before: SummarisedText | undefined,
  after: SummarisedText,
  wiki: LinkedWiki,
): string {
  const oldTarget = before && targetOf(before, wiki)
  const newTarget = targetOf(after, wiki)
  if (newTarget !== undefined && newTarget !== oldTarget) {
    return oldTarget === undefined
      ? `Redirected page to [[${newTarget}]]`
      : `Changed redirect target from [[${oldTarget}]] to [[${newTarget}]]`
  }
  if (before === undefined) return after.text === '' ? 'Created blank page' : quoting(CREATED, after.text)
  if (after.text === '') return before.text === '' ? '' : 'Blanked the page'
  if (oldTarget !== undefined && newTarget === undefined) return `Removed redirect to [[${oldTarget}]]`
  const [oldBytes, newBytes] = [Buffer.byteLength(before.text), Buffer.byteLength(after.text)]
  return oldBytes > REPLACING_FACTOR * newBytes ? quoting(REPLACED, after.text) : ''
}

/** The page that a redirect leads to, in reading form with its fragment. A prefix of another wiki is in lower case. */
function targetOf(
  { text, contentModel }: SummarisedText,
  { namespaces, interwiki }: LinkedWiki,
): string | undefined {
  const link = contentModel === 'wikitext' ? redirectTarget(text) : undefined
  const parsed = link === undefined ? undefined : parseTitle(link, namespaces)
  if (!parsed?.ok) return undefined
  const { title, fragment } = parsed
  const section = fragment && `#${fragment}`
  const prefix = title.namespace === MAIN ? interwikiPrefixOf(title, interwiki) : undefined
  if (prefix === undefined) return prefixedText(title, namespaces) + section
  const name = title.dbkey
    .slice(prefix.length + 1)
    .replaceAll('_', ' ')
    .trimStart()
  return `${prefix}:${name}${section}`
}

/** Puts the start of a text, as one line, into a comment. */
function quoting(comment: string, text: string): string {
  const line = text.slice(0, MAX_QUOTING_BYTES).replace(LINE_ENDS, ' ')
  const start = cutWithMark(line, MAX_QUOTING_BYTES - comment.length, (letter) => Buffer.byteLength(letter))
  return comment.replace('$1', () => start.replace(OPEN_LINK, '$1'))
}

// The pipe trick: a link with an empty label gets the short form of its title.

/**
 * Matches `[[Title|]]` and `[[|label]]`. Time stays linear: titles have at most 512 letters, and no part matches `[`.
 */
const LINK_WITHOUT_LABEL = /\[\[([^[\]{}<>|\n]{1,512})\|\]\]|\[\[\|([^[\]{}<>|\n]{1,512})\]\]/g
const CONTEXT = /, |，|، /
const BRACKETS_AT_END = /(?<=.)(?: ?\([^()]+\)| ?（[^（）]+）)$/
const AFTER_COMMA = /(?<=.)(?:, |，|، ).+$/

/**
 * Completes links with an empty part, outside comments and tags such as nowiki:
 * - `[[Help:Foo (bar)|]]` becomes `[[Help:Foo (bar)|Foo]]`, and `[[Foo, Bar|]]` becomes `[[Foo, Bar|Foo]]`
 * - `[[|Sun]]` becomes `[[Sun (film)|Sun]]` on a page `Moon (film)`, and `[[Sun, Kansas|Sun]]` on `Moon, Kansas`
 *
 * `pageTitle` is in reading form, without namespace. Undefined when the result would be longer than `maxLength` units.
 */
export function labelLinks(text: string, pageTitle: string, maxLength: number): string | undefined {
  if (!text.includes('|]]') && !text.includes('[[|')) return text
  const qualifier = (BRACKETS_AT_END.exec(pageTitle) ?? AFTER_COMMA.exec(pageTitle))?.[0] ?? ''
  const completeLink = ([link, title, label]: RegExpExecArray): string => {
    if (title !== undefined) return `[[${title}|${shortForm(title) || title}]]`
    if (label === undefined) return link
    return qualifier === '' ? `[[${label}]]` : `[[${label}${qualifier}|${label}]]`
  }
  return replaceOutside(text, findLiteralParts(text), LINK_WITHOUT_LABEL, completeLink, maxLength)
}

/** The title without its prefix, the part in brackets at its end, and the part after a comma. */
function shortForm(title: string): string {
  const unmarked = title.startsWith(':') ? title.slice(1) : title
  const name = unmarked.slice(unmarked.indexOf(':') + 1)
  const unqualified = withoutBrackets(name)
  if (unqualified !== name) return unqualified.trim()
  const context = name.search(CONTEXT)
  return withoutBrackets(context > 0 ? name.slice(0, context) : name).trim()
}

function withoutBrackets(name: string): string {
  const [open, close] = name.endsWith('）') ? ['（', '）'] : ['(', ')']
  const start = name.indexOf(open)
  return name.endsWith(close) && start > 0 ? name.slice(0, start) : name
}

// Substitution: a save replaces `{{subst:Name|…}}` and `{{safesubst:Name|…}}` by the text of the template.

/** Expands the templates marked for substitution in a wikitext, and keeps all other text as written. */
export type Substitute = (wikitext: string) => string

/** Patterns by language, made on first use. */
const patterns = new WeakMap<Language, RegExp>()

function patternOf(language: Language): RegExp {
  const known = patterns.get(language)
  if (known !== undefined) return known
  const words = ['subst', 'safesubst'].flatMap((name) => language.magicWords.get(name)?.words ?? [])
  const written = words.map((word) => word.replace(/:$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`subst:|[{>|\\s](?:${written.join('|')}):`, 'iu')
  patterns.set(language, pattern)
  return pattern
}

/** False only for a text without any substitution, in the language's words or English; true may be a false alarm. */
export function maySubstitute(text: string, language: Language): boolean {
  return text.includes('{{') && patternOf(language).test(text)
}
