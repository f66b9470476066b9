import { describe, expect, test } from 'vitest'
import { foldText } from '../../../src/index/text/fold.js'
import { WordSequence } from '../../../src/index/search/wordSequence.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'
import { randomNumbers } from '../../support/random.js'

const sequence = (query: string, open = false): WordSequence =>
  new WordSequence(
    query.split(' ').map((word) => [word, foldText(word)]),
    open,
  )
const near = (query: string, text: string, open = false) => sequence(query, open).in(Buffer.from(text))

describe('words in a row', () => {
  test.each([
    ['natural satellite of', 'the natural satellite of it; a Natural Satellite of', 2],
    ['natural satellite', 'a natural (“satellite”)', 1],
    ['natural satellite', 'supernatural satellite, natural satellites', 0],
    ['natural satellite', 'NATURAL SATELLITE', 1],
    ['natural satellite', 'satellite natural', 0],
    ['natural satellite', `natural${' .'.repeat(9)} satellite`, 0],
    ['a na t', 'ta na t, a na t', 1],
    ['18 35 ear', '4° 22′ Tuath, 18° 35′ Ear; bear, 18 35 ear', 2],
    ['time to end', 'and the time: to (end)', 1],
    ['na h alba', 'eachdraidh na h-Alba', 1],
    ['Àird Mhèanais', 'gu Àird Mhèanais', 1],
    ['aird mheanais', 'gu aird Mheanais', 1],
    ['луна земля', 'Луна, Земля', 1],
    ['圍棋是', '說圍棋是一種', 1],
    ['go 圍棋', '一go圍棋', 1],
  ])('%s in "%s": %i times', (query, text, count) => {
    expect(near(query, text).count).toBe(count)
  })

  test('may end within a word that is not finished', () => {
    expect(near('natural sat', 'a natural satellite', true).count).toBe(1)
    expect(near('natural sat', 'a natural satellite').count).toBe(0)
  })

  test('are found behind many occurrences of a word', () => {
    expect(near('which stars', `${'which '.repeat(500)}stars`).count).toBe(1)
  })

  test.each([
    ['that end alike', 'natural moon', 'supernatural ', 'natural moon'],
    ['of two characters that end alike', '圍棋 日本', '象棋', '圍棋、日本'],
    ['of three characters that end alike', 'こども 日本', 'おども', 'こども日本'],
  ])('are found behind many words %s', (_kind, query, other, row) => {
    expect(near(query, `${other.repeat(40)}${row}`).count).toBe(1)
  })

  test('are those that a pattern finds, in any text', () => {
    const random = randomNumbers(12)
    const letters = ['aba', 'b', 'abab', 'caba', 'äb']
    const pick = (): string => letters[Math.floor(random() * letters.length)]!
    for (let n = 0; n < 500; n++) {
      const query = [pick(), pick(), pick()].join(' ')
      const text = Array.from({ length: 30 }, pick).join(' ')
      const isThere = new RegExp(`(?<= )${query}(?= )`).test(` ${text} `)
      expect([query, text, near(query, text).count > 0]).toEqual([query, text, isThere])
    }
  })
})

test('words are close behind many words of two characters that end alike', () => {
  const close = '圍棋和象棋在日本'
  expect(near('圍棋 日本', `${'象棋'.repeat(40)}${close}`).closeness).toBe(near('圍棋 日本', close).closeness)
  expect(near('圍棋 日本', close).closeness).toBeGreaterThan(0)
})

test('a word after the other one counts, rather than one before it', () => {
  expect(near('white moon', `moon white ${'x '.repeat(20)}moon`).closeness).toBe(
    near('white moon', `white ${'x '.repeat(20)}moon`).closeness,
  )
})

test('words are closer when fewer others stand between them', () => {
  const apart = (words: number): number => near('white moon', `white ${'x '.repeat(words)}moon`).closeness
  expect(near('white moon', 'moon white').closeness).toBe(1)
  expect(apart(2)).toBeGreaterThan(apart(10))
  expect(apart(10)).toBeGreaterThan(0)
  expect(apart(200)).toBe(0)
  expect(near('white moon', 'white').closeness).toBe(0)
})

test('the search takes time in step with the text', () => {
  const look = (length: number) => sequence('which of which').in(Buffer.from('which '.repeat(length)))
  expect(growth(look, 20_000)).toBeLessThan(MOST_GROWTH)
})
