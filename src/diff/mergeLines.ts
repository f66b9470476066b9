/** Texts cut into lines for a merge. */
import type { LineRange } from './mergeBlocks.js'

const NEWLINE = '\n'
const BLANKS_AT_END = new Set([' ', '\t', '\n', '\r', '\0', '\v'])

/**
 * A text that ends with a newline. Line `n`, from 0, is `text[starts[n], starts[n + 1])` in UTF-16 units, including its
 * newline. `numbers[n]` identifies the line: texts numbered together give equal lines equal numbers.
 */
export interface NumberedLines {
  readonly text: string
  readonly starts: readonly number[]
  readonly numbers: readonly number[]
}

/** Replaces the blanks at the end (space, tab, LF, CR, U+0000, U+000B) by one newline. */
export function endWithOneNewline(text: string): string {
  let end = text.length
  while (end > 0 && BLANKS_AT_END.has(text.charAt(end - 1))) end--
  return text.slice(0, end) + NEWLINE
}

/**
 * Cuts a text that ends with a newline. `known` maps each line seen so far to its number, from 0; new lines are added.
 */
export function numberLines(text: string, known: Map<string, number>): NumberedLines {
  const starts = [0]
  const numbers: number[] = []
  for (let at = 0; at < text.length;) {
    const next = text.indexOf(NEWLINE, at) + 1
    const line = text.slice(at, next)
    let number = known.get(line)
    if (number === undefined) known.set(line, (number = known.size))
    numbers.push(number)
    starts.push(next)
    at = next
  }
  return { text, starts, numbers }
}

/** The lines of the range as one text. */
export function sliceLines({ text, starts }: NumberedLines, { start, end }: LineRange): string {
  return text.slice(starts[start], starts[end])
}
