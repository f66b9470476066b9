/** Walks the edit script of two texts and lists an entry for every line to show. */
import { type DiffEntry, ENTRY } from './entries.js'
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
    this.#moves = new MovedLines(script, window.from, window.to, words)
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
    const firstEnd = number === 0 ? fromStart : fromStart + CONTEXT_LINES
    const lastStart = number === this.#script.length - 1 ? fromEnd : fromEnd - CONTEXT_LINES
    for (let n = fromStart; n < fromEnd; n++) {
      const line = this.#window.from[n]!
      if (n < firstEnd || n >= lastStart) {
        const offset = { from: this.#fromOffset, to: this.#toOffset }
        this.entries.push({
          type: ENTRY.context,
          lineNumber: this.#lineNumber,
          text: this.#text(line),
          offset,
        })
      }
      const bytes = this.#bytes(line)
      this.#fromOffset += bytes
      this.#toOffset += bytes
      this.#lineNumber++
    }
  }

  #change({ fromStart, toStart, toEnd }: Operation): void {
    for (let n = toStart; n < toEnd; n++) {
      const oldLine = this.#window.from[fromStart + n - toStart]!
      const newLine = this.#window.to[n]!
      this.#pushChanged(oldLine, newLine, this.#fromOffset, this.#toOffset)
      this.#fromOffset += this.#bytes(oldLine)
      this.#toOffset += this.#bytes(newLine)
      this.#lineNumber++
    }
  }

  #delete({ fromStart, fromEnd }: Operation, operation: number): void {
    for (let n = fromStart; n < fromEnd; n++) {
      const line = this.#window.from[n]!
      const index = n - fromStart
      const move = this.#moves.take('from', operation, index)
      const offset = { from: this.#fromOffset, to: null }
      if (move === undefined) {
        this.entries.push({ type: ENTRY.deleted, text: this.#text(line), offset })
      } else if (move.shown === 'changed') {
        this.#pushChanged(line, move.partner.line, this.#fromOffset, null)
      } else if (move.shown === 'moved') {
        const moveInfo = describeMove({ side: 'from', operation, index }, move.partner)
        this.entries.push({ type: ENTRY.movedAway, moveInfo, text: this.#words.wordText(line), offset })
      }
      this.#fromOffset += this.#bytes(line)
    }
  }

  #add({ toStart, toEnd }: Operation, operation: number): void {
    for (let n = toStart; n < toEnd; n++) {
      const line = this.#window.to[n]!
      const index = n - toStart
      const move = this.#moves.take('to', operation, index)
      const offset = { from: null, to: this.#toOffset }
      const lineNumber = this.#lineNumber
      if (move === undefined) {
        this.entries.push({ type: ENTRY.added, lineNumber, text: this.#text(line), offset })
      } else if (move.shown === 'changed') {
        this.#pushChanged(move.partner.line, line, null, this.#toOffset)
      } else if (move.shown === 'moved') {
        const moveInfo = describeMove({ side: 'to', operation, index }, move.partner)
        const merged = this.#words.merge(move.partner.line, line)
        this.entries.push({ type: ENTRY.movedHere, lineNumber, moveInfo, ...merged, offset })
      }
      this.#toOffset += this.#bytes(line)
      this.#lineNumber++
    }
  }

  #pushChanged(oldLine: number, newLine: number, from: number | null, to: number | null): void {
    const merged = this.#words.merge(oldLine, newLine)
    this.entries.push({ type: ENTRY.changed, lineNumber: this.#lineNumber, ...merged, offset: { from, to } })
  }

  #text(line: number): string {
    return this.#window.texts[line]!
  }

  /** Size of the line with its newline. */
  #bytes(line: number): number {
    return Buffer.byteLength(this.#text(line)) + 1
  }
}
