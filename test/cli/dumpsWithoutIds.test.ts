/** Exports without ids, as other programs than MediaWiki write them: pages and revisions get ids here. */
// @module-tag hostile
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { dump, page, revision } from '../dump/dumpText.js'
import { runHosted } from '../support/command.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'
import { expectReplay } from '../support/tableWiki.js'

/** A revision without an id. */
const text = (content: string, time = '2024-01-31T12:00:00Z'): string =>
  `<revision><timestamp>${time}</timestamp><contributor><username>Ann</username></contributor><text>${content}</text></revision>`
/** A page without an id. */
const bare = (title: string, inner: string): string =>
  `<page><title>${title}</title><ns>0</ns>${inner}</page>\n`

const LATER = '2024-02-01T12:00:00Z'
const MOON = bare('Moon', text('rock') + text('cheese', LATER))
const SUN = bare('Sun', text('fire'))

async function importXml(xml: string, folder = temporaryFolder(), name = 'dump.xml') {
  const path = join(folder, name)
  writeFileSync(path, xml)
  const { results, error, notes } = await importInto(folder, [path])
  expect(error).toBeUndefined()
  return { folder, path, notes, counts: results[0]!.counts }
}

/** What `read` finds in the store, which must be sound. */
async function look<T>(folder: string, read: (store: Store) => T): Promise<T> {
  const store = Store.open(folder)
  try {
    expect(problems(store)).toEqual([])
    return read(store)
  } finally {
    await store.close()
  }
}

const idsOf = (store: Store, dbkey: string): (number | undefined)[] => {
  const pageId = store.getPage(0, dbkey)?.pageId
  return [pageId, ...(pageId === undefined ? [] : history(store, pageId).map(({ id }) => id))]
}

describe('an export without ids', () => {
  test('gets the ids that new pages and edits would get, and the summary says so', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'dump.xml'), dump(MOON + SUN))
    const { status, out, err } = runHosted(['import', '--data-dir', folder, join(folder, 'dump.xml')])
    expect(status).toBe(0)
    expect(out).toContain('2 pages and 3 revisions added')
    expect(out).toContain('noted: 2 pages without an id, which got one here')
    expect(out).toContain('noted: 3 revisions without an id, which got one here')
    expect(err).toMatch(/line \d+, page "Moon": a revision has no <id>, so it gets one here/)
    expect(err).toMatch(/line \d+, page "Moon": it has no <id>, so it gets one here/)
    await look(folder, (store) => {
      expect(idsOf(store, 'Moon')).toEqual([1, 1, 2])
      expect(idsOf(store, 'Sun')).toEqual([2, 3])
      expect(history(store, 1)).toMatchObject([
        { delta: null },
        { delta: 2, user: { id: null, name: 'Ann' } },
      ])
      expect(store.counters()).toMatchObject({ nextPageId: 3, nextRevisionId: 4 })
    })
  })

  test('with empty elements for ids, or parents of another numbering, is read alike', async () => {
    const xml = dump(MOON + SUN)
      .replaceAll('</ns>', '</ns><id />')
      .replaceAll('<revision>', '<revision><id></id><parentid>7</parentid>')
    const { folder } = await importXml(xml)
    await look(folder, (store) => {
      expect(idsOf(store, 'Moon')).toEqual([1, 1, 2])
      expect(history(store, 1)).toMatchObject([{ delta: null }, { delta: 2 }])
    })
  })

  test('changes nothing when it comes again, and brings what is new in it', async () => {
    const { folder } = await importXml(dump(MOON + SUN))
    const before = await look(folder, digestStore)
    const { counts } = await importXml(dump(MOON + SUN), folder)
    expect(counts).toMatchObject({ newPages: 0, newRevisions: 0, changedRevisions: 0, renamedPages: 0 })
    expect(await look(folder, digestStore)).toBe(before)
    await importXml(
      dump(bare('Moon', text('rock') + text('cheese', LATER) + text('dust', '2024-03-01T00:00:00Z'))),
      folder,
      'newer.xml',
    )
    await look(folder, (store) => {
      expect(idsOf(store, 'Moon')).toEqual([1, 1, 2, 4])
      expect(source(store, 'Moon')).toBe('dust')
    })
  })

  test('keeps equal texts of one second apart', async () => {
    const { folder } = await importXml(dump(bare('Moon', text('a') + text('b') + text('a'))))
    const { counts } = await importXml(dump(bare('Moon', text('a') + text('b') + text('a'))), folder)
    expect(counts).toMatchObject({ newRevisions: 0 })
    await look(folder, (store) => {
      expect(idsOf(store, 'Moon')).toEqual([1, 1, 2, 3])
      expect(source(store, 'Moon')).toBe('a')
    })
  })

  test('comes out of the log again with the same ids, also after edits made here', async () => {
    const { folder, path } = await importXml(dump(MOON))
    const store = openFolder(folder)
    const facts = { comment: '', minor: false, contentModel: 'wikitext', editor: { id: null, name: '::1' } }
    const applier = new Applier(store)
    applier.submit({
      kind: 'create',
      id: 'a'.repeat(32),
      time: 1_800_000_000,
      namespace: 0,
      dbkey: 'Mars',
      text: 'red',
      ...facts,
    })
    await store.close()
    // Of the long history, the import makes parts.
    const long = Array.from({ length: 9 }, (_, n) =>
      text(`${n}${'x'.repeat(2 ** 20)}`, `2024-05-0${n + 1}T00:00:00Z`),
    )
    const second = await importXml(
      dump(SUN + bare('Mars', text('planet')) + bare('Long', long.join(''))),
      folder,
      'second.xml',
    )
    const again = openFolder(folder)
    expect(problems(again)).toEqual([])
    expect(idsOf(again, 'Mars')).toEqual([2, 5, 3])
    expect(source(again, 'Mars')).toBe('red')
    expect(idsOf(again, 'Sun')).toEqual([3, 4])
    expect(idsOf(again, 'Long')).toEqual([4, ...Array.from({ length: 9 }, (_, n) => 6 + n)])
    await expectReplay(again, [path, second.path])
  })

  test('never takes the place of pages of a dump with ids, nor they its place', async () => {
    const { folder } = await importXml(dump(page('Moon', 1, revision(1))))
    await importXml(dump(SUN), folder, 'bare.xml')
    const { notes } = await importXml(dump(page('Venus', 2, revision(2))), folder, 'newer.xml')
    expect(notes).toEqual([
      expect.stringContaining(
        'page "Venus": the page is left out: its id 2 is that of "Sun", which was created here',
      ),
    ])
    await look(folder, (store) =>
      expect([idsOf(store, 'Moon'), idsOf(store, 'Sun')]).toEqual([
        [1, 1],
        [2, 2],
      ]),
    )
  })
})

describe('a dump with some ids', () => {
  test('of pages alone keeps these, and gives ids to revisions', async () => {
    const { folder, notes } = await importXml(
      dump(page('Moon', 7, text('rock')) + page('Sun', 9, text('fire'))),
    )
    expect(notes).toHaveLength(2)
    await look(folder, (store) =>
      expect([idsOf(store, 'Moon'), idsOf(store, 'Sun')]).toEqual([
        [7, 1],
        [9, 2],
      ]),
    )
  })

  test('of revisions alone keeps these, and gives ids to pages', async () => {
    const { folder, notes } = await importXml(dump(bare('Moon', revision(7)) + bare('Sun', revision(5))))
    expect(notes).toHaveLength(2)
    await look(folder, (store) =>
      expect([idsOf(store, 'Moon'), idsOf(store, 'Sun')]).toEqual([
        [1, 7],
        [2, 5],
      ]),
    )
  })

  test('loses only the damaged page and revision, as long as others before had ids', async () => {
    const { folder, notes, counts } = await importXml(
      dump(page('Moon', 1, revision(1) + text('x')) + SUN + page('Mars', 2, revision(3))),
    )
    expect(notes).toEqual([
      expect.stringContaining('page "Moon": a revision is left out: it has no <id>, and other revisions'),
      expect.stringContaining('page "Sun": a revision is left out: it has no <id>, and other revisions'),
      expect.stringContaining('page "Sun": the page is left out: it has no <id>, and other pages'),
    ])
    expect(counts).toMatchObject({ newPages: 2, newRevisions: 2, skippedPages: 1 })
    await look(folder, (store) => expect(idsOf(store, 'Mars')).toEqual([2, 3]))
  })
})
