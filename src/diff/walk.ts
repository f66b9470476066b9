/** Walks the edit script of two texts and lists an entry for every line to show. */
import { type DiffEntry, ENTRY, type MoveInfo } from './entries.js'
import { bytesOfLines, lineAt } from './lineNumbers.js'
import type { LineWindow } from './lines.js'
import type { Operation } from './operations.js'
import type { WordDiffs } from './wordDiff.js'

/** Equal lines shown before and after each difference. */
export const CONTEXT_LINES = 2

/** The entries in order. `script` covers the window's lines, with replaced lines paired. */
export function listEntries(window: LineWindow, script: readonly Operation[], words: WordDiffs): DiffEntry[] {
  const walk = new Walk(window, script, words)
  for (const [number, operation] of script.entries()) walk.visit(operation, number)
  return walk.entries
}

class Walk {
  readonly entries: DiffEntry[] = []
  readonly #window: LineWindow
  readonly #script: readonly Operation[]
  readonly #words: WordDiffs
  readonly #moves: MovedLines
  /** Number of the current line in the new text, from 1, and its byte offset in both texts. */
  #lineNumber: number
  #fromOffset: number
  #toOffset: number

  constructor(window: LineWindow, script: readonly Operation[], words: WordDiffs) {
    this.#window = window
    this.#script = script
    this.#words = words
    this.#moves = new MovedLines(script, window.fromNumbers, window.toNumbers, words)
    this.#lineNumber = window.linesBefore + 1
    this.#fromOffset = window.bytesBefore
    this.#toOffset = window.bytesBefore
  }

  visit(operation: Operation, number: number): void {
    switch (operation.kind) {
      case 'copy':
        return this.#copy(operation, number)
      case 'change':
        return this.#change(operation)
      case 'delete':
        return this.#delete(operation, number)
      case 'add':
        return this.#add(operation, number)
    }
  }

  #copy({ fromStart, fromEnd }: Operation, number: number): void {
    // Shows the first lines unless the texts begin with them, and the last lines unless the texts end with them.
    const firstEnd = number === 0 ? fromStart : Math.min(fromStart + CONTEXT_LINES, fromEnd)
    const lastStart =
      number === this.#script.length - 1 ? fromEnd : Math.max(fromEnd - CONTEXT_LINES, firstEnd)
    for (let n = fromStart; n < firstEnd; n++) this.#pushContext(n)
    if (lastStart > firstEnd) this.#passEqual(firstEnd, lastStart)
    for (let n = lastStart; n < fromEnd; n++) this.#pushContext(n)
  }

  #pushContext(line: number): void {
    const offset = { from: this.#fromOffset, to: this.#toOffset }
    const text = lineAt(this.#window.from, line)
    this.entries.push({ type: ENTRY.context, lineNumber: this.#lineNumber, text, offset })
    this.#passEqual(line, line + 1)
  }

  /** Goes behind lines of the old text that the new one has too. */
  #passEqual(first: number, end: number): void {
    const bytes = bytesOfLines(this.#window.from, first, end)
    this.#fromOffset += bytes
    this.#toOffset += bytes
    this.#lineNumber += end - first
  }

  #change({ fromStart, toStart, toEnd }: Operation): void {
    for (let n = toStart; n < toEnd; n++) {
      const old = fromStart + n - toStart
      const [oldLine, newLine] = [this.#window.fromNumbers[old]!, this.#window.toNumbers[n]!]
      this.#pushChanged(oldLine, newLine, this.#fromOffset, this.#toOffset)
      this.#passOld(old)
      this.#passNew(n)
    }
  }

  #delete({ fromStart, fromEnd }: Operation, operation: number): void {
    for (let n = fromStart; n < fromEnd; n++) {
      const line = this.#window.fromNumbers[n]!
      const index = n - fromStart
      const move = this.#moves.take('from', operation, index)
      const offset = { from: this.#fromOffset, to: null }
      if (move === undefined) {
        this.entries.push({ type: ENTRY.deleted, text: lineAt(this.#window.from, n), offset })
      } else if (move.shown === 'changed') {
        this.#pushChanged(line, move.partner.line, this.#fromOffset, null)
      } else if (move.shown === 'moved') {
        const moveInfo = describeMove({ side: 'from', operation, index }, move.partner)
        this.entries.push({ type: ENTRY.movedAway, moveInfo, text: this.#words.wordText(line), offset })
      }
      this.#passOld(n)
    }
  }

  #add({ toStart, toEnd }: Operation, operation: number): void {
    for (let n = toStart; n < toEnd; n++) {
      const line = this.#window.toNumbers[n]!
      const index = n - toStart
      const move = this.#moves.take('to', operation, index)
      const offset = { from: null, to: this.#toOffset }
      const lineNumber = this.#lineNumber
      if (move === undefined) {
        this.entries.push({ type: ENTRY.added, lineNumber, text: lineAt(this.#window.to, n), offset })
      } else if (move.shown === 'changed') {
        this.#pushChanged(move.partner.line, line, null, this.#toOffset)
      } else if (move.shown === 'moved') {
        const moveInfo = describeMove({ side: 'to', operation, index }, move.partner)
        const merged = this.#words.merge(move.partner.line, line)
        this.entries.push({ type: ENTRY.movedHere, lineNumber, moveInfo, ...merged, offset })
      }
      this.#passNew(n)
    }
  }

  #pushChanged(oldLine: number, newLine: number, from: number | null, to: number | null): void {
    const merged = this.#words.merge(oldLine, newLine)
    this.entries.push({ type: ENTRY.changed, lineNumber: this.#lineNumber, ...merged, offset: { from, to } })
  }

  #passOld(line: number): void {
    this.#fromOffset += bytesOfLines(this.#window.from, line, line + 1)
  }

  #passNew(line: number): void {
    this.#toOffset += bytesOfLines(this.#window.to, line, line + 1)
    this.#lineNumber++
  }
}

// Finds deleted lines that reappear elsewhere as added lines.

/** A deleted and an added line above this similarity are one moved line. */
const MOVE_THRESHOLD = 0.4
/**
 * Limit for deleted and added lines together. Beyond it no line counts as moved, since the search compares all pairs.
 */
const MAX_LINES = 100

/** A deleted or added line that may have moved. */
interface MovableLine {
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
interface Move {
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
class MovedLines {
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
function describeMove(line: Omit<MovableLine, 'line'>, partner: MovableLine): MoveInfo {
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
