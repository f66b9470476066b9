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

import { isInWord, skipGap, skipGapBack, standsAt } from './wordBytes.js'

/** Position of the words to each other in a text. */
export interface Nearness {
  /** Times that all words stand in a row, at most `MAX_COUNTED`. */
  readonly count: number
  /** If they never do: share of the words in the narrowest stretch with all of them, from 0 (none found) to 1. */
  readonly closeness: number
}

/** With the number of places that were looked at. */
interface Places extends Nearness {
  readonly places: number
}

const NOWHERE: Nearness = { count: 0, closeness: 0 }
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

  /**
   * The forms without their first letter: one search then finds small and capital initials. Of a short word the rest
   * occurs everywhere, so it takes two searches, with the letter.
   */
  searched(): Searched {
    if (this.bytes < MIN_REST_BYTES) {
      const [lower, ...others] = this.forms
      return { usual: [lower!, ...others.slice(0, 1)], rare: others.slice(1) }
    }
    const [usual, ...rare] = new Set(this.forms.map((form) => form.toString().replace(/^./su, '')))
    return { usual: [Buffer.from(usual!)], rare: rare.map((rest) => Buffer.from(rest)) }
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
    this.#words = used.map(([typed, folded]) => new Word(typed, folded))
    this.#rowText = [used.map(([typed]) => typed).join(' '), used.map(([, folded]) => folded).join(' ')]
    this.#isOpen = open && used.length === words.length
    const frequencies = used.map(([, folded]) => frequencyOf(folded))
    this.#anchor = indexOfAnchor(this.#words, frequencies)
    this.#searched = this.#words[Math.max(0, this.#anchor)]!.searched()
    this.#bytes = Buffer.byteLength(this.#rowText[0].toLowerCase())
    this.#words.forEach(({ forms }, n) => {
      for (const form of forms) this.#firstBytes[form[0]!]! |= 1 << n
    })
  }

  /**
   * Looks for the words in a text. Compares a few hundred bytes around each checked occurrence of the anchor. Need not
   * find a closeness below `least`, so it compares fewer bytes with it.
   */
  in(bytes: Buffer, least = 0): Nearness {
    if (this.#anchor < 0) return this.#lookForRow(bytes)
    const { usual, rare } = this.#searched
    let found = this.#lookForAll(bytes, usual, least)
    for (const form of rare) found ??= this.#look(bytes, form, least)
    if (found === undefined) return NOWHERE
    if (found.count > 0 || found.places < MAX_PLACES) return found
    const { count } = this.#lookForRow(bytes)
    return { count, closeness: found.closeness }
  }

  /** Counts the rows with single spaces. */
  #lookForRow(bytes: Buffer): Nearness {
    const { word, searched } = (this.#row ??= rowOf(this.#rowText))
    const { usual, rare } = searched
    for (const rest of [...usual, ...rare]) {
      let count = 0
      for (let at = bytes.indexOf(rest); at >= 0 && count < MAX_COUNTED; at = bytes.indexOf(rest, at + 1)) {
        if (!this.#isOpen && isInWord(bytes, at + rest.length)) continue
        if (word.startBefore(bytes, at + rest.length) >= 0) count++
      }
      if (count > 0) return { count, closeness: 0 }
    }
    return NOWHERE
  }

  /** The sum of looking for each of the forms. */
  #lookForAll(bytes: Buffer, forms: readonly Buffer[], least: number): Places | undefined {
    let sum: Places | undefined
    for (const form of forms) {
      const found = this.#look(bytes, form, least)
      if (sum === undefined || found === undefined) sum ??= found
      else {
        sum = {
          count: Math.min(MAX_COUNTED, sum.count + found.count),
          closeness: Math.max(sum.closeness, found.closeness),
          places: Math.max(sum.places, found.places),
        }
      }
    }
    return sum
  }

  /** Undefined when the anchor does not occur. */
  #look(bytes: Buffer, form: Buffer, least: number): Places | undefined {
    const anchor = this.#words[this.#anchor]!
    const isOpen = this.#isOpen && this.#anchor === this.#words.length - 1
    let isThere = false
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
      isThere = true
      if (this.#isRow(bytes, start, end)) count++
      else if (count === 0 && looks++ < MAX_LOOKS) {
        const wanted = Math.max(closeness, least)
        closeness = Math.max(closeness, this.#closenessAround(bytes, start, end, wanted))
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
