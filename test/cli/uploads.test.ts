/** Files out of dumps that were made with uploads. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sha1Base36 } from '../../src/domain/file.js'
import { originalPath } from '../../src/files/originals.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { dumpXml } from '../support/dump.js'
import { noise, png } from '../support/pictures.js'
import { importInto, openFolder, temporaryFolder } from '../support/store.js'

interface Upload {
  readonly time?: string
  readonly bytes?: Buffer
  readonly withContents?: boolean
  readonly sha1?: string
  readonly archived?: boolean
}

const sha1Of = (bytes: Buffer): string => sha1Base36(createHash('sha1').update(bytes).digest('hex'))
let picture: Buffer
let other: Buffer
beforeAll(async () => {
  picture = await png(40, 30)
  // Many pieces of text for the XML reader.
  other = await noise(300, 200).png().toBuffer()
})

function uploadXml(upload: Upload): string {
  const { time = '2021-05-06T07:08:09Z', bytes = picture, withContents = false, archived = false } = upload
  const lines = bytes.toString('base64').replace(/.{76}/g, '$&\n')
  return `<upload><timestamp>${time}</timestamp>
    <contributor><username>Zoe</username><id>9</id></contributor><comment>a file</comment>
    <filename>Moon.png</filename>${archived ? '<archivename>2020!Moon.png</archivename>' : ''}
    <src>http://wiki.example/images/Moon.png</src><size>${bytes.length}</size>
    <sha1base36>${upload.sha1 ?? sha1Of(bytes)}</sha1base36><rel>a/ab/Moon.png</rel>
    ${withContents ? `<contents encoding="base64">\n${lines}\n</contents>` : ''}</upload>`
}

function dumpOf(folder: string, uploads: readonly Upload[], title = 'File:Moon.png', namespace = 6): string {
  const path = join(folder, 'dump.xml')
  const revisions = [{ id: 1, text: 'A picture' }]
  writeFileSync(path, dumpXml([{ id: 1, title, namespace, revisions, uploads: uploads.map(uploadXml) }]))
  return path
}

async function imported(uploads: readonly Upload[], folder = temporaryFolder()) {
  const { results, error, notes } = await importInto(folder, [dumpOf(folder, uploads)])
  expect(error).toBeUndefined()
  return { folder, counts: results[0]!.counts, notes }
}

describe('a dump with uploads', () => {
  test('brings facts and contents', async () => {
    const { folder, counts, notes } = await imported([{ withContents: true, bytes: other }])
    expect({ files: counts.files, notes }).toEqual({ files: 1, notes: [] })
    const store = openFolder(folder)
    const facts = store.getFile('Moon.png')!
    expect(facts).toMatchObject({
      sizeBytes: other.length,
      width: 300,
      height: 200,
      mimeType: 'image/png',
      sha1: sha1Of(other),
      uploader: { id: 9, name: 'Zoe' },
      timestamp: Date.UTC(2021, 4, 6, 7, 8, 9) / 1000,
    })
    expect(readFileSync(originalPath(folder, facts.sha256!)).equals(other)).toBe(true)
    expect(verifyStore(store).problems).toEqual([])
  })

  test('without contents brings what it says, for another repository to show', async () => {
    const { folder } = await imported([{}])
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({
      sizeBytes: picture.length,
      width: null,
      mimeType: 'image/png',
      mediaType: 'BITMAP',
      sha256: null,
    })
    expect(existsSync(join(folder, 'files'))).toBe(false)
  })

  test('has the latest upload of several', async () => {
    const old = { time: '2020-01-01T00:00:00Z', archived: true, withContents: true }
    const { folder, counts } = await imported([old, { bytes: other, withContents: true }])
    expect(counts.files).toBe(1)
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ width: 300 })
  })

  test('changes nothing the second time', async () => {
    const { folder } = await imported([{ withContents: true }])
    expect((await imported([{ withContents: true }], folder)).counts.files).toBe(0)
    expect((await imported([{}], folder)).counts.files).toBe(0)
    expect(openFolder(folder).getFile('Moon.png')?.sha256).not.toBeNull()
  })

  test('replaces an older upload, contents and all, and never a newer one', async () => {
    const { folder } = await imported([{ withContents: true }])
    const newer = { bytes: other, withContents: true, time: '2022-01-01T00:00:00Z' }
    expect((await imported([newer], folder)).counts.files).toBe(1)
    const old = createHash('sha256').update(picture).digest('hex')
    expect(existsSync(originalPath(folder, old))).toBe(false)
    expect((await imported([{ withContents: true }], folder)).counts.files).toBe(0)
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ width: 300 })
    expect(existsSync(join(folder, 'files', 'incoming'))).toBe(false)
  })

  test('gives contents to facts that had none', async () => {
    const { folder } = await imported([{}])
    expect((await imported([{ withContents: true }], folder)).counts.files).toBe(1)
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ width: 40 })
  })

  test('leaves contents out that have another hash than stated', async () => {
    const { folder, notes, counts } = await imported([{ withContents: true, sha1: sha1Of(other) }])
    const reason = 'their SHA-1 differs from the one in the dump'
    expect(notes).toEqual([
      expect.stringMatching(
        `^dump.xml: line \\d+, page "File:Moon.png": the contents of a file are left out: ${reason}$`,
      ),
    ])
    expect(counts.skippedFiles).toBe(1)
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ sha256: null, sha1: sha1Of(other) })
  })

  test('leaves contents out that are too large', async () => {
    const folder = temporaryFolder()
    const dump = dumpOf(folder, [{ withContents: true, bytes: other }])
    const { notes } = await importInto(folder, [dump], { maxFileBytes: 1000 })
    expect(notes).toEqual([
      expect.stringContaining(
        'page "File:Moon.png": the contents of a file are left out: it is larger than 1000 bytes',
      ),
    ])
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ sha256: null })
  })

  test.each([
    ['stated', sha1Of],
    ['not stated', () => ''],
  ])('keeps contents of an upload without a time out of the next one, its hash %s', async (_case, hashOf) => {
    const { folder, counts, notes } = await imported([
      { time: 'yesterday', bytes: picture, withContents: true },
      { bytes: other, withContents: true, sha1: hashOf(other) },
    ])
    expect(notes).toEqual([expect.stringContaining('a file is left out: its <timestamp> is "yesterday"')])
    expect(counts.files).toBe(1)
    const facts = openFolder(folder).getFile('Moon.png')!
    expect(facts).toMatchObject({ sizeBytes: other.length, sha1: sha1Of(other), width: 300 })
    expect(readFileSync(originalPath(folder, facts.sha256!)).equals(other)).toBe(true)
  })

  test('keeps contents that were too large, of an upload without a time, out of the next one', async () => {
    const folder = temporaryFolder()
    const bad = { time: 'yesterday', bytes: other, withContents: true }
    const dump = dumpOf(folder, [bad, { bytes: picture, withContents: true }])
    const { notes } = await importInto(folder, [dump], { maxFileBytes: 1000 })
    expect(notes).toHaveLength(1)
    expect(openFolder(folder).getFile('Moon.png')).toMatchObject({ sha1: sha1Of(picture), width: 40 })
  })

  test('goes on after an upload without a time, and after one of a page that is no file', async () => {
    const { folder, notes } = await imported([{ time: 'yesterday' }])
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('page "File:Moon.png": a file is left out: its <timestamp> is "yesterday"')
    const dump = dumpOf(folder, [{ withContents: true }], 'Talk:Moon', 1)
    const again = await importInto(folder, [dump])
    expect(again.error).toBeUndefined()
    expect(again.notes).toEqual([
      expect.stringContaining('page "Talk:Moon": a file is left out: the title of its page'),
    ])
    expect(openFolder(folder).getFile('Moon')).toBeUndefined()
  })
})
