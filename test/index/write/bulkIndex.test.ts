/** Bulk indexing and FlexSearch find the same postings. */
import { describe, expect, test } from 'vitest'
import { TEXT_REFERENCE } from '../../../src/index/rows/impact.js'
import { encodeText, visitTerms } from '../../../src/index/text/encoder.js'
import { TermReader } from '../../../src/index/text/termReader.js'
import { BulkIndex } from '../../../src/index/write/bulkIndex.js'
import { FlexIndex } from '../../../src/index/write/flexIndex.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'
import { randomNumbers } from '../../support/random.js'

/** Characters that fold, compose, vanish or split words, besides those that random numbers give. */
const NOTABLE = [
  ...' \n.-_\'"=<>`´¨…–—½²ªº',
  ...'aAzZ09éÉßẞæŒøØłŁđÐþıİſǅﬁﬃ㎏㍿ΣσςΆΰЁйЙ',
  ...'\u0300\u0301\u0338\u0345\u00ad\u200b\u200d\u2060\ufeff\u0640\u064b\u05b0\u3099\u309a\u093c\u09be',
  ...'क़खがﾞｶｰーゲ圍棋是ไทยကခ한국\u1100\u1161\u11a8ᄒﾡ𝕏𐐀😀𠀀',
  '\ud800',
  '\udc00',
]

const random = randomNumbers(22)

function randomText(length: number): string {
  return Array.from({ length }, () => {
    const kind = random()
    if (kind < 0.5) return NOTABLE[Math.floor(random() * NOTABLE.length)]!
    if (kind < 0.7) return 'abcde '[Math.floor(random() * 6)]!
    return String.fromCodePoint(Math.floor(random() ** 3 * 0x11_0000))
  }).join('')
}

function readTerms(text: string): string[] {
  const terms: string[] = []
  new TermReader((units, length) => terms.push(String.fromCharCode(...units.subarray(0, length)))).read(text)
  return terms
}

function visitedTerms(text: string): string[] {
  const terms: string[] = []
  visitTerms(text, (term) => terms.push(term))
  return terms
}

describe('the reader of terms', () => {
  test('finds the terms of the encoder in any text', () => {
    for (let n = 0; n < 20_000; n++) {
      const text = randomText(1 + Math.floor(random() * 12))
      expect({ text, terms: readTerms(text) }).toEqual({ text, terms: visitedTerms(text) })
    }
  })

  test('finds the terms of the encoder around every unit', () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const text = `x${String.fromCharCode(unit)}y`
      expect({ unit, terms: readTerms(text) }).toEqual({ unit, terms: visitedTerms(text) })
    }
  })

  test.each([
    ['long words', `${'a'.repeat(39)}ßb ${'é'.repeat(60)}`],
    ['long words with characters of two units', `${'a'.repeat(39)}${'𐐨'.repeat(5)}`],
    ['long runs of marks', `e${'\u0316\u0301'.repeat(50)}é`],
  ])('cuts %s as the encoder does', (_name, text) => {
    expect(readTerms(text)).toEqual(visitedTerms(text))
  })

  test('takes time in step with the length of a word', () => {
    expect(growth((length) => readTerms(`a\u0301${'é'.repeat(length)}`), 50_000)).toBeLessThan(MOST_GROWTH)
  })
})

describe('a bulk index', () => {
  const words = Array.from({ length: 3000 }, () => randomText(1 + Math.floor(random() * 4)))
  const texts = Array.from({ length: 400 }, (_, n) => {
    const length = n % 50 === 0 ? 60_000 : Math.floor(random() * 300)
    return Array.from({ length }, () => words[Math.floor(random() ** 2 * words.length)]!).join(' ')
  })

  test('finds the changes that FlexSearch finds', () => {
    const [bulk, flex] = [new BulkIndex(TEXT_REFERENCE), new FlexIndex(TEXT_REFERENCE)]
    for (const seen of [texts.slice(0, 300), texts.slice(300)]) {
      seen.forEach((text, n) => {
        const before = n % 3 === 0 ? texts[(n * 7) % texts.length]! : undefined
        const after = n % 10 === 0 ? undefined : `${text}\n${before ?? ''}`
        bulk.replace(n, before === undefined ? undefined : [before], after?.split('\n'))
        flex.replace(n, before, after)
      })
      const { terms, ...arrays } = bulk.takeChanges()
      expect({ terms: terms.split(' '), ...arrays }).toEqual(flex.takeChanges())
    }
  })

  test('counts the words of all parts of a text together', () => {
    const bulk = new BulkIndex(TEXT_REFERENCE)
    const part = 'word '.repeat(30_000)
    bulk.replace(1, undefined, [part, `${part} beyond`])
    expect(bulk.takeChanges().terms).toBe('word')
    expect(encodeText(`${part}\n${part} beyond`).tokenCount).toBe(50_000)
  })

  test('takes pages in their order only', () => {
    const bulk = new BulkIndex(TEXT_REFERENCE)
    bulk.replace(2, undefined, ['a'])
    expect(() => bulk.replace(2, undefined, ['b'])).toThrow(RangeError)
  })
})
