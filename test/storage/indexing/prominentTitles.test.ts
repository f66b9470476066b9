import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import type { Store } from '../../../src/storage/store.js'
import { countLinks, LinkCounts } from '../../../src/storage/search/linkCounts.js'
import { wikiWith } from '../../support/searchWiki.js'
import { problems } from '../../support/store.js'

function completed(store: Store, text: string, limit = 50): string[] {
  const { pages } = JSON.parse(store.search.complete({ text, limit, namespaces: [0] })) as {
    pages: { title: string }[]
  }
  return pages.map(({ title }) => title)
}

describe('short beginnings of titles', () => {
  const titles = ['Moa', 'Mob', 'Moc', 'Moon', 'Moor', 'Mop', 'Môle', 'Mars', 'Mo']
  const pages: Record<string, string> = Object.fromEntries(titles.map((title) => [title, 'A page.']))
  const wiki = wikiWith({
    ...pages,
    Luna: '#REDIRECT [[Moon]]',
    'Links 1': '[[Moon]], [[ moor | with a label]], [[Môle#Part]], [[Moon]]',
    'Links 2': '[[luna]] and [[Moor]] "in quotes": [[Moon|x]]',
    'Links 3': '[[:Moon]] [[Missing page]] [[Broken',
  })
  const { store } = wiki
  const rebuild = (): Promise<number> => reindex(store, { dataDir: wiki.dataDir, threads: 1, missing: false })

  test('are completed by the most linked pages first, then by all others in order', async () => {
    expect(completed(store, 'mo')).toEqual(['Mo', 'Moa', 'Mob', 'Moc', 'Môle', 'Moon', 'Moor', 'Mop'])
    await rebuild()
    expect(completed(store, 'm', 3)).toEqual(['Moon', 'Moor', 'Môle'])
    expect(completed(store, 'mo')).toEqual(['Mo', 'Moon', 'Moor', 'Môle', 'Moa', 'Mob', 'Moc', 'Mop'])
    expect(completed(store, 'moo')).toEqual(['Moon', 'Moor'])
    expect(completed(store, 'moor')).toEqual(['Moor'])
    expect(problems(store)).toEqual([])
  })

  test('follow edits', async () => {
    await rebuild()
    wiki.write('Moon', '{{Short description|A "satellite"}} text')
    expect(store.search.complete({ text: 'm', limit: 1, namespaces: [0] })).toContain('A \\"satellite\\"')
    wiki.write('Moor', '#REDIRECT [[Moon]]')
    expect(completed(store, 'm', 3)).toEqual(['Moon', 'Môle', 'Mars'])
    expect(problems(store)).toEqual([])
  })

  test('are checked by verify', async () => {
    await rebuild()
    const key = [0, 'm'] as const
    const row = store.search.inForce().prominent.getBinary(key)!
    row[row.length - 3]! ^= 1
    store.transact(() => store.search.inForce().prominent.putSync(key, row))
    expect(problems(store).join()).toMatch(/prominent: "m" shows page \d+ as it is not/)
  })
})

test('pages that link are counted in memory of a fixed size', () => {
  const counts = new LinkCounts(10)
  for (let n = 0; n < 2000; n++) counts.add(`Page_${n}`, 1)
  counts.add('Moon', 2)
  counts.add('Moon', 1)
  expect(counts.of('Moon')).toBeGreaterThanOrEqual(3)
  expect(counts.of('Moon')).toBeLessThan(6)
  expect(new LinkCounts(10).of('Moon')).toBe(0)
})

test('each page that links to a title counts once, one that links to a redirect for its target, too', async () => {
  const { store } = wikiWith({
    Many: Array.from({ length: 1100 }, (_, n) => `[[Page ${n}]]`).join(),
    From: '[[Moon]] [[moon|again]] [[Talk:Sun]]',
    Moon: '[[Moon]] is no link from elsewhere',
    Luna: '#REDIRECT [[Moon]]',
    Poem: '[[Luna]] <!-- [[Hidden]] --> [[fr:Lune]] [[Category:Poems]] [[File:A.png]] [[Moon#Part]]',
  })
  const counts = await countLinks(store.search.inForce(), store.namespaces(), undefined)
  const keys = ['Moon', 'Luna', 'Talk:Sun', 'Page_0', 'Page_1099', 'Hidden', 'Category:Poems', 'File:A.png']
  expect(keys.map((key) => counts.of(key))).toEqual([4, 1, 1, 1, 1, 0, 0, 0])
})
