/** Interlanguage links: `[[de:Haus]]` in a page names the same subject in another wiki's language. */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { languageName } from '../domain/languageNames.js'
import type { TitleCase } from '../domain/site.js'
import { capitalise } from '../domain/title.js'
import { VisibleText } from './visibleText.js'

export interface LanguageLink {
  readonly code: string
  /** The language's own name. */
  readonly name: string
  /** Title in the other wiki: with underscores, and its namespace and `#section` as written. */
  readonly key: string
  /** The same with spaces. */
  readonly title: string
}

/** What follows the colon of a link: its target, up to the label or the end. */
const TARGET = /([^[\]|{}<>\n]*)(?:\||\]\])/y
const BLANKS = /[\s_]+/g
/** Anything but single spaces between words. */
const UNEVEN_BLANKS = /^ | $| {2}|_|[^\S ]/
const NO_TITLE = /[[\]|{}<>\ufffd]/
const MAX_TITLE_BYTES = 255

/**
 * The interlanguage links of a wikitext, sorted by code, the first of each language. Links in comments, in `nowiki`
 * and its like, and to the wiki's own language do not count; neither do links that templates would add. `titleCase`
 * is the wiki's own rule for first letters, which MediaWiki applies to foreign titles too; `nameOf` gives the own name of
 * a language, undefined when links with such a prefix are none between languages.
 */
export function languageLinks(
  wikitext: string,
  ownLanguage: string,
  titleCase: TitleCase = 'first-letter',
  nameOf: (code: string) => string | undefined = languageName,
): LanguageLink[] {
  const links = new Map<string, LanguageLink>()
  const lastLinkEnd = wikitext.lastIndexOf(']]')
  let visible: VisibleText | undefined
  for (let at = wikitext.indexOf('[['); at >= 0 && at < lastLinkEnd; at = wikitext.indexOf('[[', at + 1)) {
    const prefix = readPrefix(wikitext, at + 2)
    const name = prefix && prefix.code !== ownLanguage ? nameOf(prefix.code) : undefined
    if (prefix === undefined || name === undefined || links.has(prefix.code)) continue
    // Only now, since few pages come so far.
    visible ??= new VisibleText(wikitext)
    if (!visible.holds(at)) continue
    TARGET.lastIndex = prefix.end
    const target = TARGET.exec(wikitext)?.[1]
    const key = target === undefined ? undefined : foreignKey(target, titleCase)
    if (key !== undefined)
      links.set(prefix.code, { code: prefix.code, name, key, title: key.replaceAll('_', ' ') })
  }
  return [...links.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

const MIN_CODE_LENGTH = 2
const MAX_CODE_LENGTH = 15
const SPACE = 32
const TAB = 9
const UNDERSCORE = 95
const HYPHEN = 45
const COLON = 58

/**
 * What may be a language code between `from` and a colon, in lower case, and where the colon ends. By hand: this runs
 * for every link of every page, most of which fail at their first few letters.
 */
function readPrefix(wikitext: string, from: number): { code: string; end: number } | undefined {
  const start = skipBlanks(wikitext, from)
  let end = start
  while (end - start <= MAX_CODE_LENGTH && isCodeUnit(wikitext.charCodeAt(end))) end++
  if (end - start < MIN_CODE_LENGTH || end - start > MAX_CODE_LENGTH) return undefined
  const colon = skipBlanks(wikitext, end)
  if (wikitext.charCodeAt(colon) !== COLON) return undefined
  return { code: wikitext.slice(start, end).toLowerCase(), end: colon + 1 }
}

function skipBlanks(wikitext: string, from: number): number {
  let at = from
  for (;;) {
    const unit = wikitext.charCodeAt(at)
    if (unit !== SPACE && unit !== UNDERSCORE && unit !== TAB) return at
    at++
  }
}

/** A letter from a to z in either case, a digit or a hyphen. */
function isCodeUnit(unit: number): boolean {
  const lower = unit | 0x20
  return (lower >= 97 && lower <= 122) || (unit >= 48 && unit <= 57) || unit === HYPHEN
}

/** Key of the title in the other wiki, undefined if none is left or it is longer than titles are or holds what none may. */
function foreignKey(target: string, titleCase: TitleCase): string | undefined {
  // Most targets are plain words, and pages of old wikis hold dozens of them.
  const decoded = target.includes('&') ? decodeCharacterReferences(target) : target
  const text = UNEVEN_BLANKS.test(decoded) ? decoded.replace(BLANKS, ' ').trim() : decoded
  if (text === '' || Buffer.byteLength(text) > MAX_TITLE_BYTES || NO_TITLE.test(text)) return undefined
  const title = titleCase === 'first-letter' ? capitalise(text) : text
  return title.replaceAll(' ', '_')
}
