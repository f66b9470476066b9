/**
 * Parses wikitext into a tree. The longest run of braces matches first, from the inside out. At `}` or `]`, the
 * innermost open run of the same kind gives up three or two of its characters. The rest of the run stays open around
 * the result. A stack holds the open constructs:
 *
 *     {{a|b=[[c|d]]|{{{e|f}}}}}        kind      separates at     closes at
 *     └brace └link  └brace             brace     |  =             }} or }}}
 *                                      link      nothing          ]]
 *                                      heading   nothing          end of the line
 *                                      variant   nothing          }-   (opens with -{)
 *
 * Unclosed constructs are text. Time is linear in the text: every node moves once.
 */
import { TagScanner, type ParseOptions } from './tags.js'
import { addNode, type Argument, type Node, type Tree } from './tree.js'

interface Part {
  /** Nodes before the first `=`; undefined before there is one. */
  name: Node[] | undefined
  nodes: Node[]
}

interface Open {
  readonly kind: 'brace' | 'link' | 'heading' | 'variant'
  /** Number of opening characters without a match so far. */
  count: number
  readonly lineStart: boolean
  /** True for braces after a dash: the last of them may open the markup of a variant. */
  readonly afterDash?: boolean
  /** Parts of braces. A link or heading is text, and adds to the construct around it. */
  parts: Part[]
  /** Receives the nodes after the opening. */
  nodes: Node[]
}

const LONGEST_BRACES = 3
const BRACKETS = 2
const MIN_RUN = 2
const LONGEST_HEADING = 6

/** Contexts in which a character has a meaning. */
const ALWAYS = 1
const IN_BRACES = 2
const IN_LINK = 4
const IN_ARGUMENT = 8
const IN_VARIANT = 16
const MEANINGS = new Uint8Array(128)
for (const [characters, meaning] of [
  ['{[<\n', ALWAYS],
  ['|', IN_BRACES],
  ['}', IN_BRACES | IN_VARIANT],
  [']', IN_LINK],
  ['=', IN_ARGUMENT],
] as const) {
  for (const character of characters) MEANINGS[character.charCodeAt(0)] = meaning
}

const NEWLINE = 10
const LESS_THAN = 60
const DASH = 45
const EQUALS = 61
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const PIPE = 124
const CLOSE_BRACE = 125

export function parseTree(text: string, options: ParseOptions): Tree {
  return new TreeParser(text, options).parse()
}

class TreeParser {
  readonly #text: string
  readonly #tags: TagScanner
  readonly #hasVariants: boolean
  readonly #root: Node[] = []
  readonly #stack: Open[] = []
  /** Receives new nodes: the part of the innermost open braces, or the root. */
  #nodes: Node[] = this.#root
  #at = 0
  /** The text from this index on is not in the tree yet. */
  #pending = 0
  #meanings = ALWAYS

  constructor(text: string, options: ParseOptions) {
    this.#text = text
    this.#tags = new TagScanner(text, options)
    this.#hasVariants = options.variants === true
  }

  parse(): Tree {
    const text = this.#text
    if (this.#tags.onlyInclude) this.#skipTo(this.#tags.nextOnlyInclude(0))
    this.#lineStart()
    for (let unit = this.#next(); unit !== undefined; unit = this.#next()) this.#character(unit)
    this.#flush(text.length)
    return this.#closeAll()
  }

  /** Moves to the next character with a meaning in this context; undefined at the end. */
  #next(): number | undefined {
    const text = this.#text
    const meanings = this.#meanings
    for (let at = this.#at; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= MEANINGS.length || ((MEANINGS[unit] ?? 0) & meanings) === 0) continue
      this.#at = at
      return unit
    }
    return undefined
  }

  #character(unit: number): void {
    if (unit === LESS_THAN) this.#tag()
    else if (unit === NEWLINE) this.#newline()
    else if (unit === OPEN_BRACE) this.#openRun('brace', OPEN_BRACE)
    else if (unit === OPEN_BRACKET) this.#openRun('link', OPEN_BRACKET)
    else if (unit === CLOSE_BRACE) this.#closeBraces()
    else if (unit === CLOSE_BRACKET) this.#closeLink()
    else if (unit === PIPE) this.#nextPart()
    else this.#endName()
  }

  #tag(): void {
    const match = this.#tags.match(this.#at)
    if (match === undefined) {
      this.#at++
      return
    }
    this.#flush(Math.max(match.start, this.#pending))
    if (match.node) addNode(this.#nodes, match.node)
    this.#skipTo(match.end)
    if (match.endsLine) this.#lineStart()
  }

  #newline(): void {
    if (this.#stack.at(-1)?.kind === 'heading') this.#pop()
    this.#at++
    this.#lineStart()
  }

  /** Treats a line that begins with `=` as a heading, unless the `=` can end the name of an argument. */
  #lineStart(): void {
    const count = this.#run(EQUALS, LONGEST_HEADING)
    if (count === 0 || (count === 1 && (this.#meanings & IN_ARGUMENT) !== 0)) return
    this.#push({ kind: 'heading', count, lineStart: true, parts: [], nodes: this.#nodes })
    this.#at += count
  }

  #openRun(kind: 'brace' | 'link', unit: number): void {
    const count = this.#run(unit)
    if (kind === 'brace' && count === 1 && this.#followsDash()) this.#openVariant()
    else if (count >= MIN_RUN) {
      const lineStart = this.#text.charCodeAt(this.#at - 1) === NEWLINE
      if (kind === 'brace') this.#openBraces(count, lineStart)
      else this.#push({ kind, count, lineStart, parts: [], nodes: this.#nodes })
    }
    this.#at += count
  }

  #openBraces(count: number, lineStart: boolean): void {
    this.#flush(this.#at)
    const nodes: Node[] = []
    const afterDash = this.#followsDash()
    this.#push({ kind: 'brace', count, lineStart, afterDash, parts: [{ name: undefined, nodes }], nodes })
    this.#pending = this.#at + count
  }

  #followsDash(): boolean {
    return this.#hasVariants && this.#text.charCodeAt(this.#at - 1) === DASH
  }

  /** To the preprocessor it is text, in which bars separate nothing. */
  #openVariant(): void {
    this.#push({ kind: 'variant', count: 1, lineStart: false, parts: [], nodes: this.#nodes })
  }

  #closeVariant(): void {
    this.#at++
    if (this.#text.charCodeAt(this.#at) !== DASH) return
    this.#at++
    this.#pop()
  }

  #closeBraces(): void {
    const open = this.#stack.at(-1)
    if (open === undefined) return
    if (open.kind === 'variant') return this.#closeVariant()
    const matched = this.#run(CLOSE_BRACE, Math.min(open.count, LONGEST_BRACES))
    if (matched < MIN_RUN) {
      this.#at += matched
      return
    }
    this.#flush(this.#at)
    this.#skipTo(this.#at + matched)
    const node = braceNode(open, matched)
    open.count -= matched
    open.parts = []
    if (open.count >= MIN_RUN) this.#beginPart(open)
    else {
      this.#pop()
      if (open.count === 1) addNode(this.#nodes, '{')
      if (open.count === 1 && open.afterDash === true) this.#openVariant()
    }
    addNode(this.#nodes, node)
  }

  /** To the preprocessor a link is text, and only its end matters. */
  #closeLink(): void {
    const open = this.#stack.at(-1)
    if (open === undefined) return
    const run = this.#run(CLOSE_BRACKET, BRACKETS)
    this.#at += run
    if (run < BRACKETS) return
    open.count -= BRACKETS
    if (open.count < MIN_RUN) this.#pop()
  }

  #nextPart(): void {
    this.#flush(this.#at)
    const open = this.#stack.at(-1)
    if (open) this.#beginPart(open)
    this.#skipTo(this.#at + 1)
  }

  #endName(): void {
    this.#flush(this.#at)
    const open = this.#stack.at(-1)
    const part = open?.parts.at(-1)
    if (open && part) {
      part.name = part.nodes
      open.nodes = part.nodes = []
      this.#enter()
    }
    this.#skipTo(this.#at + 1)
  }

  #beginPart(open: Open): void {
    open.nodes = []
    open.parts.push({ name: undefined, nodes: open.nodes })
    this.#enter()
  }

  #push(open: Open): void {
    this.#stack.push(open)
    this.#enter()
  }

  #pop(): void {
    this.#stack.pop()
    this.#enter()
  }

  /** Restores the context of the innermost open construct. */
  #enter(): void {
    const open = this.#stack.at(-1)
    this.#nodes = open?.nodes ?? this.#root
    if (open?.kind === 'brace') {
      const namesArgument = open.parts.length > 1 && open.parts.at(-1)?.name === undefined
      this.#meanings = ALWAYS | IN_BRACES | (namesArgument ? IN_ARGUMENT : 0)
    } else if (open?.kind === 'variant') this.#meanings = ALWAYS | IN_VARIANT
    else this.#meanings = open?.kind === 'link' ? ALWAYS | IN_LINK : ALWAYS
  }

  /** Number of consecutive characters of one kind from the current position. */
  #run(unit: number, limit = Infinity): number {
    let end = this.#at
    while (end - this.#at < limit && this.#text.charCodeAt(end) === unit) end++
    return end - this.#at
  }

  #flush(end: number): void {
    if (end > this.#pending) addNode(this.#nodes, this.#text.slice(this.#pending, end))
    this.#pending = end
  }

  #skipTo(at: number): void {
    this.#at = at
    this.#pending = at
  }

  /** Turns all open braces into text, from the outermost on, since each one ends with the next. */
  #closeAll(): Tree {
    for (const { kind, count, parts } of this.#stack) {
      if (kind !== 'brace') continue
      addNode(this.#root, '{'.repeat(count))
      parts.forEach(({ name, nodes }, index) => {
        if (index > 0) addNode(this.#root, '|')
        for (const node of name ?? []) addNode(this.#root, node)
        if (name) addNode(this.#root, '=')
        for (const node of nodes) addNode(this.#root, node)
      })
    }
    return this.#root
  }
}

function braceNode(open: Open, matched: number): Node {
  const [first, ...rest] = open.parts
  const target = first?.nodes ?? []
  const args: Argument[] = rest.map(({ name, nodes }) => ({ name, value: nodes }))
  if (matched === LONGEST_BRACES) return { kind: 'parameter', name: target, args }
  return { kind: 'transclusion', target, args, lineStart: open.lineStart && open.count === matched }
}
