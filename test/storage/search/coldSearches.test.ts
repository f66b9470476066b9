/** Searches and completions while rows come from the disk: they tell which rows they will read, so that few wait. */
import { expect, test } from 'vitest'
import { randomNumbers } from '../../support/random.js'
import { type SearchWiki, wikiWith } from '../../support/searchWiki.js'

const PAGES = 400
const WORDS = 'moon sea light white under island river harbour stone bridge garden winter'.split(' ')
const QUERIES = [
  ...['moon', 'sea light', 'white moon under', 'harbour brid', 'gard*', 'winter -moon', '"white sea"'],
  ...['Page 7', 'Way 3', 'stone way', 'nothing', 'talk:moon'],
]

/** Pages of random words, and redirects to some of them. */
function madeWiki(): SearchWiki {
  const random = randomNumbers(22)
  const draw = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)]!
  const pages: Record<string, string> = {}
  for (let n = 0; n < PAGES; n++) {
    pages[`Page ${n} ${draw()}`] = Array.from({ length: 10 + Math.floor(random() * 60) }, draw).join(' ')
  }
  const titles = Object.keys(pages)
  for (let n = 0; n < 40; n++) pages[`Way ${n} of ${draw()}`] = `#REDIRECT [[${titles[7 * n]}]]`
  return wikiWith(pages)
}

function answers({ store }: SearchWiki): string[] {
  const search = (text: string): string =>
    store.search.answer(store.search.parse({ text, limit: 10, namespaces: [0] }), 10).toString()
  const complete = (text: string): string => store.search.complete({ text, limit: 10, namespaces: [0] })
  return [...QUERIES.map(search), ...['p', 'page 1', 'way', 'way 12'].map(complete)]
}

test('answers are the same as of rows in memory', { tags: ['slow'] }, () => {
  const wiki = madeWiki()
  const usual = answers(wiki)
  expect(new Set(usual).size).toBeGreaterThan(12)
  wiki.store.coldReads.look(0, 1)
  expect(wiki.store.coldReads.isAlert).toBe(true)
  expect(answers(wiki)).toEqual(usual)
})

test('a search of many rows waits a few times', { tags: ['slow'] }, async () => {
  const { store } = madeWiki()
  const attempts = async (read: () => unknown): Promise<number> => {
    let count = 0
    await store.coldReads.run(
      () => (count++, read()),
      () => undefined,
    )
    return count
  }
  const query = store.search.parse({ text: 'white moon under', limit: 10, namespaces: [0] })
  expect(await attempts(() => store.search.answer(query, 10))).toBeLessThan(16)
  expect(
    await attempts(() => store.search.complete({ text: 'page 2', limit: 50, namespaces: [0] })),
  ).toBeLessThan(8)
})

test('the first search and those after a pause count as such', () => {
  const { store } = wikiWith({ Moon: 'grey' })
  expect(store.search.hasPaused()).toBe(true)
  expect(store.search.hasPaused()).toBe(false)
})
