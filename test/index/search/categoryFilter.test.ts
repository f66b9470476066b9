/** Searches among the members of categories. */
import { describe, expect, test } from 'vitest'
import { CategoryFilter } from '../../../src/index/search/categoryFilter.js'
import { wikiWith } from '../../support/searchWiki.js'

const { store } = wikiWith({
  Oak: 'A tall tree with acorns. [[Category:Tall trees]] [[Category:Europe]]',
  Elm: 'A tree. [[Category:Tall trees|*]] [[Category:Europe]]',
  Sequoia: 'The tallest tree. [[Category:Tall trees]]',
  Bonsai: 'A small tree in a pot.',
  Forest: 'Oak and elm, and every other tree.',
  'Acorn tree': '#REDIRECT [[Oak]]',
  'Twig tree': '#REDIRECT [[Bonsai]]',
  'Talk:Oak': 'Is it a tree? [[Category:Tall trees]]',
  'Category:Oaks': 'A part of them. [[Category:Tall trees]]',
})

interface Found {
  readonly pages: readonly { readonly title: string }[]
  readonly suggestion?: string
}

function search(
  text: string,
  { limit = 50, offset = 0, namespaces = [0], categories = [] as string[] } = {},
): Found {
  const query = store.search.parse({ text, limit, namespaces, categories })
  const answer = store.search.answer(query, limit, undefined, undefined, offset)
  return JSON.parse(answer.toString()) as Found
}

const titles = (...asked: Parameters<typeof search>): string[] =>
  search(...asked).pages.map(({ title }) => title)

describe('a search in a category', () => {
  test.each([
    ['its members that have the words', 'incategory:Europe tree', ['Elm', 'Oak']],
    ['a name in quotation marks', 'tree incategory:"tall trees"', ['Elm', 'Oak', 'Sequoia']],
    ['a name with its namespace', 'acorns incategory:Category:Tall_trees', ['Oak']],
    ['several categories', 'incategory:"Tall trees" incategory:Europe tree', ['Elm', 'Oak']],
    ['an excluded one', '-incategory:Europe tree', ['Bonsai', 'Forest', 'Sequoia']],
    ['one category without another', 'INCATEGORY:"Tall trees" -incategory:Europe tree', ['Sequoia']],
    ['an unfinished word', 'incategory:Europe aco', ['Oak']],
    ['a phrase', '"tall tree" incategory:Europe', ['Oak']],
    ['a redirect to a member', 'acorn incategory:Europe', ['Oak']],
    ['no redirect to another page', 'twig incategory:Europe', []],
    ['an excluded word', 'incategory:Europe tree -acorns', ['Elm']],
    ['nothing in an unknown category', 'incategory:Mars tree', []],
    ['nothing in a category that cannot be', 'incategory:[[x]] tree', []],
    ['the title of another page', 'forest incategory:Europe', []],
    ['another namespace', 'Talk:incategory:"Tall trees" tree', ['Talk:Oak']],
    ['a quoted text that looks like one', '"incategory:Europe"', []],
  ])('finds %s', (_what, text, expected) => {
    expect(titles(text).sort()).toEqual(expected)
  })

  test('without words lists the members in their order', () => {
    expect(titles('incategory:"Tall trees"')).toEqual(['Elm', 'Oak', 'Sequoia'])
    expect(titles('incategory:"Tall trees" -acorns')).toEqual(['Elm', 'Sequoia'])
    expect(titles('', { categories: ['Tall trees'], limit: 1, offset: 1 })).toEqual(['Oak'])
    expect(titles('all:incategory:"Tall trees"')).toHaveLength(5)
  })

  test('takes categories beside the text, and suggests words without these', () => {
    expect(titles('tree', { categories: ['Europe'] }).sort()).toEqual(['Elm', 'Oak'])
    expect(search('acrons', { categories: ['Europe'] })).toEqual({ pages: [], suggestion: 'acorns' })
    expect(search('Talk:incategory:"Tall trees" treee').suggestion).toBe('Talk:incategory:"Tall trees" tree')
  })

  test('is left to a thread', () => {
    const query = store.search.parse({ text: 'incategory:Europe tree', limit: 9, namespaces: [0] })
    expect(store.search.answer(query, 9, 2000)).toBeUndefined()
  })

  test('is not ready after a write', () => {
    const request = { text: 'incategory:Europe tree', limit: 9, namespaces: [0] }
    const watch = store.search.watchPages(request)
    expect(watch(store.search.answer(store.search.parse(request), 9))()).toBe(false)
  })
})

test('reads the members of the smallest category, and of none more than 20,000', () => {
  let read = 0
  const directory = {
    countMembers: (category: string) => Number(category),
    *members(category: string) {
      for (let id = Number(category); id > 0; id--) {
        read++
        yield id
      }
    },
    has: (category: string, pageId: number) => pageId <= Number(category),
  }
  const small = new CategoryFilter(directory, { categories: ['50000', '3'], excludedCategories: ['1'] })
  expect([...small.list()!.first.pages]).toEqual([1, 2, 3])
  expect([1, 2, 3, 4].filter((page) => small.admits(page))).toEqual([2, 3])
  const large = new CategoryFilter(directory, { categories: ['50000'], excludedCategories: [] })
  expect([large.list(), read]).toEqual([undefined, 3])
  expect([[...large.members()].length, read]).toEqual([20_000, 3 + 20_001])
})
