/** File objects and the files of a page: what is known of files, without their contents. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { FileFacts } from '../../src/domain/file.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { facts, fileEntry } from '../support/files.js'
import { START } from '../support/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create, update } from './editing.js'
import { errorWith, noTitle, startServer, type TestServer } from './garden.js'

const SHA256 = '0123456789abcdef'.repeat(4)
const local = (parts: Partial<FileFacts>): FileFacts => facts({ sha256: SHA256, ...parts })
const LONG = 'Long text without pictures.\n'.repeat(6000)
const MANY = Array.from({ length: 101 }, (_, n) => `[[File:Many${n}.png]]`).join('\n')

let dataDir: string
let server: TestServer
beforeAll(async () => {
  const texts = [
    [
      'Album',
      '[[File:Small.png]] [[Image:big.png|thumb]] [[File:Missing.png]] [[Media:Song.oga]] [[:File:Plan.svg]]',
    ],
    ['Plain', 'No pictures'],
    ['Far_unmeasured', '[[File:Unmeasured.jpg|120px]]'],
    ['Far_untold', '[[File:Told_by_none.svg|thumb]]'],
    ['Far_document', '[[File:Told_by_none.pdf|thumb]]'],
    ['Saga', `${LONG}[[File:Small.png]]`],
    ['Crowd', MANY],
    ['Crowded_saga', LONG + MANY],
    ['Just_enough', MANY.replace(/\n.*$/, '')],
    ['By_template', '[[File:Small.png]] {{Picture|Big.png}} {{Picture|Missing.png}}'],
    [
      'By_redirect',
      '[[File:Former.png]] [[File:Big.png]] [[File:Twice_former.png]] [[File:Former_text.png]]',
    ],
  ] as const
  dataDir = await folderWith([
    ...texts.map(([dbkey, text], n) => page(n + 1, dbkey, [revision(n + 1, text)])),
    { ...page(20, 'Ghost.png', [revision(20, 'A file that went')]), namespace: 6 },
    { ...page(21, 'Big.png', [revision(21, 'A big picture')]), namespace: 6 },
    { ...page(30, 'Former.png', [revision(30, '#REDIRECT [[File:Big.png]]')]), namespace: 6 },
    { ...page(31, 'Twice_former.png', [revision(31, '#REDIRECT [[File:Former.png]]')]), namespace: 6 },
    { ...page(32, 'Former_text.png', [revision(32, '#REDIRECT [[Album]]')]), namespace: 6 },
    { ...page(33, 'Picture', [revision(33, '[[File:{{{1}}}|thumb]]')]), namespace: 10 },
    { ...page(22, 'Album', [revision(22, 'Talk')]), namespace: 1 },
  ])
  await addFiles(dataDir, {
    'Big.png': local({ width: 1200, height: 900, sizeBytes: 5172, timestamp: START + 7 }),
    'Small.png': local({ width: 50, height: 40 }),
    'Huge.jpg': local({ width: 3000, height: 2400, mimeType: 'image/jpeg' }),
    'Tall.png': local({ width: 100, height: 5000 }),
    'Thin.png': local({ width: 9000, height: 2 }),
    'Plan.svg': local({ width: 300, height: 200, mimeType: 'image/svg+xml', mediaType: 'DRAWING' }),
    'Bomb.png': local({ width: 50_000, height: 50_000 }),
    'Song.oga': local({
      width: 0,
      height: 0,
      durationSeconds: 12.5,
      mimeType: 'audio/ogg',
      mediaType: 'AUDIO',
    }),
    'Far_away.jpg': facts({ width: 1200, height: 900, mimeType: 'image/jpeg' }),
    'Far_drawing.svg': facts({ width: 1200, height: 900, mimeType: 'image/svg+xml', mediaType: 'DRAWING' }),
    'Unmeasured.jpg': facts({ width: null, height: null }),
    'Anonymous.png': local({ uploader: { id: null, name: '192.0.2.1' } }),
    'Hidden_uploader.png': local({ uploader: undefined }),
    'Café_&_50%.png': local({}),
  })
  server = await startServer(dataDir)
})

async function addFiles(folder: string, files: Record<string, FileFacts>): Promise<void> {
  const store = Store.open(folder)
  const entries = Object.entries(files).map(([name, known]) => fileEntry(name, known, START))
  new Applier(store).submitAll(entries)
  await store.close()
}

interface FileObject {
  readonly preferred: object
  readonly original: object
  readonly thumbnail: object
}
const fileOf = async (title: string, from = server): Promise<FileObject> =>
  (await from.send(`/v1/file/${title}`)).body as FileObject

describe('GET /file/{title}', () => {
  test('describes a file with its forms', async () => {
    const { status, headers, body } = await server.send('/v1/file/Big.png')
    const media = `${server.base}/media/0123456789abcdef/Big.png`
    const form = { mediatype: 'BITMAP', size: 5172, width: 1200, height: 900, duration: null, url: media }
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        title: 'Big.png',
        file_description_url: `${server.base}/v1/page/File%3ABig.png/html`,
        latest: { timestamp: '2020-01-01T00:00:07Z', user: { id: 1, name: 'Ann' } },
        preferred: { ...form, size: null, width: 800, height: 600, url: `${media}/800px-Big.png` },
        original: form,
        thumbnail: form,
      }),
    )
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      etag: '"phoiac9h4m842xq45sp7s6u21eteeq1"',
      'last-modified': 'Wed, 01 Jan 2020 00:00:07 GMT',
    })
    expect(headers['cache-control']).toBeUndefined()
  })

  test.each<[title: string, preferred: object, thumbnail: object]>([
    ['Small.png', { width: 50, height: 40, size: 1234 }, { width: 50, height: 40, size: 1234 }],
    ['Huge.jpg', { width: 750, height: 600, size: null }, { width: 2560, height: 2048, size: null }],
    ['Tall.png', { width: 12, height: 600, size: null }, { width: 40, height: 2000, size: null }],
    ['Thin.png', { width: 800, height: 1, size: null }, { width: 2560, height: 1, size: null }],
    ['Plan.svg', { width: 300, height: 200, size: null }, { width: 300, height: 200, size: null }],
    [
      'Bomb.png',
      { width: 50_000, height: 50_000, size: 1234 },
      { width: 50_000, height: 50_000, size: 1234 },
    ],
    [
      'Song.oga',
      { width: 0, height: 0, duration: 12.5 },
      { width: 0, height: 0, mediatype: 'AUDIO', size: 1234 },
    ],
  ])('bounds the forms of %s', async (title, preferred, thumbnail) => {
    const file = await fileOf(title)
    expect(file.preferred).toMatchObject(preferred)
    // A picture of 40 by 2000 is 41 by 2048 at most.
    if (title !== 'Tall.png') expect(file.thumbnail).toMatchObject(thumbnail)
    else expect(file.thumbnail).toMatchObject({ width: 40, height: 2000 })
  })

  test('names the picture made of a drawing as what it is', async () => {
    expect((await fileOf('Plan.svg')).preferred).toMatchObject({
      url: `${server.base}/media/0123456789abcdef/Plan.svg/300px-Plan.svg.png`,
    })
  })

  test.each([
    'File:Big.png',
    'Image:Big.png',
    'file:big.png',
    'big.png',
    '%20_FILE%20:_big.png',
    'Big.png%23x',
  ])('finds it as %s', async (title) => expect(await fileOf(title)).toMatchObject({ title: 'Big.png' }))

  test('encodes names in URLs', async () => {
    expect((await fileOf('Caf%C3%A9_%26_50%25.png')).original).toMatchObject({
      url: `${server.base}/media/0123456789abcdef/Caf%C3%A9_%26_50%25.png`,
    })
  })

  test('shows uploaders without an account, and hidden ones', async () => {
    expect(await fileOf('Anonymous.png')).toMatchObject({ latest: { user: { id: 0, name: '192.0.2.1' } } })
    expect(await fileOf('Hidden_uploader.png')).toMatchObject({ latest: { user: null } })
  })

  test('answers 304 for the tag that it gave', async () => {
    const headers = { 'If-None-Match': '"phoiac9h4m842xq45sp7s6u21eteeq1"' }
    expect(await server.send('/v1/file/Big.png', { headers })).toMatchObject({ status: 304 })
  })

  test.each(['Nope.png', 'File:Nope.png', 'Special:Version', 'Media:Big.png', 'a|b', 'Far_away.jpg'])(
    'refuses %s, which is neither page nor file',
    async (title) => {
      const { status, body } = await server.send(`/v1/file/${encodeURIComponent(title)}`)
      expect({ status, body }).toEqual({ status: 404, body: noTitle(title) })
    },
  )

  test.each(['Ghost.png', 'File:Ghost.png', ':Album', 'Talk:Album'])(
    'refuses %s, which is a page without a file',
    async (title) => {
      const { status, body } = await server.send(`/v1/file/${title}`)
      const text = `The file for title "${title}" cannot be loaded.`
      expect({ status, body }).toEqual({
        status: 404,
        body: errorWith(404, 'rest-cannot-load-file', text, 'Not Found'),
      })
    },
  )

  test('refuses an empty title', async () => {
    expect(await server.send('/v1/file/')).toMatchObject({
      status: 400,
      body: { failureCode: 'missingparam' },
    })
  })
})

describe('a file of another repository', () => {
  const PATTERN = 'https://upload.example/{hash1}/{hash2}/{name}'
  let mirror: TestServer
  beforeAll(async () => {
    mirror = await startServer(dataDir, {
      remoteFileUrl: PATTERN,
      remoteThumbnailUrl: 'https://upload.example/thumb/{hash1}/{hash2}/{name}/{thumbnail}',
      fileDescriptionUrl: 'https://commons.example/wiki/File:{name}',
      mediaUrl: 'https://cdn.example/media/',
    })
  })

  test('is shown where that repository has it, by the MD5 of its name', async () => {
    const file = await fileOf('Far_away.jpg', mirror)
    expect(file).toMatchObject({
      file_description_url: 'https://commons.example/wiki/File:Far_away.jpg',
      original: { url: 'https://upload.example/8/8b/Far_away.jpg', width: 1200, size: 1234 },
      preferred: { url: 'https://upload.example/thumb/8/8b/Far_away.jpg/800px-Far_away.jpg', size: null },
    })
  })

  test('has pictures of drawings as PNG', async () => {
    expect((await fileOf('Far_drawing.svg', mirror)).preferred).toMatchObject({
      url: expect.stringMatching(/\/Far_drawing\.svg\/800px-Far_drawing\.svg\.png$/) as string,
    })
  })

  test('is shown as it is where there is no pattern for scaled pictures', async () => {
    const plain = await startServer(dataDir, { remoteFileUrl: PATTERN })
    const { original, preferred, thumbnail } = await fileOf('Far_away.jpg', plain)
    expect(preferred).toEqual(original)
    expect(thumbnail).toEqual(original)
  })

  test('cannot be loaded while its size is not known', async () => {
    expect(await mirror.send('/v1/file/Unmeasured.jpg')).toMatchObject({ status: 404 })
  })

  test.each([
    [
      'that is not measured',
      'Far_unmeasured',
      /src="\/\/upload\.example\/thumb\/\w\/\w\w\/Unmeasured\.jpg\/120px-Unmeasured\.jpg"/,
    ],
    ['that nobody described', 'Far_untold', /src="[^"]*\/Told_by_none\.svg\/300px-Told_by_none\.svg\.png"/],
  ])('%s is a picture of the width that a page asks for', async (_which, key, source) => {
    const html = await htmlOf(key)
    const [image = ''] = /<img [^>]*>/.exec(html) ?? []
    expect(image).toMatch(source)
    expect(image).toMatch(/ width="(?:120|300)"/)
    expect(image).not.toContain(' height=')
  })

  test('that is no picture by its name stays a link to nothing', async () => {
    expect(await htmlOf('Far_document')).toContain('typeof="mw:Error mw:Image/Thumb"')
  })

  async function htmlOf(key: string): Promise<string> {
    const { status, bytes } = await mirror.send(`/v1/page/${key}/html`)
    expect(status).toBe(200)
    return bytes.toString()
  }

  test('does not change where the files of this server are', async () => {
    expect((await fileOf('Small.png', mirror)).original).toMatchObject({
      url: 'https://cdn.example/media/0123456789abcdef/Small.png',
    })
  })
})

describe('a redirect to a file', () => {
  test('gives that file', async () => {
    expect(await fileOf('File:Former.png')).toEqual(await fileOf('Big.png'))
    expect(await fileOf('Image:former.png')).toEqual(await fileOf('Big.png'))
  })

  test.each(['Twice_former.png', 'Former_text.png'])('leads no further: %s', async (title) => {
    const { status, body } = await server.send(`/v1/file/File:${title}`)
    expect({ status, body }).toEqual({
      status: 404,
      body: errorWith(
        404,
        'rest-cannot-load-file',
        `The file for title "File:${title}" cannot be loaded.`,
        'Not Found',
      ),
    })
  })

  test('leads to the contents of that file', async () => {
    const { status, headers } = await server.send('/media/0123456789abcdef/Former.png')
    expect({ status, location: headers.location }).toEqual({
      status: 302,
      location: `${server.base}/media/0123456789abcdef/Big.png`,
    })
    const scaled = await server.send('/media/0123456789abcdef/Former.png/800px-Former.png')
    expect(scaled.headers.location).toBe(`${server.base}/media/0123456789abcdef/Big.png/800px-Big.png`)
  })

  test(
    'shows that file in HTML, which is made again when it leads elsewhere',
    { tags: ['slow'] },
    async () => {
      const folder = await folderWith([
        page(1, 'Album', [revision(1, '[[File:Old.png]] [[File:Later.png]]')]),
        { ...page(2, 'Old.png', [revision(2, '#REDIRECT [[File:One.png]]')]), namespace: 6 },
        { ...page(3, 'Later.png', [revision(3, 'no file yet')]), namespace: 6 },
      ])
      await addFiles(folder, { 'One.png': local({}), 'Two.png': local({}) })
      const wiki = await startServer(folder, { anonymousEdits: true })
      const sources = async () =>
        (await wiki.send('/v1/page/Album/html')).bytes.toString().match(/(?<=\/)[A-Z]\w+\.png(?=")/g)
      expect(await sources()).toContain('One.png')
      await update(wiki, 'File:Old.png', '#REDIRECT [[File:Two.png]]', 2)
      expect(await sources()).not.toContain('One.png')
      expect(await sources()).toContain('Two.png')
      await update(wiki, 'File:Later.png', '#REDIRECT [[File:One.png]]', 3)
      expect(await sources()).toContain('One.png')
    },
  )
})

describe('search results', () => {
  let found: TestServer
  beforeAll(async () => {
    const folder = await folderWith([])
    await addFiles(folder, {
      'Big.png': local({ width: 1200, height: 900 }),
      'Plan.svg': local({ width: 300, height: 200, mimeType: 'image/svg+xml', mediaType: 'DRAWING' }),
      'Song.oga': local({ width: 0, height: 0, mimeType: 'audio/ogg', mediaType: 'AUDIO' }),
    })
    found = await startServer(folder, { anonymousEdits: true })
    for (const title of ['Plain', 'File:Big.png', 'File:Plan.svg', 'File:Song.oga', 'File:Ghost.png'])
      await create(found, title, `Is this ${title} a picture?`)
  })

  const thumbnails = async (path: string) => {
    const { body } = await found.send(`/v1/search/${path}`)
    const { pages } = body as { pages: { key: string; thumbnail: object | null }[] }
    return new Map(pages.map(({ key, thumbnail }) => [key, thumbnail]))
  }
  const media = () => `${found.base}/media/0123456789abcdef`

  test('show files 60 pixels wide, also when a thread searches', async () => {
    const shown = {
      mimetype: 'image/png',
      size: null,
      width: 60,
      height: 45,
      duration: null,
      url: `${media()}/Big.png/60px-Big.png`,
    }
    const pictures = await thumbnails('page?q=File:picture')
    expect(pictures.get('File:Big.png')).toEqual(shown)
    expect(pictures.get('File:Song.oga')).toBeNull()
    expect(pictures.get('File:Plan.svg')).toEqual({
      ...shown,
      height: 40,
      url: `${media()}/Plan.svg/60px-Plan.svg.png`,
    })
    expect((await thumbnails('title?q=File:B')).get('File:Big.png')).toEqual(shown)
    const { pool } = found.app.context
    const search = { text: 'File:picture', limit: 5, namespaces: [0], baseUrl: found.base }
    const answer = Buffer.from(
      (await pool.run('searchPages', { searches: [search] }))[0] as Uint8Array,
    ).toString()
    expect(answer).toContain(JSON.stringify(shown))
  })

  test('show the first file of a page that there is a picture of', async () => {
    const text =
      '[[File:Ghost.png]] [[Media:Song.oga]] [[File:Plan.svg|thumb|An illustrated walk]] [[File:Big.png]]'
    await create(found, 'Illustrated', text)
    const shown = { width: 60, height: 40, url: `${media()}/Plan.svg/60px-Plan.svg.png` }
    expect((await thumbnails('page?q=walk')).get('Illustrated')).toMatchObject(shown)
    expect((await thumbnails('title?q=Illus')).get('Illustrated')).toMatchObject(shown)
  })

  test('show nothing of pages without pictures, and of files that went', async () => {
    expect((await thumbnails('page?q=Plain')).get('Plain')).toBeNull()
    expect((await thumbnails('page?q=File:ghost')).get('File:Ghost.png')).toBeNull()
  })

  test('name the host that the client knows', async () => {
    const { bytes } = await found.send('/v1/search/title?q=File:Big', { headers: { host: 'wiki.example' } })
    expect(bytes.toString()).toContain('"url":"http://wiki.example/media/')
    const again = await found.send('/v1/search/title?q=File:Big')
    expect(again.bytes.toString()).toContain(`"url":"${found.base}/media/`)
  })
})

describe('GET /page/{title}/links/media', () => {
  test('lists the files that exist, by name, each once and without thumbnail', async () => {
    const { status, headers, body } = await server.send('/v1/page/Album/links/media')
    const { files } = body as { files: (FileObject & { title: string })[] }
    expect(status).toBe(200)
    expect(files.map(({ title }) => title)).toEqual(['Big.png', 'Small.png', 'Song.oga'])
    const { thumbnail, ...listed } = await fileOf('Big.png')
    expect(thumbnail).toBeDefined()
    expect(files[0]).toEqual(listed)
    expect(headers['content-type']).toBe('application/json')
    expect(headers.etag).toMatch(/^"1@20210101000001\.[0-9a-f]{24}"$/)
    expect(headers['last-modified']).toBe('Fri, 01 Jan 2021 00:00:01 GMT')
  })

  test('is an empty list for a page without files', async () => {
    const { status, body } = await server.send('/v1/page/Plain/links/media')
    expect({ status, body }).toEqual({ status: 200, body: { files: [] } })
  })

  test('of a long page are found by a compute thread', async () => {
    const { body } = await server.send('/v1/page/Saga/links/media')
    expect(body).toMatchObject({ files: [{ title: 'Small.png' }] })
  })

  test('lists up to 100 links', async () => {
    const { status, body } = await server.send('/v1/page/Just_enough/links/media')
    expect({ status, body }).toEqual({ status: 200, body: { files: [] } })
  })

  test.each(['Crowd', 'Crowded_saga'])('refuses more than 100 links: %s', async (title) => {
    const { status, body } = await server.send(`/v1/page/${title}/links/media`)
    const text = `Too many media links found on title ${title} (100 allowed)`
    expect({ status, body }).toEqual({
      status: 500,
      body: errorWith(500, 'rest-media-too-many-links', text, 'Internal Server Error'),
    })
  })

  test('refuses a page that does not exist', async () => {
    const { status, body } = await server.send('/v1/page/Nowhere/links/media')
    expect({ status, body }).toEqual({ status: 404, body: noTitle('Nowhere') })
  })

  test('lists the files that templates bring', async () => {
    const { headers, body } = await server.send('/v1/page/By_template/links/media')
    expect(body).toMatchObject({ files: [{ title: 'Big.png' }, { title: 'Small.png' }] })
    // MediaWiki sends one, too. The tag alone decides, since a template may change without a new time here.
    const date = String(headers['last-modified'])
    expect(date).toMatch(/ GMT$/)
    const dated = { headers: { 'If-Modified-Since': date } }
    expect((await server.send('/v1/page/By_template/links/media', dated)).status).toBe(200)
  })

  test('lists the file that a redirect leads to, in one step and once', async () => {
    const { body } = await server.send('/v1/page/By_redirect/links/media')
    expect((body as { files: { title: string }[] }).files.map(({ title }) => title)).toEqual(['Big.png'])
  })

  test('answers 304 until a template or a redirect gives another list', async () => {
    const folder = await folderWith([
      page(1, 'Album', [revision(1, '{{Picture}}')]),
      { ...page(2, 'Picture', [revision(2, '[[File:One.png]]')]), namespace: 10 },
      { ...page(3, 'Two.png', [revision(3, '#REDIRECT [[File:One.png]]')]), namespace: 6 },
    ])
    await addFiles(folder, { 'One.png': local({}), 'Three.png': local({}) })
    const wiki = await startServer(folder, { anonymousEdits: true })
    const listed = async (etag = '') => {
      const { status, headers, body } = await wiki.send('/v1/page/Album/links/media', {
        headers: { 'If-None-Match': etag },
      })
      const titles = (body as { files: { title: string }[] } | undefined)?.files.map(({ title }) => title)
      return { status, etag: String(headers.etag), titles }
    }
    const { etag } = await listed()
    expect(await listed(etag)).toMatchObject({ status: 304 })
    await update(wiki, 'Template:Picture', '[[File:Two.png]]', 2)
    expect(await listed(etag)).toMatchObject({ status: 304 })
    await update(wiki, 'File:Two.png', '#REDIRECT [[File:Three.png]]', 3)
    expect(await listed(etag)).toMatchObject({ status: 200, titles: ['Three.png'] })
  })

  test('answers 304 until a file changes', async () => {
    const folder = await folderWith([page(1, 'Album', [revision(1, '[[File:New.png]]')])])
    const wiki = await startServer(folder)
    const { headers } = await wiki.send('/v1/page/Album/links/media')
    const again = () =>
      wiki.send('/v1/page/Album/links/media', { headers: { 'If-None-Match': String(headers.etag) } })
    expect(await again()).toMatchObject({ status: 304 })
    // The contents are older than the page.
    new Applier(wiki.app.context.store).submit(fileEntry('New.png', local({})))
    expect(await again()).toMatchObject({ status: 200, body: { files: [{ title: 'New.png' }] } })
    const dated = { 'If-Modified-Since': String(headers['last-modified']) }
    expect((await wiki.send('/v1/page/Album/links/media', { headers: dated })).status).toBe(200)
  })
})
