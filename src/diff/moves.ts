/** Finds deleted lines that reappear elsewhere as added lines. */
import type { MoveInfo } from './entries.js'
import type { Operation } from './operations.js'
import type { WordDiffs } from './wordDiff.js'

/** A deleted and an added line above this similarity are one moved line. */
const MOVE_THRESHOLD = 0.4
/**
 * Limit for deleted and added lines together. Beyond it no line counts as moved, since the search compares all pairs.
 */
const MAX_LINES = 100

/** A deleted or added line that may have moved. */
export interface MovableLine {
  readonly side: 'from' | 'to'
  /** Index of its operation in the script, and of the line in the operation, from 0. */
  readonly operation: number
  readonly index: number
  /** The line's number in the word diffs. */
  readonly line: number
}

/**
 * Output for a movable line. `moved`: an entry of its own. `changed`: one entry for both ends. `nothing`: the entry of
 * the first end already shows it.
 */
export interface Move {
  readonly partner: MovableLine
  readonly shown: 'moved' | 'changed' | 'nothing'
}

type Side = MovableLine['side']

interface Link {
  readonly from: MovableLine
  readonly to: MovableLine
  /** Sides whose line is already printed. */
  readonly printed: Set<Side>
}

/**
 * The moved lines of a script. Take every line once and in the order of printing, since the first end taken chooses the
 * partner.
 */
export class MovedLines {
  readonly #words: WordDiffs
  /** All movable lines by operation and index, in order of printing. Empty when there are too many. */
  readonly #lines: Readonly<Record<Side, readonly MovableLine[]>>
  readonly #links = new Map<MovableLine, Link>()

  constructor(
    script: readonly Operation[],
    from: readonly number[],
    to: readonly number[],
    words: WordDiffs,
  ) {
    this.#words = words
    const lines = movableLines(script, from, to)
    this.#lines = lines.from.length + lines.to.length > MAX_LINES ? { from: [], to: [] } : lines
  }

  /** The line's move; undefined when the line did not move. */
  take(side: Side, operation: number, index: number): Move | undefined {
    const line = this.#lines[side].find((one) => one.operation === operation && one.index === index)
    if (line === undefined) return undefined
    const other = side === 'from' ? 'to' : 'from'
    const known = this.#links.get(line)
    if (known !== undefined) {
      const partner = known[other]
      if (isDirectlyNext(partner, line)) return { partner, shown: 'nothing' }
      known.printed.add(side)
      return { partner, shown: 'moved' }
    }
    const partner = this.#bestPartner(line, other)
    if (partner === undefined || this.#links.has(partner)) return undefined
    const adjacent = isDirectlyNext(line, partner)
    const ends = side === 'from' ? { from: line, to: partner } : { from: partner, to: line }
    const link: Link = { ...ends, printed: new Set(adjacent ? [side, other] : [side]) }
    this.#links.set(line, link).set(partner, link)
    return { partner, shown: adjacent ? 'changed' : 'moved' }
  }

  /**
   * The most similar line of the other side, and the first of equally similar ones. Skips lines whose partner on this
   * side is already printed. Does consider lines whose partner is not printed yet, though `take` then rejects them.
   */
  #bestPartner(line: MovableLine, other: Side): MovableLine | undefined {
    let best: MovableLine | undefined
    let bestSimilarity = MOVE_THRESHOLD
    for (const candidate of this.#lines[other]) {
      if (this.#links.get(candidate)?.printed.has(line.side)) continue
      const [from, to] = other === 'from' ? [candidate, line] : [line, candidate]
      const similarity = this.#words.moveSimilarity(from.line, to.line, bestSimilarity)
      if (similarity > bestSimilarity) {
        best = candidate
        bestSimilarity = similarity
      }
    }
    return best
  }
}

/** Ids of the entry and of its partner. */
export function describeMove(line: Omit<MovableLine, 'line'>, partner: MovableLine): MoveInfo {
  const partnerIsBelow =
    partner.operation > line.operation || (partner.operation === line.operation && partner.index > line.index)
  return { id: nameOf(line), linkId: nameOf(partner), linkDirection: partnerIsBelow ? 0 : 1 }
}

function nameOf({ operation, index, side }: Omit<MovableLine, 'line'>): string {
  return `movedpara_${operation}_${index}_${side === 'from' ? 'lhs' : 'rhs'}`
}

/** True if `second` is the first line of the operation right after that of `first`. */
function isDirectlyNext(first: MovableLine, second: MovableLine): boolean {
  return second.operation === first.operation + 1 && second.index === 0
}

function movableLines(
  script: readonly Operation[],
  from: readonly number[],
  to: readonly number[],
): Record<Side, MovableLine[]> {
  const lines: Record<Side, MovableLine[]> = { from: [], to: [] }
  for (const [operation, { kind, fromStart, fromEnd, toStart, toEnd }] of script.entries()) {
    if (kind === 'delete')
      for (let n = fromStart; n < fromEnd; n++)
        lines.from.push({ side: 'from', operation, index: n - fromStart, line: from[n]! })
    else if (kind === 'add')
      for (let n = toStart; n < toEnd; n++)
        lines.to.push({ side: 'to', operation, index: n - toStart, line: to[n]! })
  }
  return lines
}
