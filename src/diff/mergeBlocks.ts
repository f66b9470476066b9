/** Joins the hunks of two editors into blocks; a three-way merge decides each block by itself. */
import type { Operation } from './operations.js'

/** Lines from `start`, counted from 0, to before `end`. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** A range of base lines, and the lines that replace it in each text. Undefined: that editor changed none of them. */
export interface Block {
  readonly base: LineRange
  readonly mine: LineRange | undefined
  readonly theirs: LineRange | undefined
}

/**
 * Joins hunks, which replace base lines (`from`) by an editor's own lines (`to`), into blocks in the order of the base.
 * Hunks whose base ranges overlap or touch share a block, so at least one unchanged line separates two blocks.
 *
 *     base      a b c d e f g h
 *     mine        [---]   []           two hunks
 *     theirs          [-]              touches the first of them
 *     blocks      [-----] []
 */
export function joinHunks(mine: readonly Operation[], theirs: readonly Operation[]): Block[] {
  const blocks: Block[] = []
  let mineAt = 0
  let theirsAt = 0
  while (mineAt < mine.length || theirsAt < theirs.length) {
    const mineFrom = mineAt
    const theirsFrom = theirsAt
    const start = Math.min(mine[mineAt]?.fromStart ?? Infinity, theirs[theirsAt]?.fromStart ?? Infinity)
    let end = start
    for (;;) {
      if (touches(mine[mineAt], end)) end = Math.max(end, mine[mineAt++]!.fromEnd)
      else if (touches(theirs[theirsAt], end)) end = Math.max(end, theirs[theirsAt++]!.fromEnd)
      else break
    }
    const base = { start, end }
    blocks.push({
      base,
      mine: ownRange(mine.slice(mineFrom, mineAt), base),
      theirs: ownRange(theirs.slice(theirsFrom, theirsAt), base),
    })
  }
  return blocks
}

/** True if a hunk belongs to the block that ends at `blockEnd`. The hunk must not begin before the block. */
function touches(hunk: Operation | undefined, blockEnd: number): boolean {
  return hunk !== undefined && hunk.fromStart <= blockEnd
}

/** The editor's own lines for the base range: the hunks, and the unchanged lines around them. */
function ownRange(hunks: readonly Operation[], base: LineRange): LineRange | undefined {
  const first = hunks.at(0)
  const last = hunks.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    start: first.toStart - (first.fromStart - base.start),
    end: last.toEnd + (base.end - last.fromEnd),
  }
}
