/** Zstandard, xz and 7z, which the programs of these names unpack. Needs zstd, xz and 7-Zip. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDump } from '../../src/dump/openDump.js'
import { dump, page, pagesOf, readAll, revision } from './dumpText.js'

const XML = Buffer.from(
  dump(Array.from({ length: 2000 }, (_, n) => page(`Page ${n}`, n + 1, revision(n + 1))).join('')),
)
const PATH = process.env['PATH'] ?? ''
const SEVEN_ZIP = ['7zz', '7z', '7za', '7zr'].find(isInstalled)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpacking-'))
  await writeFile(join(folder, 'dump.xml'), XML)
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => {
  process.env['PATH'] = PATH
})

function isInstalled(program: string): boolean {
  return PATH.split(delimiter).some((path) => existsSync(join(path, program)))
}

const inFolder = (command: string, args: readonly string[]): Buffer =>
  execFileSync(command, args, { cwd: folder, maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] })

async function archive(name: string, ...args: readonly string[]): Promise<string> {
  await rm(join(folder, name), { force: true })
  inFolder(SEVEN_ZIP ?? '7zz', ['a', '-bd', name, ...args])
  return join(folder, name)
}

async function read(path: string, standardInput?: Readable) {
  const source = await openDump(path, standardInput && { standardInput })
  try {
    const { events, error } = await readAll(source)
    return { source, pages: pagesOf(events).length, error }
  } finally {
    await source.close()
  }
}

describe.each(['zstd', 'xz'] as const)('%s', (program) => {
  const pack = (): Buffer => inFolder(program, ['-c', '-q', 'dump.xml'])

  test.runIf(isInstalled(program))(
    'is unpacked, counted and hashed, from a file and from a pipe',
    async () => {
      const packed = pack()
      const path = join(folder, 'packed')
      await writeFile(path, packed)
      for (const { source, pages, error } of [await read(path), await read('-', Readable.from([packed]))]) {
        expect({ pages, error }).toEqual({ pages: 2000, error: undefined })
        expect(source).toMatchObject({ compression: program })
        expect(source.bytesRead()).toBe(packed.length)
        expect(source.xmlBytes()).toBe(XML.length)
        expect(source.sha256()).toBe(createHash('sha256').update(packed).digest('hex'))
      }
    },
  )

  test.runIf(isInstalled(program))('that is cut off is an error', async () => {
    const packed = pack()
    const { error } = await read('-', Readable.from([packed.subarray(0, packed.length - 20)]))
    expect(error?.message).toMatch(/^standard input: the (Zstandard|xz) data are damaged or cut off: \S/)
  })

  test('without its program is an error that names the package', async () => {
    process.env['PATH'] = folder
    const magic = program === 'zstd' ? '28b52ffd00' : 'fd377a585a0000'
    const { error } = await read('-', Readable.from([Buffer.from(magic, 'hex')]))
    expect(error?.message).toMatch(
      /the program (zstd|xz) is not installed: install it \(Debian package (zstd|xz-utils)\)/,
    )
  })
})

test.runIf(isInstalled('xz'))('xz that would take more memory than 512 MiB is an error', async () => {
  const packed = inFolder('xz', ['-c', '-q', '--lzma2=dict=1GiB', 'dump.xml'])
  const { error } = await read('-', Readable.from([packed]))
  expect(error?.message).toContain('Memory usage limit reached')
})

describe('7z', () => {
  const there = test.runIf(SEVEN_ZIP !== undefined)

  there('is unpacked, counted and hashed', async () => {
    const path = await archive('dump.7z', 'dump.xml')
    const { source, pages, error } = await read(path)
    expect({ pages, error }).toEqual({ pages: 2000, error: undefined })
    const packed = await readFile(path)
    expect(source).toMatchObject({ name: 'dump.7z', compression: '7z', sizeBytes: packed.length })
    expect(source.bytesRead()).toBe(packed.length)
    expect(source.sha256()).toBe(createHash('sha256').update(packed).digest('hex'))
  })

  there('may hold folders beside its one file', async () => {
    await mkdir(join(folder, 'in'), { recursive: true })
    await writeFile(join(folder, 'in/dump.xml'), XML)
    expect(await read(await archive('folder.7z', 'in'))).toMatchObject({ pages: 2000, error: undefined })
  })

  there('with a name that the program would take for a list or a pattern is a file', async () => {
    await archive('plain.7z', 'dump.xml')
    for (const name of ['@odd*.7z', '-o.7z']) {
      await writeFile(join(folder, name), await readFile(join(folder, 'plain.7z')))
      expect(await read(join(folder, name))).toMatchObject({ pages: 2000, error: undefined })
    }
  })

  there.each<[string, readonly string[], string]>([
    ['several files', ['dump.xml', 'other.xml'], 'is a 7z archive of 2 files: unpack it'],
    ['a password', ['-psecret', 'dump.xml'], 'is an encrypted 7z archive'],
    ['encrypted names', ['-psecret', '-mhe=on', 'dump.xml'], 'the 7z archive is damaged or cut off'],
    ['no file', ['empty'], 'is a 7z archive without a file'],
  ])('with %s is refused', async (what, args, message) => {
    await writeFile(join(folder, 'other.xml'), XML)
    await mkdir(join(folder, 'empty'), { recursive: true })
    await expect(openDump(await archive(`${what}.7z`, ...args))).rejects.toThrow(message)
  })

  test.each(['LZMA2:30', 'LZMA:1536m', 'BCJ PPMD:o32:mem1g'])(
    'packed with %s would take more memory than 512 MiB, and is refused',
    async (method) => {
      const programs = join(folder, 'programs')
      await mkdir(programs, { recursive: true })
      const listing = `Path = dump.xml\nSize = 5\nEncrypted = -\nMethod = ${method}\n`
      await writeFile(join(programs, '7zz'), `#!/bin/sh\necho '${listing}'\n`, { mode: 0o755 })
      process.env['PATH'] = `${programs}${delimiter}${PATH}`
      const path = join(folder, 'large.7z')
      await writeFile(path, Buffer.from('377abcaf271c0004', 'hex'))
      await expect(openDump(path)).rejects.toThrow('takes more than 512 MiB of memory to unpack')
    },
  )

  there('that is cut off or damaged is an error', async () => {
    const packed = await readFile(await archive('sound.7z', 'dump.xml'))
    await writeFile(join(folder, 'cut.7z'), packed.subarray(0, packed.length - 10))
    await expect(openDump(join(folder, 'cut.7z'))).rejects.toThrow('the 7z archive is damaged or cut off')
    const damaged = Buffer.from(packed)
    damaged.fill(0x55, 200, 400)
    await writeFile(join(folder, 'damaged.7z'), damaged)
    const { error } = await read(join(folder, 'damaged.7z'))
    expect(error?.message).toContain('damaged.7z: the 7z archive is damaged or cut off')
  })

  there('cannot be read from a pipe', async () => {
    const packed = await readFile(await archive('pipe.7z', 'dump.xml'))
    const opened = openDump('-', { standardInput: Readable.from([packed]) })
    await expect(opened).rejects.toThrow('is a 7z archive, which can be read from a file only')
  })

  there('can be left before its end', async () => {
    const source = await openDump(await archive('left.7z', 'dump.xml'))
    for await (const bytes of source.stream) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
    await source.close()
  })

  test('without a program is an error that names the package', async () => {
    process.env['PATH'] = folder
    const path = join(folder, 'absent.7z')
    await writeFile(path, Buffer.from('377abcaf271c0004', 'hex'))
    await expect(openDump(path)).rejects.toThrow(/7zz is not installed: install it \(Debian package 7zip\)/)
  })
})
