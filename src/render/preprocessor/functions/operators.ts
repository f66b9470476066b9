/** The operators of expressions, from highest to lowest precedence. */

/** An error whose message readers see. */
export class ExpressionError extends Error {
  constructor(message: string, prefix = 'Expression error: ') {
    super(prefix + message)
  }
}

export interface Operator {
  /** Higher values bind more tightly. */
  readonly precedence: number
  /** Takes its operands from the end of the stack and pushes its result. */
  readonly apply: (operands: number[]) => void
}

export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

const SIGN = 10
const FUNCTION = 9
const POWER = 8
const PRODUCT = 7
const SUM = 6
const ROUND = 5
const COMPARISON = 4
const AND = 3
const OR = 2

export const PREFIX: ReadonlyMap<string, Operator> = new Map([
  prefix('-', SIGN, (x) => -x),
  prefix('+', SIGN, (x) => x),
  prefix('not', FUNCTION, (x) => truth(x === 0)),
  prefix('sin', FUNCTION, Math.sin),
  prefix('cos', FUNCTION, Math.cos),
  prefix('tan', FUNCTION, Math.tan),
  prefix('asin', FUNCTION, (x) => Math.asin(unitInterval(x, 'asin'))),
  prefix('acos', FUNCTION, (x) => Math.acos(unitInterval(x, 'acos'))),
  prefix('atan', FUNCTION, Math.atan),
  prefix('exp', FUNCTION, Math.exp),
  prefix('ln', FUNCTION, naturalLogarithm),
  prefix('abs', FUNCTION, Math.abs),
  prefix('floor', FUNCTION, Math.floor),
  prefix('ceil', FUNCTION, Math.ceil),
  prefix('trunc', FUNCTION, (x) => Number(integer(x))),
  prefix('sqrt', FUNCTION, squareRoot),
])

export const BINARY: ReadonlyMap<string, Operator> = new Map([
  binary('e', SIGN, (x, y) => x * 10 ** y),
  binary('^', POWER, power),
  binary('*', PRODUCT, (x, y) => x * y),
  binary('/', PRODUCT, (x, y) => x / divisor(y)),
  binary('div', PRODUCT, (x, y) => x / divisor(y)),
  binary('mod', PRODUCT, modulo),
  binary('fmod', PRODUCT, (x, y) => x % divisor(y)),
  binary('+', SUM, (x, y) => x + y),
  binary('-', SUM, (x, y) => x - y),
  binary('round', ROUND, round),
  binary('=', COMPARISON, (x, y) => truth(x === y)),
  binary('<', COMPARISON, (x, y) => truth(x < y)),
  binary('>', COMPARISON, (x, y) => truth(x > y)),
  binary('<=', COMPARISON, (x, y) => truth(x <= y)),
  binary('>=', COMPARISON, (x, y) => truth(x >= y)),
  binary('<>', COMPARISON, (x, y) => truth(x !== y)),
  binary('!=', COMPARISON, (x, y) => truth(x !== y)),
  binary('and', AND, (x, y) => truth(x !== 0 && y !== 0)),
  binary('or', OR, (x, y) => truth(x !== 0 || y !== 0)),
])

function prefix(name: string, precedence: number, value: (x: number) => number): [string, Operator] {
  const apply = (operands: number[]): void => {
    operands.push(value(take(operands, name)))
  }
  return [name, { precedence, apply }]
}

function binary(
  name: string,
  precedence: number,
  value: (x: number, y: number) => number,
): [string, Operator] {
  const apply = (operands: number[]): void => {
    const right = take(operands, name)
    operands.push(value(take(operands, name), right))
  }
  return [name, { precedence, apply }]
}

function take(operands: number[], name: string): number {
  const operand = operands.pop()
  if (operand === undefined) throw new ExpressionError(`Missing operand for ${shown(name)}.`)
  return operand
}

function shown(name: string): string {
  return name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function truth(condition: boolean): number {
  return condition ? 1 : 0
}

function divisor(y: number): number {
  if (y === 0) throw new ExpressionError('Division by zero.', '')
  return y
}

/** Remainder of 64-bit integers. A divisor of 2^64 is 0. */
function modulo(x: number, y: number): number {
  const by = integer(y)
  divisor(Number(by))
  return Number(integer(x) % by)
}

/** As PHP makes an integer of a number: without decimals, its last 64 bits. */
function integer(x: number): bigint {
  return Number.isFinite(x) ? BigInt.asIntN(64, BigInt(Math.trunc(x))) : 0n
}

function unitInterval(x: number, name: string): number {
  if (x < -1 || x > 1) throw new ExpressionError(`Invalid argument for ${name}: &lt; -1 or &gt; 1.`, '')
  return x
}

function naturalLogarithm(x: number): number {
  if (x <= 0) throw new ExpressionError('Invalid argument for ln: &lt;= 0.', '')
  return Math.log(x)
}

function squareRoot(x: number): number {
  if (x < 0) throw new ExpressionError('In sqrt: Result is not a number.', '')
  return Math.sqrt(x)
}

function power(x: number, y: number): number {
  const result = x ** y
  if (Number.isNaN(result)) throw new ExpressionError('In ^: Result is not a number.', '')
  return result
}

/** Rounds half away from zero. The decimal digits decide, not the binary fraction behind them. */
function round(x: number, places: number): number {
  const digits = Math.trunc(places)
  if (!Number.isFinite(x) || Math.abs(digits) > 300) return x
  const scaled = Number(`${Math.abs(x)}e${digits}`)
  const shifted = Number.isNaN(scaled) ? Math.abs(x) * 10 ** digits : scaled
  const rounded = Math.floor(Number((shifted + 0.5).toPrecision(15)))
  const result = Number(`${rounded}e${-digits}`)
  return Math.sign(x) * (Number.isNaN(result) ? rounded / 10 ** digits : result)
}
