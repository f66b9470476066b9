/** Three-way merge for edit conflicts: joins the changes of two editors if they do not touch. */
import { joinHunks } from './mergeBlocks.js'
import { findHunks } from './mergeHunks.js'
import { endWithOneNewline, type NumberedLines, numberLines, sliceLines } from './mergeLines.js'

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
