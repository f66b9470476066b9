import { expect, test } from 'vitest'
import { prefixEnd } from '../../src/wikitext/linkPrefix.js'
import { randomNumbers } from '../support/random.js'

const SIGNS = [...'[]|{}<>\n:::aaaaaaé漢 ']

test('the prefix of a link is what an expression finds', () => {
  const random = randomNumbers(5)
  const below = (limit: number): number => Math.floor(random() * limit)
  let found = 0
  for (let n = 0; n < 5000; n++) {
    const text = Array.from({ length: below(12) }, () => SIGNS[below(SIGNS.length)]!).join('')
    const [at, maxLength] = [below(8), 1 + below(6)]
    const expression = new RegExp(`[^[\\]|{}<>\\n:]{1,${maxLength}}(?=:)`, 'y')
    expression.lastIndex = at
    const end = expression.test(text) ? expression.lastIndex : undefined
    if (end !== undefined) found++
    expect(prefixEnd(text, at, maxLength), JSON.stringify({ text, at, maxLength })).toBe(end)
  }
  expect(found).toBeGreaterThan(100)
})
