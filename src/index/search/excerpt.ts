/** Excerpts: the part of a page's text with most of the query's words, which are marked. */
import { OR } from './letterSpellings.js'
import type { IndexedRowView } from '../rows/indexedRow.js'
import type { JsonBytes } from './jsonBytes.js'
import type { Query } from './query.js'
import { joins } from '../text/fold.js'
import { isUnspaced } from '../text/segments.js'
import { codePointAt } from '../text/utf8.js'
import { type MatchVisitor, QueryWords } from './queryWords.js'

// Word search in UTF-8 bytes. Decoding a text would take longer than everything else for a result.

/** Spellings of a word in UTF-8, by frequency. */
interface Spellings {
  /** In lower case, and with a capital first letter. */
  readonly usual: readonly Buffer[]
  /** With a capital first letter in every word, all in capitals, and as typed. */
  readonly rare: readonly Buffer[]
}

function spellings(term: string): Spellings {
  if (term.includes(OR)) {
    const all = term.split(OR).map(spellings)
    return { usual: all.flatMap(({ usual }) => usual), rare: all.flatMap(({ rare }) => rare) }
  }
  return spellingsOf(term)
}

function spellingsOf(text: string): Spellings {
  const lower = text.toLowerCase()
  const usual = new Set([lower, lower.charAt(0).toUpperCase() + lower.slice(1)])
  const capitalised = lower.replace(/(^|\s)(\S)/g, (all) => all.toUpperCase())
  const rare = new Set([capitalised, lower.toUpperCase(), text].filter((form) => !usual.has(form)))
  const encode = (forms: ReadonlySet<string>): Buffer[] => [...forms].map((form) => Buffer.from(form))
  return { usual: encode(usual), rare: encode(rare) }
}

/** Occurrences to check per spelling, since some are parts of other words. */
const MAX_TRIES = 16

/** Byte offset of the first occurrence as whole words, at or after `from`, or -1. */
function findWholeWord(bytes: Buffer, form: Buffer, from: number): number {
  return find(bytes, form, from, true)
}

/** Byte offset of the first occurrence at the beginning of a word, at or after `from`, or -1. */
function findBeginning(bytes: Buffer, form: Buffer, from: number): number {
  return find(bytes, form, from, false)
}

function find(bytes: Buffer, form: Buffer, from: number, whole: boolean): number {
  let at = from
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    at = bytes.indexOf(form, at)
    if (at < 0) return -1
    if (!isAsciiWord(form[0]) || !isAsciiWord(bytes[at - 1])) {
      const end = at + form.length
      if (!whole || !isAsciiWord(form[form.length - 1]) || !isAsciiWord(bytes[end])) return at
    }
    at++
  }
  return -1
}

function isAsciiWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return (lower >= 97 && lower <= 122) || (byte >= 48 && byte <= 57)
}

/** Bytes of an excerpt, and how many of them precede the first match. */
const WINDOW_BYTES = 240
const LEAD_BYTES = 60
/** Occurrences to consider per word. */
const PLACES_PER_WORD = 4
/** Bytes to read word by word. A search for usual spellings, which takes less time for a byte, reads the rest. */
const READ_BYTES = 1024
/** Bytes to look through for all terms of scripts without spaces at once. A search for each reads the rest. */
const SCANNED_BYTES = 4096
/** Bytes to read word by word when the text has no usual spelling of any word. */
const MAX_READ_BYTES = 16 * 1024

const OPEN_MARK = "<span class='searchmatch'>"
const CLOSE_MARK = '</span>'

/** Cuts excerpts for one query. */
export class Excerpts {
  readonly #words: QueryWords
  /** Number of words that a place may have. The last word as a beginning counts only if there are no others. */
  readonly #wordCount: number
  readonly #spellings: Spellings[] = []
  /** Those in one text after the other. */
  readonly #places: Places
  readonly #addPlace: MatchVisitor

  constructor(query: Pick<Query, 'terms' | 'prefixes' | 'unfinished'>) {
    this.#words = new QueryWords(query)
    this.#wordCount = query.terms.length + query.prefixes.length
    const places = new Places(this.#wordCount)
    this.#places = places
    this.#addPlace = (at, _end, word) => {
      places.add(at, word)
      return places.isFull
    }
  }

  /**
   * Appends a page's excerpt, as HTML within a JSON string. When only the title matches, the beginning of the text;
   * nothing for an empty page.
   */
  cut(view: IndexedRowView, into: JsonBytes): void {
    const text = view.row.subarray(view.textStart, view.textEnd)
    const at = this.#bestPlace(text)
    if (at !== undefined) return this.#mark(text, at, into)
    const auxiliary = view.row.subarray(view.textEnd)
    const aside = this.#bestPlace(auxiliary)
    if (aside !== undefined) return this.#mark(auxiliary, aside, into)
    this.#mark(text, 0, into)
  }

  /** Byte offset of the part with most different words. */
  #bestPlace(bytes: Buffer): number | undefined {
    const places = this.#places
    places.clear()
    const read = beforeBlank(bytes, READ_BYTES)
    this.#words.visitSpaced(bytes, 0, read, this.#addPlace)
    const scanned = beforeBlank(bytes, SCANNED_BYTES)
    if (!places.areTogether) this.#readUnspaced(bytes, scanned)
    if (!places.areTogether) this.#searchPlaces(bytes, read, scanned)
    if (places.isEmpty) this.#readOtherSpellings(bytes, read)
    return places.best
  }

  /** Adds places of terms in scripts without spaces, spelt as they are. */
  #readUnspaced(bytes: Buffer, to: number): void {
    this.#words.unspaced.visit(bytes, 0, to, (at, word) => this.#addPlace(at, at, word))
  }

  /** Adds the first occurrences after what was read or scanned, in the usual spellings, or else in rare ones. */
  #searchPlaces(bytes: Buffer, read: number, scanned: number): void {
    const { terms, prefixes } = this.#words
    const places = this.#places
    for (let word = 0; word < this.#wordCount; word++) {
      if (places.hasEnough(word)) continue
      const text = terms[word] ?? prefixes[word - terms.length]!
      const from = isUnspaced(text) ? scanned : read
      if (from >= bytes.length) continue
      const find = word < terms.length ? findWholeWord : findBeginning
      const { usual, rare } = (this.#spellings[word] ??= spellings(text))
      let isFound = false
      for (const form of usual) if (addOccurrences(bytes, form, from, word, find, places)) isFound = true
      if (!isFound) for (const form of rare) addOccurrences(bytes, form, from, word, find, places)
    }
  }

  /** Adds the places after byte `read`, and those of terms in scripts without spaces, in all spellings. */
  #readOtherSpellings(bytes: Buffer, read: number): void {
    const to = beforeBlank(bytes, MAX_READ_BYTES)
    this.#words.visitSpaced(bytes, read, to, this.#addPlace)
    if (this.#places.isEmpty) this.#words.visitUnspaced(bytes, 0, to, this.#addPlace)
  }

  /** Cuts out the text around a place at word boundaries, escapes it, and marks the matches. */
  #mark(bytes: Buffer, place: number, into: JsonBytes): void {
    // Near its end, a text has more to show before the place.
    const from = Math.min(place - LEAD_BYTES, bytes.length - WINDOW_BYTES)
    const start = from <= 0 ? 0 : afterBlank(bytes, from, place)
    const end = beforeBlank(bytes, Math.min(bytes.length, start + WINDOW_BYTES))
    if (start > 0) into.text('...')
    let done = start
    this.#words.visit(bytes, start, end, (from, to) => {
      into.escape(bytes, done, from).text(OPEN_MARK).escape(bytes, from, to).text(CLOSE_MARK)
      done = to
      return false
    })
    into.escape(bytes, done, end)
    if (end < bytes.length) into.text('...')
  }
}

/** The places of words in one text. The next text takes their memory. */
class Places {
  readonly #wordCount: number
  /** Byte offsets in order, and the word at each. */
  readonly #at: number[] = []
  readonly #words: number[] = []
  #length = 0
  readonly #counts: number[]
  #missing: number
  /** The first place of the last word as a beginning. */
  #begun: number | undefined
  /** The place that `#densest` has found. */
  #best = 0

  constructor(wordCount: number) {
    this.#wordCount = wordCount
    this.#counts = new Array<number>(wordCount).fill(0)
    this.#missing = wordCount
  }

  clear(): void {
    this.#length = 0
    this.#counts.fill(0)
    this.#missing = this.#wordCount
    this.#begun = undefined
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** One excerpt can show all words. */
  get areTogether(): boolean {
    return this.#missing === 0 && (this.#wordCount < 2 || this.#densest() === this.#wordCount)
  }

  /** Places behind these would not change the best one. */
  get isFull(): boolean {
    if (this.#missing > 0) return false
    return this.areTogether || this.#counts.every((count) => count >= PLACES_PER_WORD)
  }

  /** Further places of this word would not count. */
  hasEnough(word: number): boolean {
    return this.#counts[word]! >= PLACES_PER_WORD
  }

  add(at: number, word: number): void {
    if (word === this.#wordCount) {
      this.#begun ??= at
      return
    }
    const count = this.#counts[word]!++
    if (count === 0) this.#missing--
    if (count >= PLACES_PER_WORD) return
    const offsets = this.#at
    const words = this.#words
    let n = this.#length++
    for (; n > 0 && offsets[n - 1]! > at; n--) {
      offsets[n] = offsets[n - 1]!
      words[n] = words[n - 1]!
    }
    offsets[n] = at
    words[n] = word
  }

  /** Byte offset of the part with most different words. */
  get best(): number | undefined {
    if (this.#length === 0) return this.#begun
    this.#densest()
    return this.#best
  }

  /** Finds the first place with most different words from there on, and returns their number. */
  #densest(): number {
    const offsets = this.#at
    const length = this.#length
    let most = 0
    for (let n = 0; n < length; n++) {
      const at = offsets[n]!
      let words = 0
      // Words beyond the first 32 share bits, which makes no visible difference.
      for (let next = n; next < length && offsets[next]! < at + WINDOW_BYTES - LEAD_BYTES; next++) {
        words |= 1 << (this.#words[next]! & 31)
      }
      const count = countBits(words)
      if (count > most) {
        this.#best = at
        most = count
      }
    }
    return most
  }
}

/** Adds the first occurrences of one spelling. False if there are none. */
function addOccurrences(
  bytes: Buffer,
  form: Buffer,
  from: number,
  word: number,
  find: typeof findWholeWord,
  places: Places,
): boolean {
  let at = from - 1
  for (let n = 0; n < PLACES_PER_WORD; n++) {
    at = find(bytes, form, at + 1)
    if (at < 0) return n > 0
    places.add(at, word)
  }
  return true
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

/** A voicing mark belongs to the letter before. */
function startOfLetter(bytes: Buffer, from: number): number {
  const at = startOfCharacter(bytes, from)
  return at > 0 && joins(0, codePointAt(bytes, at)) ? startOfCharacter(bytes, at - 1) : at
}

function startOfCharacter(bytes: Buffer, from: number): number {
  let at = from
  while (at > 0 && (bytes[at]! & 0xc0) === 0x80) at--
  return at
}
