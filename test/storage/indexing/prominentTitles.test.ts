import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import type { Store } from '../../../src/storage/store.js'
import { LinkCounts } from '../../../src/storage/search/linkCounts.js'
import { randomNumbers } from '../../support/random.js'
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

test('links are counted once a page, in memory of a fixed size', () => {
  const counts = new LinkCounts(10)
  const source = Array.from({ length: 3000 }, (_, n) => `[[Page ${n}]]`).join(' ')
  counts.addLinksOf(Buffer.from(`[[Moon]] [[moon|again]] ${source}`))
  counts.addLinksOf(Buffer.from('[[Moon#Part]] [[]] [[|]] [[ ]] [[a\nb]] [['))
  expect(counts.of('Moon')).toBeGreaterThanOrEqual(2)
  expect(counts.of('Moon')).toBeLessThan(5)
  expect(counts.of('Page_2999')).toBe(0)
})

test('links are counted under the keys of their targets', () => {
  const random = randomNumbers(3)
  const pieces = [...'ab_ :\t\n\r\\|#]{[é\u00a0ß', '[[', '[[', '[[', ']]', ']]', '|x]]', ' a', '_b', 'Moon']
  const keysOf = (text: string): Set<string> => {
    const keys = new Set<string>()
    for (const [, target = '', end] of text.matchAll(/\[\[([^\]|#{[\\\n]*)(?=([^])?)/g)) {
      if (target === '' || end === undefined || Buffer.byteLength(target) >= 300) continue
      const key = target
        .replace(/^[\s:]+/, '')
        .trim()
        .replace(/[\s_]+/g, '_')
      keys.add(key.charAt(0).toUpperCase() + key.slice(1))
    }
    return keys
  }
  for (let n = 0; n < 2000; n++) {
    const text = Array.from({ length: 40 }, () => pieces[Math.floor(random() * pieces.length)]!).join('')
    const [counts, wanted] = [new LinkCounts(10), new LinkCounts(10)]
    counts.addLinksOf(Buffer.from(text))
    counts.addLinksOf(Buffer.from(text))
    const keys = keysOf(text)
    for (const key of keys) wanted.add(key, 2)
    for (const key of [...keys, 'A', 'B', 'Ab', '_b', '']) {
      expect({ text, key, links: counts.of(key) }).toEqual({ text, key, links: wanted.of(key) })
    }
  }
})
