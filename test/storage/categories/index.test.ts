/** The index of categories follows pages, renderings and rebuilds. */
import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import { categoryLinks } from '../../../src/wikitext/categoryLinks.js'
import { writeCategories } from '../../../src/storage/categories/categoryIndexing.js'
import { marked } from '../../../src/storage/categories/pageCategories.js'
import {
  type CategoryEntry,
  decodePageCategories,
  encodePageCategories,
  memberKeys,
  type MemberKind,
} from '../../../src/storage/rows/categoryRows.js'
import { writeMeta } from '../../../src/storage/tables/meta.js'
import { beginRebuild } from '../../../src/storage/indexing/rebuild.js'
import { readIndexState } from '../../../src/storage/search/indexState.js'
import type { Store } from '../../../src/storage/store.js'
import { madeHtml } from '../../support/outlines.js'
import { randomNumbers } from '../../support/random.js'
import { type SearchWiki, wikiWith } from '../../support/searchWiki.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

/** Titles in a category, in order. */
const members = (store: Store, category: string, kind: MemberKind = 'page'): string[] =>
  store.categories.listMembers(category, kind, { limit: 1000 }).members.map(({ dbkey }) => dbkey)

/** Keeps HTML of a page's latest revision that names these categories: `name` or `name|sort key`. */
function render(store: Store, dbkey: string, names: readonly string[], namespace = 0): void {
  const { latestId } = store.getPage(namespace, dbkey)!
  const literal = categoryLinks(store.getText(latestId)!, store.namespaces())
  const links = names.map((name) => ({ category: name.split('|')[0]!, sortKey: name.split('|')[1] ?? '' }))
  keep(store, latestId, marked(links, literal))
}

/** Keeps HTML of a revision that names these categories. */
function keep(store: Store, revisionId: number, categories: readonly CategoryEntry[]): void {
  const rendering = {
    ...madeHtml(`<body>${JSON.stringify(categories)}</body>`),
    ...{ revisionId, configuration: Buffer.alloc(8), madeAt: 1, expiresAt: 0, uses: [], categories },
    ...{ bundle: Buffer.from('{}'), visibility: store.html.visibility() },
  }
  store.html.keep(rendering, 1e6)
  store.refresh()
}

describe('members of a category', () => {
  test('are found from the first edit on, and follow each change', () => {
    const wiki = wikiWith({ Moon: '[[Category:Rocks]] [[Category:Bodies|m]]', Sun: '[[Category:Bodies]]' })
    const { store } = wiki
    expect([members(store, 'Rocks'), members(store, 'Bodies')]).toEqual([['Moon'], ['Moon', 'Sun']])
    expect(store.categories.counts('Bodies')).toEqual({ subcategory: 0, page: 2, file: 0 })
    wiki.write('Moon', '[[Category:Bodies|z]]')
    expect([members(store, 'Rocks'), members(store, 'Bodies')]).toEqual([[], ['Sun', 'Moon']])
    expect(store.categories.list({ limit: 10 }).categories.map(({ dbkey }) => dbkey)).toEqual(['Bodies'])
    wiki.write('Moon', 'none')
    expect(members(store, 'Bodies')).toEqual(['Sun'])
    expect(problems(store)).toEqual([])
  })

  test('are in three lists by their namespaces', () => {
    const { store } = wikiWith({
      'Category:Small rocks': '[[Category:Rocks]]',
      'File:Rock.png': '[[Category:Rocks]]',
      'Talk:Rock': '[[Category:Rocks]]',
    })
    expect((['subcategory', 'page', 'file'] as const).map((kind) => members(store, 'Rocks', kind))).toEqual([
      ['Small_rocks'],
      ['Rock'],
      ['Rock.png'],
    ])
    expect(store.categories.counts('Rocks')).toEqual({ subcategory: 1, page: 1, file: 1 })
  })

  test('are those of wikitext only', () => {
    const wiki = wikiWith({ Moon: 'x' })
    wiki.write('User:Ann/a.css', '/* [[Category:Rocks]] */', 'css')
    expect(members(wiki.store, 'Rocks')).toEqual([])
  })

  test('go with a text that another dump hides', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const take = async (dump: string, text: string | undefined): Promise<void> => {
      applier.importPages(dump, [page(1, 'Moon', [revision(1, text)])])
      await reindex(store, { dataDir, threads: 1, missing: true })
    }
    await take('d', '[[Category:Rocks]]')
    render(store, 'Moon', ['Rocks', 'Secret'])
    const lists = () => [members(store, 'Rocks'), members(store, 'Secret')]
    expect(lists()).toEqual([['Moon'], ['Moon']])
    await take('e', undefined)
    expect(lists()).toEqual([[], []])
    expect(problems(store)).toEqual([])
    await take('f', '[[Category:Rocks]]')
    expect(lists()).toEqual([['Moon'], []])
    expect(problems(store)).toEqual([])
  })

  test('follow imports, which index them later', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const at = (id: number, title: string, text: string) => page(id, title, [revision(id, text)])
    applier.importPages('d', [at(1, 'Moon', '[[Category:Rocks]]'), at(2, 'Sun', '[[Category:Stars]]')])
    expect(members(store, 'Rocks')).toEqual([])
    await reindex(store, { dataDir, threads: 1, missing: true })
    expect([members(store, 'Rocks'), members(store, 'Stars')]).toEqual([['Moon'], ['Sun']])
    const newer = revision(3, '[[Category:Bodies]]')
    applier.importPages('e', [page(1, 'Luna', [revision(1, '[[Category:Rocks]]'), newer])])
    await reindex(store, { dataDir, threads: 1, missing: true })
    expect([members(store, 'Rocks'), members(store, 'Bodies')]).toEqual([[], ['Luna']])
    expect(problems(store)).toEqual([])
  })
})

describe('categories that a rendering knows', () => {
  test('take the place of those in the text, and raise the generation', () => {
    const { store } = wikiWith({ Moon: '[[Category:Rocks]] [[Category:Wrong]]' })
    const before = store.refresh()
    render(store, 'Moon', ['From_template', 'Rocks|key'])
    expect(['From_template', 'Rocks', 'Wrong'].map((name) => members(store, name))).toEqual([
      ['Moon'],
      ['Moon'],
      [],
    ])
    expect(store.refresh()).toBe(before + 1)
    render(store, 'Moon', ['From_template', 'Rocks|key'])
    expect(store.refresh()).toBe(before + 1)
    expect(problems(store)).toEqual([])
  })

  test('of templates stay with the next revision until it is rendered', () => {
    const wiki = wikiWith({ Moon: '[[Category:Rocks]]' })
    const { store } = wiki
    render(store, 'Moon', ['From_template', 'Rocks'])
    wiki.write('Moon', '[[Category:Bodies]]')
    const lists = () => ['Bodies', 'From_template', 'Rocks'].map((name) => members(store, name))
    expect(lists()).toEqual([['Moon'], ['Moon'], []])
    expect(problems(store)).toEqual([])
    render(store, 'Moon', ['Bodies'])
    expect(lists()).toEqual([['Moon'], [], []])
    expect(problems(store)).toEqual([])
  })

  test('do not count for an old revision', () => {
    const wiki = wikiWith({ Moon: '[[Category:Rocks]]' })
    const { store } = wiki
    const { latestId } = store.getPage(0, 'Moon')!
    wiki.write('Moon', '[[Category:Bodies]]')
    keep(store, latestId, [{ category: 'Rocks', sortKey: '', isLiteral: true }])
    expect([members(store, 'Rocks'), members(store, 'Bodies')]).toEqual([[], ['Moon']])
  })

  test('stay when the index is rebuilt, also one that came meanwhile', async () => {
    const { store, dataDir } = wikiWith({ Moon: '[[Category:Rocks]]', Sun: '[[Category:Stars]]' })
    render(store, 'Moon', ['From_template', 'Rocks'])
    await beginRebuild(store)
    render(store, 'Sun', ['Bright', 'Stars'])
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect(['Bright', 'From_template', 'Rocks', 'Stars'].map((name) => members(store, name))).toEqual([
      ['Sun'],
      ['Moon'],
      ['Moon'],
      ['Sun'],
    ])
    expect(problems(store)).toEqual([])
  })
})

describe('the time of a member', () => {
  const HOUR = 3600
  const START = 1_700_000_000
  const times = (store: Store, category: string, range = {}): string[] =>
    [...store.categories.byTime(category, { ascending: true, ...range })].map(
      ({ dbkey, timestamp }) => `${dbkey} ${(timestamp - START) / HOUR}`,
    )
  const saved = (wiki: SearchWiki, title: string, text: string, hours: number) =>
    wiki.write(title, text, 'wikitext', START + hours * HOUR)

  test('is that of the revision that brought the page or another sort key', () => {
    const wiki = wikiWith({})
    const { store } = wiki
    saved(wiki, 'Moon', '[[Category:Rocks]]', 1)
    saved(wiki, 'Category:Small rocks', '[[Category:Rocks]]', 2)
    saved(wiki, 'Moon', '[[Category:Rocks]] [[Category:Bodies]]', 3)
    expect([times(store, 'Rocks'), times(store, 'Bodies')]).toEqual([['Moon 1', 'Small_rocks 2'], ['Moon 3']])
    saved(wiki, 'Moon', '[[Category:Rocks|key]] [[Category:Bodies]]', 4)
    expect([times(store, 'Rocks'), times(store, 'Bodies')]).toEqual([['Small_rocks 2', 'Moon 4'], ['Moon 3']])
    saved(wiki, 'Moon', 'none', 5)
    saved(wiki, 'Moon', '[[Category:Bodies]]', 6)
    expect([times(store, 'Rocks'), times(store, 'Bodies')]).toEqual([['Small_rocks 2'], ['Moon 6']])
    expect(problems(store)).toEqual([])
  })

  test('stays with new HTML and a rebuild', async () => {
    const wiki = wikiWith({})
    const { store } = wiki
    saved(wiki, 'Moon', '[[Category:Rocks]]', 1)
    saved(wiki, 'Moon', '[[Category:Rocks]] {{t}}', 2)
    render(store, 'Moon', ['Of_template', 'Rocks'])
    const all = () => ['Of_template', 'Rocks'].map((category) => times(store, category))
    expect(all()).toEqual([['Moon 2'], ['Moon 1']])
    saved(wiki, 'Moon', '[[Category:Rocks]] {{t}} more', 3)
    expect(all()).toEqual([['Moon 2'], ['Moon 1']])
    await reindex(store, { dataDir: wiki.dataDir, threads: 1, missing: false })
    expect(all()).toEqual([['Moon 2'], ['Moon 1']])
    expect(problems(store)).toEqual([])
  })

  test('orders members, both ways and from any place', () => {
    const wiki = wikiWith({})
    const { store } = wiki
    for (let n = 1; n <= 120; n++) saved(wiki, `P${n}`, '[[Category:All]]', Math.ceil(n / 2))
    const all = times(store, 'All')
    expect(all.slice(0, 3)).toEqual(['P1 1', 'P2 1', 'P3 2'])
    expect(all).toHaveLength(120)
    expect(times(store, 'All', { ascending: false })).toEqual(all.toReversed())
    const from = { timestamp: START + 30 * HOUR, id: 0 }
    expect(times(store, 'All', { from, until: START + 31 * HOUR })).toEqual([
      'P59 30',
      'P60 30',
      'P61 31',
      'P62 31',
    ])
  })

  test('comes with a reindex in a store of an older version, which verify accepts', async () => {
    const wiki = wikiWith({})
    const { store, dataDir } = wiki
    saved(wiki, 'Moon', '[[Category:Rocks]]', 1)
    saved(wiki, 'Sun', '[[Category:Stars]]', 2)
    const { categoryTimes: _none, ...older } = readIndexState(store.tables)
    store.transact(() => {
      const { pageCategories, categoryTime } = store.search.inForce()
      for (const pageId of [1, 2]) {
        const { entries, ...rest } = decodePageCategories(pageCategories.getBinary(pageId)!)
        const undated = entries.map((entry) => ({ ...entry, time: undefined }))
        pageCategories.putSync(pageId, encodePageCategories({ ...rest, entries: undated }))
      }
      categoryTime.clearSync()
      writeMeta(store.tables, 'index', older)
    })
    expect([store.categories.hasTimes(), members(store, 'Rocks'), times(store, 'Rocks')]).toEqual([
      false,
      ['Moon'],
      [],
    ])
    expect(problems(store)).toEqual([])
    saved(wiki, 'Moon', '[[Category:Rocks]] more', 3)
    expect([times(store, 'Rocks'), problems(store)]).toEqual([['Moon 3'], []])
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect([store.categories.hasTimes(), times(store, 'Rocks'), times(store, 'Stars')]).toEqual([
      true,
      ['Moon 3'],
      ['Sun 2'],
    ])
    expect(problems(store)).toEqual([])
  })
})

describe('a list in parts', () => {
  /** Pages with equal, empty and odd sort keys. */
  function crowded(): SearchWiki {
    const random = randomNumbers(7)
    const pages: Record<string, string> = {}
    for (const name of ['ab', 'aB', 'Ab', 'ÄB', 'straße', '𝒜', 'x y', 'z']) {
      for (const namespace of ['', 'Talk:', 'User:', 'User talk:', 'Help:', 'Project:'])
        pages[`${namespace}${name}`] = `[[Category:All${random() < 0.3 ? '|k' : random() < 0.3 ? '| ' : ''}]]`
    }
    return wikiWith(pages)
  }

  test('has every member once, forwards and backwards, whatever the size of the parts', () => {
    const { store } = crowded()
    const read = (query: object) => store.categories.listMembers('All', 'page', { limit: 1000, ...query })
    const all = read({}).members.map(({ pageId }) => pageId)
    expect(all.length).toBeGreaterThan(30)
    for (const limit of [1, 2, 5, 7]) {
      const forwards: number[] = []
      const starts: (string | undefined)[] = []
      for (let from: string | undefined; ;) {
        const part = read({ from, limit })
        forwards.push(...part.members.map(({ pageId }) => pageId))
        expect(part.previousUntil === undefined).toBe(starts.length === 0)
        starts.push(from)
        from = part.nextFrom
        if (from === undefined) break
      }
      expect(forwards).toEqual(all)
      const backwards: number[] = []
      for (let until: string | undefined = '\u{10ffff}'; until !== undefined;) {
        const part = read({ until, limit })
        backwards.unshift(...part.members.map(({ pageId }) => pageId))
        expect(part.nextFrom === undefined).toBe(backwards.length <= limit)
        until = part.previousUntil
      }
      expect(backwards).toEqual(all)
    }
  })

  test('begins at what a reader types, in any case', () => {
    const { store } = wikiWith({
      Apple: '[[Category:F]]',
      Banana: '[[Category:F]]',
      Cherry: '[[Category:F]]',
    })
    const from = (text: string) =>
      store.categories.listMembers('F', 'page', { from: text, limit: 9 }).members.map(({ dbkey }) => dbkey)
    expect([from('b'), from('banana'), from('Bb'), from('x'), from('y'.repeat(100_000))]).toEqual([
      ['Banana', 'Cherry'],
      ['Banana', 'Cherry'],
      ['Cherry'],
      [],
      [],
    ])
  })

  test('of categories goes both ways', () => {
    const { store } = wikiWith({
      Moon: ['A', 'B', 'C', 'D', 'É'].map((name) => `[[Category:${name}]]`).join(''),
    })
    const list = (query: object) => {
      const { categories, previousUntil, nextFrom } = store.categories.list({ limit: 2, ...query })
      return [categories.map(({ dbkey }) => dbkey).join(''), previousUntil, nextFrom]
    }
    expect(list({})).toEqual(['AB', undefined, 'C'])
    expect(list({ from: 'C' })).toEqual(['CD', 'C', 'É'])
    expect(list({ from: 'É' })).toEqual(['É', 'É', undefined])
    expect(list({ until: 'É' })).toEqual(['CD', 'C', 'É'])
    expect(list({ until: 'C' })).toEqual(['AB', undefined, 'C'])
  })
})

test('a page has at most 1000 categories, with the longest names and keys', () => {
  const names = Array.from(
    { length: 1100 },
    (_, n) => `[[Category:${String(n).padStart(5, '0')}${'ΐ'.repeat(120)}|${'ΐ'.repeat(127)}]]`,
  )
  const { store } = wikiWith({ [`A${'ΐ'.repeat(126)}`]: names.join('') })
  expect(store.categories.count()).toBe(1000)
  expect(problems(store)).toEqual([])
})

describe('verify', () => {
  test.each<[string, (store: Store) => void, string]>([
    [
      'a missing member',
      (store) => {
        const { categoryMember, pageCategories } = store.search.inForce()
        expect(pageCategories.doesExist(1)).toBe(true)
        const page = { latestId: 1, namespace: 0, dbkey: 'Moon', source: 'text', awaitsTable: false } as const
        const [key] = memberKeys(1, {
          ...page,
          entries: [{ category: 'Rocks', sortKey: '', isLiteral: true }],
        })
        expect(categoryMember.removeSync(key!)).toBe(true)
      },
      'categories: Rocks lacks page 1, which is in it',
    ],
    [
      'a member too many',
      (store) => store.search.inForce().categoryMember.putSync(['Rocks', 1, 'X', 9], Buffer.alloc(0)),
      'categories: 3 members, but the pages account for 2',
    ],
    [
      'a missing time',
      (store) => {
        const [key] = store.search.inForce().categoryTime.getKeys({ start: ['Rocks', 0, 0] })
        expect(store.search.inForce().categoryTime.removeSync(key!)).toBe(true)
      },
      'categories: Rocks lacks the time of page 1',
    ],
    [
      'a time too many',
      (store) => store.search.inForce().categoryTime.putSync(['Rocks', 1, 9], Buffer.alloc(0)),
      'categories: 3 times of members, but the pages account for 2',
    ],
    [
      'a wrong count',
      (store) => store.search.inForce().categoryCount.putSync('Rocks', Buffer.alloc(12, 1)),
      'categories: the counts of Rocks are not those of its members',
    ],
    [
      'a count too many',
      (store) => store.search.inForce().categoryCount.putSync('None', Buffer.alloc(12, 1)),
      'categories: 3 have counts, but 2 have members',
    ],
    [
      'a page without its row',
      (store) => store.search.inForce().pageCategories.removeSync(1),
      'categories: page 1 has others than its text says',
    ],
  ])('finds %s', (_case, damage, problem) => {
    const { store } = wikiWith({ Moon: '[[Category:Rocks]] [[Category:Bodies]]' })
    expect(problems(store)).toEqual([])
    store.transact(() => damage(store))
    expect(problems(store)).toContain(problem)
  })

  test('asks a store that an older version filled for no more than it has', () => {
    const { store } = wikiWith({ Moon: '[[Category:Rocks]]', Sun: '[[Category:Rocks]]' })
    const { categories: _none, ...older } = readIndexState(store.tables)
    store.transact(() => {
      const index = store.search.inForce()
      writeCategories(index, index, [[1, undefined]])
      writeMeta(store.tables, 'index', older)
    })
    expect([store.categories.isComplete(), members(store, 'Rocks')]).toEqual([false, ['Sun']])
    expect(problems(store)).toEqual([])
  })
})
