import { describe, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDump } from '../../src/dump/openDump.js'
import { temporaryFolder } from '../support/store.js'
import { dump, page, pagesOf, readAll, revision, sourceOf } from './dumpText.js'

const TEXT = 'é漢😀\nﬁn'
const withDeclaration = (encoding: string, text = TEXT): string =>
  `<?xml version="1.0" encoding="${encoding}"?>\n${dump(page('Mañana', 1, revision(2, `<text>${text}</text>`)))}`

const utf16 = (text: string, order: 'LE' | 'BE'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'LE' ? bytes : bytes.swap16()
}
const utf32 = (text: string, order: 'LE' | 'BE'): Buffer =>
  Buffer.concat(
    Array.from(text, (sign) => {
      const unit = Buffer.alloc(4)
      unit[order === 'LE' ? 'writeUInt32LE' : 'writeUInt32BE'](sign.codePointAt(0)!)
      return unit
    }),
  )

async function read(bytes: Buffer, chunkBytes?: number) {
  const { events, error } = await readAll(sourceOf(bytes, chunkBytes))
  const pages = pagesOf(events).map(({ title, revisions }) => [title, ...revisions.map(({ text }) => text)])
  return { pages, error, warnings: events.filter(({ type }) => type === 'warning') }
}

describe.each(['LE', 'BE'] as const)('a dump in UTF-16%s', (order) => {
  test.each([
    ['a byte order mark', `\ufeff${dump(page('Mañana', 1, revision(2, `<text>${TEXT}</text>`)))}`],
    ['a mark and a declaration', `\ufeff${withDeclaration('UTF-16')}`],
    ['a declaration', withDeclaration(`UTF-16${order}`)],
    ['a mark, and a declaration of UTF-8', `\ufeff${withDeclaration('UTF-8')}`],
    ['neither', dump(page('Mañana', 1, revision(2, `<text>${TEXT}</text>`)))],
  ])('with %s is read, wherever it is cut', async (_case, xml) => {
    for (const chunkBytes of [1, 3, 1000, 65_536]) {
      expect(await read(utf16(xml, order), chunkBytes)).toEqual({
        pages: [['Mañana', TEXT]],
        error: undefined,
        warnings: [],
      })
    }
  })

  test('is read from gzip', async () => {
    const path = join(temporaryFolder(), 'dump.xml.gz')
    writeFileSync(path, gzipSync(utf16(`\ufeff${withDeclaration('UTF-16')}`, order)))
    const { events, error } = await readAll(await openDump(path))
    expect(error).toBeUndefined()
    expect(pagesOf(events)).toMatchObject([{ title: 'Mañana', revisions: [{ text: TEXT }] }])
  })

  test('with half a pair of surrogates says so', async () => {
    const { pages, warnings } = await read(utf16(withDeclaration('UTF-16', 'a\ud83db'), order))
    expect(pages).toEqual([['Mañana', 'a\ufffdb']])
    expect(warnings).toMatchObject([{ kind: 'characters', line: 12 }])
  })

  test('that is cut off names the place in UTF-8', async () => {
    const xml = withDeclaration('UTF-16').split('</text>')[0]!
    const { pages, error } = await read(utf16(xml, order))
    expect(pages).toEqual([])
    expect(error).toMatchObject({ byteOffset: Buffer.byteLength(xml), title: 'Mañana' })
    expect(error?.reason).toContain('the XML ends early')
  })
})

test.each([
  ['ISO-8859-1', 'Añb', Buffer.from('Añb', 'latin1')],
  ['windows-1252', 'Añb', Buffer.from('Añb', 'latin1')],
  ['windows-1251', 'Жук', Buffer.from([0xc6, 0xf3, 0xea])],
  ['Shift_JIS', '月', Buffer.from([0x8c, 0x8e])],
])('a dump that is declared as %s is read', async (encoding, text, bytes) => {
  const [before, after] = withDeclaration(encoding, '|').replace('Mañana', 'Moon').split('|') as [
    string,
    string,
  ]
  const xml = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
  for (const chunkBytes of [1, 65_536]) {
    expect(await read(xml, chunkBytes)).toEqual({ pages: [['Moon', text]], error: undefined, warnings: [] })
  }
})

describe('a dump is refused by the name of its encoding', () => {
  test.each([
    ['UTF-32LE with a mark', utf32(`\ufeff${withDeclaration('UTF-32')}`, 'LE'), 'is encoded as UTF-32'],
    ['UTF-32BE with a mark', utf32(`\ufeff${withDeclaration('UTF-32')}`, 'BE'), 'is encoded as UTF-32'],
    ['UTF-32LE', utf32(dump(''), 'LE'), 'is encoded as UTF-32'],
    ['UTF-32BE', utf32(dump(''), 'BE'), 'is encoded as UTF-32'],
    ['UCS-4 by its declaration', Buffer.from(withDeclaration('UCS-4')), 'is encoded as UCS-4'],
    ['an unknown name', Buffer.from(withDeclaration('x-klingon')), 'is encoded as x-klingon'],
    ['UTF-16 that is none', Buffer.from(withDeclaration('UTF-16')), 'says that it is encoded as UTF-16'],
    [
      'a mark of UTF-8',
      Buffer.from(`\ufeff${withDeclaration('koi8-r')}`),
      'says that it is encoded as koi8-r',
    ],
  ])('%s', async (_case, bytes, reason) => {
    const { pages, error } = await read(bytes)
    expect(pages).toEqual([])
    expect(error?.reason).toContain(reason)
    expect(error?.message).toContain('convert it to UTF-8')
  })
})
