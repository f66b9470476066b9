/** Imports of the SQL table of categories. */
import { describe, expect, test } from 'vitest'
import { formatTimestamp } from '../../src/domain/timestamp.js'
import type { Store } from '../../src/storage/store.js'
import { update } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { dumpXml } from '../support/dump.js'
import { insert, sqlTable } from '../support/sqlTables.js'
import { importInto, openFolder, problems } from '../support/store.js'
import { emptyWiki, expectReplay, wiki } from '../support/tableWiki.js'
import { reindex } from '../../src/cli/reindex/reindex.js'

type Link = readonly [page: number, category: string, prefix: string, time?: string]
const links = (rows: readonly Link[]): string =>
  sqlTable(
    'categorylinks',
    ['cl_from', 'cl_to', 'cl_sortkey', 'cl_timestamp', 'cl_sortkey_prefix', 'cl_collation', 'cl_type'],
    insert(
      'categorylinks',
      rows.map(([page, category, prefix, time = '2026']) => [
        ...[page, category, 'BYTES', time],
        ...[prefix, 'uppercase', 'page'],
      ]),
    ),
  )

/** As MediaWiki 1.45 writes it. */
const numberedLinks = (rows: readonly (readonly [page: number, target: number, prefix: string])[]): string =>
  sqlTable(
    'categorylinks',
    [
      'cl_from',
      'cl_sortkey',
      'cl_timestamp',
      'cl_sortkey_prefix',
      'cl_type',
      'cl_collation_id',
      'cl_target_id',
    ],
    insert(
      'categorylinks',
      rows.map(([page, target, prefix]) => [page, 'BYTES', '2026', prefix, 'page', 1, target]),
    ),
  )

const linkTargets = (rows: readonly (readonly [id: number, namespace: number, title: string])[]): string =>
  sqlTable('linktarget', ['lt_id', 'lt_namespace', 'lt_title'], insert('linktarget', rows))

/** Members of all categories: `Category: Page (place), …`. */
const everything = (store: Store): string[] =>
  store.categories.list({ limit: 100 }).categories.map(({ dbkey }) => {
    const { members } = store.categories.listMembers(dbkey, 'page', { limit: 100 })
    return `${dbkey}: ${members.map((each) => `${each.dbkey} (${each.sortKey.split('\n')[0]})`).join(', ')}`
  })

const PAGES = [
  { id: 1, title: 'Moon', revisions: [{ id: 1, text: '[[Category:Own]] {{rock}}' }] },
  { id: 2, title: 'Sea', revisions: [{ id: 2, text: 'sea' }] },
]

describe('an import of the table categorylinks', () => {
  test('states all categories of pages, beside their dump or after it', async () => {
    const rows: Link[] = [
      [1, 'From_a_template', ''],
      [1, 'Own', 'key'],
      [2, 'Waters', ''],
      [9, 'Waters', ''],
    ]
    const wanted = ['From_a_template: Moon (MOON)', 'Own: Moon (KEY)', 'Waters: Sea (SEA)']
    const beside = emptyWiki()
    const paths = [beside.write('pages.xml', dumpXml(PAGES)), beside.write('links.sql', links(rows))]
    const { results } = await importInto(beside.dataDir, paths)
    expect(results[1]!.sql).toEqual({ rows: 4, foreignRows: 1, skippedRows: 0, changedTables: 1 })
    expect(await beside.read(everything)).toEqual(wanted)
    const { dataDir, write, read } = await wiki(PAGES)
    expect(await read(everything)).toEqual(['Own: Moon (MOON)'])
    await importInto(dataDir, [write('links.sql', links(rows))])
    expect(await read(everything)).toEqual(wanted)
    await importInto(dataDir, [write('links.sql', links([[2, 'Seas', '']]))])
    expect(await read(everything)).toEqual(['Own: Moon (MOON)', 'Seas: Sea (SEA)'])
    await expectReplay(openFolder(beside.dataDir), paths)
  })

  test('finds names in linktarget, which comes first, whatever the order of the files', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const path = write(
      'x-categorylinks.sql',
      numberedLinks([
        [1, 7, 'k'],
        [2, 8, ''],
        [2, 9, ''],
      ]),
    )
    const { error } = await importInto(dataDir, [path])
    expect(error?.message).toContain('import the table linktarget first, which has their names')
    const targets = linkTargets([
      [7, 14, 'Rocks'],
      [8, 14, 'Waters'],
      [9, 10, 'A template'],
    ])
    await importInto(dataDir, [path, write('x-linktarget.sql', targets)])
    expect(await read(everything)).toEqual(['Rocks: Moon (K)', 'Waters: Sea (SEA)'])
  })

  test('states when pages came into categories', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const rows: Link[] = [
      [1, 'Rocks', '', '2026-01-02 03:04:05'],
      [2, 'Rocks', '', '20260102030404'],
    ]
    await importInto(dataDir, [write('links.sql', links(rows))])
    const times = (store: Store) =>
      [...store.categories.byTime('Rocks', { ascending: true })].map(
        ({ dbkey, timestamp }) => `${dbkey} ${formatTimestamp(timestamp)}`,
      )
    expect(await read(times)).toEqual(['Sea 2026-01-02T03:04:04Z', 'Moon 2026-01-02T03:04:05Z'])
    expect(await read(problems)).toEqual([])
  })

  test('counts until a page changes, also after a reindex', async () => {
    const { dataDir, write } = await wiki(PAGES)
    const table = links([
      [1, 'From_a_template', ''],
      [1, 'Own', ''],
      [2, 'Waters', ''],
    ])
    await importInto(dataDir, [write('links.sql', table)])
    const server = await startServer(dataDir, { anonymousEdits: true })
    await update(server, 'Moon', '[[Category:New]] {{rock}}', 1)
    await update(server, 'Sea', 'no category', 2)
    await server.app.close()
    const store = openFolder(dataDir)
    // Those of templates stay until the page is rendered.
    const wanted = ['From_a_template: Moon (MOON)', 'New: Moon (MOON)', 'Waters: Sea (SEA)']
    expect(everything(store)).toEqual(wanted)
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect(everything(store)).toEqual(wanted)
    expect(problems(store)).toEqual([])
  })
})
