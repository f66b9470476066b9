/**
 * Evaluates the arithmetic of `#expr` with two stacks: operands, and operators that wait for their right side.
 * Precedence, names and messages: mediawiki.org, Help:Extension:ParserFunctions.
 */
import { escapeHtml } from '../../../domain/html.js'
import { BINARY, CONSTANTS, ExpressionError, PREFIX, type Operator } from './operators.js'

export { ExpressionError } from './operators.js'

const MAX_STACK = 100
const MAX_LENGTH = 50_000
const BLANK = /[ \t\r\n]+/y
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]*)/y
const WORD = /[a-z]+/iy
const SIGN = /<>|!=|<=|>=|[-+*/^<>=]/y
/** Typographic variants of signs. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&minus;|\u2212/g, '-'],
]

/** The value; undefined for an empty expression. Throws an ExpressionError. */
export function evaluate(expression: string): number | undefined {
  if (expression.length > MAX_LENGTH) throw new ExpressionError('Stack exhausted.')
  return new Evaluation(
    SPELLINGS.reduce((text, [spelling, sign]) => text.replace(spelling, sign), expression),
  ).value()
}

/** A number with at most 14 digits, as PHP writes it: `0.33333333333333`, `1.0E+25`. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NAN'
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [mantissa = '', exponent = '0'] = value.toExponential(DIGITS - 1).split('e')
  const digits = mantissa.includes('.') ? mantissa.replace(/0+$/, '').replace(/\.$/, '') : mantissa
  const power = Number(exponent)
  if (power >= -4 && power < DIGITS) return Number(value.toPrecision(DIGITS)).toFixed(decimals(digits, power))
  return `${digits.includes('.') ? digits : `${digits}.0`}E${power < 0 ? '-' : '+'}${Math.abs(power)}`
}

const DIGITS = 14

/** Number of decimals of a mantissa once it is written without a power of ten. */
function decimals(digits: string, power: number): number {
  const significant = digits.replace(/[-.]/g, '').length
  return Math.max(0, significant - 1 - power)
}

type Stacked = Operator | '('

class Evaluation {
  readonly #text: string
  readonly #operands: number[] = []
  readonly #operators: Stacked[] = []
  #at = 0
  #wantsOperand = true

  constructor(text: string) {
    this.#text = text
  }

  value(): number | undefined {
    while (this.#at < this.#text.length) this.#next()
    for (let top = this.#operators.pop(); top !== undefined; top = this.#operators.pop()) {
      if (top === '(') throw new ExpressionError('Unclosed bracket.')
      top.apply(this.#operands)
    }
    return this.#operands.at(-1)
  }

  #next(): void {
    if (this.#operands.length > MAX_STACK || this.#operators.length > MAX_STACK) {
      throw new ExpressionError('Stack exhausted.')
    }
    if (this.#take(BLANK) !== undefined) return
    const number = this.#take(NUMBER)
    if (number !== undefined) return this.#number(number)
    const word = this.#take(WORD)
    if (word !== undefined) return this.#word(word.toLowerCase(), word)
    const character = this.#text[this.#at] ?? ''
    if (character === '(' || character === ')') return this.#bracket(character)
    const sign = this.#take(SIGN)
    if (sign === undefined) throw unknownCharacter(this.#text.slice(this.#at))
    if (this.#wantsOperand) this.#prefix(sign, sign)
    else this.#binary(sign)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #number(text: string): void {
    if (!this.#wantsOperand) throw new ExpressionError('Unexpected number.')
    this.#operands.push(Number(text === '.' ? '0' : text))
    this.#wantsOperand = false
  }

  #word(name: string, written: string): void {
    const constant = CONSTANTS.get(name)
    // `e` is a number where an operand is expected, otherwise the power of ten.
    if (constant !== undefined && (this.#wantsOperand || !BINARY.has(name))) {
      if (!this.#wantsOperand) throw new ExpressionError('Unexpected number.')
      this.#operands.push(constant)
      this.#wantsOperand = false
    } else if (PREFIX.has(name)) {
      if (!this.#wantsOperand) throw unexpected(name)
      this.#prefix(name, name)
    } else if (!BINARY.has(name)) throw new ExpressionError(`Unrecognized word "${escapeHtml(written)}".`)
    else this.#binary(name)
  }

  /** Pushes the operator, since its operand follows. */
  #prefix(name: string, shown: string): void {
    const operator = PREFIX.get(name)
    if (operator === undefined) throw unexpected(shown)
    this.#operators.push(operator)
  }

  #binary(name: string): void {
    const operator = BINARY.get(name)
    if (operator === undefined || this.#wantsOperand) throw unexpected(name)
    for (let top = this.#operators.at(-1); top !== undefined && top !== '('; top = this.#operators.at(-1)) {
      if (operator.precedence > top.precedence) break
      top.apply(this.#operands)
      this.#operators.pop()
    }
    this.#operators.push(operator)
    this.#wantsOperand = true
  }

  #bracket(character: '(' | ')'): void {
    this.#at++
    if (character === '(') {
      if (!this.#wantsOperand) throw unexpected('(')
      this.#operators.push('(')
      return
    }
    for (let top = this.#operators.pop(); top !== '('; top = this.#operators.pop()) {
      if (top === undefined) throw new ExpressionError('Unexpected closing bracket.')
      top.apply(this.#operands)
    }
    this.#wantsOperand = false
  }
}

function unexpected(name: string): ExpressionError {
  return new ExpressionError(`Unexpected ${escapeHtml(name)} operator.`)
}

function unknownCharacter(rest: string): ExpressionError {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  return new ExpressionError(`Unrecognized punctuation character "${escapeHtml(character)}".`)
}
