/** Where templates, arguments and links begin and end in wikitext. */
import type { LiteralPart } from './literalParts.js'

/**
 * `{{…|…}}`, `{{{…|…}}}` or `[[…|…]]`; `parts` are divided by its own pipes. Offsets count UTF-16 units, brackets
 * included.
 */
export interface Construct {
  readonly kind: 'template' | 'argument' | 'link'
  readonly parts: Node[][]
  readonly start: number
  readonly end: number
}
/** Text as written, or a construct. */
export type Node = string | Construct

/** An opening run that waits for its end. `count` of its brackets are still open, the first of them at `start`. */
interface Open {
  readonly bracket: '{' | '['
  readonly start: number
  count: number
  parts: Node[][]
}

const BRACKETS = /\{{2,}|\}{2,}|\[{2,}|\]{2,}|\|/g
/** Deeper brackets are text. */
const MAX_OPEN = 100
/** The brackets of a longer run before the last of these are text. */
const MAX_RUN = 12

/**
 * The constructs of a text, as MediaWiki finds them: a closing run belongs to the innermost opening one if it is of
 * its kind, and closes an argument if three braces are there on both sides, otherwise a template. Brackets without a
 * partner, and brackets in literal parts, are text. Linear, and the tree is at most a few hundred levels deep.
 */
export function parseBraces(text: string, literal: readonly LiteralPart[]): Node[] {
  return new BraceParser(text, literal).parse()
}

class BraceParser {
  readonly #text: string
  readonly #literal: readonly LiteralPart[]
  readonly #root: Node[] = []
  readonly #open: Open[] = []
  /** Up to here the text is in the tree. */
  #done = 0

  constructor(text: string, literal: readonly LiteralPart[]) {
    this.#text = text
    this.#literal = literal
  }

  parse(): Node[] {
    let next = 0
    for (const { 0: run, index } of this.#text.matchAll(BRACKETS)) {
      while ((this.#literal[next]?.end ?? Infinity) <= index) next++
      if ((this.#literal[next]?.start ?? Infinity) <= index) continue
      const top = this.#open.at(-1)
      if (run.startsWith('{') || run.startsWith('[')) this.#openRun(run, index)
      else if (top && run === '|') this.#divide(top, index)
      else if (top) this.#closeRun(top, run, index)
    }
    this.#copyTo(this.#text.length)
    return this.#withUnclosed()
  }

  #openRun(run: string, index: number): void {
    if (this.#open.length >= MAX_OPEN) return
    const count = Math.min(run.length, MAX_RUN)
    const end = index + run.length
    this.#copyTo(end - count)
    this.#open.push({ bracket: run.startsWith('{') ? '{' : '[', start: end - count, count, parts: [[]] })
    this.#done = end
  }

  #divide(top: Open, index: number): void {
    this.#copyTo(index)
    top.parts.push([])
    this.#done = index + 1
  }

  #closeRun(innermost: Open, run: string, index: number): void {
    let at = index
    const end = index + run.length
    for (let top: Open | undefined = innermost; top !== undefined; top = this.#open.at(-1)) {
      if ((top.bracket === '{') !== run.startsWith('}') || end - at < 2) return
      this.#copyTo(at)
      const width = Math.min(top.count, end - at, top.bracket === '{' ? 3 : 2)
      const kind = top.bracket === '[' ? 'link' : width === 3 ? 'argument' : 'template'
      const start = top.start + top.count - width
      at += width
      this.#done = at
      this.#shrink(top, { kind, parts: top.parts, start, end: at }, width)
    }
  }

  /** Takes the closed brackets from an opening run; what is left waits on, or is text. */
  #shrink(top: Open, construct: Construct, width: number): void {
    top.count -= width
    top.parts = [[construct]]
    if (top.count >= 2) return
    this.#open.pop()
    if (top.count === 1) this.#current().push(top.bracket)
    this.#current().push(construct)
  }

  #current(): Node[] {
    return this.#open.at(-1)?.parts.at(-1) ?? this.#root
  }

  #copyTo(end: number): void {
    if (end > this.#done) this.#current().push(this.#text.slice(this.#done, end))
    this.#done = Math.max(this.#done, end)
  }

  /** Openings without an end become text, with what follows them. */
  #withUnclosed(): Node[] {
    const nodes = this.#root
    for (const { bracket, count, parts } of this.#open) {
      nodes.push(bracket.repeat(count))
      for (const [index, part] of parts.entries()) {
        if (index > 0) nodes.push('|')
        for (const node of part) nodes.push(node)
      }
    }
    return nodes
  }
}
