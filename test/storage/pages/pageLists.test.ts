import { describe, expect, test } from 'vitest'
import { page, revision, temporaryStore } from '../../support/store.js'

/** Pages 1, 2, … of the main namespace with these titles, each with one revision of its number. */
function storeWith(titles: readonly string[], texts: Readonly<Record<string, string>> = {}) {
  const { store, applier } = temporaryStore()
  const pages = titles.map((title, n) => page(n + 1, title, [revision(n + 1, texts[title] ?? title)]))
  applier.importPages('d', pages)
  applier.finishImport(null)
  return { store, applier }
}

describe('titles of a namespace', () => {
  const letters = ['A', 'B', 'C', 'D', 'E']

  test.each([
    ['the beginning', '', 2, ['A', 'B'], 'C', undefined],
    ['a title', 'C', 2, ['C', 'D'], 'E', 'A'],
    ['a place between titles', 'Bx', 2, ['C', 'D'], 'E', 'A'],
    ['the second title', 'B', 3, ['B', 'C', 'D'], 'E', 'A'],
    ['the end', 'D', 2, ['D', 'E'], undefined, 'B'],
    ['behind all titles', 'Z', 2, [], undefined, 'D'],
  ])('come from %s', (_case, from, limit, dbkeys, next, previous) => {
    const { store } = storeWith(letters)
    expect(store.lists.titles(0, from, limit)).toEqual({ dbkeys, next, previous })
  })

  test('are those of one namespace', () => {
    const { store, applier } = storeWith(['A'])
    applier.importPages('d', [page(9, 'B', [revision(9, 'b')], { namespace: 4 })])
    expect(store.lists.titles(0, '', 9).dbkeys).toEqual(['A'])
    expect(store.lists.titles(4, '', 9).dbkeys).toEqual(['B'])
    expect(store.lists.titles(3, '', 9)).toEqual({ dbkeys: [], next: undefined, previous: undefined })
  })
})

describe('recent revisions', () => {
  const ids = (segment: { revisions: readonly { id: number }[] }): number[] =>
    segment.revisions.map(({ id }) => id)

  test('come newest first, segment after segment', () => {
    const { store } = storeWith(['A', 'B', 'C', 'D', 'E'])
    const first = store.lists.recent(undefined, 2)
    expect(ids(first)).toEqual([5, 4])
    expect(first.revisions[0]).toMatchObject({ title: { namespace: 0, dbkey: 'E' }, textHidden: false })
    const second = store.lists.recent(first.olderThan, 2)
    expect(ids(second)).toEqual([3, 2])
    const last = store.lists.recent(second.olderThan, 2)
    expect(ids(last)).toEqual([1])
    expect(last.olderThan).toBeUndefined()
    expect(store.lists.recent(1, 2)).toEqual({ revisions: [], olderThan: undefined })
  })

  test('leave out pages that lost their title, and go on behind many of them', () => {
    const { store, applier } = temporaryStore()
    const many = Array.from({ length: 250 }, (_, n) => revision(n + 2, `text ${n}`))
    applier.importPages('d', [page(1, 'A', [revision(1, 'a')]), page(2, 'B', many)])
    applier.importPages('e', [page(3, 'B', [revision(900, 'later')])])
    const first = store.lists.recent(900, 5)
    expect(ids(first)).toEqual([])
    expect(ids(store.lists.recent(first.olderThan, 5))).toEqual([1])
  })
})

describe('a page by chance', () => {
  test('is any page that is no redirect', () => {
    const { store } = storeWith(['A', 'B', 'C', 'D'], { C: '#REDIRECT [[A]]' })
    const drawn = new Set<string>()
    for (let n = 0; n < 400; n++) drawn.add(store.lists.random(0, Math.random)!.dbkey)
    expect([...drawn].toSorted()).toEqual(['A', 'B', 'D'])
  })

  test('is found in a namespace of few pages too', () => {
    const { store, applier } = storeWith(Array.from({ length: 50 }, (_, n) => `Page_${n}`))
    const few = ['Ämter', 'Брест', '東京', '𝒳'].map((title, n) =>
      page(5000 + n, title, [revision(5000 + n, title)], { namespace: 4 }),
    )
    applier.importPages('d', few)
    const drawn = new Set<string>()
    for (let n = 0; n < 400; n++) drawn.add(store.lists.random(4, Math.random)!.dbkey)
    expect(drawn.size).toBeGreaterThan(1)
    for (const place of [0, 0.2, 0.5, 0.999]) {
      const draws = [...Array<number>(44).fill(0.5), place]
      expect(store.lists.random(4, () => draws.shift()!)).toMatchObject({ namespace: 4 })
    }
  })

  test('is none in an empty namespace, or where all are redirects', () => {
    const { store } = storeWith(['A'], { A: '#REDIRECT [[B]]' })
    expect(store.lists.random(0, Math.random)).toBeUndefined()
    expect(store.lists.random(7, Math.random)).toBeUndefined()
  })
})

describe('a history as rows', () => {
  test('tells which texts are hidden, in the order of the ready objects', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [
      page(1, 'A', [revision(1, 'a'), revision(2, undefined), revision(3, 'c', { comment: undefined })]),
    ])
    const { rows, hasOlder } = store.lists.history(1, { limit: 2 })
    expect(rows.map(({ id, textHidden, commentHidden }) => [id, textHidden, commentHidden])).toEqual([
      [3, false, true],
      [2, true, false],
    ])
    expect(hasOlder).toBe(true)
    const minor = store.lists.history(1, { limit: 2, filter: 'minor' })
    expect(minor.rows).toEqual([])
  })
})
