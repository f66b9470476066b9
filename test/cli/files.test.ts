/** `palimpsest files` as people run it, with pictures made here. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { originalPath } from '../../src/files/originals.js'
import { originalProblems } from '../../src/files/verifyOriginals.js'
import type { FileFacts } from '../../src/domain/file.js'
import { folderOfFile } from '../support/cleanUp.js'
import { type CommandResult, runHosted } from '../support/command.js'
import { crc32, picture, png, svg, wav } from '../support/pictures.js'
import { Store } from '../../src/storage/store.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'
import { dumpXml } from '../support/dump.js'

const files = (...parts: string[]): CommandResult => runHosted(['files', ...parts])

const verify = (folder: string, ...flags: string[]): CommandResult =>
  runHosted(['verify', '--data-dir', folder, ...flags])

let pictures: Record<string, Buffer>
/** Folders that tests copy: a wiki of one page by Ann, who has the id 7; and the same with the pictures. */
let moonWiki: string
let filledWiki: string
beforeAll(async () => {
  pictures = { 'moon.png': await png(40, 30), 'Full_moon.jpg': await picture(60, 20).jpeg().toBuffer() }
  moonWiki = folderOfFile()
  const dump = join(moonWiki, 'dump.xml')
  const revisions = [{ id: 1, text: 'a', editor: { id: 7, name: 'Ann' } }]
  writeFileSync(dump, dumpXml([{ id: 1, title: 'Moon', revisions }]))
  expect((await importInto(moonWiki, [dump])).error).toBeUndefined()
  filledWiki = folderOfFile()
  cpSync(moonWiki, filledWiki, { recursive: true })
  const { status } = files('import', '--data-dir', filledWiki, writeGallery(folderOfFile()), '--user', 'Ann')
  expect(status).toBe(0)
})

function copyOf(folder: string): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

const wiki = (): string => copyOf(moonWiki)
const wikiWithGallery = (): string => copyOf(filledWiki)

/** A folder with the pictures in it, one of them in a sub folder. */
const gallery = (): string => writeGallery(temporaryFolder())

function writeGallery(parent: string): string {
  const folder = join(parent, 'gallery')
  mkdirSync(join(folder, 'sub', '.hidden'), { recursive: true })
  writeFileSync(join(folder, 'moon.png'), pictures['moon.png']!)
  writeFileSync(join(folder, 'sub', 'Full_moon.jpg'), pictures['Full_moon.jpg']!)
  for (const name of ['.DS_Store', 'Thumbs.db', 'sub/.hidden/a.png']) writeFileSync(join(folder, name), 'x')
  return folder
}

/** The facts of all files by name. */
async function listed(dataDir: string): Promise<Record<string, FileFacts>> {
  const store = Store.open(dataDir)
  const facts = Object.fromEntries([...store.listFiles()].map((file) => [file.dbkey, file.facts]))
  await store.close()
  return facts
}

/** What `verify --files` would find. */
async function faults(dataDir: string): Promise<string[]> {
  const store = Store.open(dataDir)
  const found = [...problems(store)]
  for await (const problem of originalProblems(dataDir, store, { hashes: true })) found.push(problem)
  await store.close()
  return found
}

describe('palimpsest files import', () => {
  test('takes a folder in: contents, facts and pages', () => {
    const dataDir = wiki()
    const flags = ['--user', 'Ann', '--comment', 'Pictures', '--description', 'A picture.']
    const { status, out, err } = files('import', '--data-dir', dataDir, gallery(), ...flags)
    expect({ status, out, err }).toEqual({ status: 0, out: '2 files read: 2 added, 0 replaced\n', err: '' })
    const store = openFolder(dataDir)
    const moon = store.getFile('Moon.png')!
    expect(moon).toMatchObject({
      width: 40,
      height: 30,
      mimeType: 'image/png',
      uploader: { id: 7, name: 'Ann' },
    })
    expect(moon.sizeBytes).toBe(pictures['moon.png']!.length)
    expect(readFileSync(originalPath(dataDir, moon.sha256!))).toEqual(pictures['moon.png'])
    expect(store.getFile('Full_moon.jpg')).toMatchObject({ width: 60, height: 20, mimeType: 'image/jpeg' })
    expect(source(store, 'Moon.png', 6)).toBe('A picture.')
    const page = store.getPage(6, 'Moon.png')!.pageId
    expect(history(store, page)[0]).toMatchObject({ comment: 'Pictures', user: { id: 7, name: 'Ann' } })
    expect(problems(store)).toEqual([])
    expect(existsSync(join(dataDir, 'files', 'incoming'))).toBe(false)
  })

  test('does nothing the second time', async () => {
    const dataDir = wikiWithGallery()
    const before = await listed(dataDir)
    expect(files('import', '--data-dir', dataDir, gallery()).out).toBe(
      '2 files read: 0 added, 0 replaced, 2 unchanged\n',
    )
    expect(await listed(dataDir)).toEqual(before)
  })

  test('replaces what has other contents, and lets go of the old ones', async () => {
    const dataDir = wikiWithGallery()
    const folder = gallery()
    const old = (await listed(dataDir))['Moon.png']!
    writeFileSync(join(folder, 'moon.png'), await png(80, 30))
    expect(files('import', '--data-dir', dataDir, folder, '--user', 'Zoe').out).toBe(
      '2 files read: 0 added, 1 replaced, 1 unchanged\n',
    )
    expect((await listed(dataDir))['Moon.png']).toMatchObject({
      width: 80,
      uploader: { id: null, name: 'Zoe' },
    })
    expect(existsSync(originalPath(dataDir, old.sha256!))).toBe(false)
    expect(await faults(dataDir)).toEqual([])
  })

  test('keeps a description that is there', async () => {
    const dataDir = wiki()
    const folder = gallery()
    files('import', '--data-dir', dataDir, folder, '--description', 'first')
    writeFileSync(join(folder, 'moon.png'), await png(80, 30))
    files('import', '--data-dir', dataDir, folder, '--description', 'second')
    const store = openFolder(dataDir)
    expect(source(store, 'Moon.png', 6)).toBe('first')
  })

  test.each(['.zip', '.tar', '.tar.gz'])('reads %s archives', async (ending) => {
    const dataDir = wiki()
    const archive = join(temporaryFolder(), `pictures${ending}`)
    if (ending === '.zip') writeFileSync(archive, zipOf(pictures))
    else await writeTar(archive, pictures)
    expect(files('import', '--data-dir', dataDir, archive)).toEqual({
      status: 0,
      out: '2 files read: 2 added, 0 replaced\n',
      err: '',
    })
    expect(Object.keys(await listed(dataDir))).toEqual(['Full_moon.jpg', 'Moon.png'])
  })

  test.each(['gnu', 'posix'])('leaves out a file that tar has packed without its holes (%s)', (format) => {
    const dataDir = wiki()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'Sound.png'), pictures['moon.png']!)
    writeFileSync(join(folder, 'Holes.png'), pictures['moon.png']!)
    truncateSync(join(folder, 'Holes.png'), 300_000)
    const archive = join(folder, 'pictures.tar')
    const args = ['--sparse', `--format=${format}`, '-cf', archive, '-C', folder, 'Holes.png', 'Sound.png']
    expect(execFileSync('tar', args, { encoding: 'utf8' })).toBe('')
    const { status, out, err } = files('import', '--data-dir', dataDir, archive)
    expect({ status, out }).toEqual({ status: 1, out: '2 files read: 1 added, 0 replaced, 1 left out\n' })
    expect(err).toMatch(/Holes\.png left out: it is stored without its holes: pack it without --sparse\n$/)
  })

  test.each(['.zip', '.tar', '.tgz'])('leaves out one name of a %s that leads out of it', async (ending) => {
    const dataDir = wiki()
    const archive = join(temporaryFolder(), `pictures${ending}`)
    const { 'moon.png': moon, ...others } = pictures
    const contents = { '../../moon.png': moon!, ...others, '/Mars.png': moon!, 'a/../../Sun.png': moon! }
    if (ending === '.zip') writeFileSync(archive, zipOf(contents))
    else await writeTar(archive, contents)
    const reason = 'left out: its path leads out of the archive'
    const folder = ending === '.zip' ? '' : 'pictures/'
    expect(files('import', '--data-dir', dataDir, archive)).toEqual({
      status: 1,
      out: '4 files read: 1 added, 0 replaced, 3 left out\n',
      err: ['../../moon.png', '/Mars.png', 'a/../../Sun.png']
        .map((name) => `${archive}: ${name.startsWith('a') ? folder : ''}${name} ${reason}\n`)
        .join(''),
    })
    expect(Object.keys(await listed(dataDir))).toEqual(['Full_moon.jpg'])
  })

  /** Drawings of 1 kB that do not pack well, and an archive of them. */
  const drawings = (): Record<string, Buffer> =>
    Object.fromEntries(
      [...'abc'].map((name, n) => {
        const noise = createHash('shake256', { outputLength: 700 }).update(String(n)).digest('base64')
        return [`${name}.svg`, Buffer.from(svg(`<rect id="${noise}"/>`))]
      }),
    )

  test.each<[string, string, (packed: Buffer, tarred: Buffer) => Buffer, RegExp, string[]]>([
    [
      'gzip that is cut in its last file',
      '.tgz',
      cutInLastFile,
      /unexpected end of file/,
      ['A.svg', 'B.svg'],
    ],
    [
      'gzip that is cut before its checksum',
      '.tar.gz',
      (packed) => packed.subarray(0, -8),
      /unexpected end of file/,
      ['A.svg', 'B.svg', 'C.svg'],
    ],
    [
      'tar that is cut in its last file',
      '.tar',
      (_, tarred) => tarred.subarray(0, lastHeader(tarred) + 600),
      /Unexpected end of data/,
      ['A.svg', 'B.svg'],
    ],
    [
      'tar that is cut in a header',
      '.tgz',
      (_, tarred) => gzipSync(tarred.subarray(0, lastHeader(tarred) + 200)),
      /Unexpected end of data/,
      ['A.svg', 'B.svg'],
    ],
    [
      'tar with a header of a wrong checksum',
      '.tgz',
      (_, tarred) => gzipSync(flipped(tarred, lastHeader(tarred) + 10)),
      /Invalid tar header/,
      ['A.svg', 'B.svg'],
    ],
    [
      'gzip with a wrong checksum',
      '.tgz',
      (packed) => flipped(packed, packed.length - 8),
      /incorrect data check/,
      [],
    ],
  ])('keeps the whole files of a %s', async (_what, ending, damage, reason, kept) => {
    const dataDir = wiki()
    const archive = join(temporaryFolder(), `pictures${ending}`)
    const tarred = await tarOf(drawings())
    writeFileSync(archive, damage(gzipSync(tarred), tarred))
    const { status, out, err } = files('import', '--data-dir', dataDir, archive)
    expect(err).toMatch(/^palimpsest: .*\n$/)
    expect(err).toContain(`${archive}: the archive is cut short or damaged (`)
    expect(err).toMatch(reason)
    expect(Object.keys(await listed(dataDir))).toEqual(expect.arrayContaining(kept))
    expect({ status, out }).toEqual({
      status: 1,
      out: kept.length === 0 ? '' : `${kept.length} files read: ${kept.length} added, 0 replaced\n`,
    })
    expect(existsSync(join(dataDir, 'files', 'incoming'))).toBe(false)
    expect(await faults(dataDir)).toEqual([])
  })

  test('names what it leaves out, and ends with 1', () => {
    const dataDir = wiki()
    const folder = gallery()
    writeFileSync(join(folder, 'a[b].png'), 'x')
    writeFileSync(join(folder, 'README'), 'x')
    writeFileSync(join(folder, 'Moon.png'), 'x')
    writeFileSync(join(folder, 'large.bin'), Buffer.alloc(5000))
    const { status, out, err } = files('import', '--data-dir', dataDir, folder, '--max-file-bytes', '2000')
    expect(status).toBe(1)
    expect(out).toBe('6 files read: 2 added, 0 replaced, 4 left out\n')
    expect(
      err
        .trim()
        .split('\n')
        .map((line) => line.slice(folder.length + 1))
        .sort(),
    ).toEqual([
      'README left out: its name has no extension such as .png',
      'a[b].png left out: "a[b].png" is not a valid name for a file (invalid-characters)',
      'large.bin left out: is larger than 2000 bytes',
      'moon.png left out: another file of this import has the name Moon.png too',
    ])
  })

  test('keeps unknown and broken files, and says what is wrong', async () => {
    const dataDir = wiki()
    const folder = join(temporaryFolder(), 'odd')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.xyz'), 'what is this')
    writeFileSync(join(folder, 'b.png'), pictures['moon.png']!.subarray(0, 20))
    writeFileSync(join(folder, 'c.svg'), svg('<rect/>'))
    writeFileSync(join(folder, 'd.wav'), wav(2))
    const { status, err } = files('import', '--data-dir', dataDir, folder)
    expect(status).toBe(0)
    expect(err).toMatch(/^B\.png is no sound image\/png \(.*\)\n$/)
    expect(await listed(dataDir)).toMatchObject({
      'A.xyz': { mediaType: 'UNKNOWN', mimeType: 'application/octet-stream', width: 0 },
      'B.png': { mediaType: 'BITMAP', width: 0 },
      'C.svg': { mediaType: 'DRAWING', width: 100 },
      'D.wav': { mediaType: 'AUDIO', durationSeconds: 2 },
    })
  })

  test('stores the same contents once, and says so', async () => {
    const dataDir = wiki()
    const folder = gallery()
    cpSync(join(folder, 'moon.png'), join(folder, 'zwilling.png'))
    const { err } = files('import', '--data-dir', dataDir, folder)
    expect(err).toBe('Zwilling.png has the same contents as Moon.png\n')
    expect(files('remove', '--data-dir', dataDir, 'Moon.png').out).toBe('1 files removed\n')
    expect(await faults(dataDir)).toEqual([])
  })

  test('cleans up what a killed import left', () => {
    const dataDir = wiki()
    mkdirSync(join(dataDir, 'files', 'incoming'), { recursive: true })
    writeFileSync(join(dataDir, 'files', 'incoming', '1'), 'half a file')
    files('import', '--data-dir', dataDir, gallery())
    expect(readdirSync(join(dataDir, 'files'))).not.toContain('incoming')
  })

  test.each([
    ['that is not there', () => join(temporaryFolder(), 'nothing'), /there is no such file or folder/],
    ['that is no archive', () => writeAndName('x.zip', 'no archive'), /x\.zip: /],
    ['that is no gzip', () => writeAndName('x.tgz', 'no archive'), /x\.tgz: /],
  ])('refuses a source %s', (_what, make, message) => {
    const { status, out, err } = files('import', '--data-dir', wiki(), make())
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(message)
    expect(err).toMatch(/^palimpsest: .*\n$/)
  })
})

describe('palimpsest files list', () => {
  test('prints a line for each file', async () => {
    const dataDir = wikiWithGallery()
    const lines = files('list', '--data-dir', dataDir).out.split('\n')
    expect(lines[0]).toMatch(
      /^Full_moon\.jpg {3}image\/jpeg {3}60 × 20 {3}[\d,]+ bytes {3}Ann {3}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    )
    expect(lines).toHaveLength(3)
    const objects = files('list', '--data-dir', dataDir, '--json').out.trim().split('\n')
    expect(objects.map((line) => JSON.parse(line) as object)).toEqual(
      Object.entries(await listed(dataDir)).map(([name, facts]) => ({ name, ...facts })),
    )
  })
})

describe('palimpsest files remove', () => {
  test('takes file and contents away, and leaves the page', async () => {
    const dataDir = wikiWithGallery()
    const { sha256 } = (await listed(dataDir))['Moon.png']!
    expect(files('remove', '--data-dir', dataDir, 'File:moon.png')).toEqual({
      status: 0,
      out: '1 files removed\n',
      err: '',
    })
    expect(Object.keys(await listed(dataDir))).toEqual(['Full_moon.jpg'])
    expect(existsSync(originalPath(dataDir, sha256!))).toBe(false)
    const store = openFolder(dataDir)
    expect(store.getPage(6, 'Moon.png')).toBeDefined()
    expect(problems(store)).toEqual([])
  })

  test('removes nothing when one of the names is none', async () => {
    const dataDir = wikiWithGallery()
    const { status, err } = files('remove', '--data-dir', dataDir, 'Moon.png', 'Mars.png')
    expect({ status, err }).toEqual({
      status: 1,
      err: 'palimpsest: there is no file "Mars.png", and nothing was removed: "palimpsest files list" lists all\n',
    })
    expect(Object.keys(await listed(dataDir))).toHaveLength(2)
  })
})

describe('palimpsest verify', () => {
  test.each<[string, (path: string) => void, string[], RegExp]>([
    ['are missing', (path) => execFileSync('rm', [path]), [], /its contents are missing/],
    ['are cut off', (path) => truncateSync(path, 10), [], /10 bytes on the disk, not \d+/],
    [
      'were changed',
      (path) =>
        writeFileSync(
          path,
          pictures['moon.png']!.map((b) => b ^ 1),
        ),
      ['--files'],
      /differ/,
    ],
  ])('tells of contents that %s', async (_what, damage, flags, message) => {
    const dataDir = wikiWithGallery()
    expect(verify(dataDir, ...flags).status).toBe(0)
    damage(originalPath(dataDir, (await listed(dataDir))['Moon.png']!.sha256!))
    const { status, out } = verify(dataDir, ...flags)
    expect(status).toBe(1)
    expect(out).toMatch(/^file "Moon\.png": /)
    expect(out).toMatch(message)
  })
})

test('a backup has the files too', async () => {
  const dataDir = wikiWithGallery()
  const copy = join(temporaryFolder(), 'copy')
  expect(runHosted(['backup', '--data-dir', dataDir, copy])).toMatchObject({ status: 0 })
  expect(await faults(copy)).toEqual([])
  expect(await listed(copy)).toEqual(await listed(dataDir))
})

function writeAndName(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

async function writeTar(path: string, contents: Record<string, Buffer>): Promise<void> {
  const bytes = await tarOf(contents)
  writeFileSync(path, path.endsWith('gz') ? gzipSync(bytes) : bytes)
}

async function tarOf(contents: Record<string, Buffer>): Promise<Buffer> {
  const pack = tar.pack()
  pack.entry({ name: 'pictures/', type: 'directory' })
  pack.entry({ name: 'pictures/link.png', type: 'symlink', linkname: '/etc/passwd' })
  pack.entry({ name: 'pictures/.hidden.png' }, 'x')
  for (const [name, bytes] of Object.entries(contents))
    pack.entry({ name: /^[./]/.test(name) ? name : `pictures/${name}` }, bytes)
  pack.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of pack) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const lastHeader = (tarred: Buffer): number => tarred.lastIndexOf('pictures/c.svg')

/** Cuts a packed archive where some bytes of its last file can be unpacked. */
function cutInLastFile(packed: Buffer, tarred: Buffer): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH }
  let length = 20
  while (gunzipSync(packed.subarray(0, length), options).length < lastHeader(tarred) + 600) length++
  return packed.subarray(0, length)
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

/** A ZIP archive without compression. */
function zipOf(contents: Record<string, Buffer>): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of Object.entries({ ...contents, '__MACOSX/._moon.png': Buffer.from('x') })) {
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(bytes), 0)
    sizes.writeUInt32LE(bytes.length, 4)
    sizes.writeUInt32LE(bytes.length, 8)
    const nameLength = Buffer.alloc(4)
    nameLength.writeUInt16LE(name.length, 0)
    const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]), sizes, nameLength])
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), bytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    centrals.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

describe('palimpsest files describe', () => {
  const table = (folder: string, text: string): string => {
    const path = join(folder, 'table')
    writeFileSync(path, text)
    return path
  }

  test('takes over facts of files elsewhere, on top of what is known', async () => {
    const folder = wiki()
    const first = [
      'height\tname\twidth\tsize\tsha1\tuser\ttimestamp\tother',
      '900\tFar away.jpg\t1200\t5172\t\tBob\t2024-03-01T00:00:00Z\tx',
      '',
      '\tFile:Song.oga\t\t77',
    ].join('\n')
    expect(files('describe', '--data-dir', folder, table(folder, first))).toEqual({
      status: 0,
      out: '2 files described, 0 unchanged\n',
      err: '',
    })
    const known = await listed(folder)
    expect(known['Far_away.jpg']).toMatchObject({
      width: 1200,
      height: 900,
      sizeBytes: 5172,
      mimeType: 'image/jpeg',
      mediaType: 'BITMAP',
      uploader: { id: null, name: 'Bob' },
      timestamp: Date.UTC(2024, 2, 1) / 1000,
      sha256: null,
      sha1: expect.stringMatching(/^[0-9a-z]{31}$/) as string,
    })
    expect(known['Song.oga']).toMatchObject({ width: null, sizeBytes: 77, mimeType: 'audio/ogg' })
    const second = JSON.stringify({
      name: 'Song.oga',
      width: 0,
      height: 0,
      duration: 12.5,
      mime: 'application/ogg',
      sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    })
    const again = `${second}\n{"name":"Far_away.jpg","width":1200}\n`
    expect(files('describe', '--data-dir', folder, table(folder, again)).out).toBe(
      '1 files described, 1 unchanged\n',
    )
    expect((await listed(folder))['Song.oga']).toMatchObject({
      durationSeconds: 12.5,
      sizeBytes: 77,
      sha1: 'phoiac9h4m842xq45sp7s6u21eteeq1',
      mediaType: 'MULTIMEDIA',
    })
    expect(await faults(folder)).toEqual([])
  })

  test('leaves out what it cannot read, and files whose contents are here', async () => {
    const folder = wikiWithGallery()
    const rows = [
      'name\twidth\tmime',
      'Moon.png\t5',
      'a<b.png\t5',
      'Wide.png\tvery',
      'Odd.png\t5\tno type',
      '{"name"',
      'Good.png\t5',
    ]
    const { status, out, err } = files('describe', '--data-dir', folder, table(folder, rows.join('\n')))
    expect({ status, out }).toEqual({ status: 1, out: '1 files described, 0 unchanged, 5 left out\n' })
    expect(
      err
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 15)),
    ).toEqual([2, 3, 4, 5, 6].map((n) => `line ${n} left out`))
    expect((await listed(folder))['Moon.png']).toMatchObject({ width: 40 })
  })

  test.each([
    ['no column name', 'width\theight\n1\t2', 'the first line of the table has no column "name"'],
    ['no file', undefined, 'cannot open '],
  ])('refuses a table with %s', (_case, text, message) => {
    const folder = wiki()
    const path = text === undefined ? join(folder, 'nowhere') : table(folder, text)
    const { status, err } = files('describe', '--data-dir', folder, path)
    expect(status).toBe(1)
    expect(err).toContain(message)
  })
})
