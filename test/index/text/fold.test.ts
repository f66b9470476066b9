import { expect, test } from 'vitest'
import { foldCharacter, foldText } from '../../../src/index/text/fold.js'
test('a character alone folds as its text does, however many came before', () => {
  for (let code = 0x20; code < 0x2ffff; code += 7) {
    const character = String.fromCodePoint(code)
    if (/\p{Surrogate}/u.test(character)) continue
    if (foldCharacter(code) !== foldText(character)) expect.fail(`U+${code.toString(16)} folds differently`)
  }
  expect(foldCharacter('Ａ'.codePointAt(0)!)).toBe('a')
})
