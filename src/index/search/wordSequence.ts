/**
 * The words of a query in a text: in a row, or else close together. Works on UTF-8, since decoding a text takes longer
 * than everything else for a result.
 *
 * The search jumps from one occurrence of the longest word, the anchor, to the next. It then compares the other words
 * before and after it:
 *
 *     … the  natural  satellite  of …        words: natural satellite of
 *            ◄──────  anchor     ──►
 */

/** Position of the words to each other in a text. */
export interface Nearness {
  /** Times that all words stand in a row, at most `MAX_COUNTED`. */
  readonly count: number
  /** If they never do: share of the words in the narrowest stretch with all of them, from 0 (none found) to 1. */
  readonly closeness: number
}

const NOWHERE: Nearness = { count: 0, closeness: 0 }
const MAX_COUNTED = 4
/** Occurrences of the anchor to check per spelling. If there are more, rows with single spaces are still found. */
const MAX_PLACES = 32
/** A longer word is an anchor; shorter ones occur everywhere. */
const MIN_ANCHOR_BYTES = 4
/** Occurrences of the anchor to look around for the other words, and bytes on each side. */
const MAX_LOOKS = 4
const NEAR_BYTES = 160
/** Bytes of spaces and punctuation between two words of a row. */
const MAX_GAP_BYTES = 8
/** Further words are not compared. */
const MAX_WORDS = 16

/** Forms of a word without their first letter. */
interface Rests {
  readonly usual: Buffer
  readonly rare: readonly Buffer[]
}

/** One word, or several with single spaces between them. */
class Word {
  /** In lower case, capitalised, in capitals, as typed, and folded. */
  readonly forms: readonly Buffer[]
  readonly bytes: number

  constructor(typed: string, folded: string) {
    const lower = typed.toLowerCase()
    const capitalised = lower.charAt(0).toUpperCase() + lower.slice(1)
    const forms = new Set([lower, capitalised, lower.toUpperCase(), typed, folded])
    this.forms = [...forms].filter((form) => form !== '').map((form) => Buffer.from(form))
    this.bytes = this.forms[0]?.length ?? 0
  }

  /** The forms without their first letter, by frequency: one search then finds small and capital initials. */
  rests(): Rests {
    const [usual, ...rare] = new Set(this.forms.map((form) => form.toString().replace(/^./su, '')))
    return { usual: Buffer.from(usual!), rare: rare.map((rest) => Buffer.from(rest)) }
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
  /** Index of the anchor; -1 if all words are short. */
  readonly #anchor: number
  readonly #isOpen: boolean
  /** Total length of the words with single spaces. */
  readonly #bytes: number
  readonly #rests: Rests
  /** The words with single spaces. */
  readonly #row: Word
  readonly #rowRests: Rests
  /** By first byte of a word: bits of the words with it. */
  readonly #firstBytes = new Int32Array(256)

  /** `words` are at least one, each with its folded form. With `open`, the last one may be incomplete. */
  constructor(words: readonly (readonly [typed: string, folded: string])[], open: boolean) {
    const used = words.slice(0, MAX_WORDS)
    this.#words = used.map(([typed, folded]) => new Word(typed, folded))
    this.#row = new Word(used.map(([typed]) => typed).join(' '), used.map(([, folded]) => folded).join(' '))
    this.#isOpen = open && used.length === words.length
    const longest = indexOfLongest(this.#words)
    this.#anchor = this.#words[longest]!.bytes >= MIN_ANCHOR_BYTES ? longest : -1
    this.#rests = this.#words[longest]!.rests()
    this.#rowRests = this.#row.rests()
    this.#bytes = this.#row.bytes
    this.#words.forEach(({ forms }, n) => {
      for (const form of forms) this.#firstBytes[form[0]!]! |= 1 << n
    })
  }

  /** Looks for the words in a text. Compares a few hundred bytes around each checked occurrence of the anchor. */
  in(bytes: Buffer): Nearness {
    if (this.#anchor < 0) return this.#lookForRow(bytes)
    const { usual, rare } = this.#rests
    let found = this.#look(bytes, usual)
    for (const rest of rare) found ??= this.#look(bytes, rest)
    if (found === undefined) return NOWHERE
    if (found.count > 0 || found.places < MAX_PLACES) return found
    const { count } = this.#lookForRow(bytes)
    return { count, closeness: found.closeness }
  }

  /** Counts the rows with single spaces. */
  #lookForRow(bytes: Buffer): Nearness {
    const { usual, rare } = this.#rowRests
    for (const rest of [usual, ...rare]) {
      let count = 0
      for (let at = bytes.indexOf(rest); at >= 0 && count < MAX_COUNTED; at = bytes.indexOf(rest, at + 1)) {
        if (!this.#isOpen && isInWord(bytes, at + rest.length)) continue
        if (this.#row.startBefore(bytes, at + rest.length) >= 0) count++
      }
      if (count > 0) return { count, closeness: 0 }
    }
    return NOWHERE
  }

  /** Undefined when the anchor does not occur. */
  #look(bytes: Buffer, rest: Buffer): (Nearness & { readonly places: number }) | undefined {
    const anchor = this.#words[this.#anchor]!
    const isOpen = this.#isOpen && this.#anchor === this.#words.length - 1
    let isThere = false
    let count = 0
    let closeness = 0
    let looks = 0
    let places = 0
    for (let at = -1; places < MAX_PLACES && count < MAX_COUNTED; places++) {
      at = bytes.indexOf(rest, at + 1)
      if (at < 0) break
      const end = at + rest.length
      const start = !isOpen && isInWord(bytes, end) ? -1 : anchor.startBefore(bytes, end)
      if (start < 0) continue
      isThere = true
      if (this.#isRow(bytes, start, end)) count++
      else if (count === 0 && this.#words.length > 1 && looks++ < MAX_LOOKS) {
        closeness = Math.max(closeness, this.#closenessAround(bytes, start, end))
      }
    }
    return isThere ? { count, closeness, places } : undefined
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

  /** Share of the words in the stretch with the nearest occurrence of each; 0 if one is too far away. */
  #closenessAround(bytes: Buffer, anchorStart: number, anchorEnd: number): number {
    let missing = (1 << this.#words.length) - 1 - (1 << this.#anchor)
    let low = anchorStart
    let high = anchorEnd
    const limit = Math.min(bytes.length, anchorEnd + NEAR_BYTES)
    for (let at = anchorEnd; at < limit && missing !== 0; at++) {
      const found = this.#wordsAt(bytes, at, missing)
      if (found === 0) continue
      missing &= ~found
      high = at + this.#words[31 - Math.clz32(found)]!.bytes
    }
    const first = Math.max(0, anchorStart - NEAR_BYTES)
    for (let at = anchorStart - 1; at >= first && missing !== 0; at--) {
      const found = this.#wordsAt(bytes, at, missing)
      if (found === 0) continue
      missing &= ~found
      low = at
    }
    return missing === 0 ? Math.min(1, this.#bytes / (high - low)) : 0
  }

  /** Bits of those wanted words that begin at a byte. */
  #wordsAt(bytes: Buffer, at: number, wanted: number): number {
    const possible = this.#firstBytes[bytes[at]!]! & wanted
    if (possible === 0 || isInWord(bytes, at)) return 0
    let found = 0
    for (let rest = possible; rest !== 0; rest &= rest - 1) {
      const n = 31 - Math.clz32(rest & -rest)
      if (this.#words[n]!.endAt(bytes, at, false) >= 0) found |= 1 << n
    }
    return found
  }
}

function indexOfLongest(words: readonly Word[]): number {
  let longest = 0
  words.forEach(({ bytes }, n) => {
    if (bytes > words[longest]!.bytes) longest = n
  })
  return longest
}

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
