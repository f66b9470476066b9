/** The sample wiki as `make run` serves it: its pictures and its modules. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { DUMP_PATH } from '../../sample/build.mjs'
import { startServer, temporaryFolder, type TestServer } from '../conformance/garden.js'
import { runHosted } from '../support/command.js'

const ROOT = join(import.meta.dirname, '../..')
const FILES = join(ROOT, 'sample/files')

let handbook: TestServer
beforeAll(async () => {
  const dataDir = temporaryFolder()
  const run = (...parts: string[]) => {
    expect(runHosted(parts)).toMatchObject({ status: 0, err: '' })
  }
  run('import', '--data-dir', dataDir, DUMP_PATH)
  run('files', 'import', '--data-dir', dataDir, '--user', 'Mehmet Yıldız', FILES)
  handbook = await startServer(dataDir)
})

test('make run puts the pictures in', () => {
  expect(readFileSync(join(ROOT, 'Makefile'), 'utf8')).toContain(
    "files import --data-dir $(DATA) --user 'Mehmet Yıldız' sample/files",
  )
})

describe('the sample wiki', () => {
  test('describes each of its pictures, and shows it on a page', async () => {
    for (const name of readdirSync(FILES)) {
      expect(await handbook.send(`/v1/page/File:${name}`)).toMatchObject({ status: 200 })
      const { body } = await handbook.send(`/v1/file/${name}`)
      expect(body).toMatchObject({ latest: { user: { id: 5, name: 'Mehmet Yıldız' } } })
      const { url } = (body as { preferred: { url: string } }).preferred
      const picture = await handbook.send(url.slice(handbook.base.length))
      expect((await sharp(picture.bytes).metadata()).format).toBe('png')
    }
  })

  test.each([
    ['The_store', ['Architecture.svg']],
    ['Revisions_and_deltas', ['Revision chain.png']],
    ['Files_and_pictures', ['Architecture.svg', 'Revision chain.png']],
  ])('%s uses %j', async (title, files) => {
    const { body } = await handbook.send(`/v1/page/${title}/links/media`)
    expect((body as { files: { title: string }[] }).files.map((file) => file.title)).toEqual(files)
  })
})

describe('modules of the sample wiki', { timeout: 120_000 }, () => {
  const htmlOf = async (title: string): Promise<string> => {
    const { status, bytes } = await handbook.send(`/v1/page/${title}/html`)
    expect(status).toBe(200)
    return bytes.toString()
  }
  const textOf = (html: string): string => html.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ')
  const countErrors = (html: string): number => html.split('class="scribunto-error"').length - 1

  test('write sizes, and one error on purpose, on the page about modules', async () => {
    const html = await htmlOf('Modules')
    const text = textOf(html)
    expect(text).toContain('An edit may have 2 MiB of text.')
    expect(text).toContain('request line and headers4 KiB')
    expect(text).toContain('Lua error: "plenty" is no size.')
    expect(countErrors(html)).toBe(1)
  })

  test('show their source below their documentation', async () => {
    const html = await htmlOf('Module:Sizes')
    const [documentation = '', source = ''] = html.split(/<hr[^>]*>/)
    expect(textOf(documentation)).toMatch(/Writes sizes in bytes.*2 MiB/s)
    expect(textOf(source)).toContain('local function inWords(text)')
    expect(countErrors(html)).toBe(0)
  })
})
