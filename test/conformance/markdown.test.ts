/** `GET /page/{title}/markdown`. */
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { folderWith, page, revision } from './busyWiki.js'
import { update } from './editing.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const ROSE = `{| class="infobox"
! Kind
| Plant
|}
'''Rose''' is a ''[[Plant#Kinds|plant]]''.<ref>A book</ref> See [[Nowhere]].
== Care ==
* Water
* Sun: <math>x^2</math>
== Notes ==
<references/>`

let server: TestServer

beforeAll(async () => {
  server = await startServer(
    await folderWith([
      page(1, 'Rose', [revision(1, ROSE)]),
      page(2, 'Plant', [revision(2, 'A plant')]),
      { ...page(3, 'Rosa', [revision(3, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
      page(4, 'Secret', [{ ...revision(4, ''), text: undefined }]),
      page(5, 'Long', [revision(5, `${'Some words of a long page. '.repeat(20_000)}\n== End ==\nlast`)]),
      page(6, 'A/B', [revision(6, 'slash')]),
    ]),
    { anonymousEdits: true },
  )
})

const get = (title: string, headers = {}): Promise<Answer> =>
  server.send(`/v1/page/${title}/markdown`, { headers })

describe('a page as Markdown', () => {
  test('has its title, absolute links and footnotes', async () => {
    const { status, headers, bytes } = await get('Rose')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(bytes.toString()).toBe(`# Rose

- **Kind**: Plant

**Rose** is a *[plant](${server.base}/wiki/Plant#Kinds)*.[^1] See Nowhere.

## Care

- Water
- Sun: $x^2$

[^1]: A book
`)
  })

  test('has the tag of the HTML, which answers 304', async () => {
    const { headers } = await get('Rose')
    expect(headers.etag).toBe((await server.send('/v1/page/Rose/html')).headers.etag)
    const again = await get('Rose', { 'If-None-Match': headers.etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  test.each([
    ['Nowhere', 404],
    ['Secret', 404],
  ])('of %s answers %d', async (title, status) => {
    expect((await get(title)).status).toBe(status)
  })

  test('leads on from a redirect, and has a title with a slash', async () => {
    expect((await get('Rosa')).bytes.toString()).toBe(`# Rosa\n\n→ [Rose](${server.base}/wiki/Rose)\n`)
    expect((await get('A%2FB')).bytes.toString()).toBe('# A/B\n\nslash\n')
  })

  test('is whole, and the same when it is ready', async () => {
    const answers = [await get('Long'), await get('Long'), await get('Long')].map(({ bytes }) =>
      bytes.toString(),
    )
    expect(answers[0]).toMatch(/^# Long\n\nSome words[^]*\n\n## End\n\nlast\n$/)
    expect(new Set(answers).size).toBe(1)
  })

  test('changes with an edit', async () => {
    await get('Plant')
    await update(server, 'Plant', 'A green plant', 2)
    expect((await get('Plant')).bytes.toString()).toBe('# Plant\n\nA green plant\n')
  })
})

test('markup of language variants is the text that readers without a choice see', async () => {
  const text = "'''軟體'''是-{zh-hans:程序;zh-hant:程式}-。-{H|zh-cn:内存;zh-tw:記憶體}-"
  const dataDir = await folderWith([page(1, '軟體', [revision(1, text)])], {
    site: { ...DEFAULT_SITE, language: 'zh' },
  })
  const wiki = await startServer(dataDir)
  const { bytes } = await wiki.send(encodeURI('/v1/page/軟體/markdown'))
  expect(bytes.toString()).toBe('# 軟體\n\n**軟體**是程序。\n')
})

test('the tools of a page lead to it', async () => {
  const text = (await server.send('/wiki/A/B')).bytes.toString()
  expect(text).toContain('<a href="/v1/page/A%2FB/markdown" download="A-B.md">Download as Markdown</a>')
})
