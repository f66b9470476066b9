/** The index of links follows pages and rebuilds. */
import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import { decodeSources, encodeSources } from '../../../src/storage/rows/linkRows.js'
import type { LinkTarget } from '../../../src/storage/links/linkReader.js'
import { LinkWriter } from '../../../src/storage/links/linkWriter.js'
import { linksAfterText } from '../../../src/storage/links/pageLinks.js'
import type { Store } from '../../../src/storage/store.js'
import { LINK_KINDS, type LinkKind, targetOf, type TargetLists } from '../../../src/wikitext/pageTargets.js'
import { randomNumbers } from '../../support/random.js'
import { wikiWith } from '../../support/searchWiki.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

const to = (store: Store, kind: LinkKind, name: string, namespace = 0): number[] => [
  ...store.pageLinks.to(kind, { namespace, name }),
]
const names = (targets: Iterable<LinkTarget>): string[] => Array.from(targets, ({ name }) => name)

describe('links', () => {
  test('are found in both directions from the first edit on, and follow each change', () => {
    const wiki = wikiWith({ Moon: '[[Sun]] [[Nowhere]] {{Box}} [[File:A.png]]', Sun: '[[Moon]] [[Sun]]' })
    const { store } = wiki
    expect(store.pageLinks.isComplete()).toBe(true)
    expect(names(store.pageLinks.from(1, 'link'))).toEqual(['Nowhere', 'Sun'])
    expect([to(store, 'link', 'Sun'), to(store, 'link', 'Nowhere')]).toEqual([[1, 2], [1]])
    expect([to(store, 'template', 'Box', 10), to(store, 'file', 'A.png', 6)]).toEqual([[1], [1]])
    wiki.write('Moon', '[[Sea]] #REDIRECT')
    expect([to(store, 'link', 'Sun'), to(store, 'link', 'Sea'), to(store, 'template', 'Box', 10)]).toEqual([
      [2],
      [1],
      [],
    ])
    wiki.write('Sun', '#REDIRECT [[Moon]]')
    expect(to(store, 'redirect', 'Moon')).toEqual([2])
    expect(problems(store)).toEqual([])
  })

  test('come in order of target, once or with each page', () => {
    const { store } = wikiWith({ A: '[[C]] [[B]] [[Talk:B]]', B: '[[C]] [[Ca]] [[Ää]]', C: '[[B]]' })
    const { pageLinks } = store
    expect(names(pageLinks.targets('link', 0))).toEqual(['B', 'C', 'Ca', 'Ää'])
    expect(names(pageLinks.targets('link', 0, { from: 'C', to: 'Ca' }))).toEqual(['C', 'Ca'])
    expect(names(pageLinks.targets('link', 0, { descending: true, from: 'Cb', to: 'C' }))).toEqual([
      'Ca',
      'C',
    ])
    expect(names(pageLinks.targets('link', 1))).toEqual(['B'])
    const uses = (range: object): string[] =>
      Array.from(pageLinks.uses('link', 0, range), ({ name, pageId }) => `${name} ${pageId}`)
    expect(uses({})).toEqual(['B 1', 'B 3', 'C 1', 'C 2', 'Ca 2', 'Ää 2'])
    expect(uses({ from: 'B', fromPage: 2 })).toEqual(['B 3', 'C 1', 'C 2', 'Ca 2', 'Ää 2'])
    expect(uses({ descending: true, from: 'C' })).toEqual(['C 2', 'C 1', 'B 3', 'B 1'])
    expect(pageLinks.has(2, 'link', { namespace: 0, name: 'Ca' })).toBe(true)
    expect(pageLinks.has(1, 'link', { namespace: 0, name: 'Ca' })).toBe(false)
  })

  test('to addresses come by host, long ones cut', () => {
    const long = `https://a.example/${'x'.repeat(1900)}`
    const { store } = wikiWith({ A: `https://b.example/ ${long}1 ${long}2 http://www.a.example/` })
    const { pageLinks } = store
    const places = names(pageLinks.targets('external', 0))
    expect(places.map((place) => place.slice(0, 25))).toEqual([
      'http://example.a.www./',
      'https://example.a./xxxxxx',
      'https://example.b./',
    ])
    expect(pageLinks.addressesAt(1, places[1]!)).toEqual([`${long}1`, `${long}2`])
    expect(pageLinks.addressesAt(1, places[2]!)).toEqual(['https://b.example/'])
    expect(problems(store)).toEqual([])
  })

  test('follow imports, which index them later, and go with a page', async () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.importPages('d', [
      page(1, 'Moon', [revision(1, '[[Sun]]')]),
      page(2, 'Sea', [revision(2, '[[Sun]]')]),
    ])
    expect(to(store, 'link', 'Sun')).toEqual([])
    await reindex(store, { dataDir, threads: 1, missing: true })
    expect(to(store, 'link', 'Sun')).toEqual([1, 2])
    applier.importPages('e', [page(2, 'Sea', [revision(2, undefined)])])
    await reindex(store, { dataDir, threads: 1, missing: true })
    expect(to(store, 'link', 'Sun')).toEqual([1])
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect(to(store, 'link', 'Sun')).toEqual([1])
    expect(problems(store)).toEqual([])
  })
})

describe('the pages of a target', () => {
  test('are the same in any number of rows', () => {
    const pages = Array.from({ length: 5000 }, (_, n) => 3 * n + 1)
    for (const growsAtEnd of [true, false]) {
      const rows = encodeSources(0, pages, growsAtEnd)
      expect(rows.length).toBeGreaterThan(2)
      expect(rows.flatMap(({ first, row }) => decodeSources(row, first))).toEqual(pages)
    }
  })

  test('follow thousands of changes', () => {
    const { store } = wikiWith({ A: 'x' })
    const index = store.tables.indexes.a
    const random = randomNumbers(7)
    const model = new Map<number, boolean>()
    const none = Object.fromEntries(LINK_KINDS.map((kind) => [kind, []])) as unknown as TargetLists
    const linked = linksAfterText(undefined, {
      latestId: 1,
      literal: { ...none, link: [targetOf(0, 'Sun')] },
      stated: {},
      textHidden: false,
    })
    for (let round = 0; round < 12; round++) {
      store.transact(() => {
        const writer = new LinkWriter(index)
        const ids = new Set(Array.from({ length: 3000 }, () => 2 + Math.floor(random() * 20_000)))
        for (const id of ids) {
          const isLinked = model.get(id) ?? false
          const will = round < 11 && random() < (round < 6 ? 0.9 : 0.2)
          writer.replace(id, isLinked ? linked : undefined, will ? linked : undefined)
          model.set(id, will)
        }
        if (round === 11)
          for (const [id, isLinked] of model)
            if (isLinked) {
              writer.replace(id, linked, undefined)
              model.set(id, false)
            }
        writer.finish()
      })
      store.refresh()
      const wanted = [...model].flatMap(([id, isLinked]) => (isLinked ? [id] : [])).sort((a, b) => a - b)
      expect(to(store, 'link', 'Sun')).toEqual(wanted)
      expect([...store.pageLinks.to('link', { namespace: 0, name: 'Sun' }, 9000)]).toEqual(
        wanted.filter((id) => id >= 9000),
      )
      const down = Array.from(store.pageLinks.uses('link', 0, { descending: true }), ({ pageId }) => pageId)
      expect(down.reverse()).toEqual(wanted)
    }
    expect([...index.linkSource.getKeys({ start: undefined })]).toEqual([])
  })
})
