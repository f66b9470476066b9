import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { foldText } from '../../../src/index/text/fold.js'
import { parseQuery, phrasePattern } from '../../../src/index/search/query.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'

const parse = (text: string) => parseQuery(text, new Namespaces(DEFAULT_SITE), [0])

describe('a query', () => {
  test.each([
    ['words', 'Big ápple', { terms: ['big', 'apple'], unfinished: 'apple' }],
    [
      'words in their order',
      'Big/ápple -pie "a b" big',
      {
        sequence: [
          ['Big', 'big'],
          ['ápple', 'apple'],
          ['big', 'big'],
        ],
      },
    ],
    ['a finished word', 'apple ', { terms: ['apple'], unfinished: undefined, sequence: [] }],
    ['a phrase', '"big apple" pie', { terms: ['big', 'apple', 'pie'], unfinished: 'pie' }],
    ['a phrase that is not closed', '"big apple', { terms: ['big', 'apple'], unfinished: undefined }],
    [
      'an exclusion',
      'apple -pie -"a b"',
      { terms: ['apple'], excluded: ['pie', 'a', 'b'], unfinished: undefined },
    ],
    ['a minus alone', 'a - b', { terms: ['a', 'b'], excluded: [] }],
    ['the beginning of a word', 'app* big', { terms: ['big'], prefixes: ['app'], unfinished: 'big' }],
    [
      'the beginning of the last word',
      'big app*',
      { terms: ['big'], prefixes: ['app'], unfinished: undefined },
    ],
    ['a namespace', 'user talk: apple', { namespaces: [3], terms: ['apple'] }],
    ['all namespaces', 'ALL:apple', { namespaces: undefined, terms: ['apple'] }],
    ['a colon in front', ':apple', { namespaces: [0], terms: ['apple'] }],
    ['a colon that ends no namespace', 'apple: pie', { namespaces: [0], terms: ['apple', 'pie'] }],
    ['signs', '*([]"|', { terms: [], prefixes: [], phrases: [] }],
  ])('of %s', (_name, text, parts) => {
    expect(parse(text)).toMatchObject(parts)
  })

  test('is cut when it is long', () => {
    expect(parse('a1 '.repeat(1000)).terms).toEqual(['a1'])
    const many = Array.from({ length: 100 }, (_, n) => `w${n}`).join(' ')
    expect(parse(many).terms).toHaveLength(32)
  })
})

describe('a phrase', () => {
  const matches = (phrase: string, text: string): boolean =>
    phrasePattern(parse(`"${phrase}"`).phrases[0]!).test(foldText(text))

  test.each([
    ['big apple', 'the Big, apple pie', true],
    ['big apple', 'the bigger apple', false],
    ['big apple', 'big red apple', false],
    ['big apple', 'big apples', false],
    ['圍棋是', '說圍棋是一種', true],
    ['圍棋是', '棋是圍棋', false],
    ['go 圍棋', 'go圍棋', true],
  ])('%s in "%s": %s', (phrase, text, found) => {
    expect(matches(phrase, text)).toBe(found)
  })

  test('is searched in time in step with the text', () => {
    const words = (length: number) => matches('a b c d e f', 'a '.repeat(length))
    const blanks = (length: number) => matches('a b', `a${' '.repeat(length)}`)
    expect(growth(words, 50_000)).toBeLessThan(MOST_GROWTH)
    expect(growth(blanks, 100_000)).toBeLessThan(MOST_GROWTH)
  })
})
