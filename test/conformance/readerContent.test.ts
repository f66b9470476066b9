/** What pages for readers show: redirects, old revisions, hidden parts, files, categories, languages, styles. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { changeStore } from '../support/administration.js'
import { runHosted } from '../support/command.js'
import { png } from '../support/pictures.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

const HOSTILE = `"'><img src=x onerror=alert(1)>`
const SITE = { ...DEFAULT_SITE, base: 'https://wiki.example/wiki/Main_Page', wikiId: 'examplewiki' }

const inNamespace = (namespace: number, from: ReturnType<typeof page>) => ({ ...from, namespace })

let dataDir: string
let wiki: TestServer
beforeAll(async () => {
  dataDir = await folderWith(
    [
      page(1, 'Rose', [
        revision(1, 'old text <ref>old note</ref> <references />'),
        revision(2, 'secret'),
        revision(3, 'By nobody', { editorId: 3 }),
        revision(4, '== A ==\n== B ==\n== "C" & <D> ==\nA rose is a flower. [[Weed]] [[Rose#A]]<ref>n</ref>'),
      ]),
      { ...page(2, 'Flower', [revision(5, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
      { ...page(3, 'Kinds', [revision(6, '#REDIRECT [[Rose#B]]')]), redirectTarget: 'Rose#B' },
      { ...page(4, 'Twice', [revision(7, '#REDIRECT [[Flower]]')]), redirectTarget: 'Flower' },
      { ...page(5, 'Lost', [revision(8, '#REDIRECT [[Nowhere]]')]), redirectTarget: 'Nowhere' },
      page(6, 'Linked', [
        revision(9, 'x [[Category:Plants]] [[Category:Red|k]] [[de:Rose]] [[fr:Rosier]] [[de:Zwei]]'),
      ]),
      inNamespace(14, page(7, 'Plants', [revision(10, 'A category of plants.')])),
      inNamespace(10, {
        ...page(8, 'Box/styles.css', [
          { ...revision(11, '.box { color: red }'), contentModel: 'sanitized-css' },
        ]),
      }),
      page(9, 'Styled', [revision(12, '<templatestyles src="Box/styles.css" /><div class="box">x</div>')]),
      page(10, 'Code', [{ ...revision(13, 'let a = "<b>"'), contentModel: 'javascript' }]),
      page(11, 'Data', [{ ...revision(14, '{"a": "<b>"}'), contentModel: 'json' }]),
      page(12, 'Silent', [revision(15, '== A ==\n== B ==\n== C ==\n__NOTOC__ __NOINDEX__')]),
      page(13, 'Hidden', [{ ...revision(16, ''), text: undefined }]),
      inNamespace(6, page(14, 'Dot.png', [revision(17, 'A dot.')])),
      page(15, 'Hostile', [
        revision(
          18,
          `== ${HOSTILE} ==\n== b ==\n== c ==\n${HOSTILE}\n[[Category:It's "quoted"]] [[de:A"'b]]`,
        ),
      ]),
      page(16, 'It\'s_"quoted"', [revision(19, 'x <ref name="a">b</ref>'), revision(20, 'y')]),
      page(17, 'Deep', [revision(21, '*'.repeat(100))]),
    ],
    { site: SITE },
  )
  const folder = join(temporaryFolder(), 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'Dot.png'), await png(40, 30))
  writeFileSync(join(folder, 'Alone.png'), await png(50, 20))
  const files = ['files', 'import', '--data-dir', dataDir, '--user', 'Ann', folder]
  expect(runHosted(files)).toMatchObject({ status: 0 })
  wiki = await startServer(dataDir, { anonymousEdits: true })
  const { store } = wiki.app.context
  changeStore(store, { kind: 'hide', revisionId: 2, text: true })
  changeStore(store, { kind: 'hide', revisionId: 3, user: true })
})

async function read(
  path: string,
  server = wiki,
): Promise<{ status: number; text: string; headers: Record<string, string | undefined> }> {
  const { status, bytes, headers } = await server.send(path)
  return { status, text: bytes.toString(), headers: headers as Record<string, string | undefined> }
}

describe('a redirect', () => {
  test('shows its target, says so, and names the target as the page to know', async () => {
    const { status, text } = await read('/wiki/Flower')
    expect(status).toBe(200)
    expect(text).toContain('A rose is a flower.')
    expect(text).toContain('Redirected from <a href="/wiki/Flower?redirect=no">Flower</a>')
    expect(text).toContain('<link rel="canonical" href="/wiki/Rose">')
  })

  test('keeps links to sections and notes on the page', async () => {
    const { text } = await read('/wiki/Flower')
    expect(text).toContain('<a rel="mw:WikiLink" href="/wiki/Flower#A"')
    expect(text).toMatch(/<a href="\/wiki\/Flower#cite_note/)
    expect(text).toContain('<a href="/wiki/Flower#B"')
    expect(text).toContain('href="./Weed"')
  })

  test('names its section', async () => {
    expect((await read('/wiki/Kinds')).text).toContain(
      'to the section <a href="/wiki/Rose#B" data-redirect-section="B">B</a>',
    )
  })

  test.each(['/wiki/Flower?redirect=no', '/wiki/Twice?redirect=no', '/wiki/Lost'])(
    '%s is shown as it is',
    async (path) => {
      const { status, text } = await read(path)
      expect(status).toBe(200)
      expect(text).toContain('mw:PageProp/redirect')
    },
  )

  test('is followed for one step', async () => {
    expect((await read('/wiki/Twice')).text).toContain('<title>Flower – ')
  })
})

describe('a revision', () => {
  test('is shown with a notice, and links to its own notes', async () => {
    const { status, text } = await read('/wiki/Rose?oldid=1')
    expect([status, text.includes('old text')]).toEqual([200, true])
    expect(text).toContain('by <bdi>User 1</bdi>. It may differ from the latest one.')
    expect(text).toMatch(/<a href="\/wiki\/Rose\?oldid=1#cite_note/)
    expect(text).toContain('noindex')
  })

  test('that is the latest is called so', async () => {
    expect((await read('/wiki/Rose?oldid=4')).text).toContain('the latest of <a href="/wiki/Rose">')
  })

  test('does not name a hidden user', async () => {
    const { text } = await read('/wiki/Rose?oldid=3')
    expect(text).toContain('(username removed)')
    expect(text).not.toContain('User 3')
  })

  test.each([
    ['/wiki/Rose?oldid=2', 403],
    ['/wiki/Rose?oldid=99', 404],
    ['/wiki/Rose?oldid=x', 400],
    ['/wiki/Rose?oldid=0', 404],
    ['/wiki/Rose?oldid=99999999999999999999', 400],
    ['/wiki/Hidden', 404],
    ['/wiki/Hidden?oldid=16', 403],
    ['/wiki/Hidden?action=preview', 404],
    ['/wiki/Nowhere?action=preview', 404],
  ])('%s is refused with %d, without its text', async (path, expected) => {
    const { status, text } = await read(path)
    expect(status).toBe(expected)
    expect(text).not.toContain('secret')
  })

  test('of another page leads there', async () => {
    const { status, headers } = await read('/wiki/Flower?oldid=1')
    expect([status, headers['location']]).toEqual([302, '/wiki/Rose?oldid=1'])
  })

  test('with quotes in its title keeps its links to notes', async () => {
    const path = '/wiki/It%27s_%22quoted%22?oldid=19'
    expect((await read(path)).text).toContain(`<a href='${path}#cite_note-a-1'`)
  })
})

describe('around the text', () => {
  test('are categories, red if they have no page', async () => {
    const { text } = await read('/wiki/Linked')
    expect(text).toContain('<a href="/wiki/Category:Plants" dir="auto">Plants</a>')
    expect(text).toContain('<a href="/wiki/Category:Red" class="new" dir="auto">Red</a>')
  })

  test('are other languages, each once', async () => {
    const { text } = await read('/wiki/Linked')
    expect(text).toContain('2 languages')
    expect(text).toContain('href="https://de.wikipedia.org/wiki/Rose" lang="de"')
    expect(text.split('</nav>')).toEqual(expect.not.arrayContaining([expect.stringMatching(/<nav[^]*Zwei/)]))
  })

  test('is the source, as the wiki that is copied', async () => {
    expect((await read('/wiki/Linked')).text).toContain(
      '<a href="https://wiki.example/wiki/Linked">wiki.example</a>',
    )
  })

  test('is no contents list if the author wants none, and no listing either', async () => {
    const { text } = await read('/wiki/Silent')
    expect(text).not.toContain('class="contents"')
    expect(text).toContain('noindex')
    expect((await read('/wiki/Rose')).text).toContain('class="contents"')
  })
})

describe('the Content-Security-Policy', () => {
  test('allows the style blocks of the page by their hashes', async () => {
    const { text, headers } = await read('/wiki/Styled')
    const [, css = ''] = /<style[^>]*>([^]*?)<\/style>/.exec(text)!
    const hash = createHash('sha256').update(css).digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src-elem 'self' 'sha256-${hash}';`)
    expect((await read('/wiki/Rose')).headers['content-security-policy']).toContain(`style-src-elem 'self';`)
  })

  test('allows pictures of other servers only if the operator does', async () => {
    const remoteFileUrl = 'https://files.example/{name}'
    const policy = async (flags: Record<string, boolean>): Promise<unknown> => {
      const server = await startServer(dataDir, { remoteFileUrl, ...flags })
      return (await read('/wiki/Rose', server)).headers['content-security-policy']
    }
    expect(await policy({})).toContain(`img-src 'self' data:;`)
    expect(await policy({ readerRemoteImages: true })).toContain(
      `img-src 'self' data: https://files.example;`,
    )
  })
})

describe('content', () => {
  test.each([
    ['/wiki/Code', 'let a = "&lt;b>"'],
    ['/wiki/Data', 'mw-json'],
  ])('of %s is shown', async (path, part) => {
    const { status, text } = await read(path)
    expect([status, text.includes(part), text.includes('<b>"')]).toEqual([200, true, false])
  })

  test('links to pages of this server, or to the copied wiki', async () => {
    expect((await read('/wiki/Rose')).text).toContain('<base href="/wiki/">')
    const server = await startServer(dataDir, { readerLinks: 'upstream' })
    const { text } = await read('/wiki/Rose', server)
    expect(text).toContain('<a rel="mw:WikiLink" href="https://wiki.example/wiki/Weed"')
    expect(text).toContain('<a rel="mw:WikiLink" href="https://wiki.example/wiki/Rose#A"')
  })

  test('that cannot be made is a page with the reason and the time to come back', async () => {
    const { status, text, headers } = await read('/wiki/Deep')
    expect([status, headers['retry-after']]).toEqual([503, '600'])
    expect(text).toContain('<!doctype html>')
  })

  test('begins a preview', async () => {
    const { status, text } = await read('/wiki/Flower?action=preview')
    expect([status, JSON.parse(text)]).toEqual([200, { text: 'A rose is a flower. Weed Rose#A' }])
  })
})

describe('a file', () => {
  test('is shown with its facts and its description', async () => {
    const { status, text } = await read('/wiki/File:Dot.png')
    expect(status).toBe(200)
    expect(text).toMatch(
      /<a href="\/media\/[0-9a-f]{16}\/Dot\.png"><img src="\/media\/[^"]+" width="40" height="30" alt="Dot.png">/,
    )
    expect(text).toMatch(/image\/png, \d+ bytes, 40 × 30 pixels/)
    expect(text).toContain('<bdi>Ann</bdi>')
    expect(text).toContain('A dot.')
  })

  test('needs no page', async () => {
    const { status, text } = await read('/wiki/File:Alone.png')
    expect([status, text.includes('50 × 20 pixels')]).toEqual([200, true])
    expect((await read('/wiki/File:None.png')).status).toBe(404)
  })
})

describe('hostile names', () => {
  test('are texts everywhere', async () => {
    const { status, text } = await read('/wiki/Hostile')
    expect(status).toBe(200)
    expect(text).not.toContain('<img')
    expect(text).toContain('&quot;&#039;&gt;&lt;img src=x onerror=alert(1)&gt;</a>')
  })

  test.each([
    '/wiki/' + encodeURIComponent(`A"'&`),
    '/wiki/' + encodeURIComponent('<script>alert(1)</script>'),
    '/wiki/Special:' + encodeURIComponent('"><script>alert(1)</script>'),
    '/wiki/Rose?action=' + encodeURIComponent('"><script>alert(1)</script>'),
    '/wiki/Rose?oldid=' + encodeURIComponent('"><script>alert(1)</script>'),
    '/wiki/%ff%fe',
    '/wiki/%E2%80%AE' + 'evil',
    `/wiki/${'x'.repeat(300)}`,
    `/wiki/${'%CC%81'.repeat(90)}`,
    '/wiki//' + '/'.repeat(50),
    '/wiki/..%2f..%2fetc%2fpasswd',
    '/wiki/javascript:alert(1)',
  ])('%s gives a page or an address that runs nothing', async (path) => {
    const { status, text, headers } = await read(path)
    expect([200, 301, 400, 404]).toContain(status)
    expect(text).not.toMatch(/<script>|"'&/)
    expect(headers['location'] ?? '/').toMatch(/^\/(?!\/)/)
  })
})

test('a page names no other server, apart from links that a reader may follow', async () => {
  for (const path of ['/wiki/Rose', '/wiki/Styled', '/wiki/File:Dot.png', '/wiki/Nowhere']) {
    const { text } = await read(path)
    const [head = ''] = text.split('</head>')
    expect(head).not.toMatch(/https?:\/\//)
    for (const [tag] of text.matchAll(
      /<(?:img|script|link|iframe|source|video|audio|form|object|embed)[^>]*>/g,
    ))
      expect(tag).not.toMatch(/(?:src|href|action|data)=["'](?:https?:)?\/\//)
  }
})

test('style sheet and scripts together take at most 30 kB', async () => {
  const { text } = await read('/wiki/Rose')
  const paths = [...text.matchAll(/"(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, path]) => path!)
  expect(paths).toHaveLength(3)
  let bytes = 0
  for (const path of paths) bytes += gzipSync((await wiki.send(path)).bytes).length
  expect(bytes).toBeLessThan(30_000)
})
