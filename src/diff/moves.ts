/** Finds deleted lines that come back elsewhere as added ones. */
import type { MoveInfo } from './entries.js'
import type { Operation } from './operations.js'
import type { WordDiffs } from './wordDiff.js'

/** Similarity above which a deleted and an added line are one moved line. */
const MOVE_THRESHOLD = 0.4
/** With more deleted and added lines than this nothing is taken for moved: every line is compared with every other. */
const MAX_LINES = 100

/** A deleted or added line that may have moved. */
export interface MovableLine {
  readonly side: 'from' | 'to'
  /** Place of its operation in the script, and of the line in the operation, from 0. */
  readonly operation: number
  readonly index: number
  /** The line's number as the word diffs know it. */
  readonly line: number
}

/**
 * What to print for a movable line: an entry of its own as moved, one entry for both ends, or nothing for the second
 * end.
 */
export interface Move {
  readonly partner: MovableLine
  readonly shown: 'moved' | 'changed' | 'nothing'
}

type Side = MovableLine['side']

interface Link {
  readonly from: MovableLine
  readonly to: MovableLine
  /** Sides whose line has been printed. */
  readonly printed: Set<Side>
}

/**
 * The moved lines of a script. Ask for every line once, in the order of printing: who asks first chooses its partner.
 */
export class MovedLines {
  readonly #words: WordDiffs
  /** All movable lines by operation and index, in order of printing; none at all when there are too many. */
  readonly #lines: Readonly<Record<Side, readonly MovableLine[]>>
  readonly #links = new Map<MovableLine, Link>()

  constructor(
    script: readonly Operation[],
    from: readonly number[],
    to: readonly number[],
    words: WordDiffs,
  ) {
    this.#words = words
    const lines = { from: deletedLines(script, from), to: addedLines(script, to) }
    this.#lines = lines.from.length + lines.to.length > MAX_LINES ? { from: [], to: [] } : lines
  }

  /** How the line moved; undefined when it did not. */
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
   * The most similar line of the other side, the first of equally similar ones. Lines stand out whose partner on this
   * side has been printed; those whose partner has not are looked at, though they cannot be had.
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

/** The entry's own name and that of its partner. */
export function describeMove(line: Omit<MovableLine, 'line'>, partner: MovableLine): MoveInfo {
  const partnerIsBelow =
    partner.operation > line.operation || (partner.operation === line.operation && partner.index > line.index)
  return { id: nameOf(line), linkId: nameOf(partner), linkDirection: partnerIsBelow ? 0 : 1 }
}

function nameOf({ operation, index, side }: Omit<MovableLine, 'line'>): string {
  return `movedpara_${operation}_${index}_${side === 'from' ? 'lhs' : 'rhs'}`
}

/** Whether `second` is the first line of the operation right after that of `first`. */
function isDirectlyNext(first: MovableLine, second: MovableLine): boolean {
  return second.operation === first.operation + 1 && second.index === 0
}

function deletedLines(script: readonly Operation[], from: readonly number[]): MovableLine[] {
  return script.flatMap(({ kind, fromStart, fromEnd }, operation) =>
    kind === 'delete'
      ? from
          .slice(fromStart, fromEnd)
          .map((line, index) => ({ side: 'from' as const, operation, index, line }))
      : [],
  )
}

function addedLines(script: readonly Operation[], to: readonly number[]): MovableLine[] {
  return script.flatMap(({ kind, toStart, toEnd }, operation) =>
    kind === 'add'
      ? to.slice(toStart, toEnd).map((line, index) => ({ side: 'to' as const, operation, index, line }))
      : [],
  )
}
