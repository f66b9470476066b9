/** Dumps with pages and revisions that cannot be read, or that come twice: they are named, and all others go in. */
// @module-tag hostile
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dump, page, revision } from '../dump/dumpText.js'
import { runHosted } from '../support/command.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'

const text = (id: number, content: string, time = '2024-01-31T12:00:00Z'): string =>
  revision(id, `<text>${content}</text>`).replace('2024-01-31T12:00:00Z', time)

const lineOf = (xml: string, part: string): number => xml.slice(0, xml.indexOf(part)).split('\n').length

async function importXml(xml: string, folder = temporaryFolder()) {
  const path = join(folder, 'dump.xml')
  writeFileSync(path, xml)
  const { results, error, notes } = await importInto(folder, [path])
  expect(error).toBeUndefined()
  const store = openFolder(folder)
  expect(problems(store)).toEqual([])
  return { folder, store, notes, counts: results[0]!.counts }
}

describe('the command', () => {
  test('imports what is sound around bad pages, names each with its line, and ends with status 1', () => {
    const folder = temporaryFolder()
    const bad = [
      page('No revision', 2, ''),
      page('', 3, text(3, 'empty title')),
      page('Bad times', 4, text(4, 'a', 'yesterday') + text(5, 'b')),
      page('Only bad times', 5, text(6, 'a', '2024-13-01T00:00:00Z')),
      page('Line&#10;feed', 6, text(7, 'c')),
      page('Outer', 7, text(8, 'd') + page('Inner', 8, text(9, 'e'))),
    ]
    const xml = dump([page('First', 1, text(1, 'first')), ...bad, page('Last', 9, text(10, 'last'))].join(''))
    writeFileSync(join(folder, 'dump.xml'), xml)
    const { status, out, err } = runHosted(['import', '--data-dir', folder, join(folder, 'dump.xml')])
    expect(status).toBe(1)
    const line = (part: string) => `dump.xml: line ${lineOf(xml, part)}`
    expect(err.split('\n').filter((said) => said !== '')).toEqual([
      `${line('No revision')}, page "No revision": the page is left out: it has no <revision>`,
      `${line('empty title')}, page "": the page is left out: it has no <title>`,
      `${line('yesterday')}, page "Bad times": revision 4 is left out: its <timestamp> is "yesterday", expected a time such as 2024-01-31T12:00:00Z`,
      `${line('2024-13')}, page "Only bad times": revision 6 is left out: its <timestamp> is "2024-13-01T00:00:00Z", expected a time such as 2024-01-31T12:00:00Z`,
      `${line('Only bad')}, page "Only bad times": the page is left out: none of its revisions can be read`,
      `${line('Line')}, page "Line\\u000afeed": it can be read by its revisions only: its title is not valid (invalid-characters)`,
      `${line('Inner')}, page "Outer": the page is left out: its </page> is missing`,
    ])
    expect(out).toContain(
      '9 pages and 7 revisions read, 5 pages and 5 revisions added, 4 pages left out, 2 revisions left out, 7 warnings',
    )
    const store = openFolder(folder)
    expect(['First', 'Bad_times', 'Inner', 'Last'].map((title) => source(store, title))).toEqual([
      'first',
      'b',
      'e',
      'last',
    ])
    expect(store.getText(7)).toBe('c')
    expect(problems(store)).toEqual([])
  })

  test('goes in again without a change, and says the same', async () => {
    const xml = dump(
      page('A', 1, text(1, 'a') + text(2, 'b', '')) + page('B', 1, text(3, 'c')) + page('C', 4, ''),
    )
    const { folder, notes, store } = await importXml(xml)
    await store.close()
    const again = await importXml(xml, folder)
    expect(again.notes).toEqual(notes)
    expect(again.counts).toMatchObject({ newPages: 0, newRevisions: 0, changedRevisions: 0, renamedPages: 0 })
    expect(again.counts).toMatchObject({ skippedPages: 2, skippedRevisions: 1 })
  })
})

test('Flow boards, and elements beside pages, are counted and named', () => {
  const folder = temporaryFolder()
  const flow = (id: number) =>
    revision(id, '<model>flow-board</model><text>{"flow-workflow":"rlnn0b7khq4gs5cn"}</text>')
  const board = '<board id="r" title="Talk:Moon"><topics><topic><post>hello</post></topic></topics></board>\n'
  const other = '<snippet><id>1</id><title>Moon</title></snippet>\n'
  const xml = dump(
    page('Talk of A', 1, text(1, 'was wikitext') + flow(2)) +
      page('B', 2, flow(3) + text(4, 'is wikitext')) +
      board +
      other +
      other,
  )
  writeFileSync(join(folder, 'dump.xml'), xml)
  const { status, out, err } = runHosted(['import', '--data-dir', folder, join(folder, 'dump.xml')])
  expect(status).toBe(1)
  const lineAt = (part: string) => `dump.xml: line ${lineOf(xml, part)}`
  expect(err.split('\n').filter((said) => said !== '')).toEqual([
    `${lineAt('Talk of A')}, page "Talk of A": it is a Flow board: the dump has its number, and not its posts`,
    `${lineAt('<board')}, page "Talk:Moon": the page is left out: it is a Flow board, whose posts the import does not read`,
    `${lineAt('<snippet')}: the import does not read <snippet>`,
    `dump.xml: line ${lineOf(xml, '<snippet') + 1}: the import does not read <snippet>`,
  ])
  expect(out).toContain(
    '3 pages and 4 revisions read, 2 pages and 4 revisions added, 1 pages left out, 4 warnings',
  )
  expect(out).toContain('left out: 1 Flow boards, whose posts the import does not read')
  expect(out).toContain('noted: 1 pages that are Flow boards, whose posts are in no dump of pages')
  expect(out).toContain('noted: 2 elements beside pages that the import does not read')
  expect(openFolder(folder).getText(2)).toBe('{"flow-workflow":"rlnn0b7khq4gs5cn"}')
})

describe('of two pages with one id in a dump', () => {
  test('the first stays and the second is named with both lines', async () => {
    const xml = dump(
      page('First', 1, text(1, 'a')) + page('Second', 1, text(2, 'b')) + page('Third', 3, text(3, 'c')),
    )
    const { store, notes, counts } = await importXml(xml)
    expect(notes).toEqual([
      `dump.xml: line ${lineOf(xml, 'Second')}, page "Second": the page is left out: its id 1 is that of page 1, "First", earlier in this dump, line ${lineOf(xml, 'First')}`,
    ])
    expect(counts).toMatchObject({ pages: 3, newPages: 2, skippedPages: 1, newRevisions: 2 })
    expect(['First', 'Second', 'Third'].map((title) => source(store, title))).toEqual(['a', undefined, 'c'])
  })

  test('and one title both go in, as one page', async () => {
    const { store, notes } = await importXml(
      dump(page('Moon', 1, text(1, 'a')) + page('Moon', 1, text(2, 'b', '2024-02-01T00:00:00Z'))),
    )
    expect(notes).toEqual([])
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 2])
  })

  test('the second is named once, however many parts it has', async () => {
    const long = 'x'.repeat(3 * 2 ** 20)
    const parts = [2, 3, 4, 5].map((id) => text(id, `${long}${id}`)).join('')
    const { store, notes, counts } = await importXml(
      dump(page('First', 1, text(1, 'a')) + page('Second', 1, parts)),
    )
    expect(notes).toEqual([
      expect.stringContaining('page "Second": the page is left out: its id 1 is that of page 1'),
    ])
    expect(counts).toMatchObject({ pages: 2, revisions: 5, skippedPages: 1, newRevisions: 1 })
    expect(source(store, 'First')).toBe('a')
  })
})

describe('of two pages with one title in a dump', () => {
  test.each([
    ['as it is written', 'Moon'],
    ['in another spelling', 'moon_ '],
  ])('%s, the first stays and the second is named', async (_case, second) => {
    const xml = dump(page('Moon', 1, text(1, 'a')) + page(second, 2, text(2, 'b')))
    const { store, notes, counts } = await importXml(xml)
    expect(notes).toEqual([
      `dump.xml: line ${lineOf(xml, '<id>2')}, page "${second}": the page is left out: its title is that of page 1, "Moon", earlier in this dump, line ${lineOf(xml, '<id>1')}`,
    ])
    expect(counts).toMatchObject({ pages: 2, newPages: 1, skippedPages: 1 })
    expect(source(store, 'Moon')).toBe('a')
  })

  test('of another dump, the newer dump decides, and pages may change their titles', async () => {
    const folder = temporaryFolder()
    const first = await importXml(dump(page('A', 1, text(1, 'one')) + page('B', 2, text(2, 'two'))), folder)
    await first.store.close()
    const { store, notes, counts } = await importXml(
      dump(page('B', 1, text(1, 'one')) + page('A', 2, text(2, 'two'))),
      folder,
    )
    expect(notes).toEqual([])
    expect(counts).toMatchObject({ skippedPages: 0, renamedPages: 2 })
    expect([source(store, 'A'), source(store, 'B')]).toEqual(['two', 'one'])
  })
})

describe('of two revisions with one id in a dump', () => {
  const later = '2024-02-01T00:00:00Z'

  test.each([
    ['in one page', (second: string) => page('Moon', 1, `${text(1, 'a')}${text(7, 'b')}\n${second}`), 'Moon'],
    [
      'in two pages',
      (second: string) =>
        page('Moon', 1, `${text(1, 'a')}${text(7, 'b')}`) + page('Sea', 2, `${text(3, 's')}\n${second}`),
      'Sea',
    ],
  ])('%s, the first stays and the second is named', async (_case, pages, title) => {
    const xml = dump(pages(text(7, 'other', later)))
    const { store, notes, counts } = await importXml(xml)
    expect(notes).toEqual([
      `dump.xml: line ${lineOf(xml, 'other')}, page "${title}": revision 7 is left out: the store has a revision with another time or text under this id`,
    ])
    expect(counts).toMatchObject({ skippedRevisions: 1 })
    expect(store.getText(7)).toBe('b')
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 7])
  })

  test('that are the same, nothing is lost and nothing said', async () => {
    const { store, notes } = await importXml(
      dump(page('Moon', 1, text(1, 'a') + text(7, 'b') + text(7, 'b'))),
    )
    expect(notes).toEqual([])
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 7])
  })
})
