/** Dumps with numbers and times at the ends of what rows hold, and beyond: good pages around them go in. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { readStats } from '../../src/storage/stats.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'

const TIME = '2021-01-01T00:00:00Z'
const good = (id: number, title: string): DumpPage => ({ id, title, revisions: [{ id, text: title }] })
const odd = (parts: Partial<DumpPage['revisions'][number]>, page: Partial<DumpPage> = {}): DumpPage => ({
  id: 2,
  title: 'Odd',
  revisions: [
    { id: 20, text: 'before' },
    { id: 21, text: 'odd', ...parts },
  ],
  ...page,
})

/** Hides the text of revision 21, of a stated size. */
const hiding = (bytes: number) => (xml: string) =>
  xml.replace(/<text bytes="3" [^>]*>odd<\/text>/, `<text bytes="${bytes}" deleted="deleted" />`)

async function importAround(page: DumpPage, change: (xml: string) => string = (xml) => xml) {
  const dataDir = temporaryFolder()
  const path = join(dataDir, 'dump.xml')
  const xml = change(dumpXml([good(1, 'First'), page, good(3, 'Last')]))
  writeFileSync(path, xml)
  const { results, error, notes } = await importInto(dataDir, [path])
  expect(error).toBeUndefined()
  return { dataDir, notes, counts: results[0]!.counts, store: openFolder(dataDir), xml }
}

type Imported = Awaited<ReturnType<typeof importAround>>

/** Expects the sound pages, their index, and that an edit is saved. */
function expectSound({ store }: Imported): void {
  expect([source(store, 'First'), source(store, 'Last')]).toEqual(['First', 'Last'])
  expect(problems(store)).toEqual([])
  const applier = new Applier(store)
  const change = { editor: { id: null, name: 'A' }, comment: '', minor: false, contentModel: 'wikitext' }
  const common = { time: 1_800_000_000, ...change }
  const created = {
    kind: 'create',
    id: 'a'.repeat(32),
    ...common,
    namespace: 0,
    dbkey: 'New',
    text: 'new',
  } as const
  const edited = {
    kind: 'edit',
    id: 'b'.repeat(32),
    ...common,
    pageId: 1,
    baseRevisionId: 1,
    text: 'again',
  } as const
  const verdicts = applier.submitAll([created, edited])
  expect(verdicts).toMatchObject([{ result: 'saved' }, { result: 'saved' }])
  expect(source(store, 'First')).toBe('again')
  expect(problems(store)).toEqual([])
}

const lineOf = (xml: string, part: string): number => xml.slice(0, xml.indexOf(part)).split('\n').length

describe('a dump with what no row can hold', () => {
  test.each([
    ['a namespace of 70000', odd({}, { namespace: 70_000, title: 'Odd:X' }), '<ns>70000'],
    ['a namespace of 32768', odd({}, { namespace: 32_768, title: 'Odd:X' }), '<ns>32768'],
    ['a page id of 4294967295', odd({}, { id: 4_294_967_295 }), '<id>4294967295'],
  ])('in a page, such as %s, has all others', async (_case, page, place) => {
    const imported = await importAround(page)
    const { counts, notes, store, xml } = imported
    expect(counts).toMatchObject({ pages: 3, newPages: 2, skippedPages: 1, warnings: 1 })
    const name = `line ${lineOf(xml, place)}, page "${page.title}": the page is left out: `
    expect(notes).toEqual([expect.stringContaining(name)])
    expect(readStats(store)).toMatchObject({ pages: 2, revisions: 2 })
    expectSound(imported)
  })

  test.each([
    ['a time before 1970', odd({ time: '1969-12-31T23:59:59Z' }), '1969-12-31'],
    ['a time after 2106', odd({ time: '2106-02-07T06:28:16Z' }), '2106-02-07'],
    ['an id of 4294967295', odd({ id: 4_294_967_295, time: TIME }), '<id>4294967295'],
    ['a user of id 4294967295', odd({ editor: { id: 4_294_967_295, name: 'X' } }), '<id>4294967295'],
  ])('in a revision, such as %s, has all others', async (_case, page, place) => {
    const imported = await importAround(page)
    const { counts, notes, store, xml } = imported
    expect(counts).toMatchObject({ revisions: 4, newRevisions: 3, skippedRevisions: 1, warnings: 1 })
    expect(notes).toEqual([expect.stringContaining(`line ${lineOf(xml, place)}, page "Odd": `)])
    expect(notes[0]).toContain('is left out: ')
    expect(history(store, 2).map(({ id }) => id)).toEqual([20])
    expectSound(imported)
  })

  test.each([4_294_967_295, 4_294_967_296])('has hidden texts, but not their %i bytes', async (bytes) => {
    const imported = await importAround(odd({}), hiding(bytes))
    expect(imported.notes).toEqual([
      expect.stringContaining(`page "Odd": revision 21: the size of its hidden text is not taken over`),
    ])
    expect(history(imported.store, 2)).toMatchObject([{ id: 20 }, { id: 21, size: 0, delta: null }])
    expectSound(imported)
  })

  test('goes in again without a change', async () => {
    const { dataDir, store } = await importAround(odd({ time: '1969-12-31T23:59:59Z' }))
    await store.close()
    const { results } = await importInto(dataDir, [join(dataDir, 'dump.xml')])
    expect(results[0]?.counts).toMatchObject({ newRevisions: 0, changedRevisions: 0, skippedRevisions: 1 })
  })
})

describe('a dump at the ends of what rows hold', () => {
  test.each([
    ['the first second', odd({ time: '1970-01-01T00:00:00Z' })],
    ['the last second', odd({ time: '2106-02-07T06:28:14Z' })],
    ['the highest namespace', odd({}, { namespace: 32_767, title: 'Odd:X' })],
    ['a namespace without pages', odd({}, { namespace: -3001, title: 'Odd:X' })],
    ['the highest ids', odd({ id: 4e9, time: TIME, editor: { id: 4e9, name: 'X' } }, { id: 4e9 })],
  ])('has %s', async (_case, page) => {
    const imported = await importAround(page)
    expect(imported.counts).toMatchObject({
      newPages: 3,
      newRevisions: 4,
      skippedPages: 0,
      skippedRevisions: 0,
    })
    expectSound(imported)
  })

  test('has the largest hidden text', async () => {
    const imported = await importAround(odd({}), hiding(4_294_967_294))
    expect(history(imported.store, 2)).toMatchObject([{ id: 20 }, { id: 21, size: 4_294_967_294 }])
    expectSound(imported)
  })
})
