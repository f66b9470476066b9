/** Three-way merge for edit conflicts: joins the changes of two editors if they do not touch. */
import { joinHunks, type LineRange } from './mergeBlocks.js'
import { findHunks } from './mergeHunks.js'

export type Merge = { readonly clean: true; readonly text: string } | { readonly clean: false }

/**
 * Merges the changes from `base` to `mine` and from `base` to `theirs` line by line, as MediaWiki does with GNU diff3.
 * It is a conflict if both changed the same or neighbouring lines in different ways. Blanks at the ends of the texts do
 * not count; `text` ends with exactly one newline.
 *
 * The result depends on the texts alone, and the time is bounded. If thousands of common lines are reordered,
 * everything between the equal ends counts as changed, which makes a conflict more likely.
 */
export function merge3(mine: string, base: string, theirs: string): Merge {
  const known = new Map<string, number>()
  const cut = (text: string): NumberedLines => numberLines(endWithOneNewline(text), known)
  const [mineLines, baseLines, theirLines] = [cut(mine), cut(base), cut(theirs)]
  const blocks = joinHunks(
    findHunks(baseLines.numbers, mineLines.numbers, known.size),
    findHunks(baseLines.numbers, theirLines.numbers, known.size),
  )
  const parts: string[] = []
  let baseAt = 0
  for (const block of blocks) {
    const mineText = block.mine && sliceLines(mineLines, block.mine)
    const theirText = block.theirs && sliceLines(theirLines, block.theirs)
    if (mineText !== undefined && theirText !== undefined && mineText !== theirText) return { clean: false }
    parts.push(sliceLines(baseLines, { start: baseAt, end: block.base.start }), mineText ?? theirText ?? '')
    baseAt = block.base.end
  }
  parts.push(sliceLines(baseLines, { start: baseAt, end: baseLines.numbers.length }))
  return { clean: true, text: parts.join('') }
}

// Texts cut into lines for a merge.

const NEWLINE = '\n'
const BLANKS_AT_END = new Set([' ', '\t', '\n', '\r', '\0', '\v'])

/**
 * A text that ends with a newline. Line `n`, from 0, is `text[starts[n], starts[n + 1])` in UTF-16 units, including its
 * newline. `numbers[n]` identifies the line: texts numbered together give equal lines equal numbers.
 */
interface NumberedLines {
  readonly text: string
  readonly starts: readonly number[]
  readonly numbers: readonly number[]
}

/** Replaces the blanks at the end (space, tab, LF, CR, U+0000, U+000B) by one newline. */
function endWithOneNewline(text: string): string {
  let end = text.length
  while (end > 0 && BLANKS_AT_END.has(text.charAt(end - 1))) end--
  return text.slice(0, end) + NEWLINE
}

/**
 * Cuts a text that ends with a newline. `known` maps each line seen so far to its number, from 0; new lines are added.
 */
function numberLines(text: string, known: Map<string, number>): NumberedLines {
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
function sliceLines({ text, starts }: NumberedLines, { start, end }: LineRange): string {
  return text.slice(starts[start], starts[end])
}
