/** `action=upload`: files as clients of the action API send them, and what becomes of them and of their pages. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { originalPath } from '../../../src/files/originals.js'
import { takeImportLock } from '../../../src/import/importLock.js'
import { Store } from '../../../src/storage/store.js'
import type { Json } from '../../conformance/actionClient.js'
import { runHosted } from '../../support/command.js'
import { noise, png } from '../../support/pictures.js'
import { Writer, type WritingWiki, writingWiki } from './writingWiki.js'

let wiki: WritingWiki
let red: Buffer
let blue: Buffer
beforeAll(async () => {
  wiki = await writingWiki()
  red = await png(40, 30, 'red')
  blue = await png(20, 10, 'blue')
})

interface Uploaded {
  readonly result: string
  readonly filename: string
  readonly warnings?: Json
  readonly imageinfo: { readonly url: string; readonly sha1: string }
}

const upload = async (
  filename: string,
  bytes: Buffer,
  fields: Record<string, string> = {},
): Promise<Uploaded> => (await wiki.ann.upload({ filename, ...fields }, bytes))['upload'] as Uploaded
const codeOf = (answer: Json): unknown => (answer['error'] as Json | undefined)?.['code']
const listed = async (list: string, fields: Record<string, string>): Promise<Json[]> => {
  const { query } = await wiki.sue.client.get({ action: 'query', list, ...fields })
  return (query as Record<string, Json[]>)[list]!
}
const bytesOf = async (url: string): Promise<Buffer> => (await wiki.server.send(new URL(url).pathname)).bytes
const isKept = async (url: string): Promise<boolean> =>
  (await wiki.server.send(new URL(url).pathname)).status === 200

describe('an upload', () => {
  test('makes a file, its page, and an entry in the log that stands for its revision', async () => {
    const done = await upload('moon one.png', red, {
      comment: 'why',
      text: "the '''moon'''",
      ignorewarnings: '',
    })
    expect(done).toMatchObject({
      result: 'Success',
      filename: 'Moon_one.png',
      imageinfo: {
        user: 'Ann',
        size: red.length,
        width: 40,
        height: 30,
        comment: 'why',
        mime: 'image/png',
        mediatype: 'BITMAP',
        canonicaltitle: 'File:Moon one.png',
      },
    })
    expect(await bytesOf(done.imageinfo.url)).toEqual(red)
    expect(await wiki.ann.history('File:Moon one.png')).toMatchObject([
      { text: "the '''moon'''", comment: 'why', user: 'Ann' },
    ])
    const sha1 = expect.stringMatching(/^[0-9a-z]{31}$/) as unknown
    expect(await listed('logevents', { letitle: 'File:Moon one.png' })).toMatchObject([
      { type: 'upload', action: 'upload', comment: 'why', params: { img_sha1: sha1 } },
    ])
    expect(await listed('recentchanges', { rctitle: 'File:Moon one.png' })).toMatchObject([{ type: 'log' }])
  })

  test('stands in the list of files by time, and in that of its user', async () => {
    for (const [n, name] of ['Zinc.png', 'Agate.png', 'Zinc.png'].entries())
      await upload(name, await png(10 + n, 10, 'green'), { ignorewarnings: '1' })
    const names = async (fields: Record<string, string>): Promise<unknown[]> =>
      (await listed('allimages', { aisort: 'timestamp', ...fields })).map(({ name }) => name)
    expect((await names({ aidir: 'older' })).slice(0, 2)).toEqual(['Zinc.png', 'Agate.png'])
    expect((await names({ aiuser: 'Ann' })).slice(-2)).toEqual(['Agate.png', 'Zinc.png'])
    expect(await names({ aiuser: 'Sue' })).toEqual([])
    expect(await names({ aiuser: 'Nobody at all' })).toEqual([])
    const first = { action: 'query', list: 'allimages', aisort: 'timestamp', aidir: 'older', ailimit: '1' }
    const { continue: next } = await wiki.sue.client.get(first)
    const { query } = await wiki.sue.client.get({ ...first, ...(next as Record<string, string>) })
    expect(query).toMatchObject({ allimages: [{ name: 'Agate.png' }] })
  })

  test('that replaces a file warns first, and makes a revision with the same text', async () => {
    const { imageinfo: before } = await upload('Replaced.png', await noise(8, 8).png().toBuffer(), {
      comment: 'a',
    })
    expect(await upload('Replaced.png', blue)).toEqual({
      result: 'Warning',
      warnings: { exists: 'Replaced.png' },
    })
    const { imageinfo } = await upload('Replaced.png', blue, { comment: 'b', ignorewarnings: '1' })
    expect(await bytesOf(imageinfo.url)).toEqual(blue)
    expect(await wiki.ann.history('File:Replaced.png')).toMatchObject([
      { text: 'a', comment: 'b' },
      { text: 'a', comment: 'a' },
    ])
    expect(await listed('logevents', { letitle: 'File:Replaced.png' })).toMatchObject([
      { action: 'overwrite' },
      { action: 'upload' },
    ])
    // Nothing has the former contents any more.
    const digits = /\/media\/([0-9a-f]+)\//.exec(before.url)![1]!
    const folder = join(wiki.folder, 'files', digits.slice(0, 2), digits.slice(2, 4))
    await expect.poll(() => existsSync(folder) && readdirSync(folder).length, { timeout: 20_000 }).toBeFalsy()
  })

  test('warns of the same contents, of pages, of deleted files and of other names', async () => {
    const bytes = await noise(9, 9).png().toBuffer()
    const { ann, sue } = wiki
    await upload('Twin 1.png', bytes)
    expect(await upload('Twin 1.png', bytes)).toMatchObject({
      warnings: { exists: 'Twin_1.png', nochange: { timestamp: expect.any(String) as unknown } },
    })
    expect(await upload('Twin 2.png', bytes)).toMatchObject({ warnings: { duplicate: ['Twin_1.png'] } })
    expect(codeOf(await ann.upload({ filename: 'Twin 1.png', ignorewarnings: '1' }, bytes))).toBe(
      'fileexists-no-change',
    )
    await ann.save('File:Page.png', 'just a page')
    expect(await upload('Page.png', await noise(3, 3).png().toBuffer())).toMatchObject({
      warnings: { 'page-exists': 'Page.png' },
    })
    await sue.do('delete', { title: 'File:Twin 1.png' })
    expect(await upload('Twin 1.png', bytes)).toMatchObject({ warnings: { 'was-deleted': 'Twin_1.png' } })
    expect(await upload('a/b:c#d.png', bytes)).toMatchObject({
      warnings: { badfilename: 'A-b-c-d.png' },
    })
  })

  test('of a large file is whole', async () => {
    const large = await noise(1000, 700).png({ compressionLevel: 0 }).toBuffer()
    expect(large.length).toBeGreaterThan(2_000_000)
    const { imageinfo } = await upload('Large.png', large)
    expect((await bytesOf(imageinfo.url)).equals(large)).toBe(true)
  })

  test('of the same contents under many names at once keeps them until the last is gone', async () => {
    const bytes = await noise(31, 7).png().toBuffer()
    const names = Array.from({ length: 6 }, (_, n) => `Same ${n}.png`)
    const all = await Promise.all(names.map((name) => upload(name, bytes, { ignorewarnings: '1' })))
    expect(all.map(({ result }) => result)).toEqual(names.map(() => 'Success'))
    for (const { imageinfo } of all) expect(await bytesOf(imageinfo.url)).toEqual(bytes)
    expect(readdirSync(join(wiki.folder, 'files', 'arriving'))).toEqual([])
  })

  test.each<[string, Record<string, string>, Buffer | undefined, string]>([
    ['no contents', { filename: 'E.png' }, Buffer.alloc(0), 'empty-file'],
    ['no file', { filename: 'E.png' }, undefined, 'missingparam'],
    ['a text in place of a file', { filename: 'E.png', file: 'x' }, undefined, 'badupload'],
    ['no name', {}, Buffer.from('x'), 'nofilename'],
    ['a name without an ending', { filename: 'E' }, Buffer.from('x'), 'filetype-missing'],
    ['nothing but an ending', { filename: '.png' }, Buffer.from('x'), 'filename-tooshort'],
    ['a long name', { filename: `${'x'.repeat(245)}.png` }, Buffer.from('x'), 'filename-toolong'],
    ['an unknown ending', { filename: 'E.exe' }, Buffer.from('x'), 'filetype-banned'],
    ['text as a picture', { filename: 'E.png' }, Buffer.from('hello'), 'verification-error'],
    ['an address', { filename: 'E.png', url: 'http://x.example/a.png' }, undefined, 'copyuploaddisabled'],
    ['a part', { filename: 'E.png', filesize: '9', offset: '0' }, Buffer.from('x'), 'stashfailed'],
    ['a wish to wait', { filename: 'E.png', stash: '1' }, Buffer.from('x'), 'stashfailed'],
    ['a key', { filename: 'E.png', filekey: 'a.png' }, undefined, 'stashfailed'],
    ['a wrong token', { filename: 'E.png', token: 'x' }, Buffer.from('x'), 'badtoken'],
  ])('with %s is refused', async (_case, fields, bytes, code) => {
    expect(codeOf(await wiki.ann.upload(fields, bytes))).toBe(code)
  })

  test('names the type that was found', async () => {
    const answer = await wiki.ann.upload({ filename: 'E.jpg' }, red)
    expect(answer).toMatchObject({
      error: {
        code: 'verification-error',
        info: 'File extension ".jpg" does not match the detected MIME type of the file (image/png).',
        details: ['filetype-mime-mismatch', 'jpg', 'image/png'],
      },
    })
  })

  test('is for accounts, and as the setting says', async () => {
    const { server } = wiki
    const reader = await Writer.logIn(server)
    expect(codeOf(await reader.upload({ filename: 'E.png', token: '+\\' }, red))).toBe('mustbeloggedin')
    const strict = await writingWiki({ uploadGroup: 'sysop' })
    expect(codeOf(await strict.ann.upload({ filename: 'E.png' }, red))).toBe('permissiondenied')
    expect(await strict.sue.upload({ filename: 'E.png' }, red)).toMatchObject({
      upload: { result: 'Success' },
    })
    const none = await writingWiki({ uploadGroup: 'none' })
    expect(codeOf(await none.sue.upload({ filename: 'E.png' }, red))).toBe('uploaddisabled')
  })

  test('waits for the end of an import', async () => {
    const store = Store.open(wiki.folder)
    const unlock = takeImportLock(store, wiki.folder)
    expect(codeOf(await wiki.ann.upload({ filename: 'Meanwhile.png' }, red))).toBe('readonly')
    unlock()
    await store.close()
    expect(await upload('Meanwhile.png', red, { ignorewarnings: '1' })).toMatchObject({ result: 'Success' })
  })

  test('to a protected title is refused', async () => {
    const title = 'File:Guarded.png'
    runHosted(['page', 'protect', title, '--create', 'sysop', '--data-dir', wiki.folder])
    expect(codeOf(await wiki.ann.upload({ filename: 'Guarded.png' }, red))).toBe('protectedpage')
  })
})

describe('a file', () => {
  const fileNames = async (...titles: string[]): Promise<unknown[]> => {
    const fields = { action: 'query', prop: 'imageinfo', iiprop: 'canonicaltitle', titles: titles.join('|') }
    const { query } = await wiki.sue.client.get(fields)
    const pages = (query as { pages: { title: string; imageinfo?: [{ canonicaltitle: string }] }[] }).pages
    return titles.map((title) => pages.find((page) => page.title === title)?.imageinfo?.[0].canonicaltitle)
  }

  test('moves with its page, and its old name leads to it', async () => {
    const { ann } = wiki
    const { imageinfo } = await upload('Old.png', await noise(5, 4).png().toBuffer())
    expect(await ann.do('move', { from: 'File:Old.png', to: 'File:New.png' })).toMatchObject({
      move: { redirectcreated: true },
    })
    expect(await fileNames('File:Old.png', 'File:New.png')).toEqual(['File:New.png', 'File:New.png'])
    expect((await wiki.server.send('/v1/file/File:Old.png')).status).toBe(200)
    expect(await isKept(imageinfo.url.replace('Old', 'New'))).toBe(true)
    expect(await ann.do('move', { from: 'File:New.png', to: 'File:Old.png' })).toMatchObject({
      move: { moveoverredirect: true },
    })
    expect(await fileNames('File:New.png')).toEqual(['File:Old.png'])
  })

  test.each([
    ['with another ending', 'File:Fixed.png', 'File:Fixed.jpg', 'filetypemismatch'],
    ['out of its namespace', 'File:Fixed.png', 'Fixed', 'nonfilenamespace'],
    ['onto another file', 'File:Fixed.png', 'File:Other.png', 'articleexists'],
  ])('does not move %s', async (_case, from, to, code) => {
    await upload('Fixed.png', await noise(6, 2).png().toBuffer(), { ignorewarnings: '1' })
    await upload('Other.png', await noise(6, 3).png().toBuffer(), { ignorewarnings: '1' })
    expect(await wiki.ann.code('move', { from, to })).toBe(code)
  })

  test('goes with its page, and comes back with it', async () => {
    const { sue } = wiki
    const { imageinfo } = await upload('Lost.png', await noise(7, 5).png().toBuffer(), { comment: 'c' })
    await sue.do('delete', { title: 'File:Lost.png' })
    expect(await fileNames('File:Lost.png')).toEqual([undefined])
    expect(await isKept(imageinfo.url)).toBe(false)
    expect((await wiki.server.send('/v1/file/File:Lost.png')).status).toBe(404)
    expect(await sue.do('undelete', { title: 'File:Lost.png' })).toMatchObject({
      undelete: { revisions: 1, fileversions: 1 },
    })
    expect(await isKept(imageinfo.url)).toBe(true)
  })

  test('that was deleted is gone for good once its page is erased', { tags: ['slow'] }, async () => {
    const { sue, folder } = wiki
    await upload('Erased.png', await noise(7, 6).png().toBuffer())
    const { out } = runHosted(['files', 'list', '--json', '--data-dir', folder])
    const line = out.split('\n').find((each) => each.includes('"Erased.png"'))!
    const path = originalPath(folder, (JSON.parse(line) as { sha256: string }).sha256)
    expect(existsSync(path)).toBe(true)
    await sue.do('delete', { title: 'File:Erased.png' })
    runHosted(['erase', '--page', 'File:Erased.png', '--yes', '--data-dir', folder])
    expect(await sue.code('undelete', { title: 'File:Erased.png' })).toBe('cantundelete')
    expect(existsSync(path)).toBe(false)
  })
})

test('all of it is sound, and a backup has the contents of deleted files too', async () => {
  const { folder, sue } = wiki
  await upload('Kept.png', await noise(11, 3).png().toBuffer())
  await sue.do('delete', { title: 'File:Kept.png' })
  expect(runHosted(['verify', '--files', '--data-dir', folder]).status).toBe(0)
})
