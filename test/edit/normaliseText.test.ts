import { describe, expect, test } from 'vitest'
import { normaliseText } from '../../src/edit/normaliseText.js'
import { randomNumbers } from '../support/random.js'

const JOINER = '\u034f'

test.each([
  ['keeps an ordinary text', 'Hello [[World]]\n== H ==\nx', 'Hello [[World]]\n== H ==\nx'],
  ['keeps an empty text', '', ''],
  ['makes line feeds of CR LF and CR', 'a\r\nb\rc\r\r\nd', 'a\nb\nc\n\nd'],
  ['cuts white space at the end', 'text  \n\n\n', 'text'],
  ['cuts tabs and carriage returns at the end', 'text\t\r\n\r', 'text'],
  ['leaves nothing of a blank text', ' \n\t\r\n', ''],
  ['keeps white space at the start and inside', '\n  a  \n\n b', '\n  a  \n\n b'],
  ['keeps a no-break space at the end', 'a\u00a0', 'a\u00a0'],
  ['keeps tabs', 'a\tb', 'a\tb'],
  ['replaces control characters', 'a\0b\x08\x0b\x0c\x0e\x1fc', 'a\ufffdb\ufffd\ufffd\ufffd\ufffd\ufffdc'],
  ['replaces them at the end, too', 'a\0', 'a\ufffd'],
  ['keeps DEL and the control characters after it', 'a\x7f\x80\x9fb', 'a\x7f\x80\x9fb'],
  ['replaces what is no character', 'a\ufffe\uffffb', 'a\ufffd\ufffdb'],
  ['replaces lone surrogates', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
  ['keeps pairs of surrogates', 'a😀b', 'a😀b'],
  ['composes', 'cafe\u0301', 'café'],
  ['sorts marks', 'a\u0301\u0323', 'ạ\u0301'],
  ['composes Hangul', '\u1112\u1161\u11ab', '한'],
  ['takes compatibility characters as they are', 'ﬁ ①', 'ﬁ ①'],
])('%s', (_case, source, stored) => {
  expect(normaliseText(source)).toBe(stored)
})

describe('long runs of combining marks', () => {
  test('of 128 are sorted whole', () => {
    const text = `a${'\u0301\u0323'.repeat(64)}`
    expect(normaliseText(text)).toBe(text.normalize('NFC'))
  })

  test('are broken by a joiner after every 128', () => {
    expect(normaliseText(`x${'\u0301'.repeat(300)}y`)).toBe(
      `x${'\u0301'.repeat(128)}${JOINER}${'\u0301'.repeat(128)}${JOINER}${'\u0301'.repeat(44)}y`,
    )
  })

  test('are broken between the halves of no letter', () => {
    const mark = '\u{1d165}'
    const stored = normaliseText(`\u0334${mark.repeat(200)}`)
    expect(!/[\ud800-\udfff]/u.test(stored)).toBe(true)
    expect(stored.replaceAll(JOINER, '')).toBe(`\u0334${mark.repeat(200)}`)
    expect(normaliseText(stored)).toBe(stored)
  })

  test('that grow when they are taken apart are broken, too', () => {
    const stored = normaliseText(`q${'\u0344'.repeat(128)}`)
    expect(stored).toBe(`q${'\u0308\u0301'.repeat(64)}${JOINER}${'\u0308\u0301'.repeat(64)}`)
    expect(normaliseText(stored)).toBe(stored)
  })

  test.each([
    ['marks in the wrong order', '\u0301\u0323'],
    ['marks of the upper planes', '\u{1d165}\u{1d16d}'],
    ['marks that fall apart', '\u0344'],
    ['joiners', JOINER],
    ['Hangul', '\u1112\u1161\u11ab'],
    ['blanks', ' '],
    ['blanks before letters', ' '.repeat(1000) + 'a'],
    ['carriage returns', '\r'],
    ['control characters', '\0'],
    ['surrogates', '\udc00\ud800'],
  ])('and other hostile texts of a million letters get an answer: %s', (_case, unit) => {
    const stored = normaliseText(unit.repeat(1_000_000 / unit.length))
    expect(stored).toBe(stored.normalize('NFC'))
  })
})

describe('a text of any letters', () => {
  const PIECES = [
    ...'aeuoǖǭ \n\t\r\0é한か\u3099\u0301\u0323\u0308\u0344\u0345\u0304\u0328\u1161\u11a8\u0f73\u2126\ud800\udc00😀\ufffe',
    '\u0301'.repeat(70),
    '\u0344'.repeat(64),
    '\u0323\u0301'.repeat(63),
    '\u{1d165}'.repeat(40),
  ]
  const random = randomNumbers(11)
  const texts = Array.from({ length: 5000 }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 12) },
      () => PIECES[Math.floor(random() * PIECES.length)],
    ).join(''),
  )

  test('is the same after a second time, and in NFC', () => {
    for (const text of texts) {
      const stored = normaliseText(text)
      expect(normaliseText(stored)).toBe(stored)
      expect(stored).toBe(stored.normalize('NFC'))
      expect(stored).not.toMatch(/[\0-\x08\r\ufffe]|[ \t\n]$/)
    }
  })

  test('without long runs is what NFC makes of it', () => {
    for (const text of texts) {
      if (/\p{M}{64}/u.test(text)) continue
      const lines = text.replace(/\r\n?/g, '\n').replace(/[\0\ufffe\ud800-\udfff]/gu, '\ufffd')
      expect(normaliseText(text)).toBe(lines.normalize('NFC').replace(/[ \t\n]+$/, ''))
    }
  })
})
