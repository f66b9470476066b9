/** Chooses the content model of an edit, and brings the text into the form that the model stores. */
import {
  defaultContentModel,
  isModelAllowed,
  KNOWN_CONTENT_MODELS,
  type KnownContentModel,
  SCRIBUNTO,
} from '../domain/contentModel.js'
import type { Namespaces } from '../domain/namespaces.js'
import { prefixedText, type Title } from '../domain/title.js'
import { editError, type EditError, MAX_TEXT_BYTES, tooBig } from './editErrors.js'
import { normaliseText } from './normaliseText.js'
import { cutWithMark } from './comment.js'

export interface ModelChoice {
  readonly title: Title
  /** Of the wiki, for titles in messages. */
  readonly namespaces: Namespaces
  /** As the client states it. Undefined or empty: not stated. */
  readonly stated: string | undefined
  /** Model of the page's latest revision; undefined for a new page. */
  readonly current: string | undefined
  /** Model of the revision that the editor started from; undefined when none was given. */
  readonly base: string | undefined
  /** True if the editor may change the content model of a page. */
  readonly mayChange: boolean
}

/** True if texts of this model can be edited here. */
export function isKnownContentModel(model: string): model is KnownContentModel {
  return (KNOWN_CONTENT_MODELS as readonly string[]).includes(model)
}

/**
 * The model of the new revision: the stated one, else that of the base revision, of the page, or of the title. Errors:
 * - `rest-bad-content-model`: the model is unknown
 * - `contentmodel-mismatch`: none is stated, and the page has a model other than the base revision
 * - `cantchangecontentmodel`: the stated model is not the page's, and the editor may not change it
 * - `content-not-allowed-here`: the namespace does not take the model
 */
export function chooseContentModel(choice: ModelChoice): KnownContentModel | EditError {
  const { title, stated, base, namespaces } = choice
  if (stated && !isKnownContentModel(stated)) return editError('rest-bad-content-model', stated)
  const current = expectedContentModel({ ...choice, stated: undefined })
  const model = stated || (base ?? current)
  if (!isKnownContentModel(model)) return editError('rest-bad-content-model', model)
  if (changesContentModel(model, current)) {
    if (!stated) return editError('contentmodel-mismatch', model, current)
    if (!choice.mayChange) return editError('cantchangecontentmodel')
  }
  if (isModelAllowed(model, title.namespace)) return model
  const name = MODEL_NAMES.get(model) ?? model
  return editError('content-not-allowed-here', name, prefixedText(title, namespaces), MAIN_SLOT)
}

/** Names of models in MediaWiki's messages, as far as messages here name them. */
const MODEL_NAMES: ReadonlyMap<KnownContentModel, string> = new Map([[SCRIBUNTO, 'Scribunto module']])
const MAIN_SLOT = 'main'

/** The model that an edit gives its page, as far as that can be told without reading the base revision. */
export function expectedContentModel({
  title,
  stated,
  current,
}: Pick<ModelChoice, 'title' | 'stated' | 'current'>): string {
  return stated || (current ?? defaultContentModel(title.namespace, title.dbkey))
}

export function changesContentModel(model: string, current: string): boolean {
  return model !== current
}

/**
 * The text as its model stores it. JSON is checked and laid out with tabs, modules are checked; other models keep the
 * text. Errors: `invalid-json-data`, also for an empty text, `contenttoobig` when the layout makes the text too long,
 * and those of `moduleError`.
 */
export function formatForModel(
  text: string,
  model: KnownContentModel,
  checkModule: CheckModule = () => undefined,
): string | EditError {
  if (model === SCRIBUNTO) {
    const fault = checkModule(text)
    return fault === undefined ? text : moduleError(fault)
  }
  if (model !== 'json') return text
  const layout = layOutJson(text, MAX_TEXT_BYTES)
  if (layout.ok) return layout.text
  if (layout.problem === 'size') return tooBig()
  return editError('invalid-json-data', JSON_PROBLEMS[layout.problem])
}

const JSON_PROBLEMS = { syntax: 'Syntax error', depth: 'Maximum stack depth exceeded' } as const

// Lays out the source of JSON pages with tabs, token by token. Numbers, order and duplicate keys stay as written.

/** PHP's limit for nested values. */
const MAX_DEPTH = 512
const LINE_STARTS = Array.from({ length: MAX_DEPTH + 1 }, (_, depth) => `\n${'\t'.repeat(depth)}`)

type JsonLayout =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'syntax' | 'depth' | 'size' }

/**
 * The same value with a line for each member and a tab for each level; empty objects and arrays are `{}` and `[]`.
 * Escapes in strings become plain characters where JSON and the stored form of texts allow that. `size`: the result
 * would be longer than `maxLength` UTF-16 units. The operation is idempotent.
 */
export function layOutJson(source: string, maxLength: number): JsonLayout {
  if (!isJson(source)) return { ok: false, problem: 'syntax' }
  const output: string[] = []
  let length = 0
  let depth = 0
  const write = (piece: string) => {
    output.push(piece)
    length += piece.length
  }
  const line = () => write(LINE_STARTS[depth] ?? '')

  for (let at = skipBlanks(source, 0); at < source.length;) {
    const end = tokenEnd(source, at)
    const token = source.slice(at, end)
    at = skipBlanks(source, end)
    if (token === '{' || token === '[') {
      write(token)
      if (++depth > MAX_DEPTH) return { ok: false, problem: 'depth' }
      if (!isCloser(source[at])) line()
    } else if (isCloser(token)) {
      depth--
      if (!isOpener(output.at(-1))) line()
      write(token)
    } else if (token === ',') {
      write(token)
      line()
    } else {
      write(token === ':' ? ': ' : token.startsWith('"') ? plainString(token) : token)
    }
    if (length > maxLength) return { ok: false, problem: 'size' }
  }
  return { ok: true, text: output.join('') }
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source)
    return true
  } catch {
    return false
  }
}

function isOpener(token: string | undefined): boolean {
  return token === '{' || token === '['
}

function isCloser(token: string | undefined): boolean {
  return token === '}' || token === ']'
}

/** The string without needless escapes. It stays as written if its characters could not be stored unescaped. */
function plainString(token: string): string {
  if (!token.includes('\\')) return token
  const plain = JSON.stringify(JSON.parse(token))
  return plain === token || normaliseText(plain) === plain ? plain : token
}

const PUNCTUATION = '{}[],:'
const LITERAL = /[^{}[\],: \t\n\r"]+/y

function tokenEnd(source: string, start: number): number {
  const first = source.charAt(start)
  if (PUNCTUATION.includes(first)) return start + 1
  if (first === '"') return stringEnd(source, start)
  LITERAL.lastIndex = start
  LITERAL.test(source)
  return LITERAL.lastIndex
}

/** Index after the next quote with an even number of backslashes before it. */
function stringEnd(source: string, start: number): number {
  for (let quote = source.indexOf('"', start + 1); ; quote = source.indexOf('"', quote + 1)) {
    let slashes = 0
    while (source[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
  }
}

function skipBlanks(source: string, start: number): number {
  let at = start
  while (isBlank(source.charCodeAt(at))) at++
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
}

// Sources of modules: those that do not parse are not saved.

/** Why a source does not parse. */
interface ModuleFault {
  readonly text: string
  /**
   * The page as Lua names it (`Module:My_page`), and a line, counted from 1; undefined when the fault has no place, as
   * when memory ran out.
   */
  readonly place: { readonly name: string; readonly line: number } | undefined
}

/** Parses the source of a module; undefined when it can be run, or where modules do not run. */
export type CheckModule = (source: string) => ModuleFault | undefined

/** A message quotes from the source, in which a word may be as long as the page. */
const MAX_MESSAGE_LETTERS = 500

/** `scribunto-lua-error-location`, or `scribunto-lua-error` for a fault without a place. */
function moduleError({ text, place }: ModuleFault): EditError {
  const message = cutWithMark(text, MAX_MESSAGE_LETTERS)
  if (place === undefined) return editError('scribunto-lua-error', '', message)
  return editError('scribunto-lua-error-location', `in ${place.name} at line ${place.line}`, message)
}
