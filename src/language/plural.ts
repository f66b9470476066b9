/** Plural forms by the rules of Unicode's locale data, such as `v = 0 and i % 10 = 2..4 and i % 100 != 12..14`. */

/** What a rule may ask of a number. */
interface Operands {
  /** The absolute value. */
  readonly n: number
  /** The integer. */
  readonly i: number
  /** Count of decimals, with and without zeros at the end. */
  readonly v: number
  readonly w: number
  /** Decimals as an integer, with and without zeros at the end. */
  readonly f: number
  readonly t: number
}

type Rule = (operands: Operands) => boolean

const CONDITION = /^([nivwft])(?: % (\d+))? (!?=) ([\d.,]+)$/

/** The index of the form that a number takes: that of the first rule that holds, or one after the last rule. */
export function pluralIndex(number: string, rules: readonly Rule[]): number {
  const operands = operandsOf(number)
  const index = rules.findIndex((holds) => holds(operands))
  return index < 0 ? rules.length : index
}

export function pluralRules(texts: readonly string[]): Rule[] {
  return texts.map((text) => {
    const choices = text.split(' or ').map((choice) => choice.split(' and ').map(condition))
    return (operands) => choices.some((all) => all.every((holds) => holds(operands)))
  })
}

function condition(text: string): Rule {
  const [, operand = 'n', divisor, sign, values = ''] = CONDITION.exec(text.trim()) ?? []
  if (sign === undefined) throw new Error(`no plural rule: ${text}`)
  const ranges = values.split(',').map((range) => range.split('..').map(Number))
  return (operands) => {
    const whole = operands[operand as keyof Operands]
    const value = divisor === undefined ? whole : whole % Number(divisor)
    const isIn = ranges.some(([from = NaN, to = from]) =>
      from === to ? value === from : value >= from && value <= to && Number.isInteger(value),
    )
    return isIn === (sign === '=')
  }
}

function operandsOf(number: string): Operands {
  const [integer = '', decimals = ''] = number.replace(/^[-+\u2212]/, '').split('.')
  const significant = decimals.replace(/0+$/, '')
  return {
    n: Math.abs(Number(number)) || 0,
    i: Number(integer) || 0,
    v: decimals.length,
    w: significant.length,
    f: Number(decimals) || 0,
    t: Number(significant) || 0,
  }
}
