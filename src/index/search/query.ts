/** What a person asks for: words, "phrases", -exclusions, beginnings* of words, and a namespace in front. */
import type { Namespaces } from '../../domain/namespaces.js'
import { encodeText } from '../text/encoder.js'
import { foldText } from '../text/fold.js'
import { visitSegments } from '../text/segments.js'

/** A query; terms are as the encoder gives them. */
export interface Query {
  /** Namespaces to search; undefined: all of them. */
  readonly namespaces: readonly number[] | undefined
  /** Text of the query without its namespace prefix. */
  readonly text: string
  /** Every page found has all of these; distinct. */
  readonly terms: readonly string[]
  /** Beginnings of words that every page found has, from `word*`. */
  readonly prefixes: readonly string[]
  /** The last word as typed, when it may be half a word: a page that has it whole comes first. */
  readonly unfinished: string | undefined
  /** No page found has one of these. */
  readonly excluded: readonly string[]
  /** Sequences of words that must stand in the text in this order. */
  readonly phrases: readonly Phrase[]
  /** The words outside quotation marks as typed: pages that have them in a row rank higher. Undefined for one word. */
  readonly wholePhrase: string | undefined
}

/** Words that follow each other, folded; a stretch of a script without blanks counts as one. */
export interface Phrase {
  readonly segments: readonly { readonly text: string; readonly unspaced: boolean }[]
}

/** Longer queries are cut: nobody types so much, and each term costs a lookup. */
const MAX_LENGTH = 300
const MAX_TERMS = 32
const PART = /(-?)"([^"]*)"?|(\S+)/g

/**
 * Reads a query. Any text is one: signs without a meaning are left out. `defaults` are the namespaces searched where
 * the query names none.
 */
export function parseQuery(input: string, namespaces: Namespaces, defaults: readonly number[]): Query {
  const { searched, text } = splitNamespace(input.slice(0, MAX_LENGTH), namespaces, defaults)
  const terms = new Set<string>()
  const prefixes = new Set<string>()
  const excluded = new Set<string>()
  const phrases: Phrase[] = []
  const words: string[] = []
  let unfinished: string | undefined
  for (const [, minus, quoted, word] of text.matchAll(PART)) {
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
    terms: [...terms].slice(0, MAX_TERMS),
    prefixes: [...prefixes].slice(0, MAX_TERMS),
    unfinished: /[\p{L}\p{N}\p{M}]$/u.test(text) ? unfinished : undefined,
    excluded: [...excluded].slice(0, MAX_TERMS),
    phrases,
    wholePhrase: phraseOf(words.join(' ')) && words.join(' '),
  }
}

/** Splits `Talk:` or `all:` off a query. A colon in front means the main namespace. Blanks at the end stay. */
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

/** The phrase that a text is; undefined when it is a single word. */
function phraseOf(text: string): Phrase | undefined {
  const folded = foldText(text)
  const segments: { text: string; unspaced: boolean }[] = []
  visitSegments(folded, (start, end, unspaced) => {
    segments.push({ text: folded.slice(start, end), unspaced })
  })
  const several = segments.length > 1 || (segments[0]?.unspaced === true && [...segments[0].text].length > 2)
  return several ? { segments } : undefined
}

const SEPARATORS = '[^\\p{L}\\p{N}\\p{M}]'

/** Whether folded text has a phrase. Every repetition stops at a letter, so time is linear in the text. */
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
