import { expect, test } from 'vitest'
import { cutLetters, normaliseComment } from '../../src/edit/comment.js'

test.each([
  ['keeps a comment', 'fixed a word', 'fixed a word'],
  ['cuts surrounding space', ' \n\tfixed \n', 'fixed'],
  ['keeps line breaks inside', 'one\r\ntwo\nthree', 'one\ntwo\nthree'],
  ['replaces control characters', 'a\0b', 'a\ufffdb'],
  ['composes', 'cafe\u0301', 'café'],
  ['keeps 500 letters', 'x'.repeat(500), 'x'.repeat(500)],
  ['cuts to 500 letters with a mark', 'x'.repeat(501), `${'x'.repeat(497)}...`],
  ['counts a letter of two units once', '😀'.repeat(500), '😀'.repeat(500)],
  ['cuts between letters of two units', '😀'.repeat(501), `${'😀'.repeat(497)}...`],
  ['leaves no blank where it cut', `${'x'.repeat(494)}\n\n yyyyy`, `${'x'.repeat(494)}...`],
  ['leaves nothing of blanks', ' \n ', ''],
])('%s', (_case, comment, stored) => {
  expect(normaliseComment(comment)).toBe(stored)
  expect(normaliseComment(stored)).toBe(stored)
})

test('a hostile comment of a million letters gets an answer of 500', () => {
  for (const unit of ['\u0301\u0323', ' \n', '\ud800', 'x ']) {
    const stored = normaliseComment(`a${unit.repeat(500_000)}a`)
    expect([...stored].length).toBeLessThanOrEqual(501)
    expect(stored).toBe(stored.normalize('NFC'))
  }
})

test('letters are cut between code points', () => {
  expect(cutLetters('a😀b', 2)).toBe('a😀')
  expect(cutLetters('a😀b', 1)).toBe('a')
  expect(cutLetters('ab', 2)).toBe('ab')
  expect(cutLetters('ab', 0)).toBe('')
})
