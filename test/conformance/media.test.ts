/** The bytes of files: originals and scaled pictures over a socket, as browsers and caches ask for them. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { originalPath } from '../../src/files/originals.js'
import type { FileFacts } from '../../src/domain/file.js'
import { WorkerSlot } from '../../src/workers/hosting/workerSlot.js'
import { runHosted } from '../support/command.js'
import { PATIENT } from '../support/patience.js'
import { noise, picture, png, pngClaiming, slowDrawing, svg, wav } from '../support/pictures.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startServer, temporaryFolder, type TestServer } from './garden.js'

/** More than a socket's buffers take. */
const LARGE_BYTES = 24 * 2 ** 20

let contents: Record<string, Buffer>
let dataDir: string
let server: TestServer
beforeAll(async () => {
  const broken = await noise(2000, 1500).jpeg().toBuffer()
  contents = {
    'Big.png': await png(1200, 900),
    'Gone.png': await png(90, 90),
    'Photo_&_more.jpg': await picture(3000, 2400).jpeg().toBuffer(),
    'Plan.svg': svg('<script>alert(1)</script><rect width="300" height="200" fill="red"/>', {
      width: '300',
      height: '200',
    }),
    'Page.xml': Buffer.from(
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    ),
    'Words.txt': Buffer.from('just words'),
    'Song.wav': wav(1),
    'Broken.jpg': broken.subarray(0, 20_000),
    'Slow.svg': slowDrawing(),
    'Bomb.png': pngClaiming(50_000, 50_000),
    'Empty.bin': Buffer.alloc(0),
    'Large.bin': Buffer.alloc(LARGE_BYTES, 'some bytes and more of them '),
    'Short.bin': Buffer.alloc(LARGE_BYTES, 'what will be cut off '),
  }
  dataDir = await folderWith([page(1, 'Moon', [revision(1, 'text')])])
  const folder = join(temporaryFolder(), 'files')
  mkdirSync(folder)
  for (const [name, bytes] of Object.entries(contents)) writeFileSync(join(folder, name), bytes)
  expect(runHosted(['files', 'import', '--data-dir', dataDir, folder])).toMatchObject({ status: 0 })
  server = await startServer(dataDir)
})

const factsOf = (name: string): FileFacts => server.app.context.store.getFile(name)!
const pathOf = (name: string): string =>
  `/media/${factsOf(name).sha256!.slice(0, 16)}/${encodeURIComponent(name)}`
const scaledPathOf = (name: string, rendering: string): string =>
  `${pathOf(name)}/${encodeURIComponent(rendering)}`

/** Asks for a picture of the slow drawing, and waits until a process is at it. The clock stands until the test ends. */
async function askForSlow(path: string) {
  const asks = vi.spyOn(WorkerSlot.prototype, 'ask')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    asks.mockRestore()
  })
  const answer = server.send(path)
  await expect.poll(() => asks.mock.calls.length).toBe(1)
  return { answer, letTimePass: () => vi.advanceTimersByTimeAsync(Number(PATIENT.thumbnailTimeoutMs)) }
}

const read = (name: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send(pathOf(name), { headers })

describe('an original', () => {
  test('comes as it was uploaded, to be kept for ever', async () => {
    const { status, headers, bytes } = await read('Big.png')
    expect(status).toBe(200)
    expect(bytes).toEqual(contents['Big.png'])
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(contents['Big.png']!.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: `"${factsOf('Big.png').sha1}"`,
    })
    expect(headers['last-modified']).toMatch(/ GMT$/)
    expect(headers['content-security-policy']).toBeUndefined()
  })

  test('is where its file object says', async () => {
    const { body } = await server.send('/v1/file/Photo_%26_more.jpg')
    const { url } = (body as { original: { url: string } }).original
    expect(url.startsWith(server.base)).toBe(true)
    expect((await server.send(url.slice(server.base.length))).bytes).toEqual(contents['Photo_&_more.jpg'])
  })

  test.each([
    ['Big.png', 'image/png', undefined, undefined],
    ['Song.wav', 'audio/wav', undefined, undefined],
    ['Plan.svg', 'image/svg+xml', /default-src 'none'.*sandbox$/, undefined],
    ['Page.xml', 'application/xml', /sandbox$/, "attachment; filename*=UTF-8''Page.xml"],
    ['Words.txt', 'application/octet-stream', /sandbox$/, "attachment; filename*=UTF-8''Words.txt"],
  ])('%s has its own type, and can run nothing', async (name, type, policy, disposition) => {
    const { headers } = await read(name)
    expect(headers['content-type']).toBe(type)
    expect(headers['content-disposition']).toBe(disposition)
    if (policy === undefined) expect(headers['content-security-policy']).toBeUndefined()
    else expect(headers['content-security-policy']).toMatch(policy)
  })

  test('without bytes is an empty answer', async () => {
    expect(await read('Empty.bin')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
  })

  test('answers HEAD with its length alone', async () => {
    const { status, headers, bytes } = await server.send(pathOf('Big.png'), {
      method: 'HEAD',
      headers: { Range: 'bytes=0-1' },
    })
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
    expect(headers['content-length']).toBe(String(contents['Big.png']!.length))
  })

  test('answers 304 for what a client has', async () => {
    const headers = { 'If-None-Match': `"${factsOf('Big.png').sha1}"` }
    expect(await read('Big.png', headers)).toMatchObject({ status: 304 })
  })

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, undefined],
    ['bytes=-7', -7, undefined],
  ])('gives the part %s', async (range, start, end) => {
    const whole = contents['Photo_&_more.jpg']!
    const { status, headers, bytes } = await read('Photo_&_more.jpg', { Range: range })
    expect(status).toBe(206)
    expect(bytes).toEqual(whole.subarray(start, end))
    const from = start < 0 ? whole.length + start : start
    expect(headers['content-range']).toBe(`bytes ${from}-${from + bytes.length - 1}/${whole.length}`)
    expect(headers['content-length']).toBe(String(bytes.length))
  })

  test('gives parts only of the state that the client has', async () => {
    const statusFor = async (ifRange: string) =>
      (await read('Big.png', { Range: 'bytes=0-9', 'If-Range': ifRange })).status
    const { etag, 'last-modified': date } = (await read('Big.png')).headers
    for (const known of [String(etag), String(date)]) expect(await statusFor(known)).toBe(206)
    const others = ['"other"', `W/${String(etag)}`, `"other", ${String(etag)}`, 'yesterday', '*']
    for (const other of [...others, 'Fri, 01 Jan 2100 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'])
      expect(await statusFor(other), other).toBe(200)
  })

  test('has no part behind its end', async () => {
    const { status, headers, bytes } = await read('Big.png', { Range: 'bytes=999999999-' })
    expect({ status, length: bytes.length }).toEqual({ status: 416, length: 0 })
    expect(headers['content-range']).toBe(`bytes */${contents['Big.png']!.length}`)
  })

  test('of another version leads to the one in force', async () => {
    const { status, headers } = await server.send(`/media/${'0'.repeat(16)}/Big.png`)
    expect(status).toBe(302)
    expect(headers.location).toBe(server.base + pathOf('Big.png'))
    expect(headers['cache-control']).toBe('max-age=60')
  })

  test.each([
    '/media/0123456789abcdef/Nothing.png',
    '/media/x/..%2f..%2fstore%2fdata.mdb',
    '/media/x/big.png',
  ])('that is not there is 404: %s', async (path) => {
    expect(await server.send(path)).toMatchObject({
      status: 404,
      body: { errorKey: 'rest-cannot-load-file' },
    })
  })

  test('is below the base path', async () => {
    const based = await startServer(dataDir, { basePath: '/w/rest.php' })
    const { body } = await based.send('/w/rest.php/v1/file/Big.png')
    expect(body).toMatchObject({ original: { url: `${based.base}/w/rest.php${pathOf('Big.png')}` } })
    expect((await based.send(`/w/rest.php${pathOf('Big.png')}`)).status).toBe(200)
  })
})

describe('a large file', () => {
  test('comes whole to a client that reads slowly', async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      httpGet({ port: server.port, host: '127.0.0.1', path: pathOf('Large.bin') }, resolve).on(
        'error',
        reject,
      ),
    )
    const chunks: Buffer[] = []
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(Buffer.concat(chunks).equals(contents['Large.bin']!)).toBe(true)
  })

  test('comes whole to many at once', { tags: ['slow'] }, async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => read('Large.bin')))
    for (const { bytes } of answers) expect(bytes.equals(contents['Large.bin']!)).toBe(true)
  })

  test('is closed when its client goes', async () => {
    const before = openFiles()
    for (let n = 0; n < 20; n++) await goAfterFirstBytes(pathOf('Large.bin'))
    await expect.poll(openFiles).toBeLessThanOrEqual(before)
  })

  test('that became shorter ends the connection, and the server goes on', async () => {
    truncateSync(originalPath(dataDir, factsOf('Short.bin').sha256!), 100_000)
    // The server states the length of the file when it opens it. It cannot replace the bytes of a file that shrinks later.
    expect((await read('Short.bin')).bytes.length).toBe(100_000)
    expect((await read('Big.png')).status).toBe(200)
  })

  /** Descriptors of this process that are files of the wiki. */
  function openFiles(): number {
    return readdirSync('/proc/self/fd').length
  }

  function goAfterFirstBytes(path: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1')
      socket.once('data', () => socket.destroy())
      socket.once('close', () => resolve())
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    })
  }
})

describe('a scaled picture', () => {
  test('is made when its file object’s URL is asked for', async () => {
    const { body } = await server.send('/v1/file/Photo_%26_more.jpg')
    const file = body as Record<'preferred' | 'thumbnail', { url: string; width: number; height: number }>
    for (const form of [file.preferred, file.thumbnail]) {
      const { status, headers, bytes } = await server.send(form.url.slice(server.base.length))
      expect(status).toBe(200)
      const { format, width, height } = await sharp(bytes).metadata()
      expect({ format, width, height }).toEqual({ format: 'jpeg', width: form.width, height: form.height })
      expect(headers).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${factsOf('Photo_&_more.jpg').sha1}-${form.width}"`,
      })
    }
  })

  test('of a drawing is a PNG', async () => {
    const { status, headers, bytes } = await server.send(scaledPathOf('Plan.svg', '250px-Plan.svg.png'))
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/png' })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 250, height: 167 })
  })

  test('takes ranges and conditions as originals do', async () => {
    const path = scaledPathOf('Big.png', '400px-Big.png')
    const { headers, bytes } = await server.send(path)
    const part = await server.send(path, { headers: { Range: 'bytes=1-3' } })
    expect({ status: part.status, bytes: part.bytes }).toEqual({ status: 206, bytes: bytes.subarray(1, 4) })
    const again = await server.send(path, { headers: { 'If-None-Match': String(headers.etag) } })
    expect(again.status).toBe(304)
  })

  test('is made once for all who ask at the same time', async () => {
    const path = scaledPathOf('Big.png', '640px-Big.png')
    const answers = await Promise.all(Array.from({ length: 100 }, () => server.send(path)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
    expect(thumbnailsOf('Big.png').filter((name) => name.includes('-640.'))).toHaveLength(1)
  })

  test.each([
    ['Big.png', '641px-Big.png', '800px-Big.png'],
    ['Big.png', '1px-Big.png', '20px-Big.png'],
    ['Big.png', '1200px-Big.png', ''],
    ['Big.png', '99999px-Big.png', ''],
    ['Plan.svg', '900px-Plan.svg.png', '300px-Plan.svg.png'],
  ])('of %s as %s leads to one that is offered', async (name, asked, offered) => {
    const { status, headers } = await server.send(scaledPathOf(name, asked))
    expect(status).toBe(302)
    expect(headers.location).toBe(server.base + (offered === '' ? pathOf(name) : scaledPathOf(name, offered)))
  })

  test('of contents that are gone is 404, and says nothing of where they were', async () => {
    rmSync(originalPath(dataDir, factsOf('Gone.png').sha256!))
    for (const path of [pathOf('Gone.png'), scaledPathOf('Gone.png', '60px-Gone.png')]) {
      const { status, bytes } = await server.send(path)
      expect(status).toBe(404)
      expect(bytes.toString()).not.toContain(dataDir)
    }
  })

  test('of another version leads to the one in force', async () => {
    const { status, headers } = await server.send('/media/0/Big.png/800px-Big.png')
    expect({ status, location: headers.location }).toEqual({
      status: 302,
      location: server.base + scaledPathOf('Big.png', '800px-Big.png'),
    })
  })

  test.each([
    ['Big.png', '800px-Other.png'],
    ['Big.png', '0px-Big.png'],
    ['Big.png', 'px-Big.png'],
    ['Big.png', '8e2px-Big.png'],
    ['Big.png', '800000000px-Big.png'],
    ['Plan.svg', '250px-Plan.svg'],
    ['Song.wav', '250px-Song.wav'],
    ['Bomb.png', '800px-Bomb.png'],
  ])('of %s is not %s', async (name, rendering) => {
    const path = scaledPathOf(name, rendering)
    expect(await server.send(path)).toMatchObject({
      status: 404,
      body: { errorKey: 'rest-cannot-load-file' },
    })
  })

  test('that cannot be written to the disk is a fault of the storage', async () => {
    const [folder, aside] = [join(dataDir, 'thumbnails'), join(dataDir, 'aside')]
    const hasFolder = existsSync(folder)
    if (hasFolder) renameSync(folder, aside)
    // The system makes no folders there, whoever asks.
    symlinkSync('/sys/kernel', folder)
    onTestFinished(() => {
      rmSync(folder)
      if (hasFolder) renameSync(aside, folder)
    })
    const { status, headers, body } = await server.send(scaledPathOf('Big.png', '800px-Big.png'))
    expect({ status, body }).toMatchObject({ status: 507, body: { errorKey: 'rest-storage-unwritable' } })
    expect(headers['retry-after']).toBe('60')
  })

  test('cannot be made of a broken file, and nothing is left behind', async () => {
    const { status, body } = await server.send(scaledPathOf('Broken.jpg', '800px-Broken.jpg'))
    expect({ status, body }).toMatchObject({ status: 422, body: { errorKey: 'rest-thumbnail-failed' } })
    expect(readdirSync(join(dataDir, 'thumbnails', 'making'))).toEqual([])
    expect(thumbnailsOf('Broken.jpg')).toEqual([])
  })

  test('that takes too long is given up, others are made after it, and it is not tried again at once', async () => {
    // Drawings are measured without being drawn, so this one came in.
    const path = scaledPathOf('Slow.svg', '60px-Slow.svg.png')
    const text = `No picture can be made of the file Slow.svg (took longer than ${PATIENT.thumbnailTimeoutMs} ms)`
    const body = { errorKey: 'rest-thumbnail-failed', messageTranslations: { en: text } }
    const { answer, letTimePass } = await askForSlow(path)
    await letTimePass()
    expect(await answer).toMatchObject({ status: 422, body })
    expect((await server.send(scaledPathOf('Big.png', '60px-Big.png'))).status).toBe(200)
    const original = originalPath(dataDir, factsOf('Slow.svg').sha256!)
    const slow = readFileSync(original)
    // Another try would give a picture now.
    writeFileSync(original, '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"/>')
    expect(await server.send(path)).toMatchObject({ status: 422, body })
    writeFileSync(original, slow)
  })

  test('of a bomb is not offered', async () => {
    const { body } = await server.send('/v1/file/Bomb.png')
    expect(body).toMatchObject({ preferred: { width: 50_000, size: contents['Bomb.png']!.length } })
  })

  function thumbnailsOf(name: string): string[] {
    const folder = join(dataDir, 'thumbnails', 'young', factsOf(name).sha256!.slice(0, 2))
    try {
      return readdirSync(folder).filter((file) => file.startsWith(factsOf(name).sha256!))
    } catch {
      return []
    }
  }
})

test('pages are answered at once while pictures are being made', async () => {
  const { answer, letTimePass } = await askForSlow(scaledPathOf('Slow.svg', '40px-Slow.svg.png'))
  const pages = await Promise.all(Array.from({ length: 50 }, () => server.send('/v1/page/Moon')))
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
  await letTimePass()
  expect((await answer).status).toBe(422)
})

test('the names of contents on the disk are their hashes', () => {
  expect(readFileSync(originalPath(dataDir, factsOf('Big.png').sha256!))).toEqual(contents['Big.png'])
})
