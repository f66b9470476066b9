/** Files are opened in processes of their own: what they hold, and what hostile ones cannot do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ThumbnailOrder } from '../../../src/files/makeThumbnail.js'
import { FileProcesses, FileTaskError } from '../../../src/workers/files/fileProcesses.js'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import {
  interlacedPng,
  noise,
  picture,
  png,
  pngClaiming,
  slowDrawing,
  svg,
  wav,
} from '../../support/pictures.js'
import { temporaryFolder } from '../../support/store.js'

/** Passes only where a test moves the clock. */
const TIMEOUT_MS = 3_600_000

let processes: FileProcesses
beforeAll(() => {
  processes = new FileProcesses({ processes: 1, timeoutMs: TIMEOUT_MS })
})
afterAll(() => processes.close())

/** Processes that are closed with the test. */
function ownProcesses(maxMemoryBytes = 2 ** 30): FileProcesses {
  const own = new FileProcesses({ processes: 1, timeoutMs: TIMEOUT_MS, maxMemoryBytes })
  onTestFinished(() => own.close())
  return own
}

/** Has time pass only by `vi.advanceTimersByTimeAsync` until the test ends. */
function holdClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

function fileOf(contents: Uint8Array): string {
  const path = join(temporaryFolder(), 'contents')
  writeFileSync(path, contents)
  return path
}

const inspect = (name: string, contents: Uint8Array, by = processes) =>
  by.run('inspect', { path: fileOf(contents), name })

describe('a file is looked into', () => {
  const turned = () => picture(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  test.each<[string, () => Promise<Buffer> | Buffer, object]>([
    ['a.png', () => png(40, 30), { width: 40, height: 30, mimeType: 'image/png', mediaType: 'BITMAP' }],
    ['a.jpg', () => picture(40, 30).jpeg().toBuffer(), { width: 40, height: 30, mimeType: 'image/jpeg' }],
    ['turned.jpg', turned, { width: 30, height: 40 }],
    ['a.gif', () => picture(40, 30).gif().toBuffer(), { width: 40, height: 30, mimeType: 'image/gif' }],
    ['a.webp', () => picture(40, 30).webp().toBuffer(), { width: 40, height: 30, mimeType: 'image/webp' }],
    ['a.avif', () => picture(40, 30).avif().toBuffer(), { width: 40, height: 30, mimeType: 'image/avif' }],
    ['a.tif', () => picture(40, 30).tiff().toBuffer(), { width: 40, height: 30, mimeType: 'image/tiff' }],
    [
      'a.svg',
      () => svg('<rect/>'),
      { width: 100, height: 100, mimeType: 'image/svg+xml', mediaType: 'DRAWING' },
    ],
    ['a.wav', () => wav(1.5), { durationSeconds: 1.5, mimeType: 'audio/wav', mediaType: 'AUDIO', width: 0 }],
    ['a.pdf', () => Buffer.from('%PDF-1.7\n%%EOF\n'), { mimeType: 'application/pdf', mediaType: 'OFFICE' }],
    [
      'a.txt',
      () => Buffer.from('just words'),
      { mimeType: 'application/octet-stream', mediaType: 'UNKNOWN' },
    ],
    ['wrong.jpg', () => png(40, 30), { mimeType: 'image/png' }],
    ['large.png', () => pngClaiming(50_000, 50_000), { width: 50_000, height: 50_000 }],
  ])('%s', async (name, make, facts) => {
    const inspection = await inspect(name, await make())
    expect(inspection.facts).toMatchObject(facts)
    expect(inspection.problem).toBeUndefined()
  })

  test('and described as what it seems to be where it is broken', async () => {
    const whole = await noise(100, 100).jpeg().toBuffer()
    const { facts, problem } = await inspect('a.jpg', whole.subarray(0, 100))
    expect(facts).toMatchObject({ width: 0, height: 0, mimeType: 'image/jpeg' })
    expect(problem).toMatch(/^is no sound image\/jpeg \(/)
  })

  test('and is no drawing for its name alone', async () => {
    const { facts, problem } = await inspect('a.svg', Buffer.from('<html>hello</html>'))
    expect(facts).toMatchObject({ mediaType: 'UNKNOWN', mimeType: 'application/octet-stream' })
    expect(problem).toContain('is no sound image/svg+xml')
  })
})

/** Numbers that are the same in every run. */
function sameNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (Math.imul(state, 48271) >>> 0) % 0x7fffffff) % below
}

/** One picture of each kind, and what else is opened. */
const everyKind = async (): Promise<Record<string, Buffer>> => ({
  'a.png': await noise(64, 64).png().toBuffer(),
  'a.jpg': await noise(64, 64).jpeg().toBuffer(),
  'a.webp': await noise(64, 64).webp().toBuffer(),
  'a.gif': await noise(64, 64).gif().toBuffer(),
  'a.tif': await noise(64, 64).tiff().toBuffer(),
  'a.avif': await noise(64, 64).avif().toBuffer(),
  'a.svg': svg('<g><rect width="10" height="10"/><text>words</text></g>'),
  'a.wav': wav(0.1),
})

async function scale(
  contents: Uint8Array,
  order: Partial<ThumbnailOrder> = {},
  by = processes,
): Promise<Buffer> {
  const path = fileOf(contents)
  const target = join(temporaryFolder(), 'target')
  const size = { width: 50, height: 50, maxPixels: 100_000_000 }
  await by.run('thumbnail', { path, mimeType: 'image/png', format: 'png', target, ...size, ...order })
  return readFileSync(target)
}

describe('a scaled picture', () => {
  test.each([
    ['image/png', 'png', () => png(200, 200)],
    ['image/jpeg', 'jpg', () => picture(200, 200).jpeg().toBuffer()],
    ['image/gif', 'png', () => picture(200, 200).gif().toBuffer()],
    ['image/webp', 'webp', () => picture(200, 200).webp().toBuffer()],
    ['image/avif', 'webp', () => picture(200, 200).avif().toBuffer()],
    ['image/tiff', 'jpg', () => picture(200, 200).tiff().toBuffer()],
    ['image/svg+xml', 'png', () => Promise.resolve(svg('<rect width="100" height="100" fill="#36c"/>'))],
  ] as const)('of %s is made as %s', async (mimeType, format, make) => {
    const scaled = await scale(await make(), { mimeType, format, width: 60, height: 40 })
    const { format: written, width, height } = await sharp(scaled).metadata()
    expect({ written, width, height }).toEqual({
      written: format === 'jpg' ? 'jpeg' : format,
      width: 60,
      height: 40,
    })
  })

  test('is turned as the picture asks for', async () => {
    const left = await picture(100, 50, 'red').png().toBuffer()
    const both = await picture(200, 50, 'blue')
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const turned = await sharp(both).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const scaled = await scale(turned, { mimeType: 'image/jpeg', format: 'png', width: 25, height: 100 })
    const { data, info } = await sharp(scaled).raw().toBuffer({ resolveWithObject: true })
    // The left side is on top now.
    expect(data[0]).toBeGreaterThan(200)
    expect(data[(info.height - 1) * info.width * info.channels]).toBeLessThan(50)
  })
})

describe('a hostile file', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, Partial<ThumbnailOrder>, RegExp]>([
    ['that claims 50,000 × 50,000 pixels', () => pngClaiming(50_000, 50_000), {}, /pixel limit/],
    [
      'that is a drawing of 50,000 × 50,000',
      () => svg('<rect/>', { width: '50000', height: '50000' }),
      { mimeType: 'image/svg+xml' },
      /pixel limit/,
    ],
    [
      'that is cut off',
      async () => (await noise(300, 300).jpeg().toBuffer()).subarray(0, 5000),
      { mimeType: 'image/jpeg' },
      /premature end/,
    ],
    ['that is empty', () => Buffer.alloc(0), {}, /./],
  ])('%s is refused, and the process goes on', async (_what, make, order, message) => {
    const contents = await make()
    await expect(scale(contents, order)).rejects.toThrow(FileTaskError)
    await expect(scale(contents, order)).rejects.toThrow(message)
    expect((await scale(await png(10, 10))).length).toBeGreaterThan(0)
  })

  test('that takes too long costs its process, and the next file gets a new one', async () => {
    holdClock()
    const own = ownProcesses()
    const slow = expect(scale(slowDrawing(), { mimeType: 'image/svg+xml' }, own)).rejects.toThrow(
      `took longer than ${TIMEOUT_MS} ms`,
    )
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    await slow
    expect((await scale(await png(10, 10), {}, own)).length).toBeGreaterThan(0)
  })

  test(
    'that takes too much memory costs its process, and the next file gets a new one',
    { tags: ['hostile'] },
    async () => {
      // It takes 225 MiB in the end, and more than half of that for a quarter of a second.
      const own = ownProcesses(120 * 2 ** 20)
      await expect(scale(interlacedPng(7000), {}, own)).rejects.toThrow('takes too much memory to open')
      expect((await scale(await png(10, 10), {}, own)).length).toBeGreaterThan(0)
    },
  )

  test(
    'cut off anywhere, or with random bytes in it, is described, and opens the next one',
    { tags: ['hostile'] },
    async () => {
      const kinds = Object.entries(await everyKind())
      const random = sameNumbers(11)
      for (let round = 0; round < 160; round++) {
        const [name, whole] = kinds[round % kinds.length]!
        const broken = Buffer.from(whole)
        if (round % 3 > 0) for (let n = 0; n < 1 + random(8); n++) broken[random(broken.length)] = random(256)
        const kept = round % 3 < 2 ? broken.subarray(0, random(broken.length)) : broken
        const inspection = await inspect(name, kept).catch((error: unknown) => {
          expect(error).toBeInstanceOf(FileTaskError)
          return undefined
        })
        const { width = 0, height = 0 } = inspection?.facts ?? {}
        expect([width, height].every((side) => side !== null && Number.isInteger(side) && side >= 0)).toBe(
          true,
        )
      }
      expect((await inspect('b.png', await png(10, 10))).facts).toMatchObject({ width: 10, height: 10 })
    },
  )

  test('whose entities grow without end is an error, and opens the next one', async () => {
    const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
    const before = `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]>`
    const own = ownProcesses(400 * 2 ** 20)
    const contents = svg('<text>&e12;</text>', { before })
    await expect(scale(contents, { mimeType: 'image/svg+xml' }, own)).rejects.toThrow(FileTaskError)
    expect((await scale(await png(10, 10), {}, own)).length).toBeGreaterThan(0)
  })

  test('with random bytes in it makes an error or a picture, never more', { tags: ['hostile'] }, async () => {
    const kinds = await everyKind()
    const whole = Object.entries(kinds).flatMap(([name, bytes]) => (/svg|wav/.test(name) ? [] : [bytes]))
    const random = sameNumbers(7)
    for (let round = 0; round < 120; round++) {
      const broken = Buffer.from(whole[round % whole.length]!)
      for (let n = 0; n < 1 + random(20); n++) broken[random(broken.length)] = random(256)
      const kept = random(3) === 0 ? broken.subarray(0, random(broken.length)) : broken
      await scale(kept).catch((error: unknown) => expect(error).toBeInstanceOf(FileTaskError))
    }
    expect((await scale(await png(10, 10))).length).toBeGreaterThan(0)
  })
})

describe('a drawing reaches nothing outside itself', () => {
  const colourOf = async (contents: Buffer): Promise<number[]> => {
    const scaled = await scale(contents, { mimeType: 'image/svg+xml', width: 3, height: 3 })
    const { data, info } = await sharp(scaled).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return [...data.subarray(4 * info.channels, 5 * info.channels)]
  }
  const EMPTY = [0, 0, 0, 0]

  test('on the network', async () => {
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`
    expect(await colourOf(svg(`<image xlink:href="${url}" width="100" height="100"/>`))).toEqual(EMPTY)
    expect(await colourOf(svg(`<style>@import url(${url});</style>`))).toEqual(EMPTY)
    expect(await colourOf(svg(`<use xlink:href="${url}#a"/>`))).toEqual(EMPTY)
    expect(requests).toBe(0)
  })

  test('on the disk', async () => {
    const path = fileOf(await png(100, 100, 'red'))
    expect(await colourOf(svg(`<image xlink:href="file://${path}" width="100" height="100"/>`))).toEqual(
      EMPTY,
    )
    expect(await colourOf(svg(`<image xlink:href="contents" width="100" height="100"/>`))).toEqual(EMPTY)
    const entity = svg('<text>&x;</text>', { before: `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${path}">]>` })
    await expect(colourOf(entity)).rejects.toThrow(FileTaskError)
  })

  test('and its scripts do not run', async () => {
    const script = '<script>document.documentElement.innerHTML = ""</script>'
    const drawn = await colourOf(svg(`${script}<rect width="100" height="100" fill="#00ff00" onload="x()"/>`))
    expect(drawn).toEqual([0, 255, 0, 255])
  })
})

describe('the queue', () => {
  test('is bounded', async () => {
    const own = ownProcesses()
    const contents = await png(10, 10)
    const tasks = Array.from({ length: 40 }, () => inspect('a.png', contents, own))
    const outcomes = await Promise.allSettled(tasks)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(40 - 33)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PoolFullError)
  })

  test('lets those go who waited too long', async () => {
    holdClock()
    const own = ownProcesses()
    const slow = () => scale(slowDrawing(), { mimeType: 'image/svg+xml' }, own)
    const running = expect(slow()).rejects.toThrow(FileTaskError)
    await vi.advanceTimersByTimeAsync(0)
    // Gets the process when the first has had its time; the last has waited for as long by then.
    const next = expect(slow()).rejects.toThrow(/ended the process/)
    const waiting = expect(inspect('a.png', await png(10, 10), own)).rejects.toThrow(TaskTimeoutError)
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    await Promise.all([running, waiting])
    own.close()
    await next
  })

  test('ends with its processes', async () => {
    const own = ownProcesses()
    const slow = scale(slowDrawing(), { mimeType: 'image/svg+xml' }, own)
    await inspect('a.png', Buffer.alloc(3), processes)
    own.close()
    await expect(slow).rejects.toThrow(/ended the process|closed/)
  })
})

describe('a process that the machine cannot start', () => {
  /** Node's program is not there for as long as `action` runs. */
  async function withoutNode<T>(action: () => Promise<T>): Promise<T> {
    const { execPath } = process
    process.execPath = join(temporaryFolder(), 'node')
    try {
      return await action()
    } finally {
      process.execPath = execPath
    }
  }

  test('is no fault of the file, and the next file gets another one', async () => {
    const own = ownProcesses()
    const contents = await png(10, 10)
    const failure = await withoutNode(() => inspect('a.png', contents, own).catch((error: unknown) => error))
    expect(failure).toMatchObject({ message: 'a process that opens files cannot be started' })
    expect(failure).not.toBeInstanceOf(FileTaskError)
    expect((failure as Error).cause).toMatchObject({ code: 'ENOENT' })
    expect((await inspect('a.png', contents, own)).facts).toMatchObject({ width: 10, height: 10 })
  })
})
