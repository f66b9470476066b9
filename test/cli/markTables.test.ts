/** Imports of SQL tables that say who is a bot, and which revisions are reverts. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDump } from '../../src/dump/openDump.js'
import { readTables } from '../../src/dump/sql/readTables.js'
import { TableReader } from '../../src/import/tables/tableReader.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { settleStep } from '../../src/storage/apply/sqlTables/settle.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import type { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import type { HistoryFilter } from '../../src/domain/revision.js'
import { startServer } from '../conformance/garden.js'
import { runHosted } from '../support/command.js'
import { type DumpPage, dumpXml } from '../support/dump.js'
import { insert, sqlTable } from '../support/sqlTables.js'
import { importInto, openFolder, problems, START } from '../support/store.js'
import { expectReplay, wiki } from '../support/tableWiki.js'

const LEAF_BOT = { id: 3, name: 'LeafBot' }
const BEE_BOT = { id: 4, name: 'BeeBot' }
/** Texts `a b a c a`: the store finds that revisions 13 and 15 are reverts. */
const PAGES: DumpPage[] = [
  {
    id: 1,
    title: 'Moon',
    revisions: [
      { id: 11, text: 'a', editor: LEAF_BOT },
      { id: 12, text: 'b', editor: '192.0.2.1' },
      { id: 13, text: 'a', editor: { ...LEAF_BOT, name: 'Leaf robot' } },
      { id: 14, text: 'c' },
      { id: 15, text: 'a', editor: BEE_BOT },
    ],
  },
  { id: 2, title: 'Sea', revisions: [{ id: 21, text: 's', editor: BEE_BOT }] },
]

type Group = readonly [user: number, group: string, expiry: string | null]
const groups = (rows: readonly Group[]): string =>
  sqlTable('user_groups', ['ug_user', 'ug_group', 'ug_expiry'], insert('user_groups', rows))

const DEFS = sqlTable(
  'change_tag_def',
  ['ctd_id', 'ctd_name', 'ctd_user_defined', 'ctd_count'],
  insert('change_tag_def', [
    [1, 'mw-undo', 0, 1],
    [2, 'mobile edit', 0, 1],
    [3, 'mw-rollback', 0, 1],
    [4, 'mw-manual-revert', 0, 1],
    [5, 'mw-reverted', 0, 1],
  ]),
)
type Tag = readonly [revision: number | null, tag: number]
const tags = (rows: readonly Tag[]): string =>
  sqlTable(
    'change_tag',
    ['ct_id', 'ct_rc_id', 'ct_log_id', 'ct_rev_id', 'ct_params', 'ct_tag_id'],
    insert(
      'change_tag',
      rows.map(([revision, tag], n) => [n + 1, null, null, revision, '{"a":"(1,2)"}', tag]),
    ),
  )

/** Ids of the revisions with a mark, of all pages; also expects that the counts agree. */
function marked(store: Store, filter: HistoryFilter): number[] {
  return [1, 2].flatMap((pageId) => {
    const { revisions } = store.listRevisions(pageId, { filter, limit: 100 })
    expect(store.pageCounts(pageId)[filter]).toBe(revisions.length)
    return revisions.map((json) => (JSON.parse(json.toString()) as { id: number }).id).sort()
  })
}

describe('an import of user groups', () => {
  test('marks the edits of bots by their ids, whatever their names, and unmarks those of former bots', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const rows: Group[] = [
      [3, 'bot', null],
      [1, 'sysop', null],
      [3, 'sysop', null],
      [9, 'bot', '20300101000000'],
    ]
    const { results, error } = await importInto(dataDir, [write('one.sql', groups(rows))])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 4, foreignRows: 0, skippedRows: 0, changedTables: 1 })
    await read((store) => expect(marked(store, 'bot')).toEqual([11, 13]))
    const digest = await read(digestStore)
    await importInto(dataDir, [write('again.sql', groups(rows.toReversed()))])
    expect(await read(digestStore)).toBe(digest)
    await importInto(dataDir, [write('two.sql', groups([[4, 'bot', null]]))])
    await read((store) => expect(marked(store, 'bot')).toEqual([15, 21]))
    const store = openFolder(dataDir)
    await expectReplay(
      store,
      ['pages.xml', 'one.sql', 'two.sql'].map((name) => join(dataDir, '..', name)),
    )
  })

  test('marks later revisions of a dump at once, and leaves bots that the operator named', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    await importInto(dataDir, [write('groups.sql', groups([[3, 'bot', null]]))])
    const name = (bots: readonly string[]): void => {
      const { status } = runHosted(['site', 'set', '--data-dir', dataDir, 'bots', bots.join('|')])
      expect(status).toBe(0)
    }
    name(['Ann', 'LeafBot'])
    await read((store) => expect(marked(store, 'bot')).toEqual([11, 13, 14]))
    const newer = { id: 22, text: 'sea', editor: LEAF_BOT }
    await importInto(dataDir, [
      write('newer.xml', dumpXml([{ ...PAGES[1]!, revisions: [...PAGES[1]!.revisions, newer] }])),
    ])
    await read((store) => expect(marked(store, 'bot')).toEqual([11, 13, 14, 22]))
    name([])
    await read((store) => expect(marked(store, 'bot')).toEqual([11, 13, 22]))
    await importInto(dataDir, [write('none.sql', groups([]))])
    await read((store) => expect(marked(store, 'bot')).toEqual([]))
  })

  test('changes the answers that a server keeps', async () => {
    const { dataDir, write } = await wiki(PAGES)
    const server = await startServer(dataDir)
    const answers = async (): Promise<unknown[]> => {
      const { body } = await server.send('/v1/page/Moon/history?filter=bot')
      const counts = await server.send('/v1/page/Moon/history/counts/bot')
      return [(body as { revisions: { id: number }[] }).revisions.map(({ id }) => id), counts.body]
    }
    for (const _ of ['made', 'kept']) expect(await answers()).toEqual([[], { count: 0, limit: false }])
    const path = write('groups.sql', groups([[3, 'bot', null]]))
    expect(runHosted(['import', '--quiet', '--data-dir', dataDir, path])).toMatchObject({ status: 0 })
    expect(await answers()).toEqual([[13, 11], { count: 2, limit: false }])
  })
})

describe('an import of change tags', () => {
  test('says which revisions are reverts, up to the newest one that it has', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    await read((store) => expect(marked(store, 'reverted')).toEqual([13, 15]))
    const rows: Tag[] = [
      [11, 3],
      [12, 1],
      [14, 2],
      [14, 5],
      [null, 1],
      [99_999, 2],
    ]
    await importInto(dataDir, [write('defs.sql', DEFS), write('early.sql', tags(rows.slice(0, 4)))])
    // Revision 15 is newer than the table, so the texts count.
    await read((store) => expect(marked(store, 'reverted')).toEqual([11, 12, 15]))
    const { results } = await importInto(dataDir, [write('tags.sql', tags(rows))])
    expect(results[0]!.sql).toEqual({ rows: 6, foreignRows: 2, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(marked(store, 'reverted')).toEqual([11, 12])
      expect(store.imported.tagsOf(14)).toEqual(['mobile edit', 'mw-reverted'])
    })
    const digest = await read(digestStore)
    await importInto(dataDir, [write('again.sql', tags(rows.toReversed()))])
    expect(await read(digestStore)).toBe(digest)
    const files = ['pages.xml', 'defs.sql', 'early.sql', 'tags.sql'].map((name) => join(dataDir, '..', name))
    const store = openFolder(dataDir)
    await expectReplay(store, files)
    await store.close()
    await importInto(dataDir, [write('none.sql', tags([]))])
    await read((opened) => expect(marked(opened, 'reverted')).toEqual([13, 15]))
  })

  test('does not speak of revisions that were made here, with an id of the table or not', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const store = openFolder(dataDir)
    const content = { comment: '', minor: false, contentModel: 'wikitext', editor: { id: null, name: '::1' } }
    for (const [n, text] of ['x', 's'].entries()) {
      const entry = { kind: 'edit', pageId: 2, baseRevisionId: 21 + n, ...content, text } as const
      const verdict = new Applier(store).submit({ ...entry, id: randomEntryId(), time: START + 10_000 + n })
      expect(verdict).toMatchObject({ result: 'saved', revisionId: 22 + n })
    }
    await store.close()
    const rows: Tag[] = [
      [22, 1],
      [99, 2],
    ]
    const { results } = await importInto(dataDir, [write('defs.sql', DEFS), write('tags.sql', tags(rows))])
    expect(results[1]!.sql).toMatchObject({ rows: 2, foreignRows: 2 })
    await read((opened) => expect(marked(opened, 'reverted')).toEqual([23]))
  })

  test('holds for revisions that a dump inserts later', async () => {
    const late = { id: 16, text: 'a', time: '2020-01-01T00:12:30Z' }
    const { dataDir, write, read } = await wiki(PAGES)
    const files = [
      write('defs.sql', DEFS),
      write(
        'tags.sql',
        tags([
          [15, 4],
          [99, 2],
        ]),
      ),
    ]
    await importInto(dataDir, files)
    const moon = { ...PAGES[0]!, revisions: [...PAGES[0]!.revisions, late] }
    await importInto(dataDir, [write('late.xml', dumpXml([moon, PAGES[1]!]))])
    await read((store) => expect(marked(store, 'reverted')).toEqual([15]))
  })

  test('needs the names of tags, but for tables of old wikis, which have them', async () => {
    const { dataDir, write, read } = await wiki(PAGES)
    const { error } = await importInto(dataDir, [write('tags.sql', tags([[12, 1]]))])
    expect(error?.message).toMatch(/^tags\.sql: has numbers of tags: import the table change_tag_def first/)
    const old = sqlTable(
      'change_tag',
      ['ct_rc_id', 'ct_log_id', 'ct_rev_id', 'ct_tag', 'ct_params'],
      insert('change_tag', [
        [1, null, 12, 'mw-rollback', null],
        [2, null, 20, 'visualeditor', null],
      ]),
    )
    await importInto(dataDir, [write('old.sql', old)])
    await read((store) => expect(marked(store, 'reverted')).toEqual([12]))
  })
})

test(
  'marks that a killed import has left are made page by page, and the store is sound meanwhile',
  { tags: ['kills'] },
  async () => {
    const pages = Array.from({ length: 2000 }, (_, n) => ({
      id: n + 1,
      title: `Page ${n}`,
      revisions: [
        { id: 2 * n + 1, text: 'x', editor: LEAF_BOT },
        { id: 2 * n + 2, text: 'y', editor: BEE_BOT },
      ],
    }))
    const { dataDir, write } = await wiki(pages)
    await importInto(dataDir, [write('defs.sql', DEFS)])
    const store = openFolder(dataDir)
    const exchange = async (table: 'user_groups' | 'change_tag', path: string): Promise<void> => {
      const reader = new TableReader(store)
      const source = await openDump(path)
      for await (const _ of readTables(source, reader));
      await source.close()
      reader.flush()
      const { spare, rows } = reader.found.get(table)!
      const entry = { kind: 'table', table, dump: 'x', sha256: source.sha256(), rows, spare } as const
      new Applier(store).submit({ ...entry, id: randomEntryId(), time: 0 })
    }
    const counts = (filter: 'bot' | 'reverted'): number[] => {
      const seen: number[] = []
      do {
        expect(problems(store)).toEqual([])
        seen.push(pages.reduce((sum, { id }) => sum + store.pageCounts(id)[filter], 0))
      } while (settleStep(store))
      return seen
    }
    await exchange('user_groups', write('groups.sql', groups([[4, 'bot', null]])))
    const bots = counts('bot')
    expect([bots[0], bots.at(-1)]).toEqual([0, 2000])
    expect(new Set(bots).size).toBeGreaterThan(2)
    await exchange('change_tag', write('tags.sql', tags(pages.map(({ id }) => [2 * id, 1]))))
    const reverts = counts('reverted')
    expect([reverts[0], reverts.at(-1)]).toEqual([0, 2000])
    expect(new Set(reverts).size).toBeGreaterThan(2)
  },
)
