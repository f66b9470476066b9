import { describe, expect, test } from 'vitest'
import { encodeText } from '../../../src/index/text/encoder.js'
import { foldText, foldTitle } from '../../../src/index/text/fold.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'
import { randomNumbers } from '../../support/random.js'

const terms = (text: string): string[] => [...encodeText(text)]

describe('folding', () => {
  test.each([
    ['case', 'MOON Straße', 'moon strasse'],
    ['accents', 'Café Ångström', 'cafe angstrom'],
    ['letters with strokes and joints', 'łódź Øresund Æsir đak', 'lodz oresund aesir dak'],
    ['Cyrillic', 'Ёлка Йод', 'елка иод'],
    ['Greek with its last sigma', 'ΣΊΣΥΦΟΣ σίσυφος', 'σισυφοσ σισυφοσ'],
    ['Arabic without vowels', 'كِتَابٌ', 'كتاب'],
    ['Hebrew without points', 'שָׁלוֹם', 'שלום'],
    ['Turkish i', 'İstanbul ısı', 'istanbul isi'],
    ['wide letters', 'ＡＢＣ１２', 'abc12'],
    ['marks that are letters, which stay', 'हिन्दी ไทย', 'हिन्दी ไทย'],
  ])('of %s', (_name, text, folded) => {
    expect(foldText(text)).toBe(folded.normalize('NFC'))
  })

  test('folded again is the same', () => {
    const random = randomNumbers(7)
    for (let n = 0; n < 3000; n++) {
      const points = Array.from({ length: 6 }, () => Math.floor(random() ** 3 * 0x11_0000))
      const text = String.fromCodePoint(
        ...points.map((point) => (point >= 0xd800 && point < 0xe000 ? 65 : point)),
      )
      const once = foldText(text)
      expect(foldText(once)).toBe(once)
    }
  })

  test('takes time in step with the length of a run of marks', () => {
    const fold = (length: number) => foldText(`a${'\u0316\u0301'.repeat(length)}`)
    expect(growth(fold, 50_000)).toBeLessThan(MOST_GROWTH)
  })

  test('gives titles one blank between words', () => {
    expect(foldTitle('_Big__Apple Pie')).toBe('big apple pie')
  })
})

describe('the encoder', () => {
  test.each([
    ['words between signs', "don't e-mail: the U.S.", ['don', 't', 'e', 'mail', 'the', 'u', 's']],
    ['numbers whole', '1999 and 1199, 3.14', ['1999', 'and', '1199', '3', '14']],
    ['letters that are doubled', 'lose loose', ['lose', 'loose']],
    ['Hindi words with their marks', 'हिन्दी दिन', ['हिन्दी', 'दिन']],
    ['pairs of Chinese characters', '圍棋是一', ['圍棋', '棋是', '是一']],
    ['a single character', '棋 is go', ['棋', 'is', 'go']],
    [
      'pairs of kana and of Thai',
      'ゲーム ไทย',
      ['ケー', 'ーム', 'ไท', 'ทย'].map((term) => term.replace('ケ', 'ゲ')),
    ],
    ['scripts that touch', 'the圍棋club', ['the', '圍棋', 'club']],
    ['characters beyond the first plane', '𠀀𠀁 𝕏', ['𠀀𠀁', 'x']],
    ['Korean words', '한국어 위키', ['한국어', '위키']],
  ])('gives %s', (_name, text, found) => {
    expect(terms(text)).toEqual(found)
  })

  test('counts terms and words', () => {
    const encoded = encodeText('to be or not to be')
    expect([...encoded]).toEqual(['to', 'be', 'or', 'not'])
    expect(encoded.counts).toEqual([2, 2, 1, 1])
    expect(encoded.tokenCount).toBe(6)
  })

  test('cuts long terms between characters, and long texts', () => {
    expect(terms('a'.repeat(100))).toEqual(['a'.repeat(40)])
    expect(terms(`${'a'.repeat(39)}${'𐐨'.repeat(5)}`)).toEqual(['a'.repeat(39)])
    expect(encodeText('word '.repeat(60_000)).tokenCount).toBe(50_000)
  })
})
