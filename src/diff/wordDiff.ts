/** Word diffs of pairs of lines: their similarity, and one merged line with the differences marked. */
import { countMiddlePairs, editScript } from './editScript.js'
import type { HighlightRange } from './entries.js'
import type { ItemTable } from './itemTable.js'
import { lineOfNumber, type NumberedLines, numberCount } from './lineNumbers.js'
import { type Operation, replacement } from './operations.js'
import type { ThaiBreaker } from './thaiBreaks.js'
import { WordCutter, type Words } from './words.js'

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
