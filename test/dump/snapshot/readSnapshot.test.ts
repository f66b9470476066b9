import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  LineSplitter,
  readSnapshot,
  type SnapshotEvent,
  snapshotForm,
} from '../../../src/dump/snapshot/readSnapshot.js'
import { openDump } from '../../../src/dump/openDump.js'
import type { SnapshotRow } from '../../../src/dump/snapshot/snapshotRow.js'
import { recognise } from '../../../src/dump/sql/readTables.js'
import type { DumpSite } from '../../../src/dump/types.js'
import {
  documentOf,
  type SnapshotPage,
  snapshotLines,
  snapshotRow,
  snapshotTar,
} from '../../support/snapshots.js'
import { temporaryFolder } from '../../support/store.js'

interface Read {
  readonly events: readonly SnapshotEvent[]
  readonly error: unknown
}

async function read(contents: string | Buffer): Promise<Read> {
  const path = join(temporaryFolder(), 'wiki.json')
  writeFileSync(path, contents)
  const { source, snapshot } = await recognise(await openDump(path))
  const events: SnapshotEvent[] = []
  try {
    for await (const event of readSnapshot(source, snapshot!)) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  } finally {
    await source.close()
  }
}

const rowsOf = ({ events }: Read): SnapshotRow[] =>
  events.flatMap((each) => (each.type === 'row' ? each.row : []))
const faultsOf = ({ events }: Read): string[] =>
  events.flatMap((each) => (each.type === 'fault' ? `${each.line}: ${each.reason}` : []))
async function siteOf(pages: readonly SnapshotPage[]): Promise<DumpSite> {
  const { events } = await read(snapshotLines(pages))
  const [first] = events
  if (first?.type !== 'site') throw new Error('no site')
  return first.site
}
const namesOf = ({ namespaces }: DumpSite): Record<number, string> =>
  Object.fromEntries(namespaces.map(({ id, name }) => [id, name]))

const ROSE = { id: 1, title: 'Rose', revision: 11, text: 'red' }
const TULIP = { id: 2, title: 'Tulip', revision: 12, text: 'yellow' }

describe('a row', () => {
  test('has the facts of page and revision', async () => {
    const page = { ...ROSE, redirects: ['Roses'], templates: ['Template:Box'], body: '<p>r' }
    const [row] = rowsOf(await read(snapshotRow(page)))
    expect(row).toMatchObject({
      title: 'Rose',
      namespace: 0,
      pageId: 1,
      revisionId: 11,
      parentId: 10,
      timestamp: Date.UTC(2026, 2, 2, 10, 1) / 1000,
      editor: { id: 1, name: 'Ann' },
      comment: 'edit 11',
      minor: false,
      text: 'red',
      isTextHidden: false,
      statedSizeBytes: 3,
      htmlFault: undefined,
      redirects: ['Roses'],
      templates: ['Template:Box'],
      wikiId: 'testwiki',
    })
    expect(row!.html!.version).toEqual([2, 8, 0])
    expect(row!.html!.text).toContain('<p>r</section>')
  })

  test.each<[string, Record<string, unknown>, Partial<SnapshotRow>]>([
    [
      'an anonymous editor has no id',
      { version: { identifier: 11, editor: { name: '::1' } } },
      { editor: { id: null, name: '::1' } },
    ],
    [
      'absent values are empty or unknown',
      { version: { identifier: 11 }, previous_version: undefined, namespace: {} },
      { editor: undefined, comment: '', minor: false, parentId: undefined, namespace: 0 },
    ],
    [
      'hidden parts are absent',
      { visibility: { text: false, editor: false, comment: false } },
      { editor: undefined, comment: undefined, text: undefined, isTextHidden: true, html: undefined },
    ],
    [
      'fractions of seconds go',
      { date_modified: '2026-03-02T10:01:00.123Z' },
      { timestamp: Date.UTC(2026, 2, 2, 10, 1) / 1000 },
    ],
    ['halves of letters become another sign', { name: 'A\ud800' }, { title: 'A\ufffd' }],
    [
      'HTML without a version is named',
      { article_body: { html: '<p>', wikitext: '' } },
      { html: undefined, htmlFault: 'it does not state its version (mw:htmlVersion)', text: '' },
    ],
    [
      'a body that is a text is HTML',
      { article_body: documentOf('Rose', 11, '<p>red') },
      { text: undefined, html: { text: documentOf('Rose', 11, '<p>red'), version: [2, 8, 0] } },
    ],
    [
      'a size may be anything',
      { version: { identifier: 11, size: { value: { toString: 1 } } } },
      { statedSizeBytes: undefined },
    ],
    [
      'a size that the store cannot hold is unknown',
      { version: { identifier: 11, size: { value: 2 ** 40 } } },
      { statedSizeBytes: undefined },
    ],
    [
      'lists may have names alone',
      { redirects: ['Roses', { name: 'A rose' }, {}, 5] },
      { redirects: ['Roses', 'A rose'] },
    ],
    ['names are never keys', { toString: 1, constructor: { name: 'x' } }, { title: 'Rose' }],
  ])('%s', async (_case, more, expected) => {
    const [row] = rowsOf(await read(snapshotRow({ ...ROSE, more })))
    expect(row).toMatchObject(expected)
  })

  test.each<[string, string, string]>([
    ['that is cut off', '{"name":"A', 'it is not JSON'],
    ['that is a list', '[]', 'it is no JSON object'],
    ['that is null', 'null', 'it is no JSON object'],
    ['without a name', '{"identifier":1}', 'it has no "name"'],
    ['without a revision', snapshotRow({ ...ROSE, more: { version: {} } }), 'it has no "version.identifier"'],
    ['with page id 0', snapshotRow({ ...ROSE, id: 0 }), 'it has no "identifier"'],
    [
      'with a negative id',
      snapshotRow({ ...ROSE, id: -1 }),
      'its "identifier" is -1, expected a number up to 4000000000',
    ],
    [
      'with an id that is too high',
      snapshotRow({ ...ROSE, revision: 2 ** 40 }),
      'its "version.identifier" is 1099511627776',
    ],
    [
      'with an id that is no number',
      snapshotRow({ ...ROSE, more: { identifier: { a: 1 } } }),
      'its "identifier" is no number, expected a number up to 4000000000',
    ],
    [
      'with lists inside of lists in the place of an id',
      snapshotRow({ ...ROSE, more: { identifier: 0 } }).replace(
        '"identifier":0',
        `"identifier":${'['.repeat(1e5)}${']'.repeat(1e5)}`,
      ),
      'its "identifier" is no number, expected a number up to 4000000000',
    ],
    ['whose name is a number', snapshotRow({ ...ROSE, more: { name: 5 } }), 'its "name" is no text'],
    ['whose name is an object', snapshotRow({ ...ROSE, more: { name: {} } }), 'its "name" is no text'],
    [
      'with a namespace that is a number',
      snapshotRow({ ...ROSE, more: { namespace: 10 } }),
      'its "namespace" is no object',
    ],
    [
      'with an editor that is a text',
      snapshotRow({ ...ROSE, more: { version: { identifier: 1, editor: 'Ann' } } }),
      'its "version.editor" is no object',
    ],
    [
      'with a body that is wikitext or half a document',
      snapshotRow({ ...ROSE, more: { article_body: '<p>red' } }),
      'its "article_body" is a text, and no HTML document',
    ],
    [
      'with a body that is a list',
      snapshotRow({ ...ROSE, more: { article_body: [] } }),
      'its "article_body" is no object',
    ],
    [
      'with a time that is none',
      snapshotRow({ ...ROSE, more: { date_modified: 'never' } }),
      'its "date_modified" is "never"',
    ],
    [
      'with a name that is no text',
      snapshotRow({ ...ROSE, more: { version: { identifier: 1, comment: 5 } } }),
      'its "version.comment" is no text',
    ],
    [
      'with redirects that are no list',
      snapshotRow({ ...ROSE, more: { redirects: {} } }),
      'its "redirects" is no list',
    ],
    [
      'of another wiki',
      snapshotRow({ ...ROSE, more: { is_part_of: { identifier: 'otherwiki' } } }),
      'it is of the wiki "otherwiki"',
    ],
    [
      'of a deleted page',
      snapshotRow({ ...ROSE, more: { event: { type: 'delete' } } }),
      'it says that the page was deleted',
    ],
  ])('%s is left out with its line', async (_case, line, reason) => {
    const result = await read(`${snapshotRow(TULIP)}\n${line}\n${snapshotRow(TULIP)}\n`)
    expect(rowsOf(result)).toHaveLength(2)
    expect(faultsOf(result)).toEqual([expect.stringContaining(`2: ${reason}`)])
    expect(result.error).toBeUndefined()
  })

  test('that is not UTF-8, or longer than 16 MiB, is left out', async () => {
    const long = snapshotRow({ ...ROSE, text: 'x'.repeat(17 * 2 ** 20), body: null })
    const lines = [
      Buffer.from(snapshotRow(TULIP)),
      Buffer.from(long),
      Buffer.from([0x7b, 0xff]),
      Buffer.from(snapshotRow(ROSE)),
    ]
    const result = await read(Buffer.concat(lines.flatMap((each) => [each, Buffer.from('\n')])))
    expect(rowsOf(result).map(({ title }) => title)).toEqual(['Tulip', 'Rose'])
    expect(faultsOf(result)).toEqual(['2: it is longer than 16 MiB', '3: it is not UTF-8'])
  })
})

describe('a snapshot', () => {
  test('in an archive has lines with the names of their files', async () => {
    const { events } = await read(
      snapshotTar({ 'README.md': [TULIP], '../a.ndjson': [ROSE], 'b.ndjson': [TULIP, ROSE] }),
    )
    expect(
      events.map((each) =>
        each.type === 'row' ? `${each.member} ${each.line} ${each.row.title}` : each.type,
      ),
    ).toEqual(['site', '../a.ndjson 1 Rose', 'b.ndjson 1 Tulip', 'b.ndjson 2 Rose'])
  })

  test('may begin with a byte order mark', async () => {
    const result = await read(`\ufeff${snapshotLines([ROSE, TULIP])}`)
    expect(rowsOf(result).map(({ title }) => title)).toEqual(['Rose', 'Tulip'])
    expect(faultsOf(result)).toEqual([])
  })

  test('that is cut off gives all whole lines', async () => {
    const whole = snapshotTar({
      'a.ndjson': Array.from({ length: 200 }, (_, n) => ({ ...ROSE, id: n + 1, text: `${Math.sin(n)}` })),
    })
    const result = await read(whole.subarray(0, whole.length / 2))
    const count = rowsOf(result).length
    expect(count).toBeGreaterThan(50)
    expect(count).toBeLessThan(150)
    expect(String(result.error)).toMatch(
      new RegExp(`wiki.json: a.ndjson: the gzip data end early: the file is cut off \\(line ${count + 1}\\)`),
    )
  })

  test('without a page is refused', async () => {
    expect(String((await read('{"a":1}\n')).error)).toContain('has no page of a wiki')
    expect(faultsOf(await read('{"a":1}\n'))).toHaveLength(1)
  })

  test('is recognised by its first bytes', () => {
    expect(snapshotForm(Buffer.from(' {"name":'))).toBe('lines')
    expect(snapshotForm(Buffer.from('<mediawiki>{'))).toBeUndefined()
    expect(snapshotForm(Buffer.from('-- {'))).toBeUndefined()
  })
})

describe('the wiki of a snapshot', () => {
  test('has the names of namespaces that titles show', async () => {
    const more = {
      in_language: { identifier: 'de' },
      categories: [{ name: 'Kategorie:Pflanze' }],
      templates: [{ name: 'Vorlage:Kasten' }, { name: 'Modul:Kasten' }, { name: 'Vorlage:Rahmen' }],
    }
    const body = '<img resource="./Datei:Rose.jpg"/>'
    const site = await siteOf([
      { ...ROSE, body, more },
      { ...TULIP, title: 'Portal:Blumen', more: { ...more, namespace: { identifier: 100 } } },
    ])
    expect(site).toMatchObject({
      wikiId: 'testwiki',
      language: 'de',
      base: 'https://wiki.example/wiki/',
      case: 'first-letter',
    })
    expect(namesOf(site)).toEqual({
      [-2]: 'Media',
      [-1]: 'Special',
      0: '',
      6: 'Datei',
      10: 'Vorlage',
      14: 'Kategorie',
      100: 'Portal',
    })
  })

  test('has English names, but for the project, which is named after the wiki', async () => {
    const names = namesOf(await siteOf([ROSE]))
    expect(names[1]).toBe('Talk')
    expect(names[14]).toBe('Category')
    expect(names[4]).toBeUndefined()
  })

  test('keeps the case of titles if one begins with a small letter', async () => {
    expect((await siteOf([{ ...ROSE, title: 'rose' }])).case).toBe('case-sensitive')
  })
})

test('lines may be cut anywhere', () => {
  const bytes = Buffer.from('ab\n\ncdefg\n \t\r\n h\r\nij')
  for (let size = 1; size <= bytes.length; size++) {
    const lines = new LineSplitter(4)
    const found: string[] = []
    const take = (each: { number: number; bytes: Buffer | undefined }) =>
      found.push(`${each.number} ${each.bytes?.toString().trim() ?? 'long'}`)
    for (let at = 0; at < bytes.length; at += size)
      for (const line of lines.write(bytes.subarray(at, at + size))) take(line)
    for (const line of lines.end()) take(line)
    expect(found).toEqual(['1 ab', '3 long', '5 h', '6 ij'])
  }
})

test('blank lines take no longer than their bytes take to look at', () => {
  const lines = new LineSplitter(4)
  const piece = Buffer.alloc(2 ** 17, '\n\r\n  ')
  const breaks = piece.toString('latin1').split('\n').length - 1
  const start = process.cpuUsage()
  for (let n = 0; n < 512; n++) expect([...lines.write(piece)]).toEqual([])
  const { user, system } = process.cpuUsage(start)
  expect(lines.number).toBe(512 * breaks)
  // 64 MiB. A line that is made and dropped takes some 300 ns, which would be 8 s here.
  expect((user + system) / 1e6).toBeLessThan(2)
})
