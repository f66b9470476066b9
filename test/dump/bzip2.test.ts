/** bzip2 by its program and by the library: output, and what is said of faults. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type Bzip2Decoder, bunzip2 } from '../../src/dump/bunzip2.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'

const isInstalled = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((path) => existsSync(join(path, 'bzip2')))
const random = randomNumbers(31)

/** Words, so that blocks of 100 kB become some 30 kB. */
const text = (bytes: number): Buffer =>
  Buffer.from(
    Array.from({ length: bytes / 5 }, () => Math.floor(random() ** 2 * 40_000).toString(36)).join(' '),
  ).subarray(0, bytes)

const bzip2 = (args: string[], input: Buffer) => {
  const { status, stdout, stderr } = spawnSync('bzip2', args, { input, maxBuffer: 1e9 })
  return { status, stdout, complaint: stderr.toString() }
}
const pack = (input: Buffer, level = 1): Buffer => bzip2(['-c', `-${level}`], input).stdout

/** Cuts bytes anywhere. */
function* pieces(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + Math.floor(random() ** 2 * 60_000)
    yield bytes.subarray(at, end)
    at = end
  }
}

async function unpack(
  packed: Buffer,
  decoder: Bzip2Decoder = 'bzip2',
): Promise<{ bytes: Buffer; error: string | undefined }> {
  const parts: Buffer[] = []
  try {
    for await (const bytes of bunzip2(Readable.from(pieces(packed)), decoder)) parts.push(bytes)
    return { bytes: Buffer.concat(parts), error: undefined }
  } catch (error) {
    return { bytes: Buffer.concat(parts), error: (error as Error).message }
  }
}

const sha1 = (bytes: Buffer): string => `${bytes.length} ${createHash('sha1').update(bytes).digest('hex')}`

describe.skipIf(!isInstalled)(`bzip2${isInstalled ? '' : ' (the program is not installed)'}`, () => {
  const long = text(1_500_000)
  const short = text(1000)
  test.each<[string, () => Buffer]>([
    ['one stream of many blocks', () => pack(long)],
    ['large blocks', () => pack(long, 9)],
    ['many streams', () => Buffer.concat(Array.from({ length: 30 }, (_, n) => pack(short, 1 + (n % 9))))],
    [
      'streams of all lengths',
      () => Buffer.concat([pack(long), pack(short), pack(Buffer.alloc(0)), pack(long, 5)]),
    ],
    ['no text', () => pack(Buffer.alloc(0))],
    ['a long run', () => pack(Buffer.alloc(30_000_000), 9)],
    ['bytes after the last stream', () => Buffer.concat([pack(short), Buffer.from('BZ or others')])],
    [
      'bytes that cannot be packed',
      () => pack(Buffer.from(Array.from({ length: 500_000 }, () => random() * 256))),
    ],
  ])('of %s is unpacked', async (_name, make) => {
    const packed = make()
    const { status, stdout } = bzip2(['-dc'], packed)
    expect(status).toBe(0)
    for (const decoder of ['bzip2', 'library'] as const) {
      const { bytes, error } = await unpack(packed, decoder)
      expect({ decoder, error, bytes: sha1(bytes) }).toEqual({
        decoder,
        error: undefined,
        bytes: sha1(stdout),
      })
    }
  })

  const streams = Buffer.concat([pack(text(400_000)), pack(text(250_000), 2)])

  /**
   * Before a fault, bzip2 withholds less than 5000 bytes, and the library what a piece brought together with the fault:
   * up to 60 kB packed, after what was left of a block.
   */
  async function expectSame(packed: Buffer): Promise<void> {
    const { status, stdout } = bzip2(['-dc'], packed)
    for (const [decoder, withheld] of [
      ['bzip2', 10_000],
      ['library', 400_000],
    ] as const) {
      const { bytes, error } = await unpack(packed, decoder)
      // The library takes no bytes at all for an empty text.
      if (packed.length > 0 || decoder === 'bzip2') expect(error !== undefined).toBe(status !== 0)
      if (error !== undefined) expect(error).toMatch(/^the bzip2 data are damaged or cut off: \S/)
      const common = Math.min(bytes.length, stdout.length)
      expect(sha1(bytes.subarray(0, common))).toBe(sha1(stdout.subarray(0, common)))
      expect(Math.abs(bytes.length - stdout.length)).toBeLessThan(error === undefined ? 1 : withheld)
    }
  }

  test('that is cut off anywhere gives what one process gives', async () => {
    for (let n = 0; n < rounds(60, 12); n++) {
      await expectSame(streams.subarray(0, n < 6 ? n : Math.floor(random() * streams.length)))
    }
  })

  test('with a flipped bit anywhere is damaged, after what comes before it', async () => {
    for (let n = 0; n < rounds(60, 12); n++) {
      const packed = Buffer.from(streams)
      packed[n < 4 ? n : Math.floor(random() * packed.length)]! ^= 1 << Math.floor(random() * 8)
      await expectSame(packed)
    }
  })

  test('with a wrong CRC of a stream is damaged, after all of its blocks', async () => {
    const packed = pack(long)
    packed[packed.length - 2]! ^= 8
    await expectSame(packed)
    expect((await unpack(packed)).bytes.length).toBeGreaterThan(long.length - 5000)
  })

  test('can be left before its end', async () => {
    const unpacked = bunzip2(Readable.from(pieces(pack(long))), 'bzip2')
    for await (const bytes of unpacked) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
  })

  test('that cannot be read further throws the error of its source', async () => {
    const source = async function* (): AsyncGenerator<Buffer, void> {
      yield await Promise.resolve(pack(long).subarray(0, 200_000))
      throw new Error('the disk is gone')
    }
    const read = async (): Promise<void> => {
      for await (const bytes of bunzip2(source(), 'bzip2')) expect(bytes.length).toBeGreaterThan(0)
    }
    await expect(read()).rejects.toThrow('the disk is gone')
  })

  test('of streams that end at any bit is unpacked, with any bytes behind the last one', async () => {
    const parts = Array.from({ length: 40 }, (_, n) => text(10 + 7 * n))
    const packed = Buffer.concat(parts.map((part) => pack(part)))
    for (const behind of ['', 'B', 'BZ', 'BZh', 'BZhx', 'BZh0 and more', '\n'.repeat(100_000)]) {
      const { bytes, error } = await unpack(Buffer.concat([packed, Buffer.from(behind)]), 'library')
      expect({ behind, error, bytes: sha1(bytes) }).toEqual({
        behind,
        error: undefined,
        bytes: sha1(Buffer.concat(parts)),
      })
    }
  })

  test('is read to its end by the library, also what is behind the last stream', async () => {
    let read = 0
    const source = async function* (): AsyncGenerator<Buffer, void> {
      for (const bytes of pieces(Buffer.concat([pack(short), Buffer.alloc(200_000)]))) {
        read += bytes.length
        yield await Promise.resolve(bytes)
      }
    }
    for await (const bytes of bunzip2(source(), 'library')) expect(bytes.length).toBeGreaterThan(0)
    expect(read).toBe(pack(short).length + 200_000)
  })

  test.each<[string, Buffer, string]>([
    ['no bzip2', Buffer.from('plain text'), 'No magic number found'],
    ['cut off', streams.subarray(0, 100_000), 'they end early'],
    ['cut off within the header', streams.subarray(0, 3), 'they end early'],
  ])('that is %s is named by the library', async (_what, packed, detail) => {
    expect((await unpack(packed, 'library')).error).toBe(`the bzip2 data are damaged or cut off: ${detail}`)
  })
})
