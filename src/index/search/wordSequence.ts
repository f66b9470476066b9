/**
 * The words of a query in a text: in a row, or else close together. Works on UTF-8, since decoding a text takes longer
 * than everything else for a result.
 *
 * The search jumps from one occurrence of the rarest word, the anchor, to the next. It then compares the other words
 * before and after it:
 *
 *     … the  natural  satellite  of …        words: natural satellite of
 *            ◄──────  anchor     ──►
 */
import { sizeOf } from '../text/utf8.js'

/** Position of the words to each other in a text. */
export interface Nearness {
  /** Times that all words stand in a row, at most `MAX_COUNTED`. */
  readonly count: number
  /** If they never do: share of the words in the narrowest stretch with all of them, from 0 (none found) to 1. */
  readonly closeness: number
}

/** What was found in a text so far. */
class Found implements Nearness {
  count = 0
  closeness = 0
  /** The anchor is there. */
  isThere = false
  /** Places that were looked at for one spelling, at most. */
  places = 0
}

const MAX_COUNTED = 4
/** Occurrences of the anchor to check per spelling. If there are more, rows with single spaces are still found. */
const MAX_PLACES = 32
/** Shorter words are no anchors, since they occur everywhere. */
const MIN_ANCHOR_BYTES = 3
/** From this length on, a word without its first letter is rare enough to be searched. */
const MIN_REST_BYTES = 6
/** Occurrences of the anchor to look around for the other words, and bytes on each side. */
const MAX_LOOKS = 4
const NEAR_BYTES = 160
/** Further words are not compared. */
const MAX_WORDS = 16

/** Bytes to search for to find a word. */
interface Searched {
  /** To be searched for all. */
  readonly usual: readonly Buffer[]
  /** One after the other, until one is found. */
  readonly rare: readonly Buffer[]
}

/**
 * One word, or several with single spaces between them.
 *
 * Lists here grow by `push`: those of `map` have another type once `map` is compiled, and the compiled code that reads
 * them would be dropped.
 */
class Word {
  /** In lower case, capitalised, in capitals, as typed, and folded. */
  readonly forms: readonly Buffer[]
  readonly bytes: number

  constructor(typed: string, folded: string) {
    const lower = typed.toLowerCase()
    const capitalised = lower.charAt(0).toUpperCase() + lower.slice(1)
    const forms: Buffer[] = []
    for (const form of new Set([lower, capitalised, lower.toUpperCase(), typed, folded])) {
      if (form !== '') forms.push(Buffer.from(form))
    }
    this.forms = forms
    this.bytes = forms.length === 0 ? 0 : forms[0]!.length
  }

  /**
   * The forms without their first letter: one search then finds small and capital initials. Of a short word the rest
   * occurs everywhere, so it takes two searches, with the letter.
   *
   * A first letter without a capital stays too, or other words would fill the places. Only its last byte is searched:
   * most letters of a script begin with the same bytes, at which a search would stop each time.
   */
  searched(): Searched {
    const { forms } = this
    if (this.bytes < MIN_REST_BYTES) return { usual: forms.slice(0, 2), rare: forms.slice(2) }
    const rests = distinct(forms, (first) => first)
    const searched = rests.length < forms.length ? rests : distinct(forms, (first) => first - 1)
    return { usual: searched.slice(0, 1), rare: searched.slice(1) }
  }

  /** End of the word at byte `at`, or -1. With `open`, the word in the text may be longer. */
  endAt(bytes: Buffer, at: number, open: boolean): number {
    for (const form of this.forms) {
      if (!standsAt(bytes, at, form)) continue
      const end = at + form.length
      if (open || !isInWord(bytes, end)) return end
    }
    return -1
  }

  /** Start of the word that ends at byte `end`, or -1. */
  startBefore(bytes: Buffer, end: number): number {
    for (const form of this.forms) {
      const at = end - form.length
      if (at < 0 || !standsAt(bytes, at, form)) continue
      if (!isInWord(bytes, at)) return at
    }
    return -1
  }
}

export class WordSequence {
  readonly #words: readonly Word[]
  /** Index of the anchor; -1 if all words are too short. */
  readonly #anchor: number
  readonly #isOpen: boolean
  /** Total length of the words with single spaces. */
  readonly #bytes: number
  readonly #searched: Searched
  /** The words with single spaces. */
  readonly #rowText: readonly [typed: string, folded: string]
  /** Made for the first text that needs it. Few do. */
  #row: { readonly word: Word; readonly searched: Searched } | undefined
  /** By first byte of a word: bits of the words with it. */
  readonly #firstBytes = new Int32Array(256)

  /**
   * `words` are at least one, each with its folded form. With `open`, the last one may be incomplete. `frequencyOf`
   * gives the number of texts with a folded word, or 0 if unknown: the anchor is the rarest word, then the longest.
   */
  constructor(
    words: readonly (readonly [typed: string, folded: string])[],
    open: boolean,
    frequencyOf: (folded: string) => number = () => 0,
  ) {
    const used = words.slice(0, MAX_WORDS)
    const all: Word[] = []
    const frequencies: number[] = []
    for (const [typed, folded] of used) {
      all.push(new Word(typed, folded))
      frequencies.push(frequencyOf(folded))
    }
    this.#words = all
    this.#rowText = [used.map(([typed]) => typed).join(' '), used.map(([, folded]) => folded).join(' ')]
    this.#isOpen = open && used.length === words.length
    this.#anchor = indexOfAnchor(all, frequencies)
    this.#searched = all[Math.max(0, this.#anchor)]!.searched()
    this.#bytes = Buffer.byteLength(this.#rowText[0].toLowerCase())
    all.forEach(({ forms }, n) => {
      for (const form of forms) this.#firstBytes[form[0]!]! |= 1 << n
    })
  }

  /**
   * Looks for the words in a text. Compares a few hundred bytes around each checked occurrence of the anchor. Need not
   * find a closeness below `least`, so it compares fewer bytes with it.
   */
  in(bytes: Buffer, least = 0): Nearness {
    const found = new Found()
    if (this.#anchor >= 0) {
      const { usual, rare } = this.#searched
      for (const form of usual) this.#look(bytes, form, least, found)
      for (const form of rare) if (!found.isThere) this.#look(bytes, form, least, found)
      if (found.count > 0 || found.places < MAX_PLACES) return found
    }
    found.count = this.#countRows(bytes)
    return found
  }

  /** Counts the rows with single spaces. */
  #countRows(bytes: Buffer): number {
    const { word, searched } = (this.#row ??= rowOf(this.#rowText))
    const { usual, rare } = searched
    for (const rest of [...usual, ...rare]) {
      let count = 0
      for (let at = bytes.indexOf(rest); at >= 0 && count < MAX_COUNTED; at = bytes.indexOf(rest, at + 1)) {
        if (!this.#isOpen && isInWord(bytes, at + rest.length)) continue
        if (word.startBefore(bytes, at + rest.length) >= 0) count++
      }
      if (count > 0) return count
    }
    return 0
  }

  /** Adds what there is around the places of one form. */
  #look(bytes: Buffer, form: Buffer, least: number, found: Found): void {
    const anchor = this.#words[this.#anchor]!
    const isOpen = this.#isOpen && this.#anchor === this.#words.length - 1
    let count = 0
    let closeness = 0
    let looks = this.#words.length > 1 && least <= 1 ? 0 : MAX_LOOKS
    let places = 0
    for (let at = -1; places < MAX_PLACES && count < MAX_COUNTED; places++) {
      at = bytes.indexOf(form, at + 1)
      if (at < 0) break
      const end = at + form.length
      const start = !isOpen && isInWord(bytes, end) ? -1 : anchor.startBefore(bytes, end)
      if (start < 0) continue
      found.isThere = true
      if (this.#isRow(bytes, start, end)) count++
      else if (count === 0 && looks++ < MAX_LOOKS) {
        const wanted = Math.max(closeness, least)
        closeness = Math.max(closeness, this.#closenessAround(bytes, start, end, wanted))
      }
    }
    found.count = Math.min(MAX_COUNTED, found.count + count)
    found.closeness = Math.max(found.closeness, closeness)
    found.places = Math.max(found.places, places)
  }

  #isRow(bytes: Buffer, anchorStart: number, anchorEnd: number): boolean {
    for (let n = this.#anchor + 1, at = anchorEnd; n < this.#words.length; n++) {
      const next = skipGap(bytes, at)
      if (next < 0) return false
      at = this.#words[n]!.endAt(bytes, next, this.#isOpen && n === this.#words.length - 1)
      if (at < 0) return false
    }
    for (let n = this.#anchor - 1, at = anchorStart; n >= 0; n--) {
      const end = skipGapBack(bytes, at)
      if (end < 0) return false
      at = this.#words[n]!.startBefore(bytes, end)
      if (at < 0) return false
    }
    return true
  }

  /**
   * Share of the words in the stretch with the nearest occurrence of each after the anchor, or else before it. 0 if
   * that is below `least`. So later occurrences of the anchor take little time.
   */
  #closenessAround(bytes: Buffer, anchorStart: number, anchorEnd: number, least: number): number {
    const reach = least > 0 ? Math.min(NEAR_BYTES, Math.ceil(this.#bytes / least)) : NEAR_BYTES
    const firstBytes = this.#firstBytes
    let missing = (1 << this.#words.length) - 1 - (1 << this.#anchor)
    let low = anchorStart
    let high = anchorEnd
    const limit = Math.min(bytes.length, anchorEnd + reach)
    for (let at = anchorEnd; at < limit && missing !== 0; at++) {
      if ((firstBytes[bytes[at]!]! & missing) === 0) continue
      const found = this.#wordsAt(bytes, at, missing)
      if (found === 0) continue
      missing &= ~found
      high = at + this.#words[31 - Math.clz32(found)]!.bytes
    }
    const before = missing
    const first = Math.max(0, anchorStart - reach)
    for (let at = anchorStart - 1; at >= first && missing !== 0; at--) {
      if ((firstBytes[bytes[at]!]! & missing) === 0) continue
      const found = this.#wordsAt(bytes, at, missing)
      if (found === 0) continue
      missing &= ~found
      low = at
    }
    if (missing !== 0) return 0
    // An occurrence after the anchor counts, even if one before it is nearer. Then the share is below the least.
    if (before !== 0 && this.#hasAny(bytes, limit, anchorEnd + NEAR_BYTES, before)) return 0
    return Math.min(1, this.#bytes / (high - low))
  }

  /** Whether one of those wanted words begins in this range. */
  #hasAny(bytes: Buffer, from: number, to: number, wanted: number): boolean {
    const limit = Math.min(bytes.length, to)
    for (let at = from; at < limit; at++) {
      if ((this.#firstBytes[bytes[at]!]! & wanted) !== 0 && this.#wordsAt(bytes, at, wanted) !== 0)
        return true
    }
    return false
  }

  /** Bits of those wanted words that begin at a byte. Callers check its first byte before. */
  #wordsAt(bytes: Buffer, at: number, wanted: number): number {
    const possible = this.#firstBytes[bytes[at]!]! & wanted
    if (isInWord(bytes, at)) return 0
    let found = 0
    for (let rest = possible; rest !== 0; rest &= rest - 1) {
      const n = 31 - Math.clz32(rest & -rest)
      if (this.#words[n]!.endAt(bytes, at, false) >= 0) found |= 1 << n
    }
    return found
  }
}

/** The forms without `cut` bytes of their first letter, which has that size. */
function distinct(forms: readonly Buffer[], cut: (size: number) => number): Buffer[] {
  const parts: Buffer[] = []
  for (const form of forms) {
    const rest = form.subarray(cut(sizeOf(form[0]!)))
    if (!parts.some((part) => part.equals(rest))) parts.push(rest)
  }
  return parts
}

function rowOf(text: readonly [typed: string, folded: string]): { word: Word; searched: Searched } {
  const word = new Word(...text)
  return { word, searched: word.searched() }
}

/** Of the words that are long enough; -1 if none is. */
function indexOfAnchor(words: readonly Word[], frequencies: readonly number[]): number {
  let anchor = -1
  words.forEach(({ bytes }, n) => {
    if (bytes < MIN_ANCHOR_BYTES) return
    const isBetter =
      anchor < 0 ||
      frequencies[n]! < frequencies[anchor]! ||
      (frequencies[n] === frequencies[anchor] && bytes > words[anchor]!.bytes)
    if (isBetter) anchor = n
  })
  return anchor
}

// Letters, signs and the gaps between words, in UTF-8.

/** Bytes of spaces and punctuation between two words of a row. */
const MAX_GAP_BYTES = 8

/** Tells if these bytes stand at a place. */
function standsAt(bytes: Buffer, at: number, form: Buffer): boolean {
  for (let n = 0; n < form.length; n++) if (bytes[at + n] !== form[n]) return false
  return true
}

/** Tells if both neighbours of a place are letters of one word. Each letter of three bytes counts as a word. */
const isInWord = (bytes: Buffer, at: number): boolean => endsLetter(bytes, at) && beginsLetter(bytes[at])

function endsLetter(bytes: Buffer, at: number): boolean {
  const byte = bytes[at - 1]
  if (byte === undefined || byte < 0x80) return isAsciiWord(byte)
  return byte < 0xc0 && isLetterLead(bytes[at - 2])
}

const beginsLetter = (byte: number | undefined): boolean => isAsciiWord(byte) || isLetterLead(byte)

/** First byte of letters with two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic. */
const isLetterLead = (byte: number | undefined): boolean => byte !== undefined && byte >= 0xc3 && byte < 0xe0

/** The byte after spaces and punctuation, or -1 when there is a letter or too much of them. */
function skipGap(bytes: Buffer, from: number): number {
  let at = from
  for (let size = gapAt(bytes, at); size > 0; size = gapAt(bytes, at)) at += size
  const isSplit = at > from || !isInWord(bytes, from)
  return isSplit && at - from <= MAX_GAP_BYTES ? at : -1
}

/** The same backwards. */
function skipGapBack(bytes: Buffer, from: number): number {
  let at = from
  for (let size = gapBefore(bytes, at); size > 0; size = gapBefore(bytes, at)) at -= size
  const isSplit = at < from || !isInWord(bytes, from)
  return isSplit && from - at <= MAX_GAP_BYTES ? at : -1
}

/** Size of the space or sign at a byte; 0 for a letter, and at the end. */
function gapAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) return 0
  if (byte < 0x80) return isAsciiWord(byte) ? 0 : 1
  return isSign(byte, bytes[at + 1]) ? signBytes(byte) : 0
}

function gapBefore(bytes: Buffer, end: number): number {
  const byte = bytes[end - 1]
  if (byte === undefined) return 0
  if (byte < 0x80) return isAsciiWord(byte) ? 0 : 1
  for (const size of [2, 3]) {
    const lead = bytes[end - size]
    if (lead !== undefined && signBytes(lead) === size && isSign(lead, bytes[end - size + 1])) return size
  }
  return 0
}

/** Signs of Latin-1 (C2), general punctuation (E2 80, E2 81), and that of Chinese and Japanese (E3 80). */
const isSign = (lead: number, next: number | undefined): boolean =>
  lead === 0xc2 || (lead === 0xe2 && (next === 0x80 || next === 0x81)) || (lead === 0xe3 && next === 0x80)

const signBytes = (lead: number): number => (lead === 0xc2 ? 2 : lead === 0xe2 || lead === 0xe3 ? 3 : 0)

function isAsciiWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return (lower >= 97 && lower <= 122) || (byte >= 48 && byte <= 57)
}
