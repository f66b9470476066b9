/** Walks the edit script of two texts and lists an entry for every line to show. */
import { type DiffEntry, ENTRY } from './entries.js'
import { bytesOfLines, lineAt } from './lineNumbers.js'
import type { LineWindow } from './lines.js'
import { describeMove, MovedLines } from './moves.js'
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
