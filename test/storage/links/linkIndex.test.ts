/** The index of links follows pages and rebuilds. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import { openDump } from '../../../src/dump/openDump.js'
import { TableImport } from '../../../src/import/tables/importTables.js'
import { settleTables } from '../../../src/storage/apply/sqlTables/settle.js'
import { rulesInForce } from '../../../src/storage/links/linkRules.js'
import { htmlTargets } from '../../../src/wikitext/htmlTargets.js'
import { madeHtml } from '../../support/outlines.js'
import { decodeSources, encodeSources } from '../../../src/storage/rows/linkRows.js'
import type { LinkTarget } from '../../../src/storage/links/linkReader.js'
import { LinkWriter } from '../../../src/storage/links/linkWriter.js'
import { linksAfterText, type RenderedLinks } from '../../../src/storage/links/pageLinks.js'
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
    const wiki = wikiWith({
      Moon: '[[Sun]] [[Nowhere]] {{Box}} [[File:A.png]]',
      Sun: '[[Moon]] [[Sun]]',
      Sea: '[[Sun]]',
    })
    const { store } = wiki
    expect(store.pageLinks.isComplete()).toBe(true)
    expect(names(store.pageLinks.from(1, 'link'))).toEqual(['Nowhere', 'Sun'])
    expect([to(store, 'link', 'Sun'), to(store, 'link', 'Nowhere')]).toEqual([[1, 3], [1]])
    expect([to(store, 'template', 'Box', 10), to(store, 'file', 'A.png', 6)]).toEqual([[1], [1]])
    wiki.write('Moon', '[[Sea]] #REDIRECT')
    expect([to(store, 'link', 'Sun'), to(store, 'link', 'Sea'), to(store, 'template', 'Box', 10)]).toEqual([
      [3],
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

/** Keeps HTML of a page's latest revision that names these links. */
function render(store: Store, dbkey: string, links: RenderedLinks): void {
  const { latestId: revisionId } = store.getPage(0, dbkey)!
  const rendering = {
    ...madeHtml(`<body>${JSON.stringify(links)}</body>`),
    ...{
      revisionId,
      configuration: Buffer.alloc(8),
      madeAt: 1,
      expiresAt: 0,
      uses: [],
      categories: [],
      links,
    },
    ...{ bundle: Buffer.from('{}'), visibility: store.html.visibility() },
  }
  store.html.keep(rendering, 1e6)
  store.refresh()
}

describe('links that a rendering knows', () => {
  test('take the place of those in the text, and stay with the next revision until its HTML is made', () => {
    const wiki = wikiWith({ Moon: '[[Sun]] {{Box}}' })
    const { store } = wiki
    const link = (...all: string[]): string[] => all.map((name) => targetOf(0, name))
    render(store, 'Moon', {
      link: link('Added', 'Sun'),
      template: [targetOf(10, 'Box'), targetOf(10, 'Inner')],
    })
    const links = () => names(store.pageLinks.from(1, 'link'))
    expect([links(), names(store.pageLinks.from(1, 'template'))]).toEqual([
      ['Added', 'Sun'],
      ['Box', 'Inner'],
    ])
    expect(problems(store)).toEqual([])
    wiki.write('Moon', '[[Sea]] {{Box}}')
    expect([links(), to(store, 'link', 'Sun')]).toEqual([['Added', 'Sea'], []])
    render(store, 'Moon', { link: link('Sea') })
    expect([links(), to(store, 'link', 'Added'), to(store, 'template', 'Inner', 10)]).toEqual([
      ['Sea'],
      [],
      [1],
    ])
    expect(problems(store)).toEqual([])
  })

  test('are read from HTML', () => {
    const html = `<body><a rel="mw:WikiLink" href="./Big_rock?action=edit&amp;redlink=1">x</a>
      <a rel="mw:WikiLink" href="./Talk:A%3FB#part" title="y">y</a><a href="./File:A.png"><img resource="./File:A.png"/></a>
      <a rel="mw:ExtLink" href="https://a.example/?a&amp;b">z</a><a rel="mw:WikiLink" href="./Moon#self">self</a>
      <a rel="mw:WikiLink/Interwiki" href="https://elsewhere.example/x" title="w:Moon rock">w</a></body>`
    const lists = htmlTargets(html, { namespace: 0, dbkey: 'Moon' }, rulesInForce(wikiWith({}).store.tables))
    expect(lists).toEqual({
      link: [targetOf(0, 'Big_rock'), targetOf(1, 'A?B')],
      file: [targetOf(6, 'A.png')],
      external: [targetOf(0, 'https://a.example/?a&b')],
      interwiki: [targetOf(0, 'w\tMoon_rock')],
    })
  })
})

describe('links in imported tables', () => {
  test('are in force until the page has another revision', async () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.importPages('d', [
      page(1, 'Moon', [revision(1, '[[Sun]] {{Box}}')]),
      page(2, 'Sea', [revision(2, 'x')]),
    ])
    await reindex(store, { dataDir, threads: 1, missing: true })
    const file = join(dataDir, 'links.sql')
    writeFileSync(
      file,
      `INSERT INTO \`linktarget\` VALUES (7,10,'Inner'),(8,0,'Big_rock');
       INSERT INTO \`pagelinks\` VALUES (1,0,'Sun',0),(1,1,'Sun',0),(2,0,'Big rock',0);
       INSERT INTO \`iwlinks\` VALUES (1,'w','Moon');
       INSERT INTO \`externallinks\` VALUES (1,1,'https://a.example/x','','');\n`,
    )
    const options = { store, applier, tell: () => undefined, onPiece: () => undefined }
    await new TableImport({ ...options, source: await openDump(file) }).run()
    settleTables(store)
    await reindex(store, { dataDir, threads: 1, missing: true })
    const { pageLinks } = store
    expect(pageLinks.from(1, 'link')).toEqual([
      { namespace: 0, name: 'Sun' },
      { namespace: 1, name: 'Sun' },
    ])
    expect([to(store, 'link', 'Big_rock'), to(store, 'external', 'https://a.example/x')]).toEqual([[2], [1]])
    expect(names(pageLinks.from(1, 'template'))).toEqual(['Box'])
    expect(names(pageLinks.from(1, 'interwiki'))).toEqual(['w\tMoon'])
    render(store, 'Moon', { link: [], template: [targetOf(10, 'Other')] })
    expect([to(store, 'link', 'Sun'), to(store, 'template', 'Other', 10)]).toEqual([[1], [1]])
    expect(problems(store)).toEqual([])
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect([to(store, 'link', 'Sun', 1), to(store, 'template', 'Other', 10)]).toEqual([[1], [1]])
    applier.importPages('e', [page(1, 'Moon', [revision(1, '[[Sun]] {{Box}}'), revision(3, '[[Sea]]')])])
    await reindex(store, { dataDir, threads: 1, missing: true })
    expect([names(pageLinks.from(1, 'link')), problems(store)]).toEqual([['Sea', 'Sun'], []])
  })
})

test('a prefix that becomes that of another wiki changes the links with it', () => {
  const wiki = wikiWith({ Moon: '[[foo:Bar]]', Sun: '#REDIRECT [[foo:Baz]]' })
  const { store, applier } = wiki
  expect(names(store.pageLinks.targets('link', 0))).toEqual(['Foo:Bar', 'Foo:Baz'])
  const interwiki = { only: false, entries: { foo: { url: 'https://foo.example/$1' } } }
  applier.submit({ kind: 'settings', id: 'e'.repeat(32), time: 1_700_000_001, site: {}, interwiki })
  store.reloadSite()
  expect(names(store.pageLinks.targets('link', 0))).toEqual([])
  expect(names(store.pageLinks.from(1, 'interwiki'))).toEqual(['foo\tBar'])
  expect(names(store.pageLinks.from(2, 'redirect'))).toEqual(['Baz\tfoo'])
  const none = { only: false, entries: { foo: null } }
  applier.submit({ kind: 'settings', id: 'f'.repeat(32), time: 1_700_000_002, site: {}, interwiki: none })
  expect(names(store.pageLinks.targets('link', 0))).toEqual(['Foo:Bar', 'Foo:Baz'])
  expect(problems(store)).toEqual([])
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
