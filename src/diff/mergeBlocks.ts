/** Joins the hunks of two editors into blocks that a three-way merge judges one by one. */
import type { Operation } from './operations.js'

/** Lines from `start`, from 0, up to but without `end`. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** Lines of the base, and what stands for them in each text; undefined for an editor who changed none of them. */
export interface Block {
  readonly base: LineRange
  readonly mine: LineRange | undefined
  readonly theirs: LineRange | undefined
}

/**
 * Blocks in the order of the base, from replacements of base lines (`from`) by an editor's own (`to`). Hunks whose base
 * ranges overlap or touch are in one block, so one unchanged line is the least that lies between two blocks.
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

/** Whether a hunk, which begins no earlier than the block, belongs to the block that ends at `blockEnd`. */
function touches(hunk: Operation | undefined, blockEnd: number): boolean {
  return hunk !== undefined && hunk.fromStart <= blockEnd
}

/** The editor's own lines that stand for the base range: the hunks, and the unchanged lines round them. */
function ownRange(hunks: readonly Operation[], base: LineRange): LineRange | undefined {
  const first = hunks.at(0)
  const last = hunks.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    start: first.toStart - (first.fromStart - base.start),
    end: last.toEnd + (base.end - last.fromEnd),
  }
}
