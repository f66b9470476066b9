/** Excerpts: the part of a page's text with most of the query's words, which are marked. */
import { findBeginning, findWholeWord, type Spellings, spellings } from './byteSearch.js'
import { foldText } from '../text/fold.js'
import type { IndexedRowView } from '../rows/indexedRow.js'
import type { Query } from './query.js'
import { visitSegments } from '../text/segments.js'
import { escapeHtml } from '../../domain/html.js'

/** Bytes of an excerpt, and how many of them precede the first match. */
const WINDOW_BYTES = 240
const LEAD_BYTES = 60
/** Occurrences to consider per word. */
const PLACES_PER_WORD = 4
/** Bytes to decode and fold when the text has no known spelling of any word. */
const MAX_DECODED_BYTES = 16 * 1024

const OPEN_MARK = "<span class='searchmatch'>"
const CLOSE_MARK = '</span>'
const YES = 1
const NO = 2

type Match = readonly [from: number, to: number]
const NO_MATCHES: readonly Match[] = []

/** Cuts excerpts for one query. */
export class Excerpts {
  readonly #terms: ReadonlySet<string>
  readonly #prefixes: readonly string[]
  readonly #words: readonly Spellings[]
  readonly #beginnings: readonly Spellings[]
  /** The last word of the query, which may be incomplete. */
  readonly #unfinished: Spellings | undefined
  readonly #known = new Map<string, readonly Match[]>()
  readonly #initials: ReadonlySet<string>
  /** For scripts without spaces: terms of one character, and the first characters of longer ones. */
  readonly #singles: ReadonlySet<string>
  readonly #firsts: ReadonlySet<string>
  readonly #foldedCharacters = new Map<string, string>()
  /**
   * By character code, up to Armenian: whether a word of the query begins with that letter (YES, NO, or 0 for unknown).
   */
  readonly #firstLetters = new Uint8Array(0x590)

  constructor({ terms, prefixes, unfinished }: Pick<Query, 'terms' | 'prefixes' | 'unfinished'>) {
    this.#terms = new Set(terms)
    this.#prefixes = unfinished === undefined ? prefixes : [...prefixes, unfinished]
    this.#words = terms.map(spellings)
    this.#beginnings = prefixes.map(spellings)
    this.#unfinished = unfinished === undefined ? undefined : spellings(unfinished)
    this.#initials = new Set([...terms, ...this.#prefixes].map((text) => text.charAt(0)))
    this.#firsts = new Set(terms.map((term) => String.fromCodePoint(term.codePointAt(0)!)))
    this.#singles = new Set(terms.filter((term) => this.#firsts.has(term)))
  }

  /** HTML of a page's excerpt. When only the title matches, the beginning of the text; empty for an empty page. */
  cut(view: IndexedRowView): string {
    const text = view.row.subarray(view.textStart, view.textEnd)
    const auxiliary = view.row.subarray(view.textEnd)
    const at = this.#bestPlace(text)
    if (at !== undefined) return this.#mark(text, at)
    const aside = this.#bestPlace(auxiliary)
    if (aside !== undefined) return this.#mark(auxiliary, aside)
    return this.#mark(text, 0)
  }

  /** Byte offset of the part with most different words. */
  #bestPlace(bytes: Buffer): number | undefined {
    const places: Place[] = []
    this.#words.forEach((forms, word) => addPlaces(places, bytes, forms, word, findWholeWord))
    this.#beginnings.forEach((forms, n) =>
      addPlaces(places, bytes, forms, this.#words.length + n, findBeginning),
    )
    if (places.length === 0 && this.#unfinished !== undefined) {
      addPlaces(places, bytes, this.#unfinished, 0, findBeginning)
    }
    if (places.length === 0) return this.#foldedPlace(bytes)
    if (places.length === 1) return places[0]!.at
    places.sort((a, b) => a.at - b.at)
    let best = places[0]!.at
    let most = 0
    for (let n = 0; n < places.length; n++) {
      const { at } = places[n]!
      let words = 0
      // Words beyond the first 32 share bits, which makes no visible difference.
      for (let next = n; next < places.length && places[next]!.at < at + WINDOW_BYTES - LEAD_BYTES; next++) {
        words |= 1 << (places[next]!.word & 31)
      }
      const count = countBits(words)
      if (count > most) {
        best = at
        most = count
      }
    }
    return best
  }

  /** The first word that matches when folded: one with accents, or a longer one with that prefix. */
  #foldedPlace(bytes: Buffer): number | undefined {
    const text = bytes.toString('utf8', 0, Math.min(bytes.length, MAX_DECODED_BYTES))
    let place: number | undefined
    visitSegments(text, (start, end, unspaced) => {
      if (place !== undefined || !this.#mayMatch(text, start)) return
      if (this.#matchesIn(text.slice(start, end), unspaced).length > 0) place = start
    })
    return place === undefined ? undefined : Buffer.byteLength(text.slice(0, place))
  }

  /** Cuts out the text around a place at word boundaries, escapes it, and marks the matches. */
  #mark(bytes: Buffer, place: number): string {
    const start = place <= LEAD_BYTES ? 0 : afterBlank(bytes, place - LEAD_BYTES, place)
    const end = beforeBlank(bytes, Math.min(bytes.length, start + WINDOW_BYTES))
    const text = bytes.toString('utf8', start, end).replaceAll('\n', ' ')
    let html = start > 0 ? '...' : ''
    let done = 0
    visitSegments(text, (wordStart, wordEnd, unspaced) => {
      if (!this.#mayMatch(text, wordStart)) return
      for (const [from, to] of this.#matchesIn(text.slice(wordStart, wordEnd), unspaced)) {
        html += escapeHtml(text.slice(done, wordStart + from))
        done = wordStart + to
        html += OPEN_MARK + escapeHtml(text.slice(wordStart + from, done)) + CLOSE_MARK
      }
    })
    return html + escapeHtml(text.slice(done)) + (end < bytes.length ? '...' : '')
  }

  /** The matching parts of a word in the text: all of it, or parts of a stretch in a script without spaces. */
  #matchesIn(word: string, unspaced: boolean): readonly Match[] {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const matches = unspaced ? this.#pairsIn(word) : this.#wholeMatch(word)
    this.#known.set(word, matches)
    return matches
  }

  /** Quick check by the first letter, for scripts that fold letter by letter. It rejects most words. */
  #mayMatch(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    if (code >= this.#firstLetters.length) return true
    const known = this.#firstLetters[code]
    if (known !== 0) return known === YES
    const matches = this.#initials.has(foldText(text.charAt(at)).charAt(0))
    this.#firstLetters[code] = matches ? YES : NO
    return matches
  }

  #wholeMatch(word: string): readonly Match[] {
    const folded = foldText(word)
    const matches = this.#terms.has(folded) || this.#prefixes.some((prefix) => folded.startsWith(prefix))
    return matches ? [[0, word.length]] : NO_MATCHES
  }

  /** Folding takes most of the time here, so each character is folded once. */
  #pairsIn(stretch: string): readonly Match[] {
    const matches: [from: number, to: number][] = []
    let at = 0
    let before = ''
    let beforeWidth = 0
    for (const character of stretch) {
      const to = at + character.length
      const folded = this.#folded(character)
      const isAlone = this.#singles.has(folded)
      if (isAlone || (this.#firsts.has(before) && this.#terms.has(before + folded))) {
        const from = isAlone ? at : at - beforeWidth
        const last = matches.at(-1)
        if (last !== undefined && last[1] >= from) last[1] = to
        else matches.push([from, to])
      }
      before = folded
      beforeWidth = character.length
      at = to
    }
    if (matches.length < 2) return matches
    // Single pairs of characters occur everywhere. Where the text has a longer match, only that one counts.
    const longest = Math.max(...matches.map(([from, to]) => to - from))
    return matches.filter(([from, to]) => to - from === longest)
  }

  #folded(character: string): string {
    const known = this.#foldedCharacters.get(character)
    if (known !== undefined) return known
    const folded = foldText(character)
    this.#foldedCharacters.set(character, folded)
    return folded
  }
}

interface Place {
  readonly at: number
  /** Index of the word at this place. */
  readonly word: number
}

/** Adds the first occurrences of the usual spellings, or else of the rare ones. */
function addPlaces(
  places: Place[],
  bytes: Buffer,
  { usual, rare }: Spellings,
  word: number,
  find: typeof findWholeWord,
): void {
  const known = places.length
  for (const forms of [usual, rare]) {
    for (const form of forms) {
      let at = -1
      for (let n = 0; n < PLACES_PER_WORD; n++) {
        at = find(bytes, form, at + 1)
        if (at < 0) break
        places.push({ at, word })
      }
    }
    if (places.length > known) return
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

const BLANK = 32
const LINE_BREAK = 10

/** The byte after the first space between `from` and `limit`, else the start of the letter at `from`. */
function afterBlank(bytes: Buffer, from: number, limit: number): number {
  for (let at = from; at < limit; at++) if (bytes[at] === BLANK || bytes[at] === LINE_BREAK) return at + 1
  return startOfLetter(bytes, from)
}

/** The last space before `end` if it is near, else a boundary between letters. */
function beforeBlank(bytes: Buffer, end: number): number {
  if (end >= bytes.length) return bytes.length
  for (let at = end; at > end - 40 && at > 0; at--)
    if (bytes[at] === BLANK || bytes[at] === LINE_BREAK) return at
  return startOfLetter(bytes, end)
}

function startOfLetter(bytes: Buffer, from: number): number {
  let at = from
  while (at > 0 && (bytes[at]! & 0xc0) === 0x80) at--
  return at
}
