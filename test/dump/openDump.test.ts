import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bzip2Decoder } from '../../src/dump/bunzip2.js'
import { DumpError } from '../../src/dump/dumpError.js'
import { openDump, type DumpSource, type OpenDumpOptions } from '../../src/dump/openDump.js'
import { dump, page, pagesOf, readAll, revision } from './dumpText.js'

/** Two bzip2 streams: a dump with the page Alpha and no end, and the page Beta with the end. */
const BZIP2_STREAMS = [
  `QlpoOTFBWSZTWVbLsCAAACffgEAQUAP0FyAABBAn793AMAC7awlRNA0NNA0AaGQNJtTRJ6Eepmk8oGhpglT1R6h6o9AE0NGBNNJW
ChLBDHt+9maOLGrOXlu0wAj9qv80EhjSYKKWgILnP+qMYBaQyt3Iq5rKlstvJp6e8TxMGeyhrujX0ExfsIpGKSnwtjIROFlqrnDF
wMBfQl5WORBoIzExqQu0tYDdOorui1jOKXUwwDQjeTK+S6J2Icwr3EO4hTkctOxjcJxhodC7kinChIK2XYEA`,
  `QlpoOTFBWSZTWQLnFsgAAAVfgEAQQAL0FRAABBAur93AIACVBqnknlGhoANNogEppNIYggANHqHsCaTIplZg0zKGeZVMkh3EVesc
duEmjV2nHjebIKOVEQwlm0HKCD1tMA4yIr2q7oHjQTzaQV8Cpcc2RNyhdsogvqShLkdsDmfhaGOIhTILI/i7kinChIAXOLZA`,
].map((base64) => Buffer.from(base64, 'base64'))
const BZIP2 = Buffer.concat(BZIP2_STREAMS)

const XML = Buffer.from(dump(page('Alpha', 1, revision(1)) + page('Beta', 2, revision(2))))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dump-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function openBytes(bytes: Buffer, options?: OpenDumpOptions): Promise<DumpSource> {
  const path = join(folder, 'dump.xml')
  await writeFile(path, bytes)
  return openDump(path, options)
}

async function bytesOf(source: DumpSource): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const bytes of source.stream) parts.push(bytes)
  return Buffer.concat(parts)
}

/** What was read before the error, and the error. */
async function readDamaged(source: DumpSource): Promise<{ titles: string[]; error: DumpError | undefined }> {
  const { events, error } = await readAll(source)
  return { titles: pagesOf(events).map(({ title }) => title), error }
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, program)))
}

describe('a dump is unpacked by its first bytes', () => {
  test.each([
    ['none', XML],
    ['gzip', gzipSync(XML)],
    ['gzip', Buffer.concat([gzipSync(XML.subarray(0, 500)), gzipSync(XML.subarray(500))])],
  ])('%s', async (compression, bytes) => {
    const source = await openBytes(bytes)
    expect(source).toMatchObject({ name: 'dump.xml', compression, sizeBytes: bytes.length })
    expect(await bytesOf(source)).toEqual(XML)
    expect(source.xmlBytes()).toBe(XML.length)
    expect(source.bytesRead()).toBe(bytes.length)
    expect(source.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'))
    await source.close()
  })

  test('even when they come one by one on standard input', async () => {
    const bytes = gzipSync(XML)
    const standardInput = Readable.from([...bytes].map((byte) => Buffer.from([byte])))
    const source = await openDump('-', { standardInput })
    expect(source).toMatchObject({ name: 'standard input', compression: 'gzip', sizeBytes: undefined })
    expect(await bytesOf(source)).toEqual(XML)
    expect(source.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('and zip is refused by its name', async () => {
    const zip = Buffer.from('504b030414', 'hex')
    await expect(openBytes(zip)).rejects.toThrow('dump.xml: is packed with zip')
  })
})

const DECODERS: Bzip2Decoder[] = ['lbzip2', 'bzip2', 'library']
describe.each(DECODERS)('bzip2 unpacked by %s', (bzip2Decoder) => {
  const isThere = bzip2Decoder === 'library' || isInstalled(bzip2Decoder)
  const open = (bytes: Buffer) => openBytes(bytes, { bzip2Decoder })

  test.runIf(isThere)('is read through all its streams', async () => {
    const source = await open(BZIP2)
    expect(source).toMatchObject({ compression: 'bzip2' })
    expect(await readDamaged(source)).toEqual({ titles: ['Alpha', 'Beta'], error: undefined })
    expect(source.bytesRead()).toBe(BZIP2.length)
    expect(source.sha256()).toBe(createHash('sha256').update(BZIP2).digest('hex'))
    await source.close()
  })

  test.runIf(isThere)('is read from standard input', async () => {
    const source = await openDump('-', { standardInput: Readable.from([BZIP2]), bzip2Decoder })
    expect(await readDamaged(source)).toEqual({ titles: ['Alpha', 'Beta'], error: undefined })
  })

  test.runIf(isThere).each(['x', '\n', '\0\0\0\0\0'])(
    'is read with %j behind its last stream',
    async (rest) => {
      const source = await open(Buffer.concat([BZIP2, Buffer.from(rest)]))
      expect(await readDamaged(source)).toEqual({ titles: ['Alpha', 'Beta'], error: undefined })
    },
  )

  test.runIf(isThere).each([1, 3, 10, 100, BZIP2.length - 11])(
    'is an error when %i bytes of its end are missing',
    async (missing) => {
      const { error } = await readDamaged(await open(BZIP2.subarray(0, BZIP2.length - missing)))
      expect(error?.reason).toContain('the bzip2 data are damaged or cut off')
    },
  )

  test.runIf(isThere)('is an error when a byte is damaged', async () => {
    const damaged = Buffer.from(BZIP2)
    damaged[100] = 0xff - (damaged[100] ?? 0)
    const { error } = await readDamaged(await open(damaged))
    expect(error?.reason).toContain('the bzip2 data are damaged or cut off')
  })

  test.runIf(isThere)('can be left before its end', async () => {
    const source = await open(BZIP2)
    for await (const bytes of source.stream) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
    await source.close()
  })
})

test('bzip2 is unpacked by what is there unless a decoder is named', async () => {
  const { titles } = await readDamaged(await openBytes(BZIP2))
  expect(titles).toEqual(['Alpha', 'Beta'])
})

describe('gzip that is cut off', () => {
  const many = Buffer.from(
    dump(Array.from({ length: 200 }, (_, n) => page(`Page ${n}`, n + 1, revision(n + 1))).join('')),
  )

  test('gives every page that arrived whole, and an error with the place', async () => {
    const packed = gzipSync(many)
    const { titles, error } = await readDamaged(await openBytes(packed.subarray(0, packed.length / 2)))
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.length).toBeLessThan(200)
    expect(error).toMatchObject({
      reason: 'the gzip data end early: the file is cut off',
      dumpName: 'dump.xml',
    })
    expect(error?.line).toBeGreaterThan(titles.length)
  })

  test('in its trailer gives all pages and an error', async () => {
    const packed = gzipSync(many)
    const { titles, error } = await readDamaged(await openBytes(packed.subarray(0, -4)))
    expect(titles).toHaveLength(200)
    expect(error?.reason).toContain('cut off')
  })
})

test.each([
  ['a wrong checksum', (packed: Buffer) => packed.fill(0, packed.length - 8, packed.length - 4)],
  ['something behind it', (packed: Buffer) => Buffer.concat([packed, Buffer.alloc(100_000, 'x')])],
])('gzip with %s is an error', async (_case, damage) => {
  const { error } = await readDamaged(await openBytes(damage(gzipSync(XML))))
  expect(error?.reason).toContain('the gzip data are damaged')
})

describe('a source', () => {
  test('that is missing is an error with its name', async () => {
    await expect(openDump(join(folder, 'absent.xml'))).rejects.toThrow('absent.xml: there is no such file')
    await expect(openDump(join(folder, 'absent.xml'))).rejects.toBeInstanceOf(DumpError)
  })

  test('that is a folder is an error', async () => {
    await expect(openDump(folder)).rejects.toThrow('is a folder, not a dump')
  })

  test.skipIf(process.getuid?.() === 0)('that may not be read is an error', async () => {
    const path = join(folder, 'secret.xml')
    await writeFile(path, XML)
    await chmod(path, 0)
    await expect(openDump(path)).rejects.toThrow('permission denied')
  })

  test('that is empty opens, and is refused by the reader', async () => {
    const { error } = await readDamaged(await openBytes(Buffer.alloc(0)))
    expect(error?.message).toContain('dump.xml: is empty')
  })

  test('has no digest before its end', async () => {
    const source = await openBytes(XML)
    expect(() => source.sha256()).toThrow('not read to its end')
    await source.close()
  })

  test('that breaks off is a DumpError with its cause', async () => {
    const standardInput = new PassThrough()
    standardInput.write(XML.subarray(0, 1000))
    const source = await openDump('-', { standardInput })
    standardInput.destroy(new Error('EIO: i/o error'))
    await expect(bytesOf(source)).rejects.toThrow('cannot be read: EIO: i/o error')
    await source.close()
  })

  test('can be closed twice, read or not', async () => {
    const source = await openBytes(XML)
    await source.close()
    await source.close()
  })
})
