/** Word diffs of pairs of lines: their similarity, and one merged line with the differences marked. */
import { countMiddlePairs, editScript } from './editScript.js'
import type { HighlightRange } from './entries.js'
import type { ItemTable } from './itemTable.js'
import { lineOfNumber, type NumberedLines, numberCount } from './lineNumbers.js'
import { type Operation, replacement } from './operations.js'
import { type ThaiBreaker, thaiBreaks } from './thaiBreaks.js'
import { bringsThaiRules, isLetter } from './letters.js'

/** Lines with more pairs of words than this, not counting equal ends, count as replaced whole and never as moved. */
const MAX_WORD_PAIRS = 40_000_000

const DELETED = 1
const ADDED = 0

/** Two lines in one text. Common words appear once, as the old line spells them; deleted words precede added ones. */
export interface MergedLine {
  readonly text: string
  readonly highlightRanges: readonly HighlightRange[]
}

/** Cuts every line once and compares every pair once. It knows lines by their numbers. */
export class WordDiffs {
  readonly #lines: NumberedLines
  readonly #count: number
  readonly #cutter: WordCutter
  readonly #table: ItemTable
  readonly #words: (Words | undefined)[] = []
  readonly #scripts = new Map<number, Operation[]>()
  readonly #moveSimilarities = new Map<number, number>()

  constructor(lines: NumberedLines, table: ItemTable, breaker: ThaiBreaker) {
    this.#table = table
    this.#lines = lines
    this.#count = numberCount(lines)
    this.#cutter = new WordCutter(breaker)
  }

  /** The part of a line that is cut into words: all of it, or the part before a U+0000. */
  wordText(line: number): string {
    const { line: text, starts } = this.#wordsOf(line)
    return text.slice(0, starts.at(-1))
  }

  /** True if the similarity is above `threshold`: bytes in common words divided by all bytes, from 0 to 1. */
  isAlike(oldLine: number, newLine: number, threshold: number): boolean {
    const from = this.#wordsOf(oldLine)
    const to = this.#wordsOf(newLine)
    if (!this.#mayExceed(from, to, threshold)) return false
    return similarity(from, to, this.#script(oldLine, newLine)) > threshold
  }

  /**
   * The similarity of two lines if it is above `threshold`, otherwise 0. Compares from the new line to the old one; the
   * other direction can give another value. Lines with too many words give 0.
   */
  moveSimilarity(oldLine: number, newLine: number, threshold: number): number {
    const from = this.#wordsOf(newLine)
    const to = this.#wordsOf(oldLine)
    if (!this.#mayExceed(from, to, threshold)) return 0
    const pair = newLine * this.#count + oldLine
    let known = this.#moveSimilarities.get(pair)
    if (known === undefined) {
      known = exceedsWordPairs(from, to) ? 0 : similarity(from, to, this.#script(newLine, oldLine))
      this.#moveSimilarities.set(pair, known)
    }
    return known > threshold ? known : 0
  }

  merge(oldLine: number, newLine: number): MergedLine {
    const from = this.#wordsOf(oldLine)
    const to = this.#wordsOf(newLine)
    const script = exceedsWordPairs(from, to)
      ? [replacement(0, from.ids.length, 0, to.ids.length)]
      : this.#script(oldLine, newLine)
    return mergeWords(from, to, script)
  }

  #wordsOf(line: number): Words {
    return (this.#words[line] ??= this.#cutter.cut(lineOfNumber(this.#lines, line)))
  }

  #script(fromLine: number, toLine: number): Operation[] {
    const pair = fromLine * this.#count + toLine
    let script = this.#scripts.get(pair)
    if (script === undefined) {
      const from = this.#wordsOf(fromLine).ids
      const to = this.#wordsOf(toLine).ids
      this.#table.reserve(this.#cutter.wordCount)
      script = editScript(from, to, this.#table)
      this.#scripts.set(pair, script)
    }
    return script
  }

  /** A cheap upper bound: true if the similarity may be above `threshold`. Ignores the order of words. */
  #mayExceed(a: Words, b: Words, threshold: number): boolean {
    const aBytes = a.byteStarts.at(-1)!
    const bBytes = b.byteStarts.at(-1)!
    const longer = Math.max(aBytes, bBytes)
    return Math.min(aBytes, bBytes) / longer > threshold && this.#sharedBytes(a, b) / longer > threshold
  }

  /** Bytes of the words that `a` and `b` share, each counted as often as both have it. */
  #sharedBytes(a: Words, b: Words): number {
    this.#table.reserve(this.#cutter.wordCount)
    const { counts } = this.#table
    for (const word of a.ids) counts[word]!++
    let shared = 0
    for (let n = 0; n < b.ids.length; n++) {
      if (counts[b.ids[n]!]! > 0) {
        counts[b.ids[n]!]!--
        shared += b.byteStarts[n + 1]! - b.byteStarts[n]!
      }
    }
    for (const word of a.ids) counts[word] = 0
    return shared
  }
}

function exceedsWordPairs(from: Words, to: Words): boolean {
  return (
    from.ids.length * to.ids.length > MAX_WORD_PAIRS && countMiddlePairs(from.ids, to.ids) > MAX_WORD_PAIRS
  )
}

/** Bytes in copied words divided by all bytes. A change counts with its longer side. 0 when nothing is copied. */
function similarity(from: Words, to: Words, script: readonly Operation[]): number {
  let copied = 0
  let total = 0
  for (const { kind, fromStart, fromEnd, toStart, toEnd } of script) {
    const fromBytes = from.byteStarts[fromEnd]! - from.byteStarts[fromStart]!
    if (kind === 'copy') {
      copied += fromBytes
      total += fromBytes
    } else {
      total += Math.max(fromBytes, to.byteStarts[toEnd]! - to.byteStarts[toStart]!)
    }
  }
  return copied === 0 ? 0 : copied / total
}

function mergeWords(from: Words, to: Words, script: readonly Operation[]): MergedLine {
  const highlightRanges: HighlightRange[] = []
  let text = ''
  let bytes = 0
  for (const { kind, fromStart, fromEnd, toStart, toEnd } of script) {
    if (fromEnd > fromStart) {
      const length = from.byteStarts[fromEnd]! - from.byteStarts[fromStart]!
      text += from.line.slice(from.starts[fromStart], from.starts[fromEnd])
      if (kind !== 'copy') highlightRanges.push({ start: bytes, length, type: DELETED })
      bytes += length
    }
    if (kind !== 'copy' && toEnd > toStart) {
      const length = to.byteStarts[toEnd]! - to.byteStarts[toStart]!
      text += to.line.slice(to.starts[toStart], to.starts[toEnd])
      highlightRanges.push({ start: bytes, length, type: ADDED })
      bytes += length
    }
  }
  return { text, highlightRanges }
}

// Cuts lines into words: runs of letters, and every other character as a word of its own.

const SPACE = 0x20
const TAB = 0x09
const ASCII_END = 0x80
/** Id of a single blank at the start of a line, where a space and a tab are the same word. */
const LEADING_BLANK = 0

/** A line's words in order. A U+0000 ends the line: no word holds the text after it. */
interface Words {
  readonly line: string
  /** An id for each word; words with the same text share an id. */
  readonly ids: readonly number[]
  /** UTF-16 index in `line` at which each word starts, and the end of the last word. */
  readonly starts: readonly number[]
  /** The same positions in bytes of UTF-8. */
  readonly byteStarts: readonly number[]
}

/** Numbers words by their text, consistently for all lines that it cuts. */
class WordCutter {
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
