/** Imports of SQL tables beside dumps: what they bring, replace and leave, and how they end. */
// @module-tag slow
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lacksSomething } from '../../src/cli/import/summary.js'
import { openDump } from '../../src/dump/openDump.js'
import { TableImport } from '../../src/import/tables/importTables.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { decodeEntry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { logKey } from '../../src/storage/entries/logReader.js'
import { Store } from '../../src/storage/store.js'
import { WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { update } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { dumpXml } from '../support/dump.js'
import { facts, fileEntry } from '../support/files.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { insert, LANGLINKS, langlinks, sqlTable } from '../support/sqlTables.js'
import { DumpApplier, importInto, openFolder, problems, START, temporaryFolder } from '../support/store.js'
import { emptyWiki, expectReplay, PAGES, wiki } from '../support/tableWiki.js'

const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')
const KILLS = rounds(12, 2)

type Link = readonly [page: number, code: string, title: string]

/** Links of a page as `de:Mond`; undefined if the table has none. */
const linksOf = (store: Store, pageId: number): string[] | undefined =>
  tableLinks(store, pageId)?.map(({ code, title }) => `${code}:${title}`)

function tableLinks(store: Store, pageId: number): { code: string; title: string }[] | undefined {
  const json = store.imported.languageLinksJson(pageId)
  return json && (JSON.parse(json.toString()) as { code: string; title: string }[])
}

const lastEntry = (store: Store) =>
  decodeEntry(store.tables.log.getBinary(logKey(store.position().sequence))!)

describe('an import of language links', () => {
  test('brings those of pages that are here, whatever the order of the rows', async () => {
    const { dataDir, write, read } = await wiki()
    const rows: Link[] = [
      [2, 'fr', 'Mer'],
      [1, 'fr', 'Lune'],
      [9, 'fr', 'Nulle part'],
      [2, 'de', 'Meer'],
      [1, 'de', 'Mond (Begriffsklärung)'],
      [1, 'de', 'Mond'],
      [1, '', 'no language'],
      [1, 'xx-unknown', 'x'],
      [1, 'en', 'own language'],
      [0, 'fr', 'zero'],
      [4294967295, 'fr', 'too high'],
      [-1, 'fr', 'negative'],
    ]
    const path = write('wiki-langlinks.sql.gz', gzipSync(langlinks(rows)))
    const { results, error } = await importInto(dataDir, [path])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 12, foreignRows: 5, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(tableLinks(store, 1)).toEqual([
        { code: 'de', name: 'Deutsch', key: 'Mond_(Begriffsklärung)', title: 'Mond (Begriffsklärung)' },
        { code: 'fr', name: 'français', key: 'Lune', title: 'Lune' },
      ])
      expect(linksOf(store, 2)).toEqual(['de:Meer', 'fr:Mer'])
      expect(linksOf(store, 9)).toBeUndefined()
      const { id: _id, ...entry } = lastEntry(store)
      expect(entry).toEqual({
        kind: 'table',
        time: 0,
        table: 'langlinks',
        dump: 'wiki-langlinks.sql.gz',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        rows: 12,
      })
    })
  })

  test('takes tables with a prefix, and passes over others that end in the same words', async () => {
    const { dataDir, write, read } = await wiki()
    const link = insert('mw_langlinks', [[1, 'de', 'Mond']])
    const others =
      sqlTable('mw_oldimage', ['oi_name', 'oi_size'], insert('mw_oldimage', [['A', 1]])) +
      sqlTable('global_user_groups', ['gug_user', 'gug_group'], insert('global_user_groups', [[1, 'bot']]))
    const path = write('tables.sql', others + sqlTable('mw_langlinks', LANGLINKS, link))
    const { results, error } = await importInto(dataDir, [path])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toMatchObject({ rows: 1, changedTables: 1 })
    const pages = write('pages.xml', dumpXml(PAGES))
    await read((store) => expect(linksOf(store, 1)).toEqual(['de:Mond']))
    await expectReplay(openFolder(dataDir), [path, pages])
  })

  test('refuses the tables of two wikis in one file', async () => {
    const { dataDir, write, read } = await wiki()
    const before = await read(digestStore)
    const tables = ['a_langlinks', 'b_langlinks'].map((name) =>
      sqlTable(name, LANGLINKS, insert(name, [[1, 'de', name]])),
    )
    const { error } = await importInto(dataDir, [write('tables.sql', tables.join(''))])
    expect(error?.message).toContain('has a_langlinks and b_langlinks: import the tables of one wiki alone')
    expect(await read(digestStore)).toBe(before)
  })

  test('a second time, from another file too, leaves no entry', async () => {
    const { dataDir, write, read } = await wiki()
    const rows: Link[] = [
      [1, 'de', 'Mond'],
      [1, 'fr', 'Lune'],
      [2, 'de', 'Meer'],
    ]
    const digest = async (name: string, links: readonly Link[]): Promise<string> => {
      const { error } = await importInto(dataDir, [write(name, langlinks(links))])
      expect(error).toBeUndefined()
      return read(digestStore)
    }
    const first = await digest('a.sql', rows)
    expect(await digest('a.sql', rows)).toBe(first)
    expect(await digest('b.sql', rows.toReversed())).toBe(first)
    expect(await digest('c.sql', rows.slice(1))).not.toBe(first)
  })

  test('replaces all that the table brought before, and leaves no spare rows', async () => {
    const { dataDir, write, read } = await wiki()
    const [old, now, none] = [
      [
        [1, 'de', 'Mond'],
        [1, 'fr', 'Lune'],
        [2, 'de', 'Meer'],
      ],
      [[1, 'es', 'Luna']],
      [],
    ] as Link[][]
    await importInto(dataDir, [write('old.sql', langlinks(old!))])
    await importInto(dataDir, [write('now.sql', langlinks(now!))])
    await read((store) => {
      expect([linksOf(store, 1), linksOf(store, 2)]).toEqual([['es:Luna'], undefined])
      expect(store.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE })).toBe(1)
    })
    await importInto(dataDir, [write('none.sql', langlinks(none!))])
    await read((store) => {
      expect([linksOf(store, 1), linksOf(store, 2)]).toEqual([undefined, undefined])
      expect(store.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE })).toBe(0)
    })
  })

  test('comes after the dumps of the same command line', async () => {
    const { dataDir, write, read } = emptyWiki()
    const paths = [write('links.sql', langlinks([[1, 'de', 'Mond']])), write('pages.xml', dumpXml(PAGES))]
    const { results, error } = await importInto(dataDir, paths)
    expect(error).toBeUndefined()
    expect(results.map(({ name }) => name)).toEqual(['pages.xml', 'links.sql'])
    expect(await read((store) => linksOf(store, 1))).toEqual(['de:Mond'])
  })

  test('gives nothing to pages that were made here', async () => {
    const { dataDir, write, read } = await wiki()
    const store = Store.open(dataDir)
    const content = {
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      editor: { id: null, name: '192.0.2.1' },
    }
    const place = { kind: 'create', namespace: 0, dbkey: 'Here' } as const
    const verdict = new DumpApplier(store).submit({
      ...place,
      ...content,
      id: randomEntryId(),
      time: START,
      text: 'x',
    })
    expect(verdict).toMatchObject({ result: 'saved', pageId: 3 })
    await store.close()
    await importInto(dataDir, [write('links.sql', langlinks([[3, 'de', 'Anderswo']]))])
    expect(await read((opened) => linksOf(opened, 3))).toBeUndefined()
  })

  test('takes two tables of one file, and names those that it takes when there is none', async () => {
    const { dataDir, write, read } = await wiki()
    const other = sqlTable('geo_tags', ['gt_page_id', 'gt_name'], insert('geo_tags', [[1, 'Moons']]))
    const { error } = await importInto(dataDir, [write('both.sql', other + langlinks([[1, 'de', 'Mond']]))])
    expect(error).toBeUndefined()
    expect(await read((store) => linksOf(store, 1))).toEqual(['de:Mond'])
    const refused = await importInto(dataDir, [write('other.sql', other)])
    expect(refused.error?.message).toMatch(
      /^other\.sql: has only tables that the import does not use \(geo_tags\): it takes langlinks/,
    )
  })

  test('is refused without a wanted column, before any row', async () => {
    const { dataDir, write, read } = await wiki()
    const columns = [LANGLINKS[0], LANGLINKS[2]]
    const path = write('links.sql', sqlTable('langlinks', columns, insert('langlinks', [[1, 'Mond']])))
    const before = await read(digestStore)
    const { error } = await importInto(dataDir, [path])
    expect(error?.message).toMatch(
      /^links\.sql: the table langlinks has no column ll_lang, which the import needs/,
    )
    expect(await read(digestStore)).toBe(before)
  })
})

describe('an import of page properties', () => {
  const COLUMNS = ['pp_page', 'pp_propname', 'pp_value', 'pp_sortkey'] as const
  type Property = readonly [page: number, name: string, value: string, sortkey: null]
  const properties = (rows: readonly Property[]): string =>
    sqlTable('page_props', COLUMNS, insert('page_props', rows))
  /** What a search for a title says of its page. */
  const found = (store: Store, title: string): { description: unknown; thumbnail: unknown } => {
    const query = store.search.parse({ text: title, limit: 1, namespaces: [0] })
    const thumbnail = (dbkey: string): object => ({ url: dbkey })
    const answer = store.search.answer(query, 1, undefined, thumbnail).toString()
    const [hit] = (JSON.parse(answer) as { pages: { description: unknown; thumbnail: unknown }[] }).pages
    return { description: hit!.description, thumbnail: hit!.thumbnail }
  }

  test('gives searches descriptions and pictures, and takes them away again', async () => {
    const sea = {
      id: 2,
      title: 'Sea',
      revisions: [{ id: 2, text: '{{Short description|Salt water}} [[File:Sea.png]]' }],
    }
    const { dataDir, write, read } = await wiki([PAGES[0]!, sea])
    const opened = Store.open(dataDir)
    for (const name of ['Sea.png', 'Wide_moon.png', 'Moon.png'])
      new Applier(opened).submit(fileEntry(name, facts()))
    await opened.close()
    const rows: Property[] = [
      [1, 'wikibase-shortdesc', "Earth's companion", null],
      [1, 'page_image', 'Wide moon.png', null],
      [1, 'wikibase_item', 'Q405', null],
      [2, 'wikibase-shortdesc', 'From the table', null],
      [2, 'page_image', 'Wide_moon.png', null],
      [2, 'page_image_free', 'Moon.png', null],
      [9, 'wikibase-shortdesc', 'Nowhere', null],
    ]
    const { results, error } = await importInto(dataDir, [write('props.sql', properties(rows))])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 7, foreignRows: 1, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(found(store, 'Moon')).toEqual({
        description: "Earth's companion",
        thumbnail: { url: 'Wide_moon.png' },
      })
      expect(found(store, 'Sea')).toEqual({ description: 'Salt water', thumbnail: { url: 'Moon.png' } })
    })
    const digest = await read(digestStore)
    await importInto(dataDir, [write('props.sql', properties(rows.toReversed()))])
    expect(await read(digestStore)).toBe(digest)
    await importInto(dataDir, [write('none.sql', properties([]))])
    await read((store) => {
      expect(found(store, 'Moon')).toEqual({ description: null, thumbnail: null })
      expect(found(store, 'Sea')).toEqual({ description: 'Salt water', thumbnail: { url: 'Sea.png' } })
    })
  })

  test('gives properties that templates state, until the text changes', async () => {
    const { dataDir, write, read } = await wiki()
    const rows: Property[] = [
      [1, 'displaytitle', "<i>Moon</i> <script>'&<", null],
      [1, 'noeditsection', '', null],
      [1, 'wikibase_item', 'Q405', null],
      [1, 'templatedata', 'x'.repeat(300), null],
      [1, 'not a name', 'x', null],
      [2, 'defaultsort', 'Salt', null],
    ]
    await importInto(dataDir, [write('props.sql', properties(rows))])
    expect(await read((store) => store.search.countQueued())).toBe(0)
    const server = await startServer(dataDir, { anonymousEdits: true })
    const ask = async (query: string): Promise<unknown> =>
      JSON.parse((await server.send(`/api.php?format=json&formatversion=2&${query}`)).bytes.toString())
    const props = 'action=query&titles=Moon|Sea&prop=pageprops|info&inprop=displaytitle'
    const displaytitle = '<i>Moon</i> &#039;&amp;&lt;'
    expect(await ask(props)).toMatchObject({
      query: {
        pages: [
          {
            displaytitle,
            pageprops: { displaytitle: rows[0]![2], noeditsection: '', wikibase_item: 'Q405' },
          },
          { displaytitle: 'Sea', pageprops: { defaultsort: 'Salt' } },
        ],
      },
    })
    expect(await ask('action=parse&page=Moon&prop=properties|displaytitle')).toMatchObject({
      parse: { displaytitle, properties: { noeditsection: '' } },
    })
    expect((await update(server, 'Moon', 'Another text', 1)).status).toBe(200)
    expect(await ask(props)).toMatchObject({
      query: { pages: [{ displaytitle: 'Moon', pageprops: { wikibase_item: 'Q405' } }, {}] },
    })
  })

  test('queues only pages that differ, and keeps properties through an edit', async () => {
    const { dataDir, write } = await wiki()
    const rows: Property[] = [
      [1, 'wikibase-shortdesc', 'A moon', null],
      [2, 'wikibase-shortdesc', 'A sea', null],
    ]
    await importInto(dataDir, [write('props.sql', properties(rows))])
    const changed: Property[] = [[1, 'wikibase-shortdesc', 'The moon', null], rows[1]!]
    const store = openFolder(dataDir)
    const source = await openDump(write('changed.sql', properties(changed)))
    const ignore = (): void => undefined
    await new TableImport({
      store,
      applier: new Applier(store),
      source,
      tell: ignore,
      onPiece: ignore,
    }).run()
    await source.close()
    expect(store.search.countQueued()).toBe(1)
    expect(store.tables.indexes.a.indexQueue.doesExist(1)).toBe(true)
    const content = {
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      editor: { id: null, name: '192.0.2.1' },
    }
    const place = { kind: 'edit', pageId: 2, baseRevisionId: 2 } as const
    const id = randomEntryId()
    const verdict = new Applier(store).submit({
      ...place,
      ...content,
      id,
      time: START + 1e6,
      text: 'another sea',
    })
    expect(verdict).toMatchObject({ result: 'saved' })
    expect(found(store, 'Sea').description).toBe('A sea')
    expect(problems(store)).toEqual([])
  })
})

describe('an import of used files', () => {
  const table = (column: string): string =>
    sqlTable(
      'imagelinks',
      ['il_from', column, 'il_from_namespace'],
      insert('imagelinks', [
        [1, 'Moon 2.png', 0],
        [1, 'Moon.png', 0],
        [2, '', 0],
      ]),
    )

  test('brings names of files, also of files that do not exist', async () => {
    const { dataDir, write, read } = await wiki()
    const { results, error } = await importInto(dataDir, [write('images.sql', table('il_to'))])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 3, foreignRows: 1, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(store.imported.files(1, 100)).toEqual(['Moon.png', 'Moon_2.png'])
      expect(store.imported.files(1, 1)).toEqual(['Moon.png'])
      expect(store.imported.files(2, 100)).toBeUndefined()
    })
  })

  test('resolves numbers by the table linktarget, imported before or after', async () => {
    const { dataDir, write, read } = await wiki([
      { id: 1, title: 'Moon', revisions: [{ id: 1, text: '[[File:From the text.png]]' }] },
      PAGES[1]!,
    ])
    const links = sqlTable(
      'imagelinks',
      ['il_from', 'il_from_namespace', 'il_to', 'il_target_id'],
      insert('imagelinks', [
        [1, 0, '', 12],
        [1, 0, 'Named.png', null],
        [1, 0, '', 7],
        [1, 0, '', 5_000_000_000],
        [2, 0, null, 13],
      ]),
    )
    const targets = (second: string): string =>
      sqlTable(
        'linktarget',
        ['lt_id', 'lt_namespace', 'lt_title'],
        insert('linktarget', [
          [7, 6, 'Seven_stars.png'],
          [12, 6, second],
          [13, 0, 'Moon'],
        ]),
      )
    const linkFile = write('imagelinks.sql', links)
    const { results } = await importInto(dataDir, [linkFile])
    expect(results[0]!.sql).toMatchObject({ rows: 5, foreignRows: 1 })
    // Without names, the text counts.
    expect(await read((store) => store.imported.files(1, 100))).toBeUndefined()
    const files = [
      linkFile,
      write('targets.sql', targets('Twelve.png')),
      write('new.sql', targets('Dozen.png')),
    ]
    const named = await importInto(dataDir, [files[1]!])
    expect(named.results[0]!.sql).toMatchObject({ rows: 3, foreignRows: 0 })
    await read((store) => {
      expect(store.imported.files(1, 100)?.sort()).toEqual(['Named.png', 'Seven_stars.png', 'Twelve.png'])
      expect(store.imported.files(1, 2)).toHaveLength(2)
      expect(store.imported.files(2, 100)).toEqual([])
    })
    await importInto(dataDir, [files[2]!])
    expect(await read((store) => store.imported.files(1, 100))).toContain('Dozen.png')
    await expectReplay(openFolder(dataDir), [join(dataDir, '../pages.xml'), ...files])
  })

  test('is refused for a table without names and numbers', async () => {
    const { dataDir, write } = await wiki()
    const { error } = await importInto(dataDir, [write('images.sql', table('il_other'))])
    expect(error?.message).toMatch(
      /the table imagelinks has no column il_to or il_target_id, which the import needs/,
    )
  })
})

describe('a damaged file of SQL tables', () => {
  const OLD: Link[] = [
    [1, 'de', 'Mond'],
    [2, 'de', 'Meer'],
  ]
  const NEW: Link[] = [
    [1, 'fr', 'Lune'],
    [2, 'fr', 'Mer'],
  ]

  test.each([
    [
      'plain',
      (whole: string) => whole.slice(0, whole.indexOf(",(2,'fr'") + 6),
      /ends inside of a row .*\(byte \d+ of the SQL\)/,
    ],
    [
      'packed',
      (whole: string) => gzipSync(whole).subarray(0, -20),
      /the gzip data end early.*\(byte \d+ of the SQL\)/,
    ],
  ])(
    'that is cut off, %s, brings its rows before the cut, and can be replayed',
    async (_name, cut, message) => {
      const { dataDir, write } = await wiki()
      const whole = langlinks(NEW)
      const files = [write('old.sql', langlinks(OLD)), write('cut.sql', cut(whole))]
      await importInto(dataDir, files.slice(0, 1))
      const { error } = await importInto(dataDir, files.slice(1))
      expect(error?.message).toMatch(message)
      const store = openFolder(dataDir)
      expect(problems(store)).toEqual([])
      const read = linksOf(store, 1)
      expect(read).toEqual(['fr:Lune'])
      const isSecondRead = error!.message.includes('; 2 rows were read')
      expect(linksOf(store, 2)).toEqual([isSecondRead ? 'fr:Mer' : 'de:Meer'])
      await expectReplay(store, [join(dataDir, '../pages.xml'), ...files])
    },
  )

  test('tells of rows that are not UTF-8, in the report too, and leaves them out', async () => {
    const { dataDir, write, read } = await wiki()
    const bytes = Buffer.from(langlinks([...OLD, [1, 'fr', '@']]))
    bytes[bytes.indexOf('@')] = 0xe9
    const path = write('links.sql', bytes)
    const reportPath = `${path}.report`
    const { results, notes } = await importInto(dataDir, [path], { reportPath })
    expect(results[0]!.sql).toEqual({ rows: 3, foreignRows: 0, skippedRows: 1, changedTables: 1 })
    expect(lacksSomething(results[0]!)).toBe(true)
    const reason = 'row 3 of the table langlinks has bytes that are not UTF-8'
    expect(notes).toEqual([`links.sql: a row is left out: ${reason}`])
    expect(JSON.parse(readFileSync(reportPath, 'utf8'))).toMatchObject({
      kind: 'table-row',
      leftOut: 'row',
      reason,
    })
    expect(await read((store) => linksOf(store, 1))).toEqual(['de:Mond'])
  })
})

test('verify finds damaged, missing and foreign rows of SQL tables', async () => {
  const { dataDir, write } = await wiki()
  const links: Link[] = [
    [1, 'de', 'Mond'],
    [2, 'de', 'Meer'],
  ]
  await importInto(dataDir, [write('links.sql', langlinks(links))])
  const store = openFolder(dataDir)
  const { sqlRow } = store.tables
  const keys = [...sqlRow.getKeys({ ...WHOLE_TABLE })]
  expect(keys).toHaveLength(2)
  const [set, table] = keys[0]!
  store.transact(() => {
    sqlRow.putSync([set, table, 1], Buffer.from('["de", "Mond"]'))
    sqlRow.putSync([set, table, 9], Buffer.from('["de","Neun"]'))
    sqlRow.putSync([set, 100, 1], Buffer.from('[]'))
    // Spare rows are no fault.
    sqlRow.putSync([1 - set, table, 8], Buffer.from('["de","Acht"]'))
  })
  expect(problems(store)).toEqual([
    'SQL table langlinks: row 1 is damaged',
    'SQL table langlinks: row 9 is of no imported page',
    'SQL table 100: row 1 is of no known table',
    'SQL table langlinks: its state says 2 rows, found 3',
    // The list of pages by their language links follows the rows.
    'language links: de\tNeun lacks page 9',
    'language links: 2 in lists, but the pages account for 3',
  ])
})

describe('a replay of SQL tables', () => {
  test('reads their files again, and proves that they are the same', async () => {
    const { dataDir, write } = await wiki()
    const files = [
      write('one.sql', langlinks([[1, 'de', 'Mond']])),
      write('two.sql', langlinks([[2, 'de', 'Meer']])),
    ]
    for (const file of files) await importInto(dataDir, [file])
    const store = openFolder(dataDir)
    const dumps = [join(dataDir, '../pages.xml'), ...files]
    await expectReplay(store, dumps)
    await expect(expectReplay(store, dumps.slice(0, 2))).rejects.toThrow('the log needs the dump "two.sql"')
    write('two.sql', langlinks([[2, 'de', 'Mehr']]))
    await expect(expectReplay(store, dumps)).rejects.toThrow('two.sql is not the dump that was imported')
  })
})

test(`an import of a table killed ${KILLS} times ends as an undisturbed one`, async () => {
  const pages = Array.from({ length: 3000 }, (_, n) => ({
    id: n + 1,
    title: `Page ${n}`,
    revisions: [{ id: n + 1, text: 'x' }],
  }))
  const codes = ['ar', 'bg', 'cy', 'de', 'el', 'es', 'fr', 'gd', 'ja', 'ru', 'zh']
  // By language, so that the rows of a page stand far apart.
  const links = codes.flatMap((code) => pages.map(({ id }) => [id, code, `Title ${id}`] as const))
  const { dataDir, write } = await wiki(pages)
  const old = write('old.sql', langlinks(links.slice(0, 3000)))
  const now = write('now.sql', langlinks(links))
  await importInto(dataDir, [old])
  const random = randomNumbers(7)
  for (let kills = 0; kills < KILLS;) {
    const child = spawn(process.execPath, [COMMAND, 'import', '--data-dir', dataDir, now], {
      stdio: 'ignore',
    })
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const store = Store.open(dataDir)
    const limit = 3000 + Math.floor(random() * 2500)
    while (child.exitCode === null && store.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE }) <= limit) {
      await setImmediate()
      store.refresh()
    }
    child.kill('SIGKILL')
    const [, signal] = await ended
    store.refresh()
    expect(problems(store)).toEqual([])
    const count = linksOf(store, 1)!.length
    await store.close()
    if (signal === 'SIGKILL') kills++
    else throw new Error(`the import was quicker: ${count} links`)
    // The old rows, or all new ones if the import ended between the last look and the kill.
    expect([1, codes.length]).toContain(count)
  }
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'import', '--data-dir', dataDir, now])
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
  const store = openFolder(dataDir)
  expect(problems(store)).toEqual([])
  const wanted = temporaryFolder()
  for (const file of [join(dataDir, '../pages.xml'), old, now]) await importInto(wanted, [file])
  expect(digestStore(store)).toBe(digestStore(openFolder(wanted)))
})
