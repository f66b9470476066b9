import { describe, expect, test } from 'vitest'
import { decodePercent, encodePercent } from '../../src/domain/percent.js'

describe('decodePercent', () => {
  test.each([
    ['Moon', 'Moon'],
    ['a%20b', 'a b'],
    ['a+b', 'a+b'],
    ['caf%C3%A9', 'café'],
    ['caf%c3%a9', 'café'],
    ['%F0%9F%8C%B3', '🌳'],
    ['100%', '100%'],
    ['100%25', '100%'],
    ['%zz%41', '%zzA'],
    ['%4', '%4'],
    ['é%C3%A9%', 'éé%'],
    ['%FF', '\u{fffd}'],
    ['a%C3b', 'a\u{fffd}b'],
    ['%ED%A0%80', '\u{fffd}\u{fffd}\u{fffd}'],
    ['%00', '\0'],
  ])('%s is %s', (encoded, decoded) => {
    expect(decodePercent(encoded)).toBe(decoded)
  })
})

describe('encodePercent', () => {
  test.each([
    ['Moon-1._~', 'Moon-1._~'],
    ['a b', 'a%20b'],
    ['a/b:c@d', 'a%2Fb%3Ac%40d'],
    ["!'()*", '%21%27%28%29%2A'],
    ['100% é 🌳', '100%25%20%C3%A9%20%F0%9F%8C%B3'],
  ])('%s is %s', (text, encoded) => {
    expect(encodePercent(text)).toBe(encoded)
  })

  test('is undone by decodePercent', () => {
    const text = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)).join('')
    expect(decodePercent(encodePercent(text))).toBe(text)
  })
})
