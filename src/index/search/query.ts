/** Search queries: words, "phrases", -exclusions, prefixes*, incategory:"…", and a namespace in front. */
import { CATEGORY } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle } from '../../domain/title.js'
import { encodeText } from '../text/encoder.js'
import { foldText } from '../text/fold.js'
import { visitSegments } from '../text/segments.js'

/** A parsed query. Terms are in the encoder's form. */
export interface Query {
  /** Namespaces to search; undefined means all. */
  readonly namespaces: readonly number[] | undefined
  /** Text of the query without its namespace prefix and categories. */
  readonly text: string
  /** The prefix and the categories, as typed. */
  readonly prefix: string
  /** Dbkeys of the categories that every result must be in. */
  readonly categories: readonly string[]
  /** Dbkeys of the categories that no result may be in. */
  readonly excludedCategories: readonly string[]
  /** Distinct terms that every result must have. */
  readonly terms: readonly string[]
  /** Prefixes of words that every result must have, from `word*`. */
  readonly prefixes: readonly string[]
  /** Term of the last word, if that may be incomplete. Pages with the complete word come first. */
  readonly unfinished: string | undefined
  /** Terms that no result may have. */
  readonly excluded: readonly string[]
  /** Sequences of words that must occur in this order. */
  readonly phrases: readonly Phrase[]
  /**
   * The words outside quotation marks in their order, as typed and folded. Pages in which they stand together rank
   * higher. Empty for a single word.
   */
  readonly sequence: readonly (readonly [typed: string, folded: string])[]
}

/** Consecutive words, folded. A stretch in a script without spaces counts as one word. */
export interface Phrase {
  readonly segments: readonly { readonly text: string; readonly unspaced: boolean }[]
}

/** Longer queries are cut, since each term costs a lookup. */
const MAX_LENGTH = 300
const MAX_TERMS = 32
const PART = /(-?)"([^"]*)"?|(\S+)/g

/**
 * Parses a query. Every text is valid; meaningless characters are ignored. `defaults` are the namespaces to search when
 * the query names none. `within` are names of categories beside those of the text.
 */
export function parseQuery(
  input: string,
  namespaces: Namespaces,
  defaults: readonly number[],
  within: readonly string[] = [],
): Query {
  const cut = input.slice(0, MAX_LENGTH)
  const { searched, text: asked } = splitNamespace(cut, namespaces, defaults)
  const { text, written, categories, excludedCategories } = takeCategories(asked, namespaces)
  const terms = new Set<string>()
  const prefixes = new Set<string>()
  const excluded = new Set<string>()
  const phrases: Phrase[] = []
  const words: string[] = []
  let unfinished: string | undefined
  for (const [, minus, quoted, word] of matchesOf(PART, text)) {
    unfinished = undefined
    if (quoted !== undefined) {
      for (const term of encodeText(quoted)) (minus === '-' ? excluded : terms).add(term)
      const phrase = phraseOf(quoted)
      if (minus !== '-' && phrase !== undefined) phrases.push(phrase)
    } else if (word!.length > 1 && word!.startsWith('-')) {
      for (const term of encodeText(word!)) excluded.add(term)
    } else {
      const found = encodeText(word!)
      const open = word!.endsWith('*') ? found.pop() : undefined
      if (open !== undefined) prefixes.add(open)
      for (const term of found) terms.add(term)
      words.push(word!)
      unfinished = open === undefined ? found.at(-1) : undefined
    }
  }
  return {
    namespaces: searched,
    text,
    prefix: cut.slice(0, cut.length - asked.length).trimStart() + written,
    categories: [...within.map((name) => categoryNamed(name, namespaces)), ...categories],
    excludedCategories,
    terms: [...terms].slice(0, MAX_TERMS),
    prefixes: [...prefixes].slice(0, MAX_TERMS),
    unfinished: /[\p{L}\p{N}\p{M}]$/u.test(text) ? unfinished : undefined,
    excluded: [...excluded].slice(0, MAX_TERMS),
    phrases,
    sequence: sequenceOf(words.join(' ')),
  }
}

/**
 * Splits a prefix such as `Talk:` or `all:` off a query. A leading colon means the main namespace. Keeps trailing
 * spaces.
 */
export function splitNamespace(
  input: string,
  namespaces: Namespaces,
  defaults: readonly number[],
): { readonly searched: readonly number[] | undefined; readonly text: string } {
  const colon = input.indexOf(':')
  const text = input.slice(colon + 1).trimStart()
  if (colon === 0) return { searched: [0], text }
  const name = colon < 0 ? '' : input.slice(0, colon).trim()
  if (name.toLowerCase() === 'all') return { searched: undefined, text }
  const id = name === '' ? undefined : namespaces.idByName(name)
  return id === undefined ? { searched: defaults, text: input.trimStart() } : { searched: [id], text }
}

const IN_CATEGORY = /"[^"]*"?|(?<!\S)(-?)incategory:(?:"([^"]*)"?|(\S+))\s*/gi

interface TakenCategories extends Pick<Query, 'categories' | 'excludedCategories'> {
  /** What is left. */
  readonly text: string
  /** What was taken, as typed. */
  readonly written: string
}

/** Takes the categories out of a query. An impossible name means a category without members. */
function takeCategories(asked: string, namespaces: Namespaces): TakenCategories {
  const categories: string[] = []
  const excludedCategories: string[] = []
  let written = ''
  const take = (all: string, minus?: string, quoted?: string, word?: string): string => {
    const name = quoted ?? word
    if (name === undefined) return all
    written += `${all.trimEnd()} `
    ;(minus === '-' ? excludedCategories : categories).push(categoryNamed(name, namespaces))
    return ''
  }
  const rest = /incategory:/i.test(asked) ? asked.replace(IN_CATEGORY, take) : asked
  return { text: written === '' ? rest : rest.trimEnd(), written, categories, excludedCategories }
}

/** No category has this name. */
const NO_CATEGORY = '['

/** The dbkey for a name with or without the namespace. */
function categoryNamed(name: string, namespaces: Namespaces): string {
  const own = parseTitle(name, namespaces)
  if (own.ok && own.title.namespace === CATEGORY) return own.title.dbkey
  const parsed = parseTitle(namespaces.keyPrefix(CATEGORY) + name, namespaces)
  return parsed.ok && parsed.title.namespace === CATEGORY ? parsed.title.dbkey : NO_CATEGORY
}

/** The query as typed, with some words replaced. `replaced` has new words by their folded form. */
export function withWords({ prefix, text }: Query, replaced: ReadonlyMap<string, string>): string {
  return prefix + text.replace(WORDS, (word) => replaced.get(foldText(word)) ?? word).trimEnd()
}

/** The words of a text; empty for a single one. A stretch in a script without spaces counts as one word, or several. */
function sequenceOf(text: string): Query['sequence'] {
  if (phraseOf(text) === undefined) return []
  return matchesOf(WORDS, text).map(([word]) => [word, foldText(word)])
}

/** As `matchAll`, which makes a copy of the pattern for each text. */
function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) matches.push(match)
  return matches
}

/** The text as a phrase; undefined for a single word. */
function phraseOf(text: string): Phrase | undefined {
  const folded = foldText(text)
  const segments: { text: string; unspaced: boolean }[] = []
  visitSegments(folded, (start, end, unspaced) => {
    segments.push({ text: folded.slice(start, end), unspaced })
  })
  const several = segments.length > 1 || (segments[0]?.unspaced === true && [...segments[0].text].length > 2)
  return several ? { segments } : undefined
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const SEPARATORS = '[^\\p{L}\\p{N}\\p{M}]'

/** Pattern that finds a phrase in folded text. Every repetition ends at a letter, so matching takes linear time. */
export function phrasePattern({ segments }: Phrase): RegExp {
  let source = segments[0]?.unspaced ? '' : '(?<![\\p{L}\\p{N}\\p{M}])'
  segments.forEach(({ text, unspaced }, n) => {
    const before = segments[n - 1]
    if (before !== undefined) source += `${SEPARATORS}${unspaced || before.unspaced ? '*' : '+'}`
    source += text
  })
  if (segments.at(-1)?.unspaced === false) source += '(?![\\p{L}\\p{N}\\p{M}])'
  return new RegExp(source, 'u')
}
