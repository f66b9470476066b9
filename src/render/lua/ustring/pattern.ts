/** Compiles Lua patterns over code points. */
import { LuaError } from '../engine/state.js'
import { decodeSubject } from './subject.js'

// Character classes of patterns, over all of Unicode.

const CLASSES = {
  a: /\p{L}/u,
  c: /\p{Cc}/u,
  d: /\p{Nd}/u,
  l: /\p{Ll}/u,
  p: /\p{P}/u,
  s: /[\t-\r\x85\u180e\p{Z}]/u,
  u: /\p{Lu}/u,
  w: /[\p{L}\p{Nd}]/u,
  x: /[0-9A-Fa-f\uff10-\uff19\uff21-\uff26\uff41-\uff46]/u,
  z: /\x00/u,
} as const

const LETTERS = Object.keys(CLASSES) as (keyof typeof CLASSES)[]
const KNOWN = 1 << LETTERS.length
const CODE_POINTS = 0x110000

/** Bit masks of each character's classes, computed on first use. */
const classBits = new Uint16Array(CODE_POINTS)

function bitsOf(code: number): number {
  const known = classBits[code] ?? 0
  if (known !== 0) return known
  const character = String.fromCodePoint(code)
  const bits = LETTERS.reduce(
    (sum, letter, index) => (CLASSES[letter].test(character) ? sum | (1 << index) : sum),
    KNOWN,
  )
  classBits[code] = bits
  return bits
}

export type CodeTest = (code: number) => boolean

/** The class of `%` and this letter; a capital letter negates it. Undefined for an unknown letter. */
function classTest(letterCode: number): CodeTest | undefined {
  const letter = String.fromCodePoint(letterCode)
  const index = LETTERS.indexOf(letter.toLowerCase() as keyof typeof CLASSES)
  if (index < 0) return undefined
  const bit = 1 << index
  if (letter === letter.toLowerCase()) return (code) => (bitsOf(code) & bit) !== 0
  return (code) => (bitsOf(code) & bit) === 0
}

type Repeat = 'once' | 'greedy' | 'lazy' | 'optional'

export type Node =
  | { readonly kind: 'single'; readonly test: CodeTest; readonly repeat: Repeat; readonly least: number }
  | { readonly kind: 'open'; readonly capture: number; readonly isPosition: boolean }
  | { readonly kind: 'close'; readonly capture: number }
  | { readonly kind: 'balance'; readonly open: number; readonly close: number }
  | { readonly kind: 'frontier'; readonly test: CodeTest }
  | { readonly kind: 'back'; readonly capture: number }
  | { readonly kind: 'end' }

export interface Pattern {
  readonly nodes: readonly Node[]
  readonly isAnchored: boolean
  readonly captures: number
  /** True if a match can be empty where a longer one exists. `gsub` then takes both. */
  readonly isLazy: boolean
  /** When the C library's patterns give the same result on ASCII. */
  readonly plain: Plain
}

/** `line`: unless the text ends with a newline. `search`: everywhere but in `gsub`. */
export type Plain = 'always' | 'line' | 'search' | 'never'

const MAX_CAPTURES = 32
const [PERCENT, OPEN, CLOSE, BRACKET, BRACKET_END, CARET, DOLLAR, DOT, STAR, PLUS, MINUS, QUESTION] = codesOf(
  '%()[]^$.*+-?',
) as [number, number, number, number, number, number, number, number, number, number, number, number]
const [LETTER_B, LETTER_F, DIGIT_0, DIGIT_1, DIGIT_9, LETTER_P] = codesOf('bf019p') as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const CAPITAL = 32
/** From here on, a code point takes several bytes. */
const FIRST_OF_BYTES = 0x80
const REPEATS: ReadonlySet<number> = new Set([STAR, PLUS, MINUS, QUESTION])

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

/** Undefined when the bytes are not UTF-8. Throws a LuaError for an invalid pattern. */
export function compilePattern(bytes: Uint8Array): Pattern | undefined {
  const subject = decodeSubject(bytes, 0, bytes.length)
  return subject && new Compiler(subject.codes.subarray(0, subject.length)).compile()
}

class Compiler {
  readonly #codes: Uint32Array
  readonly #nodes: Node[] = []
  #at = 0
  #isPlain = true

  constructor(codes: Uint32Array) {
    this.#codes = codes
  }

  compile(): Pattern {
    const codes = this.#codes
    const isAnchored = codes[0] === CARET
    this.#at = isAnchored ? 1 : 0
    const open: { readonly capture: number; readonly at: number }[] = []
    let captures = 0
    while (this.#at < codes.length) {
      const at = this.#at
      const code = codes[at]
      if (code === OPEN) {
        if (captures >= MAX_CAPTURES) throw new LuaError('too many captures')
        if (at === codes.length - 1) throw new LuaError(`Unmatched open-paren at pattern character ${at + 1}`)
        const isPosition = codes[at + 1] === CLOSE
        this.#nodes.push({ kind: 'open', capture: captures, isPosition })
        if (!isPosition) open.push({ capture: captures, at })
        captures++
        this.#at += isPosition ? 2 : 1
      } else if (code === CLOSE) {
        const opened = open.pop()
        if (opened === undefined) throw new LuaError(`Unmatched close-paren at pattern character ${at + 1}`)
        this.#nodes.push({ kind: 'close', capture: opened.capture })
        this.#at++
      } else if (code === DOLLAR && at === codes.length - 1) {
        this.#nodes.push({ kind: 'end' })
        this.#at++
      } else if (code === PERCENT && codes[at + 1] === LETTER_B) this.#balance()
      else if (code === PERCENT && codes[at + 1] === LETTER_F) this.#frontier()
      else if (code === PERCENT && isDigit(codes[at + 1] ?? 0)) this.#back(captures, open)
      else this.#single()
    }
    const [unclosed] = open
    if (unclosed !== undefined)
      throw new LuaError(`Unclosed capture beginning at pattern character ${unclosed.at + 1}`)
    const isLazy = canBeLazy(this.#nodes)
    const isPlain = this.#isPlain && codes.every((code) => code > 0)
    const plain = isPlain ? plainOf(this.#nodes, isLazy) : 'never'
    return { nodes: this.#nodes, isAnchored, captures, isLazy, plain }
  }

  #back(captures: number, open: readonly { readonly capture: number }[]): void {
    const capture = (this.#codes[this.#at + 1] ?? 0) - DIGIT_1
    if (capture < 0 || capture >= captures || open.some((opened) => opened.capture === capture))
      throw new LuaError(`invalid capture index %${capture + 1} at pattern character ${this.#at + 1}`)
    this.#nodes.push({ kind: 'back', capture })
    this.#at += 2
  }

  #single(): void {
    const test = this.#test()
    switch (this.#codes[this.#at]) {
      case STAR:
        this.#at++
        return this.#add(test, 'greedy', 0)
      case PLUS:
        this.#at++
        return this.#add(test, 'greedy', 1)
      case MINUS:
        this.#at++
        return this.#add(test, 'lazy', 0)
      case QUESTION:
        this.#at++
        return this.#add(test, 'optional', 0)
      case undefined:
      default:
        this.#add(test, 'once', 1)
    }
  }

  #add(test: CodeTest, repeat: Repeat, least: number): void {
    this.#nodes.push({ kind: 'single', test, repeat, least })
  }

  /** Parses one character, class or set. */
  #test(): CodeTest {
    const code = this.#codes[this.#at++] ?? 0
    if (code === DOT) return () => true
    if (code === PERCENT) return this.#escaped()
    if (code === BRACKET) return this.#set()
    if (code === BRACKET_END) throw new LuaError(`Unmatched close-bracket at pattern character ${this.#at}`)
    // The C library repeats the last byte alone.
    if (code >= FIRST_OF_BYTES && REPEATS.has(this.#codes[this.#at] ?? 0)) this.#isPlain = false
    return (other) => other === code
  }

  #escaped(): CodeTest {
    const code = this.#codes[this.#at++]
    if (code === undefined) throw new LuaError("malformed pattern (ends with '%')")
    if (!isPlainEscape(code)) this.#isPlain = false
    return classTest(code) ?? ((other) => other === code)
  }

  /** Parses a set in brackets. A `]` right at its start belongs to the set. */
  #set(): CodeTest {
    const codes = this.#codes
    const start = this.#at
    const isNegated = codes[this.#at] === CARET
    if (isNegated) this.#at++
    const single = new Set<number>()
    const ranges: [number, number][] = []
    const classes: CodeTest[] = []
    const first = this.#at
    while (codes[this.#at] !== BRACKET_END || this.#at === first) {
      const code = codes[this.#at]
      if (code === undefined) throw missingBracket(start)
      this.#at++
      if (code === PERCENT) {
        const escaped = codes[this.#at++]
        if (escaped === undefined) throw missingBracket(start)
        if (!isPlainEscape(escaped)) this.#isPlain = false
        const test = classTest(escaped)
        if (test) classes.push(test)
        else single.add(escaped)
        continue
      }
      const last = codes[this.#at + 1]
      const isRange = codes[this.#at] === MINUS && last !== undefined && last !== BRACKET_END
      // No escaped sign ends a range here. In the C library, its % does.
      if (isRange && last === PERCENT) this.#isPlain = false
      // Nor does a range follow another one. In the C library, the last byte of a letter begins the next range.
      if (isRange && last >= FIRST_OF_BYTES && codes[this.#at + 2] === MINUS) this.#isPlain = false
      if (isRange && last !== PERCENT) {
        ranges.push([code, last])
        this.#at += 2
      } else single.add(code)
    }
    this.#at++
    const isIn: CodeTest = (code) =>
      single.has(code) ||
      ranges.some(([from, to]) => code >= from && code <= to) ||
      classes.some((test) => test(code))
    return isNegated ? (code) => !isIn(code) : isIn
  }

  #balance(): void {
    const open = this.#codes[this.#at + 2]
    const close = this.#codes[this.#at + 3]
    if (open === undefined || close === undefined)
      throw new LuaError("malformed pattern (missing arguments to \\'%b\\')")
    if (open >= FIRST_OF_BYTES || close >= FIRST_OF_BYTES) this.#isPlain = false
    this.#nodes.push({ kind: 'balance', open, close })
    this.#at += 4
  }

  #frontier(): void {
    this.#at += 2
    if (this.#codes[this.#at] !== BRACKET)
      throw new LuaError(`missing '[' after %f in pattern at pattern character ${this.#at - 1}`)
    this.#at++
    this.#nodes.push({ kind: 'frontier', test: this.#set() })
  }
}

/** Patterns with a `-`, of which nothing is needed. */
function canBeLazy(nodes: readonly Node[]): boolean {
  const isEmpty = (node: Node): boolean =>
    node.kind === 'single' ? node.least === 0 || node.repeat === 'optional' : node.kind !== 'balance'
  return nodes.some((node) => node.kind === 'single' && node.repeat === 'lazy') && nodes.every(isEmpty)
}

/** `$` and a frontier of NUL see the end before a last newline, unlike those of the C library. */
function plainOf(nodes: readonly Node[], isLazy: boolean): Plain {
  const hasEnd = nodes.some(({ kind }) => kind === 'end')
  const seesEnd = hasEnd || nodes.some((node) => node.kind === 'frontier' && node.test(0))
  // With `$` but without a last newline, a match that is empty is at the end, and nothing is behind it.
  if (isLazy && !hasEnd) return seesEnd ? 'never' : 'search'
  return seesEnd ? 'line' : 'always'
}

/** `%p` has other signs in the C library, and `%` takes the first byte of a letter alone. */
function isPlainEscape(code: number): boolean {
  return code !== LETTER_P && code !== LETTER_P - CAPITAL && code < FIRST_OF_BYTES
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9
}

function missingBracket(start: number): LuaError {
  return new LuaError(`Missing close-bracket for character set beginning at pattern character ${start}`)
}
