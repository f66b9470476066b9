import { describe, expect, test } from 'vitest'
import { visitTerms } from '../../../src/index/text/encoder.js'
import { Utf8Words } from '../../../src/index/text/utf8Words.js'
import { randomNumbers } from '../../support/random.js'

const ALL_BEGINNINGS = Array.from({ length: 256 }, (_, n) => String.fromCharCode(n))

/** The terms of a text by its UTF-8. Complex words go through the encoder. */
function termsOf(text: string, beginnings = ALL_BEGINNINGS): string[] {
  const bytes = Buffer.from(text)
  const words = new Utf8Words(beginnings)
  const terms: string[] = []
  for (let at = 0; words.read(bytes, at, bytes.length); at = words.end) {
    if (words.isComplex)
      visitTerms(bytes.toString('utf8', words.start, words.end), (term) => terms.push(term))
    else terms.push(String.fromCharCode(...words.units.subarray(0, words.length)))
  }
  return terms
}

function encoded(text: string): string[] {
  const terms: string[] = []
  visitTerms(text, (term) => terms.push(term))
  return terms
}

describe('the words of UTF-8', () => {
  test.each([
    ['case and accents', 'The CAFÉ, l’étang: Àir!'],
    ['ligatures and letters without a decomposition', 'Straße œuvre Łódź ﬁn İstanbul'],
    ['marks of their own', 'cafe\u0301 e\u0301tang'],
    ['other alphabets', 'Луна Ёлка ΣΊΣΥΦΟΣ كِتَابٌ שָׁלוֹם हिन्दी 독일의'],
    ['scripts without spaces', '說go圍棋是一種 ไทยภาษา ゲーム'],
    ['letters of four bytes', 'a 𠀀𠀁 b 😀 c𝒳'],
    ['signs within words', 'soft\u00adhyphen don’t ½ ™ ＡＢＣ１２'],
    ['long words', `${'w'.repeat(60)} ${'é'.repeat(60)}`],
    ['nothing', ' – … '],
  ])('have the terms of the encoder: %s', (_name, text) => {
    expect(termsOf(text)).toEqual(encoded(text))
  })

  test('have the terms of the encoder, in any text, also if only some are of interest', () => {
    const random = randomNumbers(77)
    const parts = [
      'moon',
      'a',
      'É',
      ' ',
      'ß',
      '說',
      'e\u0301',
      '-',
      '\u00ad',
      '😀',
      'ф',
      '½',
      '\u0301',
      ' ',
      'ﬁ',
      'ไ',
      '“',
    ]
    for (let n = 0; n < 2000; n++) {
      const length = Math.floor(random() * 12)
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]!).join('')
      expect([text, termsOf(text)]).toEqual([text, encoded(text)])
      // Complex words are read whatever they begin with.
      const some = (terms: readonly string[]): string[] => terms.filter((term) => /^[eф]/.test(term))
      expect([text, some(termsOf(text, ['e', 'ф']))]).toEqual([text, some(encoded(text))])
    }
  })

  test('leave out those that begin otherwise', () => {
    expect(termsOf('Moon äpfel and Apples, more', ['m', 'a'])).toEqual([
      'moon',
      'apfel',
      'and',
      'apples',
      'more',
    ])
    expect(termsOf('Moon äpfel and Apples, more', ['m'])).toEqual(['moon', 'more'])
  })

  test('end where the text is cut', () => {
    const bytes = Buffer.from('moonlight')
    const words = new Utf8Words(['m'])
    expect(words.read(bytes, 0, 4)).toBe(true)
    expect([words.start, words.end, words.length]).toEqual([0, 4, 4])
    expect(words.read(bytes, 4, 4)).toBe(false)
  })
})
