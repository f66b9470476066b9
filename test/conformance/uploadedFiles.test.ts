/** Files that came with a dump, contents and all, as clients then see them. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { sha1Base36 } from '../../src/domain/file.js'
import { dumpXml } from '../support/dump.js'
import { noise } from '../support/pictures.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

let wiki: TestServer
let picture: Buffer
beforeAll(async () => {
  const dataDir = temporaryFolder()
  picture = await noise(300, 200).png().toBuffer()
  const upload = `<upload><timestamp>2021-05-06T07:08:09Z</timestamp>
    <contributor><username>Zoe</username><id>9</id></contributor><comment>a file</comment>
    <filename>Moon.png</filename><src>http://wiki.example/images/Moon.png</src><size>${picture.length}</size>
    <sha1base36>${sha1Base36(createHash('sha1').update(picture).digest('hex'))}</sha1base36>
    <rel>a/ab/Moon.png</rel><contents encoding="base64">${picture.toString('base64')}</contents></upload>`
  const dump = join(dataDir, 'dump.xml')
  const pages = [
    {
      id: 1,
      title: 'File:Moon.png',
      namespace: 6,
      revisions: [{ id: 1, text: "A picture of the '''moon'''" }],
      uploads: [upload],
    },
    { id: 2, title: 'Moon', revisions: [{ id: 2, text: '[[File:Moon.png|thumb|100px|The moon]]' }] },
  ]
  writeFileSync(dump, dumpXml(pages))
  await importDumps({ dataDir, paths: [dump] })
  wiki = await startServer(dataDir)
})

const pathOf = (url: string): string => url.slice(wiki.base.length)

test('the page of a file has its description, and the file its facts and bytes', async () => {
  const page = await wiki.send('/v1/page/File:Moon.png/html')
  expect(page.bytes.toString()).toMatch(/A picture of the <b[^>]*>moon<\/b>/)
  const { body } = await wiki.send('/v1/file/File:Moon.png')
  const file = body as { original: { url: string } }
  expect(file).toMatchObject({
    title: 'Moon.png',
    latest: { timestamp: '2021-05-06T07:08:09Z', user: { id: 9, name: 'Zoe' } },
    original: { mediatype: 'BITMAP', size: picture.length, width: 300, height: 200 },
  })
  expect((await wiki.send(pathOf(file.original.url))).bytes.equals(picture)).toBe(true)
})

test('a page that shows it names a scaled picture, which can be had', async () => {
  const html = (await wiki.send('/v1/page/Moon/html')).bytes.toString()
  const source = /<img [^>]*src="([^"]+)"/.exec(html)![1]!
  const scaled = await wiki.send(source)
  expect(scaled.status).toBe(200)
  expect((await sharp(scaled.bytes).metadata()).width).toBeGreaterThanOrEqual(100)
  const links = await wiki.send('/v1/page/Moon/links/media')
  expect(links.body).toMatchObject({ files: [{ title: 'Moon.png' }] })
})

test('a search shows it', async () => {
  const { body } = await wiki.send('/v1/search/page?q=File:picture')
  const [found] = (body as { pages: { key: string; thumbnail: { url: string; width: number } }[] }).pages
  expect(found).toMatchObject({ key: 'File:Moon.png', thumbnail: { width: 60, height: 40 } })
  const { bytes } = await wiki.send(pathOf(found!.thumbnail.url))
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 60, height: 40 })
})
