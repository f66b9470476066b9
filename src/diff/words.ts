/** Cuts lines into words: runs of letters, and every other character as a word of its own. */
import { bringsThaiRules, isLetter } from './letters.js'
import { thaiBreaks, type ThaiBreaker } from './thaiBreaks.js'

const SPACE = 0x20
const TAB = 0x09
const ASCII_END = 0x80
/** Id of a single blank at the start of a line, where a space and a tab are the same word. */
const LEADING_BLANK = 0

/** A line's words in order. A U+0000 ends the line: no word holds the text after it. */
export interface Words {
  readonly line: string
  /** An id for each word; words with the same text share an id. */
  readonly ids: readonly number[]
  /** UTF-16 index in `line` at which each word starts, and the end of the last word. */
  readonly starts: readonly number[]
  /** The same positions in bytes of UTF-8. */
  readonly byteStarts: readonly number[]
}

/** Numbers words by their text, consistently for all lines that it cuts. */
export class WordCutter {
  readonly #breaker: ThaiBreaker
  readonly #words = new Map<string, number>()
  /** Ids of one-character words by code point: ASCII (0 for none yet), and others. */
  readonly #asciiCharacters = new Array<number>(ASCII_END).fill(0)
  readonly #characters = new Map<number, number>()
  #count = LEADING_BLANK + 1

  constructor(breaker: ThaiBreaker) {
    this.#breaker = breaker
  }

  /** One above the highest id so far. */
  get wordCount(): number {
    return this.#count
  }

  cut(line: string): Words {
    const terminator = line.indexOf('\0')
    const end = terminator < 0 ? line.length : terminator
    return (
      this.#cut(line, end, undefined) ?? this.#cut(line, end, thaiBreaks(line.slice(0, end), this.#breaker))!
    )
  }

  /** Undefined if the line needs Thai breaks and `breaks` is missing. `breaks[n]` is 1 for a break before unit n. */
  #cut(line: string, end: number, breaks: Uint8Array | undefined): Words | undefined {
    const ids: number[] = []
    const starts: number[] = []
    // In ASCII lines, UTF-16 units are bytes.
    const byteStarts = Buffer.byteLength(line) === line.length ? starts : []
    let at = 0
    let byteOffset = 0
    while (at < end) {
      const start = at
      starts.push(start)
      if (byteStarts !== starts) byteStarts.push(byteOffset)
      let codePoint = line.charCodeAt(at)
      if (codePoint >= 0xd800) codePoint = line.codePointAt(at)!
      at += codePoint > 0xffff ? 2 : 1
      byteOffset += utf8Length(codePoint)
      if (!isLetter(codePoint)) {
        ids.push(this.#characterId(codePoint))
        continue
      }
      for (;;) {
        if (breaks === undefined && bringsThaiRules(codePoint)) return undefined
        if (at >= end || breaks?.[at] === 1) break
        codePoint = line.charCodeAt(at)
        if (codePoint >= 0xd800) codePoint = line.codePointAt(at)!
        if (!isLetter(codePoint)) break
        at += codePoint > 0xffff ? 2 : 1
        byteOffset += utf8Length(codePoint)
      }
      ids.push(
        at === start + 1 ? this.#characterId(line.charCodeAt(start)) : this.#wordId(line.slice(start, at)),
      )
    }
    starts.push(at)
    if (byteStarts !== starts) byteStarts.push(byteOffset)
    if (isBlank(line, 0, end) && !isBlank(line, 1, end)) ids[0] = LEADING_BLANK
    return { line, ids, starts, byteStarts }
  }

  #wordId(text: string): number {
    let id = this.#words.get(text)
    if (id === undefined) this.#words.set(text, (id = this.#count++))
    return id
  }

  #characterId(codePoint: number): number {
    if (codePoint < ASCII_END) return (this.#asciiCharacters[codePoint] ||= this.#count++)
    let id = this.#characters.get(codePoint)
    if (id === undefined) this.#characters.set(codePoint, (id = this.#count++))
    return id
  }
}

function utf8Length(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
}

function isBlank(line: string, at: number, end: number): boolean {
  const code = at < end ? line.charCodeAt(at) : -1
  return code === SPACE || code === TAB
}
