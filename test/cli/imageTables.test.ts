/** Imports of the SQL tables `image`: that of the wiki, and that of a repository that many wikis share. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openDump } from '../../src/dump/openDump.js'
import { readTables } from '../../src/dump/sql/readTables.js'
import { TableReader } from '../../src/import/tables/tableReader.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { settleStep } from '../../src/storage/apply/sqlTables/settle.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { readOwnFile } from '../../src/storage/pages/files.js'
import { putRendering, readRendering } from '../../src/storage/html/renderings.js'
import type { Store } from '../../src/storage/store.js'
import { WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { runHosted } from '../support/command.js'
import { facts, fileEntry } from '../support/files.js'
import { IMAGE, type ImageRow, imageTable, insert, oldImageTable, sqlTable } from '../support/sqlTables.js'
import { importInto, openFolder, problems, START } from '../support/store.js'
import { expectReplay, wiki } from '../support/tableWiki.js'
import { madeHtml } from '../support/outlines.js'
import { wordsIn } from '../support/rawFile.js'
import { Following } from '../support/upstream.js'

const SHA1 = 'fa02wbrxnn6mnhkchwu93gi24xcw06u'
const OTHER_SHA1 = '4o3of2m14kmf6xp7sn3gwva5xie8885'
const TIME = Date.UTC(2026, 10, 22, 14, 31, 46) / 1000

const leaf = (parts: Partial<ImageRow> = {}): ImageRow => ({ name: 'Leaf.png', ...parts })
const usedFiles = (rows: readonly (readonly [page: number, name: string])[]): string =>
  sqlTable('imagelinks', ['il_from', 'il_to'], insert('imagelinks', rows))
const sizes = (store: Store, ...names: string[]): (string | undefined)[] =>
  names.map((name) => {
    const file = store.getFile(name)
    return file && `${file.width} × ${file.height}`
  })

describe('an import of the table image', () => {
  test('brings the facts of the files', async () => {
    const { dataDir, write, read } = await wiki()
    const rows = [
      leaf(),
      leaf({ name: 'Song of the sea.oga', width: 0, height: 0, type: 'AUDIO', mime: 'application/ogg' }),
      leaf({ name: 'Ode.ogg', type: 'odd', mime: 'application/ogg' }),
      leaf({ name: 'Ҡ😀.tif', mime: 'image/tiff', size: 5_000_000_000, sha1: 'abc' }),
      leaf({ name: 'What.xyz', type: 'UNKNOWN', mime: 'unknown/unknown', sha1: '' }),
      leaf({ name: 'Bad_type.png', mime: 'image/"><script>' }),
      leaf({ name: '' }),
      leaf({ name: 'Never.png', time: '20261322143146' }),
      leaf({ name: 'Before_1970.png', time: '19691231235959' }),
      leaf({ name: 'Negative.png', width: -1 }),
      leaf({ name: 'Half.png', height: 0.5 }),
    ]
    const { results, error } = await importInto(dataDir, [write('image.sql.gz', gzipSync(imageTable(rows)))])
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 11, foreignRows: 5, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      expect(store.getFile('Leaf.png')).toEqual({
        sizeBytes: 283,
        width: 120,
        height: 80,
        durationSeconds: null,
        mediaType: 'BITMAP',
        mimeType: 'image/png',
        sha1: SHA1,
        uploader: undefined,
        timestamp: TIME,
        sha256: null,
        isOfWiki: true,
      })
      const kind = (name: string): unknown => {
        const { mediaType, mimeType } = store.getFile(name)!
        return [mediaType, mimeType]
      }
      expect(kind('Song_of_the_sea.oga')).toEqual(['AUDIO', 'application/ogg'])
      expect(kind('Ode.ogg')).toEqual(['MULTIMEDIA', 'application/ogg'])
      expect(kind('Bad_type.png')).toEqual(['BITMAP', 'application/octet-stream'])
      expect(kind('What.xyz')).toEqual(['UNKNOWN', 'application/octet-stream'])
      expect(store.getFile('Ҡ😀.tif')).toMatchObject({ sizeBytes: 5e9, sha1: 'abc'.padStart(31, '0') })
      expect(store.getFile('What.xyz')!.sha1).toMatch(/^[0-9a-z]{31}$/)
      expect(store.fileChanges().count).toBe(1)
    })
  })

  test('takes the uploader where old tables name it, and needs no such column', async () => {
    const { dataDir, write, read } = await wiki()
    const columns = [...IMAGE.slice(0, 9), 'img_user', 'img_user_text', 'img_timestamp', 'img_sha1']
    const row = (name: string, user: number, userName: string) =>
      [name, 1, 2, 3, '', 8, 'BITMAP', 'image', 'png', user, userName, '20100101000000', SHA1] as const
    const table = sqlTable(
      'image',
      columns,
      insert('image', [row('A.png', 7, 'Ann'), row('B.png', 0, '::1')]),
    )
    await importInto(dataDir, [write('image.sql', table)])
    await read((store) => {
      expect(store.getFile('A.png')!.uploader).toEqual({ id: 7, name: 'Ann' })
      expect(store.getFile('B.png')!.uploader).toEqual({ id: null, name: '::1' })
    })
    const { error } = await importInto(dataDir, [
      write('less.sql', sqlTable('image', columns.slice(0, 5), insert('image', []))),
    ])
    expect(error?.message).toMatch(/the table image has no column img_media_type, which the import needs/)
  })

  test('lets an erased user go from all rows, and keeps all others', async () => {
    const editor = { id: 7, name: 'Wort"ungetüm' }
    const { dataDir, write, read } = await wiki([
      { id: 1, title: 'Moon', revisions: [{ id: 1, text: 'moon', editor }] },
    ])
    const image = (table: string, rows: readonly (readonly [name: string, user: number, text: string])[]) => {
      const columns = [...IMAGE.slice(0, 9), 'img_user', 'img_user_text', 'img_timestamp', 'img_sha1']
      const cells = rows.map(([name, user, text]) => {
        const facts = [name, 1, 2, 3, '', 8, 'BITMAP', 'image', 'png'] as const
        return [...facts, user, text, '20100101000000', SHA1]
      })
      return write(table, sqlTable('image', columns, insert('image', cells)))
    }
    const old = (archiveName: string, user: number, text: string) => {
      const facts = ['A.png', archiveName, 1, 2, 3, 'BITMAP', 'image', 'png'] as const
      return [...facts, user, text, `200${archiveName[0]}0101000000`, 0, SHA1]
    }
    const oldColumns = ['oi_name', 'oi_archive_name', 'oi_size', 'oi_width', 'oi_height', 'oi_media_type']
      .concat(['oi_major_mime', 'oi_minor_mime', 'oi_user', 'oi_user_text', 'oi_timestamp'])
      .concat(['oi_deleted', 'oi_sha1'])
    const oldRows = [old('2!A.png', 7, editor.name), old('1!A.png', 8, 'Ben')]
    const own = await importInto(dataDir, [
      write(
        'imagelinks.sql',
        usedFiles([
          [1, 'C.png'],
          [1, 'D.png'],
        ]),
      ),
      image('image.sql', [
        ['A.png', 7, editor.name],
        ['B.png', 8, 'Ben'],
      ]),
      write('oldimage.sql', sqlTable('oldimage', oldColumns, insert('oldimage', oldRows))),
    ])
    const others = image('shared.sql', [
      ['C.png', 4711, editor.name],
      ['D.png', 7, 'Cyd'],
    ])
    const shared = await importInto(dataDir, [others], { isShared: true })
    expect([own.error, shared.error]).toEqual([undefined, undefined])
    const uploaders = (store: Store): unknown[] => [
      ...['A.png', 'B.png', 'C.png', 'D.png'].map((name) => store.getFile(name)!.uploader?.name),
      ...store.imported.oldVersions('A.png').map(({ facts }) => facts.uploader?.name),
    ]
    expect(await read(uploaders)).toEqual([editor.name, 'Ben', editor.name, 'Cyd', editor.name, 'Ben'])
    expect(runHosted(['erase', '--data-dir', dataDir, '--user', editor.name, '--yes'])).toMatchObject({
      status: 0,
      err: '',
    })
    expect(await read(uploaders)).toEqual([undefined, 'Ben', undefined, 'Cyd', undefined, 'Ben'])
    expect(wordsIn(dataDir, ['ungetüm'])).toEqual([])
  })

  test('a second time changes nothing, and another one replaces all of the first', async () => {
    const { dataDir, write, read } = await wiki()
    const names = ['ﬀ.png', 'A.png', '😀.png', 'Z.png']
    const table = (which: readonly string[], parts: Partial<ImageRow> = {}): string =>
      write('image.sql', imageTable(which.map((name) => leaf({ name, ...parts }))))
    await importInto(dataDir, [table(names)])
    const digest = await read(digestStore)
    const again = await importInto(dataDir, [table(names.toReversed())])
    expect(again.results[0]!.sql).toMatchObject({ changedTables: 0 })
    expect(await read(digestStore)).toBe(digest)
    await importInto(dataDir, [table(names.slice(0, 2), { width: 7 })])
    await read((store) => {
      expect(sizes(store, ...names)).toEqual(['7 × 80', '7 × 80', undefined, undefined])
      expect(store.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE })).toBe(2)
    })
  })

  test('never goes over a file that was uploaded here, unless the upload upstream is newer', async () => {
    const { dataDir, write, read } = await wiki()
    const store = openFolder(dataDir)
    const contents = 'a'.repeat(64)
    const own: [string, Parameters<typeof facts>[0]][] = [
      ['Here_newer.png', { sha256: contents, timestamp: TIME + 1 }],
      ['Here_same_time.png', { sha256: contents, timestamp: TIME }],
      ['Here_older.png', { sha256: contents, timestamp: TIME - 1 }],
      ['Here_same.png', { sha256: contents, timestamp: TIME - 1, sha1: SHA1 }],
      ['Told_newer.png', { timestamp: TIME + 1 }],
      ['Told_older.png', { timestamp: TIME - 1 }],
      ['Told_same.png', { timestamp: TIME + 1, sha1: SHA1, width: null, durationSeconds: 3 }],
    ]
    for (const [name, parts] of own) new Applier(store).submit(fileEntry(name, facts(parts)))
    await store.close()
    const rows = own.map(([name]) => leaf({ name }))
    await importInto(dataDir, [write('image.sql', imageTable(rows))])
    await read((opened) => {
      expect(own.map(([name]) => [name, ...sizes(opened, name)])).toEqual([
        ['Here_newer.png', '40 × 30'],
        ['Here_same_time.png', '40 × 30'],
        ['Here_older.png', '120 × 80'],
        ['Here_same.png', '40 × 30'],
        ['Told_newer.png', '40 × 30'],
        ['Told_older.png', '120 × 80'],
        ['Told_same.png', '120 × 80'],
      ])
      expect(opened.getFile('Here_same.png')!.sha256).toBe(contents)
      expect(opened.getFile('Told_same.png')).toMatchObject({ durationSeconds: 3, uploader: { name: 'Ann' } })
      expect(readOwnFile(opened, 'Told_older.png')).toMatchObject({ width: 40 })
    })
    const remove = (name: string) => runHosted(['files', 'remove', '--data-dir', dataDir, name])
    expect(remove('Here_older.png')).toMatchObject({ status: 0 })
    expect(remove('Here_older.png')).toMatchObject({
      status: 1,
      err: expect.stringContaining('known from an imported SQL table only') as string,
    })
  })

  test('gives way to the states of a followed wiki', async () => {
    const { dataDir, write } = await wiki()
    await importInto(dataDir, [
      write('image.sql', imageTable([leaf({ name: 'Gone.png' }), leaf({ name: 'New.png' }), leaf()])),
    ])
    const store = openFolder(dataDir)
    const changes = store.fileChanges().count
    const newer = facts({ timestamp: TIME + 1 })
    const files = [
      { dbkey: 'Gone.png', facts: null },
      { dbkey: 'New.png', facts: newer },
      { dbkey: 'Never.png', facts: null },
    ]
    const verdict = new Following(store, new Applier(store)).batch({ files })
    expect(verdict.filesChanged).toBe(2)
    expect(sizes(store, 'Gone.png', 'New.png', 'Leaf.png')).toEqual([undefined, '40 × 30', '120 × 80'])
    expect(store.fileChanges().count).toBe(changes + 2)
    expect(problems(store)).toEqual([])
  })

  test('can be replayed, and a truncated file brings its rows before the cut', async () => {
    const { dataDir, write } = await wiki()
    const whole = imageTable(['A.png', 'B.png', 'C.png'].map((name) => leaf({ name })))
    const cut = imageTable(['A.png', 'B.png'].map((name) => leaf({ name, width: 9 })))
    const files = [write('one.sql', whole), write('two.sql', cut.slice(0, cut.indexOf("('B.png'") + 20))]
    for (const file of files) await importInto(dataDir, [file])
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    expect(sizes(store, 'A.png', 'B.png', 'C.png')).toEqual(['9 × 80', '120 × 80', '120 × 80'])
    await expectReplay(store, [join(dataDir, '../pages.xml'), ...files])
  })

  test('drops the HTML that shows a file which differs, and no other', async () => {
    const { dataDir, write } = await wiki()
    await importInto(dataDir, [
      write('old.sql', imageTable([leaf({ name: 'A.png' }), leaf({ name: 'B.png' })])),
    ])
    const store = openFolder(dataDir)
    const configuration = Buffer.alloc(8)
    const keep = (revisionId: number, file: string, sha1: string, visibility = store.html.visibility()) =>
      store.transactDerived(() =>
        putRendering(
          store.tables,
          {
            ...{
              revisionId,
              configuration,
              madeAt: 1,
              expiresAt: 0,
              ...madeHtml('<body>x</body>'),
            },
            uses: [{ namespace: 6, dbkey: file, kind: 'existence', revisionId: 0, file: sha1 }],
            ...{ bundle: Buffer.from('{}'), visibility, categories: [] },
          },
          1e6,
        ),
      )
    expect([keep(1, 'A.png', SHA1), keep(2, 'B.png', SHA1)]).toEqual([true, true])
    const before = store.html.visibility()
    const table = imageTable([leaf({ name: 'A.png', width: 9 }), leaf({ name: 'B.png' })])
    await importInto(dataDir, [write('new.sql', table)])
    store.refresh()
    const kept = [1, 2].map((id) => readRendering(store.tables, id, configuration) !== undefined)
    expect(kept).toEqual([false, true])
    // HTML whose rendering began with the old size is not kept.
    expect(keep(1, 'A.png', SHA1, before)).toBe(false)
    expect(keep(1, 'A.png', SHA1)).toBe(true)
  })

  test(
    'that ended right after its entry is settled step by step, and sound between any two steps',
    { tags: ['slow'] },
    async () => {
      const { dataDir, write } = await wiki()
      const names = Array.from({ length: 12_000 }, (_, n) => `File_${String(n).padStart(5, '0')}.png`)
      const table = imageTable(names.map((name) => leaf({ name })))
      const path = write('image.sql', table)
      const store = openFolder(dataDir)
      const reader = new TableReader(store)
      const source = await openDump(path)
      for await (const _ of readTables(source, reader));
      await source.close()
      reader.flush()
      const { spare, rows } = reader.found.get('image')!
      const sha256 = source.sha256()
      const entry = { kind: 'table', table: 'image', dump: 'image.sql', sha256, rows, spare } as const
      new Applier(store).submit({ ...entry, id: randomEntryId(), time: 0 })
      const seen: number[] = []
      do {
        expect(problems(store)).toEqual([])
        seen.push(names.filter((name) => store.getFile(name) !== undefined).length)
      } while (settleStep(store))
      expect(seen).toEqual([0, 5000, 10_000, 12_000, 12_000].slice(0, seen.length))
      expect(seen.at(-1)).toBe(12_000)
      expect(settleStep(store)).toBe(false)
    },
  )
})

describe('an import of the table image of a shared repository', () => {
  const shared = (names: readonly string[], parts: Partial<ImageRow> = {}): string =>
    imageTable(names.map((name) => leaf({ name, ...parts })))

  test('brings the files that pages use, behind those of the wiki itself', async () => {
    const { dataDir, write, read } = await wiki()
    const own = write('image.sql', imageTable([leaf({ name: 'Both.png', width: 1 })]))
    const used = write(
      'imagelinks.sql',
      usedFiles([
        [1, 'Both.png'],
        [1, 'Far_away.jpg'],
        [2, 'Far away.jpg'],
        [2, 'Missing.png'],
      ]),
    )
    const table = write('commonswiki-20260101-image.sql', shared(['Both.png', 'Far_away.jpg', 'Unused.png']))
    const early = await importInto(dataDir, [table], { isShared: true })
    expect(early.error?.message).toMatch(/import the tables imagelinks and linktarget first/)
    await importInto(dataDir, [own, used])
    const { results, error } = await importInto(dataDir, [table], { isShared: true })
    expect(error).toBeUndefined()
    expect(results[0]!.sql).toEqual({ rows: 3, foreignRows: 1, skippedRows: 0, changedTables: 1 })
    await read((store) => {
      const names = ['Both.png', 'Far_away.jpg', 'Unused.png', 'Missing.png']
      expect(sizes(store, ...names)).toEqual(['1 × 80', '120 × 80', undefined, undefined])
      expect(store.getFile('Far_away.jpg')!.isOfWiki).toBe(false)
      expect(store.getFile('Both.png')!.isOfWiki).toBe(true)
      // Neither list of used files nor spare rows stay.
      expect(store.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE })).toBe(1 + 2 + 2)
    })
    await importInto(dataDir, [write('image.sql', imageTable([]))])
    await read((store) => expect(sizes(store, 'Both.png')).toEqual(['120 × 80']))
    const store = openFolder(dataDir)
    const files = ['pages.xml', 'imagelinks.sql', 'commonswiki-20260101-image.sql']
    const first = write('first/../image.sql', imageTable([leaf({ name: 'Both.png', width: 1 })]))
    await expect(
      expectReplay(store, [...files.map((name) => join(dataDir, '..', name)), first]),
    ).rejects.toThrow('image.sql is not the dump that was imported')
  })

  test('can be replayed, and leaves out other tables', async () => {
    const { dataDir, write } = await wiki()
    const files = [
      write('links.sql', usedFiles([[1, 'Far.jpg']])),
      write('far.sql', shared(['Far.jpg', 'X.jpg'])),
    ]
    await importInto(dataDir, [files[0]!])
    await importInto(dataDir, [files[1]!], { isShared: true })
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    await expectReplay(store, [join(dataDir, '../pages.xml'), ...files])
    await store.close()
    const { error } = await importInto(dataDir, [files[0]!], { isShared: true })
    expect(error?.message).toMatch(/does not use \(imagelinks\): of a shared repository it takes image/)
  })

  test('finds used files by their numbers, for which it needs the table linktarget', async () => {
    const { dataDir, write, read } = await wiki()
    const links = sqlTable('imagelinks', ['il_from', 'il_target_id'], insert('imagelinks', [[1, 12]]))
    const targets = insert('linktarget', [
      [12, 6, 'Far.jpg'],
      [13, 6, 'Unused.jpg'],
    ])
    const far = write('far.sql', shared(['Far.jpg', 'Unused.jpg']))
    await importInto(dataDir, [write('links.sql', links)])
    const early = await importInto(dataDir, [far], { isShared: true })
    expect(early.error?.message).toMatch(/import the tables imagelinks and linktarget first/)
    await importInto(dataDir, [
      write('targets.sql', sqlTable('linktarget', ['lt_id', 'lt_namespace', 'lt_title'], targets)),
    ])
    await importInto(dataDir, [far], { isShared: true })
    await read((store) => expect(sizes(store, 'Far.jpg', 'Unused.jpg')).toEqual(['120 × 80', undefined]))
  })

  test('never hides contents that are here', async () => {
    const { dataDir, write, read } = await wiki()
    const store = openFolder(dataDir)
    const own = facts({ sha256: 'b'.repeat(64), timestamp: START })
    new Applier(store).submit(fileEntry('Here.png', own))
    await store.close()
    await importInto(dataDir, [write('links.sql', usedFiles([[1, 'Here.png']]))])
    await importInto(dataDir, [write('far.sql', shared(['Here.png'], { sha1: OTHER_SHA1 }))], {
      isShared: true,
    })
    await read((opened) => expect(opened.getFile('Here.png')).toEqual(own))
  })

  test('has to be named as such', async () => {
    const { dataDir, write, read } = await wiki()
    const { error } = await importInto(dataDir, [write('commonswiki-latest-image.sql', shared(['A.png']))])
    expect(error?.message).toBe(
      'commonswiki-latest-image.sql: is a table of commonswiki, but the store holds testwiki: add --shared if ' +
        'this wiki uses files of commonswiki (byte 176 of the SQL); 0 rows were read, nothing changed',
    )
    await read((store) => expect(sizes(store, 'A.png')).toEqual([undefined]))
    const own = await importInto(dataDir, [write('testwiki-latest-image.sql', shared(['A.png']))])
    expect(own.error).toBeUndefined()
  })
})

describe('an import of the table oldimage', () => {
  const archiveName = (day: string): string => `${day}!Leaf.png`
  const old = (day: string, deleted = 0): Parameters<typeof oldImageTable>[0][number] => ({
    ...leaf(),
    archiveName: archiveName(day),
    time: day,
    deleted,
  })

  test('brings earlier uploads, newest first, without hidden ones', async () => {
    const { dataDir, write, read } = await wiki()
    const rows = [old('20240101000000'), old('20250101000000'), old('20230101000000', 1)]
    const { error } = await importInto(dataDir, [write('old.sql', oldImageTable(rows))])
    expect(error).toBeUndefined()
    await read((store) => {
      const found = store.imported.oldVersions('Leaf.png')
      expect(found.map(({ archiveName: name, facts: { sizeBytes } }) => [name, sizeBytes])).toEqual([
        [archiveName('20250101000000'), 200],
        [archiveName('20240101000000'), 200],
      ])
      expect(store.imported.oldVersions('Other.png')).toEqual([])
      expect(problems(store)).toEqual([])
    })
  })

  test('verify finds rows that are not whole', async () => {
    const { dataDir, write } = await wiki()
    await importInto(dataDir, [write('old.sql', oldImageTable([old('20240101000000')]))])
    const store = openFolder(dataDir)
    const [key] = [...store.tables.sqlRow.getKeys({ ...WHOLE_TABLE })]
    store.transact(() => {
      store.tables.sqlRow.putSync(key!, Buffer.from('["a","{\\"height\\":\\"80\\"}"]'))
    })
    expect(problems(store)).toEqual(['SQL table oldimage: row Leaf.png is damaged'])
  })
})

test('verify finds rows of files that are not whole', async () => {
  const { dataDir, write } = await wiki()
  await importInto(dataDir, [write('image.sql', imageTable([leaf(), leaf({ name: 'B.png' })]))])
  const store = openFolder(dataDir)
  const { sqlRow } = store.tables
  const keys = [...sqlRow.getKeys({ ...WHOLE_TABLE })]
  expect(keys.map(([, table, name]) => [table, name])).toEqual([
    [128, 'B.png'],
    [128, 'Leaf.png'],
  ])
  store.transact(() => {
    sqlRow.putSync(keys[0]!, Buffer.from('["height","80"]'))
    // A list of used files may be left from an import that was killed.
    sqlRow.putSync([0, 254, 'Used.png'], Buffer.alloc(0))
  })
  expect(problems(store)).toEqual(['SQL table image: row B.png is damaged'])
})
