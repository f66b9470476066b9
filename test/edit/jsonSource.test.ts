import { describe, expect, test } from 'vitest'
import { layOutJson } from '../../src/edit/contentModels.js'
import { normaliseText } from '../../src/edit/normaliseText.js'
import { randomNumbers } from '../support/random.js'

const ENOUGH = 1_000_000
const laidOut = (source: string) => {
  const layout = layOutJson(source, ENOUGH)
  if (!layout.ok) throw new Error(layout.problem)
  return layout.text
}

test.each([
  ['an object', '{"a":1,"b":[true,null]}', '{\n\t"a": 1,\n\t"b": [\n\t\ttrue,\n\t\tnull\n\t]\n}'],
  ['empty containers', '{"a":{ },"b":[\n]}', '{\n\t"a": {},\n\t"b": []\n}'],
  ['an empty object', ' {\n} ', '{}'],
  ['an empty array', '[]', '[]'],
  ['a string alone', '"x"', '"x"'],
  ['a number alone', ' 1 ', '1'],
  [
    'big and precise numbers',
    '[12345678901234567890,1.10,1e400,-0]',
    '[\n\t12345678901234567890,\n\t1.10,\n\t1e400,\n\t-0\n]',
  ],
  ['keys like numbers, in their order', '{"b":1,"2":2,"1":3}', '{\n\t"b": 1,\n\t"2": 2,\n\t"1": 3\n}'],
  ['doubled keys', '{"a":1,"a":2}', '{\n\t"a": 1,\n\t"a": 2\n}'],
  ['__proto__', '{"__proto__":1}', '{\n\t"__proto__": 1\n}'],
  ['slashes without their escapes', '"a\\/b"', '"a/b"'],
  ['letters without their escapes', '"caf\\u00e9 \\ud83d\\ude00"', '"café 😀"'],
  ['escapes that JSON needs', '"\\"\\\\\\n\\u0000\\u001f"', '"\\"\\\\\\n\\u0000\\u001f"'],
  ['a lone surrogate as its escape', '"\\ud800"', '"\\ud800"'],
  ['an escaped mark that would be composed', '"e\\u0301"', '"e\\u0301"'],
  ['signs in strings', '["{","]",",",":","\\\\"]', '[\n\t"{",\n\t"]",\n\t",",\n\t":",\n\t"\\\\"\n]'],
])('lays out %s', (_case, source, expected) => {
  expect(laidOut(source)).toBe(expected)
  expect(laidOut(expected)).toBe(expected)
})

test.each([
  [''],
  ['{'],
  ['{"a":}'],
  ["{'a':1}"],
  ['[1,]'],
  ['nope'],
  ['{} {}'],
  ['01'],
  ['"\n"'],
  ['\ufeff{}'],
])('refuses %j', (source) => {
  expect(layOutJson(source, ENOUGH)).toEqual({ ok: false, problem: 'syntax' })
})

test('allows 512 levels and refuses 513', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(layOutJson(nested(512), ENOUGH).ok).toBe(true)
  expect(layOutJson(nested(513), ENOUGH)).toEqual({ ok: false, problem: 'depth' })
  expect(layOutJson(nested(1_000_000), ENOUGH)).toEqual({ ok: false, problem: 'depth' })
})

test('stops when the tabs make it too long', () => {
  const source = '['.repeat(500) + '1,'.repeat(500_000) + '1' + ']'.repeat(500)
  expect(layOutJson(source, ENOUGH)).toEqual({ ok: false, problem: 'size' })
})

test('takes a string of backslashes in linear time', () => {
  const source = `["${'\\\\'.repeat(400_000)}", "${'\\"'.repeat(400_000)}"]`
  expect(layOutJson(source, 4_000_000).ok).toBe(true)
})

describe('any value', () => {
  const random = randomNumbers(7)
  const LETTERS = [
    'a',
    '"',
    '\\',
    '/',
    'é',
    '\u0301',
    '\u2028',
    '\0',
    '{',
    ']',
    ',',
    ' ',
    '😀',
    '\ud800',
    '\n',
  ]
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const text = () => Array.from({ length: Math.floor(random() * 5) }, () => pick(LETTERS)).join('')
  const value = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 0 ? 6 : 4))
    if (kind === 0) return text()
    if (kind === 1) return random() * 1e6
    if (kind === 2) return pick([true, false, null])
    if (kind === 3) return pick([[], {}])
    const members = Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1))
    return kind === 4 ? members : Object.fromEntries(members.map((member) => [text(), member]))
  }

  test('stays the same value, is laid out as JSON.stringify does with tabs, and is stable', () => {
    for (let i = 0; i < 2000; i++) {
      const original = value(4)
      const written = JSON.stringify(original)
      // the letter of an escape and the mark after it would be composed
      if (/\\[a-z]\u0301/.test(written)) continue
      const compact = normaliseText(written)
      const stored = laidOut(compact)
      expect(JSON.parse(stored)).toEqual(JSON.parse(compact))
      expect(stored).toBe(JSON.stringify(JSON.parse(compact), null, '\t'))
      expect(laidOut(normaliseText(stored))).toBe(stored)
    }
  })
})
