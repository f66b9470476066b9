/** Interlanguage links: `[[de:Haus]]` in a page names the same subject in another wiki's language. */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { languageName } from '../domain/languageNames.js'
import type { TitleCase } from '../domain/site.js'
import { capitalise } from '../domain/title.js'

export interface LanguageLink {
  readonly code: string
  /** The language's own name. */
  readonly name: string
  /** Title in the other wiki: with underscores, and its namespace and `#section` as written. */
  readonly key: string
  /** The same with spaces. */
  readonly title: string
}

/** Elements whose content is no wikitext, or is not part of the page itself (`includeonly`). */
const OPAQUE_ELEMENTS = [
  'includeonly',
  'nowiki',
  'pre',
  'source',
  'syntaxhighlight',
  'math',
  'chem',
  'ce',
  'score',
  'timeline',
  'graph',
  'hiero',
  'templatedata',
]

const LANGUAGE_PREFIX = '\\[\\[[ _\\t]*([a-z][a-z0-9-]{1,14})[ _\\t]*:'
const PREFIX = new RegExp(LANGUAGE_PREFIX, 'gi')
/**
 * What changes the reading of the text: comments, opaque elements, links. Every repetition stops at a character that
 * begins the next match, so that hostile text is read once.
 */
const TOKEN = new RegExp(
  `<!--|<(${OPAQUE_ELEMENTS.join('|')})(?=[\\s/>])[^<>]*>|${LANGUAGE_PREFIX}([^[\\]|{}<>\\n]*)(?:\\||\\]\\])`,
  'gi',
)
const END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  OPAQUE_ELEMENTS.map((name) => [name, new RegExp(`</${name}\\s*>`, 'gi')]),
)
const BLANKS = /[\s_]+/g
/** Anything but single spaces between words. */
const UNEVEN_BLANKS = /^ | $| {2}|_|[^\S ]/
const NO_TITLE = /[[\]|{}<>\ufffd]/
const MAX_TITLE_BYTES = 255

/**
 * The interlanguage links of a wikitext, sorted by code, the first of each language. Links in comments, in `nowiki`
 * and its like, and to the wiki's own language do not count; neither do links that templates would add. `titleCase`
 * is the wiki's own rule for first letters, which MediaWiki applies to foreign titles too.
 */
export function languageLinks(
  wikitext: string,
  ownLanguage: string,
  titleCase: TitleCase = 'first-letter',
): LanguageLink[] {
  if (!hasLanguagePrefix(wikitext, ownLanguage)) return []
  const links = new Map<string, LanguageLink>()
  for (const [prefix, target] of linkTargets(wikitext)) {
    const code = prefix.toLowerCase()
    const name = code === ownLanguage ? undefined : languageName(code)
    if (name === undefined || links.has(code)) continue
    const key = foreignKey(target, titleCase)
    if (key !== undefined) links.set(code, { code, name, key, title: key.replaceAll('_', ' ') })
  }
  return [...links.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** A cheap test that most pages fail, before comments and elements are looked at. */
function hasLanguagePrefix(wikitext: string, ownLanguage: string): boolean {
  for (const [, prefix = ''] of wikitext.matchAll(PREFIX)) {
    const code = prefix.toLowerCase()
    if (code !== ownLanguage && languageName(code) !== undefined) return true
  }
  return false
}

/** Prefix and target of each link that has a prefix, in the text's order. */
function* linkTargets(wikitext: string): Generator<[prefix: string, target: string]> {
  const lastLinkEnd = wikitext.lastIndexOf(']]')
  const token = new RegExp(TOKEN)
  for (let match = token.exec(wikitext); match; match = token.exec(wikitext)) {
    const [text, element, prefix, target] = match
    if (prefix !== undefined && target !== undefined) {
      if (lastLinkEnd < token.lastIndex - 2) return
      yield [prefix, target]
    } else if (!text.endsWith('/>')) {
      const end = endOf(wikitext, element, token.lastIndex)
      if (end === undefined) return
      token.lastIndex = end
    }
  }
}

/** Where the comment or element ends whose content starts at `from`; undefined: never, it swallows the rest. */
function endOf(wikitext: string, element: string | undefined, from: number): number | undefined {
  const endTag = element && END_TAGS.get(element.toLowerCase())
  if (!endTag) {
    const end = wikitext.indexOf('-->', from)
    return end < 0 ? undefined : end + 3
  }
  endTag.lastIndex = from
  return endTag.test(wikitext) ? endTag.lastIndex : undefined
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
