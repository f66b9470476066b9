/** Imports of SQL tables of protections, redirects and interwiki prefixes. */
// @module-tag slow
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProtectionRow } from '../../src/storage/pages/protections.js'
import type { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { create, update } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { runHosted } from '../support/command.js'
import type { DumpPage } from '../support/dump.js'
import { insert, sqlTable } from '../support/sqlTables.js'
import { importInto, openFolder } from '../support/store.js'
import { expectReplay, wiki } from '../support/tableWiki.js'

const NOW = Date.UTC(2026, 10, 23) / 1000
const EXPIRY = Date.UTC(2027, 5, 1) / 1000

type Restriction = readonly [
  page: number,
  type: string,
  level: string,
  expiry: string | null,
  cascade?: number,
]
const restrictions = (rows: readonly Restriction[]): string =>
  sqlTable(
    'page_restrictions',
    ['pr_id', 'pr_page', 'pr_type', 'pr_level', 'pr_cascade', 'pr_expiry'],
    insert(
      'page_restrictions',
      rows.map(([page, type, level, expiry, cascade = 0], n) => [n + 1, page, type, level, cascade, expiry]),
    ),
  )

type Title = readonly [namespace: number, title: string, level: string, expiry: string]
const titles = (rows: readonly Title[]): string =>
  sqlTable(
    'protected_titles',
    ['pt_namespace', 'pt_title', 'pt_user', 'pt_reason_id', 'pt_timestamp', 'pt_expiry', 'pt_create_perm'],
    insert(
      'protected_titles',
      rows.map(([namespace, title, level, expiry]) => [namespace, title, 1, 38, '2026', expiry, level]),
    ),
  )

type Redirect = readonly [
  page: number,
  namespace: number,
  title: string,
  interwiki: string | null,
  section: string | null,
]
const redirects = (rows: readonly Redirect[]): string =>
  sqlTable(
    'redirect',
    ['rd_from', 'rd_namespace', 'rd_title', 'rd_interwiki', 'rd_fragment'],
    insert('redirect', rows),
  )

const interwiki = (rows: readonly (readonly [prefix: string, url: string, local?: number])[]): string =>
  sqlTable(
    'interwiki',
    ['iw_prefix', 'iw_url', 'iw_api', 'iw_wikiid', 'iw_local', 'iw_trans'],
    insert(
      'interwiki',
      rows.map(([prefix, url, local = 0]) => [prefix, url, '', '', local, 0]),
    ),
  )

const protection = (store: Store, dbkey: string, time = NOW): ProtectionRow =>
  store.getProtection({ namespace: 0, dbkey }, time)
const NONE = { edit: 'none', create: 'none', expires: null }

describe('an import of protections', () => {
  test('protects pages and titles until their time, and replaces what the table said before', async () => {
    const { dataDir, write, read } = await wiki()
    const rows: Restriction[] = [
      [1, 'edit', 'sysop', '20270601000000'],
      [1, 'move', 'sysop', 'infinity'],
      [2, 'edit', 'autoconfirmed', 'infinity'],
      [9, 'edit', 'sysop', 'infinity'],
      [2, 'upload', 'sysop', 'infinity'],
      [2, 'edit', 'sysop', 'never'],
    ]
    const { results } = await importInto(dataDir, [
      write('pages.sql', restrictions(rows)),
      write(
        'titles.sql',
        titles([
          [0, 'Never_here', 'extendedconfirmed', 'infinity'],
          [0, 'Sea', 'sysop', 'infinity'],
          [-1, 'Special', 'sysop', 'infinity'],
          [70_000, 'Far', 'sysop', 'infinity'],
        ]),
      ),
    ])
    expect(results.map(({ sql }) => sql)).toEqual([
      { rows: 6, foreignRows: 3, skippedRows: 0, changedTables: 1 },
      { rows: 4, foreignRows: 2, skippedRows: 0, changedTables: 1 },
    ])
    await read((store) => {
      const moves = { move: 'sysop', moveExpires: null }
      expect(protection(store, 'Moon')).toEqual({ edit: 'sysop', create: 'none', expires: EXPIRY, ...moves })
      expect(protection(store, 'Moon', EXPIRY)).toEqual({ ...NONE, move: 'sysop' })
      expect(protection(store, 'Sea')).toEqual({ edit: 'user', create: 'sysop', expires: null })
      expect(protection(store, 'Never_here')).toEqual({ edit: 'none', create: 'sysop', expires: null })
    })
    const digest = await read(digestStore)
    await importInto(dataDir, [write('again.sql', restrictions(rows.toReversed().slice(1)))])
    expect(await read(digestStore)).toBe(digest)
    await importInto(dataDir, [write('less.sql', restrictions([]))])
    await read((store) => {
      expect([protection(store, 'Moon'), protection(store, 'Sea').edit]).toEqual([NONE, 'none'])
      expect(protection(store, 'Never_here').create).toBe('sysop')
    })
    const files = ['pages.xml', 'pages.sql', 'titles.sql', 'less.sql'].map((name) =>
      join(dataDir, '..', name),
    )
    await expectReplay(openFolder(dataDir), files)
  })

  test('keeps who may move a page, until when, and whether the protection cascades', async () => {
    const { dataDir, write, read } = await wiki()
    const rows: Restriction[] = [
      [1, 'edit', 'sysop', 'infinity', 1],
      [1, 'move', 'autoconfirmed', '20270601000000'],
      [2, 'move', 'sysop', 'infinity'],
    ]
    await importInto(dataDir, [write('pages.sql', restrictions(rows))])
    await read((store) => {
      const moon = { edit: 'sysop', create: 'none', expires: null, cascades: true }
      expect(protection(store, 'Moon')).toEqual({ ...moon, move: 'user', moveExpires: EXPIRY })
      expect(protection(store, 'Moon', EXPIRY)).toEqual(moon)
      expect(protection(store, 'Sea')).toEqual({ ...NONE, move: 'sysop' })
    })
    const protect = [
      'page',
      'protect',
      '--data-dir',
      dataDir,
      'Sea',
      '--edit',
      'user',
      '--expires',
      '2027-01-01',
    ]
    expect(runHosted(protect)).toMatchObject({ status: 0 })
    await read((store) => {
      const end = Date.UTC(2027, 0, 1) / 1000
      expect(protection(store, 'Sea')).toEqual({
        ...{ edit: 'user', create: 'none', expires: end },
        ...{ move: 'sysop', moveExpires: null },
      })
      expect(protection(store, 'Sea', end)).toEqual({ ...NONE, move: 'sysop' })
    })
    const server = await startServer(dataDir, {})
    const info = await server.send(
      '/api.php?action=query&titles=Moon|Sea&prop=info&inprop=protection&format=json&formatversion=2',
    )
    const { query } = JSON.parse(info.bytes.toString()) as { query: { pages: { protection: unknown }[] } }
    expect(query.pages.map((page) => page.protection)).toEqual([
      [
        { type: 'edit', level: 'sysop', expiry: 'infinity', cascade: true },
        { type: 'move', level: 'autoconfirmed', expiry: '2027-06-01T00:00:00Z' },
      ],
      [
        { type: 'edit', level: 'autoconfirmed', expiry: '2027-01-01T00:00:00Z' },
        { type: 'move', level: 'sysop', expiry: 'infinity' },
      ],
    ])
    const listed = async (filter: string): Promise<string[]> => {
      const { bytes } = await server.send(
        `/api.php?action=query&list=allpages&format=json&formatversion=2&${filter}`,
      )
      const found = JSON.parse(bytes.toString()) as { query: { allpages: { title: string }[] } }
      return found.query.allpages.map(({ title }) => title)
    }
    expect(await listed('apprtype=move&apprlevel=sysop')).toEqual(['Sea'])
    expect(await listed('apprtype=edit|move&apprexpiry=indefinite')).toEqual(['Moon', 'Sea'])
    expect(await listed('apprtype=edit&apprfiltercascade=cascading')).toEqual(['Moon'])
    expect(await listed('apprtype=edit&apprfiltercascade=noncascading')).toEqual(['Sea'])
  })

  test('leaves the protections of the operator, the stricter one counts', async () => {
    const { dataDir, write, read } = await wiki()
    const protect = (...flags: string[]): void =>
      expect(runHosted(['page', 'protect', '--data-dir', dataDir, ...flags])).toMatchObject({ status: 0 })
    protect('Moon', '--edit', 'sysop')
    protect('Sea', '--edit', 'user')
    const path = write(
      'pages.sql',
      restrictions([
        [1, 'edit', 'autoconfirmed', 'infinity'],
        [2, 'edit', 'sysop', 'infinity'],
      ]),
    )
    await importInto(dataDir, [path])
    await read((store) => {
      expect([protection(store, 'Moon').edit, protection(store, 'Sea').edit]).toEqual(['sysop', 'sysop'])
    })
    await importInto(dataDir, [write('none.sql', restrictions([]))])
    await read((store) => {
      expect([protection(store, 'Moon').edit, protection(store, 'Sea').edit]).toEqual(['sysop', 'user'])
    })
  })

  test('is obeyed by a running server', async () => {
    const { dataDir, write } = await wiki()
    const server = await startServer(dataDir, { anonymousEdits: true })
    const html = async (): Promise<string> => (await server.send('/v1/page/Told/html')).bytes.toString()
    await create(server, 'Told', 'level {{PROTECTIONLEVEL:edit|Sea}}.')
    expect(await html()).toMatch(/level <span[^>]*><\/span>\./)
    const importTable = (table: string): void => {
      const { status, err } = runHosted(['import', '--quiet', '--data-dir', dataDir, write('t.sql', table)])
      expect({ status, err }).toEqual({ status: 0, err: '' })
    }
    importTable(restrictions([[2, 'edit', 'sysop', 'infinity']]))
    importTable(titles([[0, 'Never_here', 'sysop', 'infinity']]))
    expect(await update(server, 'Sea', 'new', 2)).toMatchObject({ status: 403 })
    expect(await create(server, 'Never here', 'new')).toMatchObject({ status: 403 })
    expect(await update(server, 'Moon', 'new', 1)).toMatchObject({ status: 200 })
    expect(await html()).toMatch(/level <span[^>]*>sysop<\/span>\./)
    importTable(restrictions([]))
    expect(await update(server, 'Sea', 'new', 2)).toMatchObject({ status: 200 })
    expect(await html()).toMatch(/level <span[^>]*><\/span>\./)
  })
})

describe('an import of redirects', () => {
  const PAGES: DumpPage[] = [
    { id: 1, title: 'Moon', revisions: [{ id: 1, text: 'moon' }] },
    { id: 2, title: 'Luna', redirect: 'Moon', revisions: [{ id: 2, text: '#REDIRECT [[moon#History]]' }] },
    { id: 3, title: 'Selene', revisions: [{ id: 3, text: '#NIEZNANE [[Moon]]' }] },
    { id: 4, title: 'Script', revisions: [{ id: 4, text: 'return require "X"' }] },
  ]
  const targets = (store: Store): (string | undefined)[] =>
    PAGES.map(({ id }) => store.getPageById(id)?.redirectTarget)

  test('gives pages the targets of their wiki, and takes them back', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const before = [undefined, 'Moon', undefined, undefined]
    expect(await read(targets)).toEqual(before)
    const rows: Redirect[] = [
      [2, 0, 'Moon', '', ''],
      [3, 0, 'Moon', null, 'Far_side'],
      [4, 6, 'Moon_2.png', '', null],
      [9, 0, 'Nowhere', '', ''],
    ]
    const { results } = await importInto(dataDir, [write('one.sql', redirects(rows))])
    expect(results[0]!.sql).toEqual({ rows: 4, foreignRows: 1, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(targets(store)).toEqual([undefined, 'Moon', 'Moon#Far side', 'File:Moon 2.png'])
      expect(store.counters().redirects).toBe(3)
      expect(store.search.countQueued()).toBe(0)
    })
    await importInto(dataDir, [
      write(
        'two.sql',
        redirects([
          [2, 0, 'Sea', '', ''],
          [3, 0, 'Mond', 'de', ''],
        ]),
      ),
    ])
    await read((store) => {
      expect(targets(store)).toEqual([undefined, 'Sea', 'de:Mond', undefined])
      expect(store.counters().redirects).toBe(2)
    })
    await importInto(dataDir, [write('none.sql', redirects([]))])
    // Without a row the text decides.
    const byText = [undefined, 'moon#History', undefined, undefined]
    expect(await read(targets)).toEqual(byText)
    // Other words for the same page change nothing.
    await importInto(dataDir, [write('same.sql', redirects([[2, 0, 'Moon', '', '']]))])
    expect(await read(targets)).toEqual(byText)
    const files = ['pages.xml', 'one.sql', 'two.sql', 'none.sql', 'same.sql'].map((name) =>
      join(dataDir, '..', name),
    )
    await expectReplay(openFolder(dataDir), files)
  })

  test('changes the answers of a server', async () => {
    const { dataDir, write } = await wiki(PAGES)
    const server = await startServer(dataDir)
    const found = async (): Promise<unknown> => {
      const { body } = await server.send('/v1/search/title?q=Selene&limit=1')
      const [{ key, matched_title } = {}] = (body as { pages: Record<string, unknown>[] }).pages
      return { key, matched_title }
    }
    expect(await found()).toEqual({ key: 'Selene', matched_title: null })
    const path = write('one.sql', redirects([[3, 0, 'Moon', '', '']]))
    expect(runHosted(['import', '--quiet', '--data-dir', dataDir, path])).toMatchObject({ status: 0 })
    expect(await found()).toEqual({ key: 'Moon', matched_title: 'Selene' })
  })
})

describe('an import of the interwiki table', () => {
  test('is the whole map, with the names of languages, under the changes of the operator', async () => {
    const { dataDir, write, read } = await wiki()
    expect(
      runHosted(['interwiki', 'set', '--data-dir', dataDir, 'own', 'https://own.example/$1']),
    ).toMatchObject({ status: 0 })
    const path = write(
      'interwiki.sql',
      interwiki([
        ['de', 'https://de.garden.example/wiki/$1', 1],
        ['fr', 'https://fr.other.example/wiki/$1', 0],
        ['Garden', '//garden.example/$1'],
        ['near', '//near.example/$1', 1],
        ['bad prefix', 'https://x.example/$1'],
        ['script', 'javascript:alert($1)'],
        ['nowhere', 'https://x.example/'],
      ]),
    )
    const { results } = await importInto(dataDir, [path])
    expect(results[0]!.sql).toEqual({ rows: 7, foreignRows: 3, skippedRows: 0, changedTables: 1 })
    await read((store) =>
      expect([...store.interwiki().values()]).toEqual([
        { prefix: 'de', url: 'https://de.garden.example/wiki/$1', language: 'Deutsch' },
        { prefix: 'fr', url: 'https://fr.other.example/wiki/$1', language: 'français', local: false },
        { prefix: 'garden', url: '//garden.example/$1' },
        { prefix: 'near', url: '//near.example/$1', local: true },
        { prefix: 'own', url: 'https://own.example/$1' },
      ]),
    )
    await importInto(dataDir, [write('less.sql', interwiki([['meta', 'https://meta.example/$1']]))])
    await read((store) => expect([...store.interwiki().keys()]).toEqual(['meta', 'own']))
    await expectReplay(openFolder(dataDir), [
      ...['pages.xml', 'interwiki.sql', 'less.sql'].map((name) => join(dataDir, '..', name)),
    ])
  })
})
