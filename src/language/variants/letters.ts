/** Alphabets of variants that write the same language in two scripts. */

/** Letters that stand for others: `а a б b` and so on. */
export type Pairs = string

export function* pairsOf(pairs: Pairs): Generator<[from: string, to: string]> {
  const letters = pairs.trim().split(/\s+/)
  for (let n = 0; n + 1 < letters.length; n += 2) yield [letters[n]!, letters[n + 1]!]
}

/** With capitals: of several letters the first one is. `_` stands for no letter. */
export function* withCapitals(pairs: Pairs): Generator<[from: string, to: string]> {
  for (const [from, written] of pairsOf(pairs)) {
    const to = written === '_' ? '' : written
    yield [from, to]
    const [capital, capitalTo] = [capitalised(from), capitalised(to)]
    if (capital !== from) yield [capital, capitalTo]
    if (from.length > 1 && from.toUpperCase() !== capital)
      yield [from.toUpperCase(), to.length > 1 ? capitalTo : to.toUpperCase()]
  }
}

/** The other way round. */
export const reversed = (pairs: Pairs): Pairs =>
  Array.from(pairsOf(pairs), ([from, to]) => `${to} ${from}`).join(' ')

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
