/**
 * The edit script of two sequences of numbered items, for lines and for words alike:
 *
 *     cut equal ends  ->  discard items without an equal one  ->  longest common subsequence  ->  slide runs
 *
 * Several longest common subsequences may exist. The choice among them, and the position of runs, follow wikidiff2
 * 1.13.
 */
import { markOutsideCommon, type Side } from './commonSubsequence.js'
import type { ItemTable } from './itemTable.js'
import { type Operation, operationsOf } from './operations.js'
import { slideRuns } from './slide.js'

const IN_FROM = 1
const IN_BOTH = 2
/** A pair of an item that is not frequent costs as much as so many others. */
const RARE_FACTOR = 8
/** So many steps take a few milliseconds. */
const MAX_UNCOUNTED_PAIRS = 1_000_000

/** The ranges of two sequences between their equal ends. The equal end behind leaves at least one item on each side. */
interface Middle {
  readonly start: number
  readonly fromEnd: number
  readonly toEnd: number
}

/** The operations that turn `from` into `to`. Equal numbers are equal items; `table` must have room for all of them. */
export function editScript(from: readonly number[], to: readonly number[], table: ItemTable): Operation[] {
  const middle = cutEqualEnds(from, to)
  // One element more than there are items, so that the end of a run always meets a 0.
  const fromChanged = new Uint8Array(from.length + 1)
  const toChanged = new Uint8Array(to.length + 1)
  if (middle.start === middle.fromEnd || middle.start === middle.toEnd) {
    fromChanged.fill(1, middle.start, middle.fromEnd)
    toChanged.fill(1, middle.start, middle.toEnd)
  } else {
    markMiddle(from, fromChanged, to, toChanged, middle, table)
  }
  slideRuns(from, fromChanged, toChanged, 'earliest')
  slideRuns(to, toChanged, fromChanged, 'earliest')
  return operationsOf(fromChanged, from.length, toChanged, to.length)
}

/** Number of pairs of items between the equal ends of two sequences. Bounds the work of `editScript`. */
export function countMiddlePairs(from: readonly number[], to: readonly number[]): number {
  const { start, fromEnd, toEnd } = cutEqualEnds(from, to)
  return (fromEnd - start) * (toEnd - start)
}

function cutEqualEnds(from: readonly number[], to: readonly number[]): Middle {
  let fromEnd = from.length
  let toEnd = to.length
  let start = 0
  while (start < fromEnd && start < toEnd && from[start] === to[start]) start++
  while (fromEnd - 1 > start && toEnd - 1 > start && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd--
    toEnd--
  }
  return { start, fromEnd, toEnd }
}

/** Marks the changed items of both middles. */
function markMiddle(
  from: readonly number[],
  fromChanged: Uint8Array,
  to: readonly number[],
  toChanged: Uint8Array,
  { start, fromEnd, toEnd }: Middle,
  table: ItemTable,
): void {
  const { presence } = table
  for (let n = start; n < fromEnd; n++) presence[from[n]!] = IN_FROM
  for (let n = start; n < toEnd; n++) if (presence[to[n]!] === IN_FROM) presence[to[n]!] = IN_BOTH
  const keptFrom = keepShared(from, start, fromEnd, fromChanged, presence)
  const keptTo = keepShared(to, start, toEnd, toChanged, presence)
  for (let n = start; n < fromEnd; n++) presence[from[n]!] = 0
  if (keptFrom.items.length === 0) return
  if (keptFrom.items.length * keptTo.items.length > MAX_UNCOUNTED_PAIRS)
    table.addSteps(countSteps(keptFrom.items, keptTo.items, table))
  markOutsideCommon(keptFrom, keptTo, table.lastPlace)
}

/**
 * Estimates the steps of the search for a common subsequence. It looks at each pair of equal items. Pairs of a frequent
 * item, such as the space, are mostly passed over.
 */
function countSteps(from: readonly number[], to: readonly number[], { counts }: ItemTable): number {
  let steps = 0
  for (const item of from) counts[item]!++
  for (const item of to) {
    const count = counts[item]!
    steps += count * RARE_FACTOR < from.length ? count * RARE_FACTOR : count
  }
  for (const item of from) counts[item] = 0
  return steps
}

/** The items of a range that both sides have. Marks the others as changed. */
function keepShared(
  items: readonly number[],
  start: number,
  end: number,
  changed: Uint8Array,
  presence: Uint8Array,
): Side {
  const kept: number[] = []
  const places: number[] = []
  for (let place = start; place < end; place++) {
    const item = items[place]!
    if (presence[item] === IN_BOTH) {
      kept.push(item)
      places.push(place)
    } else {
      changed[place] = 1
    }
  }
  return { items: kept, places, changed }
}
