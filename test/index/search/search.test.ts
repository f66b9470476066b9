import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/storage/store.js'
import { wikiWith } from '../../support/searchWiki.js'

interface Result {
  readonly title: string
  readonly excerpt: string
  readonly matched_title: string | null
  readonly description: string | null
}

function results(store: Store, text: string, limit = 50): Result[] {
  const request = { text, limit, namespaces: [0] }
  return (
    JSON.parse(store.search.answer(store.search.parse(request), limit).toString()) as { pages: Result[] }
  ).pages
}

const titles = (store: Store, text: string, limit?: number): string[] =>
  results(store, text, limit).map(({ title }) => title)

describe('a search', () => {
  const { store } = wikiWith({
    Moon: 'The moon is a natural satellite of the Earth. It has phases and craters.',
    Earth: 'The Earth is a planet. Its only natural satellite is the moon.',
    Sun: 'The sun is a star. The planets move around it.',
    'Moon landing': 'People landed there in 1969, and walked on dust.',
    Luna: '#REDIRECT [[Moon]]',
    Nowhere: '#REDIRECT [[Missing page]]',
    'Café au lait': 'Coffee with hot milk: ein Straßengetränk, łatwe i smaczne.',
    'Talk:Moon': 'Is the moon made of cheese?',
    'C++': 'A language to write programs in.',
    '!!!': 'A band from Sacramento.',
  })

  test.each([
    ['one word', 'craters', ['Moon']],
    ['words in any order', 'satellite natural', ['Moon', 'Earth']],
    ['capital letters', 'CRATERS', ['Moon']],
    ['a number', '1969', ['Moon landing']],
    ['no accents where the text has them', 'cafe', ['Café au lait']],
    ['accents where the text has none', 'crätèrs', ['Moon']],
    ['folded letters', 'strassengetrank latwe', ['Café au lait']],
    ['a word of the title and one of the text', 'landing dust', ['Moon landing']],
    ['all of the words only', 'craters star', []],
    ['an exclusion', 'moon -craters', ['Moon landing', 'Earth']],
    ['an exclusion of a phrase in quotation marks', 'natural -"planet"', ['Moon']],
    ['a phrase', '"natural satellite is"', ['Earth']],
    ['a phrase in another order', '"satellite natural"', []],
    ['the beginning of the last word', 'crat', ['Moon']],
    ['the beginning of a word with a star', 'pla* natural', ['Earth']],
    ['no beginning of a finished word', 'crat ', []],
    ['the title first', 'moon', ['Moon', 'Moon landing', 'Earth']],
    ['a namespace', 'Talk:moon', ['Talk:Moon']],
    ['all namespaces', 'all:cheese', ['Talk:Moon']],
    ['the main namespace by a colon', ':craters', ['Moon']],
    ['a redirect', 'luna', ['Moon']],
    ['a redirect to nowhere', 'nowhere', []],
    ['a title with signs', 'C++', ['C++']],
    ['a title of signs', '!!!', ['!!!']],
    ['only signs', '*( [] "|', []],
    ['a blank', ' ', []],
  ])('finds by %s', (_name, query, found) => {
    expect(titles(store, query)).toEqual(found)
  })

  test('names the redirect that was found', () => {
    expect(results(store, 'luna')).toMatchObject([{ title: 'Moon', matched_title: 'Luna' }])
    expect(results(store, 'moon')[0]).toMatchObject({ title: 'Moon', matched_title: null })
  })

  test('keeps to the limit', () => {
    expect(titles(store, 'moon', 2)).toEqual(['Moon', 'Moon landing'])
  })

  test('leaves out as many results as it should', () => {
    const query = store.search.parse({ text: 'moon', limit: 1, namespaces: [0] })
    const from = (offset: number) =>
      (
        JSON.parse(store.search.answer(query, 1, undefined, undefined, offset).toString()) as {
          pages: Result[]
        }
      ).pages.map(({ title }) => title)
    expect([0, 1, 2, 3].map(from)).toEqual([['Moon'], ['Moon landing'], ['Earth'], []])
  })
})

describe('the order of results', () => {
  test.each([
    [
      'a title equal but for its signs, then those that begin with it',
      { 'Features/PKI Improvements': 'pki features '.repeat(20), 'Features/PKI': 'short', PKI: 'features' },
      'features pki',
      ['Features/PKI', 'Features/PKI Improvements', 'PKI'],
    ],
    [
      'a title with the same accents before those with others',
      { Ailean: 'àilean ailean', Àilean: `x ${'y '.repeat(99)}` },
      'àilean',
      ['Àilean', 'Ailean'],
    ],
    [
      'a title with the same signs before others',
      { 'C++': 'x', C: 'x '.repeat(9), 'C-': 'x' },
      'c++',
      ['C++', 'C', 'C-'],
    ],
    [
      'the target of a redirect with that title',
      { Moon: 'round', 'White moon': '#REDIRECT [[Moon]]', Sky: 'white moon '.repeat(30) },
      'white moon',
      ['Moon', 'Sky'],
    ],
    [
      'words in a row, then close together, then apart',
      {
        Apart: `white and round ${'moon '.repeat(3)} ${'x '.repeat(200)} white ${'y '.repeat(200)} sky`,
        Close: `sky of a white ${'x '.repeat(400)}`,
        Row: `a white, sky ${'x '.repeat(400)}`,
      },
      'white sky',
      ['Row', 'Close', 'Apart'],
    ],
  ])('has %s', (_name, pages, query, found) => {
    expect(titles(wikiWith(pages as Record<string, string>).store, query)).toEqual(found)
  })
})

describe('another spelling', () => {
  const { store } = wikiWith({
    'Albert Einstein': 'A physicist who found the theory of relativity.',
    'Talk:Telescope': 'Is it large?',
    Relatives: 'Cousins and aunts.',
  })
  const suggestion = (text: string): unknown =>
    (
      JSON.parse(
        store.search.answer(store.search.parse({ text, limit: 5, namespaces: [0] }), 5).toString(),
      ) as {
        suggestion?: string
      }
    ).suggestion

  test.each([
    ['a wrong letter', 'Albert Einstain', 'Albert einstein'],
    ['swapped letters', 'physicits', 'physicist'],
    ['two words', 'alvert relativty', 'albert relativity'],
    ['words that stand in one page', 'albert relativies', 'albert relativity'],
    ['a namespace', 'Talk:telescpe', 'Talk:telescope'],
    ['a finished word, with exclusions', 'einstien -aunts ', 'einstein -aunts'],
    ['nothing for known words', 'cousins physicist', undefined],
    ['nothing where something is found', 'einst', undefined],
    ['nothing for a word that no term is like', 'zzzzzz', undefined],
    ['nothing in another namespace', 'telescpe', undefined],
  ])('is suggested for %s', (_name, query, expected) => {
    expect(suggestion(query)).toBe(expected)
  })

  test('is left to threads', () => {
    const query = store.search.parse({ text: 'einstien', limit: 5, namespaces: [0] })
    expect(store.search.answer(query, 5, 2000)).toBeUndefined()
    expect(store.search.answer(query, 5).toString()).toBe('{"pages":[],"suggestion":"einstein"}')
  })
})
