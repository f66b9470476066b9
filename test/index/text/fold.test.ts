import { expect, test } from 'vitest'
import { foldCharacter, foldText } from '../../../src/index/text/fold.js'

test('a character alone folds as its text does, if to one character', () => {
  for (const round of ['first', 'again']) {
    for (let code = 0x20; code < 0x2ffff; code += 7) {
      const character = String.fromCodePoint(code)
      if (/\p{Surrogate}/u.test(character)) continue
      const folded = Array.from(foldText(character), (part) => part.codePointAt(0)!)
      const expected = folded.length === 1 ? folded[0] : -1
      if (foldCharacter(code) !== expected) expect.fail(`U+${code.toString(16)} folds differently, ${round}`)
    }
  }
})

test.each([
  ['one character', 'Ａ', 'a'.codePointAt(0)!],
  ['a character of two units', '\ufad1', 0x233d5],
  ['several characters', 'ำ', -1],
  ['nothing', '\u00ad', -1],
])('a character may fold to %s', (_to, character, folded) => {
  expect(foldCharacter(character.codePointAt(0)!)).toBe(folded)
})
