/** Page titles: MediaWiki's rules that turn typed text into the key of a page. Time is linear in the input. */
import type { Language } from '../language/language.js'
import { isPlain } from './plainTitle.js'
import { SPECIAL, TALK } from './namespaceIds.js'
import { decodeCharacterReferences } from './characterReferences.js'
import type { Namespaces } from './namespaces.js'
import type { Namespace } from './site.js'

export interface Title {
  readonly namespace: number
  /** Title without the namespace prefix: underscores for spaces, NFC, first letter capital where the wiki does so. */
  readonly dbkey: string
}

/** Orders texts by their UTF-8 bytes, as the store and MediaWiki do. */
export const compareUtf8 = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Orders titles by namespace, then the bytes of their keys. */
export const compareTitles = (one: Title, other: Title): number =>
  one.namespace - other.namespace || compareUtf8(one.dbkey, other.dbkey)

export const sameTitle = (one: Title, other: Title): boolean =>
  one.namespace === other.namespace && one.dbkey === other.dbkey

/** A key for maps of titles. */
export const titleId = ({ namespace, dbkey }: Title): string => `${namespace}:${dbkey}`

/**
 * Reasons to reject a title:
 * - `empty`: nothing is left, or nothing after the namespace prefix
 * - `fragment-only`: only a `#fragment`
 * - `too-long`: more than 255 bytes of UTF-8 after the prefix, 512 in Special
 * - `invalid-characters`: one of `# < > [ ] | { }`, a control character, U+FFFD, a lone surrogate or `%41`; also an
 *   unknown character reference, or a reference to one of these characters
 * - `relative-path`: `.` or `..` as a part between slashes
 * - `magic-tilde`: `~~~`, which is a signature
 * - `talk-namespace`: `Talk` is followed by another namespace or interwiki prefix
 * - `leading-colon`: a colon remains at the start, after a first colon or after the prefix
 * - `interwiki`: the prefix names another wiki
 * - `namespace-mismatch`: the dump states one namespace number, and the title's prefix names another
 * - `undeclared-namespace`: the site does not declare the namespace number that the dump states
 */
export type TitleError =
  | 'empty'
  | 'fragment-only'
  | 'too-long'
  | 'invalid-characters'
  | 'relative-path'
  | 'magic-tilde'
  | 'talk-namespace'
  | 'leading-colon'
  | 'interwiki'
  | 'namespace-mismatch'
  | 'undeclared-namespace'

interface Failure {
  readonly ok: false
  readonly error: TitleError
}
export type DumpTitle = { readonly ok: true; readonly title: Title } | Failure
/** `fragment` is the text after `#`, in reading form; it may be empty. */
export type ParsedTitle = { readonly ok: true; readonly title: Title; readonly fragment: string } | Failure

const MAX_BYTES = 255
const MAX_SPECIAL_BYTES = 512
/**
 * Longer texts are refused before NFC, which takes quadratic time for a run of combining marks. NFC joins at most four
 * letters into one, which has two bytes or more. That leaves room for the prefix.
 */
const MAX_UNCOMPOSED_LENGTH = 4 * MAX_SPECIAL_BYTES

/** A prefix that only needs lower case, and the text after its colon. */
const PLAIN_PREFIX = /^([A-Za-z-]+):([^]*)$/

const NOT_ASCII = /[^\0-\x7f]/
const BIDI_MARKS = /[\u200e\u200f\u202a-\u202e]+/g
const BLANKS = /[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g
const FORBIDDEN =
  /[\0-\x1f\x7f#<>[\]{}|\ufffd\ud800-\udfff]|%[0-9A-Fa-f]{2}|&(?:[A-Za-z0-9\u0080-\u{10ffff}]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/u
const NUMERIC_REFERENCE = /&#(?:[0-9]+|[xX][0-9A-Fa-f]+);/y
/** Georgian letters have capitals since Unicode 11, but no title-case forms. */
const FIRST_GEORGIAN = 0x10d0
const LAST_GEORGIAN = 0x10ff
const RELATIVE_PATH = /(?:^|\/)\.\.?(?:\/|$)/

/**
 * Parses a title as a person or client writes it. Accepts all of MediaWiki's spellings of blanks, first letter,
 * namespace prefix, fragment and character references. `isInterwiki` gets a lower-case prefix that names no namespace
 * of this wiki.
 */
export function parseTitle(
  text: string,
  namespaces: Namespaces,
  isInterwiki: (prefix: string) => boolean = noInterwiki,
): ParsedTitle {
  if (isPlain(text)) {
    return { ok: true, title: { namespace: 0, dbkey: text.replaceAll(' ', '_') }, fragment: '' }
  }
  const plain = decodeCharacterReferences(text)
  const hash = plain.indexOf('#')
  const key = normaliseKey(hash < 0 ? plain : plain.slice(0, hash))
  if (key === undefined) return failure('too-long')
  if (hash < 0) return parseKey(key, '', namespaces, isInterwiki)
  if (key === '') return failure('fragment-only')
  NUMERIC_REFERENCE.lastIndex = hash - 1
  if (NUMERIC_REFERENCE.test(plain)) return failure('invalid-characters')
  return parseKey(key, joinWords(plain.slice(hash + 1)).replaceAll('_', ' '), namespaces, isInterwiki)
}

/** A title of another wiki, as a link of this one names it. */
export interface ForeignTitle {
  /** Interwiki prefix in lower case, without the colon. */
  readonly prefix: string
  /** The text after the prefix, in URL form as written. May be empty, and may have prefixes of its own. */
  readonly rest: string
  /** The text after `#`, in reading form; may be empty. */
  readonly fragment: string
}

/**
 * Parses a title that begins with an interwiki prefix. Undefined for other texts, and for names that no wiki accepts.
 * Namespaces of this wiki win over interwiki prefixes.
 */
export function parseForeignTitle(
  text: string,
  namespaces: Namespaces,
  isInterwiki: (prefix: string) => boolean,
): ForeignTitle | undefined {
  const isForeign = (prefix: string): boolean =>
    isInterwiki(prefix) && namespaces.idByName(prefix) === undefined
  const [, letters, name = ''] = PLAIN_PREFIX.exec(text) ?? []
  if (letters !== undefined) {
    const prefix = letters.toLowerCase()
    if (!isForeign(prefix)) return undefined
    if (isPlain(name)) return { prefix, rest: name.replaceAll(' ', '_'), fragment: '' }
  }
  const plain = decodeCharacterReferences(text)
  const hash = plain.indexOf('#')
  const key = normaliseKey(hash < 0 ? plain : plain.slice(0, hash))
  const split = key === undefined ? undefined : splitPrefix(withoutColon(key))
  const prefix = split?.name.toLowerCase()
  if (split === undefined || prefix === undefined || !isForeign(prefix)) return undefined
  const rest = withoutColon(split.rest)
  if (rest !== '' && (findFault(rest) !== undefined || Buffer.byteLength(rest) > MAX_BYTES)) return undefined
  const fragment = hash < 0 ? '' : joinWords(plain.slice(hash + 1)).replaceAll('_', ' ')
  return { prefix, rest, fragment }
}

/**
 * The title of a page in a dump. Parsing the full title on the same wiki gives the same title again.
 *
 * Text before a colon is a prefix if it names a namespace. That must be the stated namespace; schemas 0.3 to 0.5 state
 * none, so any is accepted. A title without such a prefix belongs to the main namespace, even if the dump states
 * another number: its full title would not find it elsewhere.
 */
export function titleFromDump(
  fullTitle: string,
  namespace: number | undefined,
  namespaces: Namespaces,
): DumpTitle {
  const key = normaliseKey(fullTitle)
  if (key === undefined) return failure('too-long')
  const prefix = splitPrefix(key)
  const named = prefix && namespaces.idByName(prefix.name)
  if (namespace && namespaces.byId(namespace) === undefined) return failure('undeclared-namespace')
  if (prefix === undefined || named === undefined) return checkKey(0, key, namespaces, noInterwiki)
  if (named !== (namespace ?? named)) return failure('namespace-mismatch')
  return checkKey(named, prefix.rest, namespaces, noInterwiki)
}

/**
 * The namespace to declare before a page of a dump can be stored: the stated number, and the name from the title's
 * prefix. Undefined when the namespace is known or is the main one. Also undefined when the title has no prefix, or its
 * prefix already names another namespace.
 */
export function undeclaredNamespace(
  fullTitle: string,
  namespace: number,
  namespaces: Namespaces,
): Namespace | undefined {
  if (namespace === 0 || namespaces.byId(namespace) !== undefined) return undefined
  const prefix = splitPrefix(normaliseKey(fullTitle) ?? '')
  if (prefix === undefined || FORBIDDEN.test(prefix.name)) return undefined
  if (namespaces.idByName(prefix.name) !== undefined) return undefined
  return { id: namespace, name: prefix.name.replaceAll('_', ' '), case: namespaces.defaultCase }
}

/**
 * URL form such as `Talk:Foo_bar`. The main namespace has no prefix; an undeclared one uses its number (`2300:Foo`).
 */
export function prefixedKey(title: Title, namespaces: Namespaces): string {
  return namespaces.keyPrefix(title.namespace) + title.dbkey
}

/** Reading form such as `Talk:Foo bar`. */
export function prefixedText(title: Title, namespaces: Namespaces): string {
  return prefixedKey(title, namespaces).replaceAll('_', ' ')
}

/**
 * Raises the first letter as the language does. A letter whose capital form is several letters stays (ß, ﬁ): a wiki
 * may keep it, and the spelling in capitals is likely to be another page. Georgian letters stay, too: their capitals
 * are for texts all in capitals, not for first letters. A text in NFC stays in NFC.
 */
export function capitalise(text: string, language: Pick<Language, 'capital'>): string {
  const first = text.codePointAt(0)
  if (first === undefined || (first >= FIRST_GEORGIAN && first <= LAST_GEORGIAN)) return text
  const letter = String.fromCodePoint(first)
  const capital = language.capital(letter)
  if (capital === letter) return text
  const raised = capital + text.slice(letter.length)
  const composed = NOT_ASCII.test(raised) ? raised.normalize('NFC') : raised
  return composed.length > text.length ? text : composed
}

/** Splits the prefix off a normalised key without a fragment. */
function parseKey(
  key: string,
  fragment: string,
  namespaces: Namespaces,
  isInterwiki: (prefix: string) => boolean,
): ParsedTitle {
  const unmarked = withoutColon(key)
  const prefix = splitPrefix(unmarked)
  const named = prefix && namespaces.idByName(prefix.name)
  if (prefix && named === undefined && isInterwiki(prefix.name.toLowerCase())) return failure('interwiki')
  const rest = prefix && named !== undefined ? prefix.rest : unmarked
  const checked = checkKey(named ?? 0, rest, namespaces, isInterwiki)
  return checked.ok ? { ok: true, title: checked.title, fragment } : checked
}

/** Applies the rules for the part after the prefix, and capitalises the first letter. */
function checkKey(
  namespace: number,
  key: string,
  namespaces: Namespaces,
  isInterwiki: (prefix: string) => boolean,
): DumpTitle {
  if (key === '') return failure('empty')
  const fault = findFault(key)
  if (fault !== undefined) return failure(fault)
  if (namespace === TALK && hasPrefix(key, namespaces, isInterwiki)) return failure('talk-namespace')
  const dbkey = namespaces.raisesFirstLetter(namespace) ? capitalise(key, namespaces.language) : key
  const limit = namespace === SPECIAL ? MAX_SPECIAL_BYTES : MAX_BYTES
  if (Buffer.byteLength(dbkey) > limit) return failure('too-long')
  return { ok: true, title: { namespace, dbkey } }
}

/** Finds what is invalid in a title on any wiki. */
function findFault(key: string): TitleError | undefined {
  if (key.startsWith(':')) return 'leading-colon'
  if (FORBIDDEN.test(key)) return 'invalid-characters'
  if (key.includes('.') && RELATIVE_PATH.test(key)) return 'relative-path'
  return key.includes('~~~') ? 'magic-tilde' : undefined
}

/** Drops a leading colon, which turns a file or category link into an ordinary link. */
function withoutColon(key: string): string {
  return key.startsWith(':') ? trimUnderscores(key.slice(1)) : key
}

function hasPrefix(key: string, namespaces: Namespaces, isInterwiki: (prefix: string) => boolean): boolean {
  const prefix = splitPrefix(key)
  if (prefix === undefined) return false
  return namespaces.idByName(prefix.name) !== undefined || isInterwiki(prefix.name.toLowerCase())
}

/** Splits at the first colon and trims blanks around it. Undefined when nothing comes before the colon. */
function splitPrefix(key: string): { readonly name: string; readonly rest: string } | undefined {
  const colon = key.indexOf(':')
  if (colon <= 0) return undefined
  return { name: trimUnderscores(key.slice(0, colon)), rest: trimUnderscores(key.slice(colon + 1)) }
}

/** The whole title in NFC, words joined. Undefined if it is longer than any title can be before NFC. */
function normaliseKey(text: string): string | undefined {
  const key = joinWords(text)
  if (!NOT_ASCII.test(key)) return key
  return key.length <= MAX_UNCOMPOSED_LENGTH ? key.normalize('NFC') : undefined
}

/** Removes direction marks, makes one underscore of each run of blanks, and trims the ends. */
function joinWords(text: string): string {
  const unmarked = NOT_ASCII.test(text) ? text.replace(BIDI_MARKS, '') : text
  return trimUnderscores(unmarked.replace(BLANKS, '_'))
}

/** Takes a text with at most one underscore at each end. */
function trimUnderscores(key: string): string {
  const start = key.startsWith('_') ? 1 : 0
  const end = key.endsWith('_') ? key.length - 1 : key.length
  return start === 0 && end === key.length ? key : key.slice(start, end)
}

function noInterwiki(): boolean {
  return false
}

function failure(error: TitleError): Failure {
  return { ok: false, error }
}
