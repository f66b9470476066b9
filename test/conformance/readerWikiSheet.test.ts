/** `MediaWiki:Common.css` and `Vector.css` as a file that pages load. */
// @module-tag browser
import { describe, expect, test } from 'vitest'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { wikiWith } from '../support/searchWiki.js'
import { sendJson } from './editing.js'
import { startServer, type TestServer } from './garden.js'
import { createToken, createUser, folderForWriters } from './signedIn.js'

const BOXES = '<div class="navbox">a box</div><div class="own">own</div><span class="hint">hint</span>'

async function wikiWithSheets(sheets: Record<string, string>) {
  const written = wikiWith({ Rose: BOXES, Weed: 'Weed.' })
  for (const [name, css] of Object.entries(sheets)) written.write(`MediaWiki:${name}`, css, 'css')
  await written.store.close()
  return written.dataDir
}

const linkIn = async (server: TestServer, path = '/wiki/Rose'): Promise<string | undefined> =>
  /<link rel="stylesheet" href="(\/assets\/wiki\.[0-9a-f]{16}\.css)">/.exec(
    (await server.send(path)).bytes.toString(),
  )?.[1]

describe("the wiki's own style sheet", () => {
  test('is a file with an address of its own for each version', async () => {
    const dataDir = await wikiWithSheets({
      'Common.css': '.own{margin:1px}',
      'Vector.css': '.own{margin:2px}',
    })
    const server = await startServer(dataDir)
    const link = (await linkIn(server))!
    expect(await linkIn(server, '/wiki/Special:Version')).toBe(link)
    const answer = await server.send(link)
    expect(answer.bytes.toString()).toBe(
      '.mw-parser-output .own{margin:1px}\n.mw-parser-output .own{margin:2px}',
    )
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { etag } = answer.headers
    expect((await server.send(link, { headers: { 'if-none-match': String(etag) } })).status).toBe(304)
    const old = await server.send('/assets/wiki.0123456789abcdef.css')
    expect([old.status, old.headers['location']]).toEqual([302, link])
  })

  test('is not there without its pages, nor with the setting, nor if a page is too long', async () => {
    const without = await startServer(await wikiWithSheets({}))
    expect(await linkIn(without)).toBeUndefined()
    expect((await without.send('/assets/wiki.0123456789abcdef.css')).status).toBe(404)
    const sheets = { 'Common.css': '.own{margin:1px}' }
    const off = await startServer(await wikiWithSheets(sheets), { readerWikiStyles: false })
    expect(await linkIn(off)).toBeUndefined()
    const long = await startServer(await wikiWithSheets({ 'Common.css': '/* */'.repeat(50_000) }))
    expect(await linkIn(long)).toBeUndefined()
  })

  test('comes with its page, and pages of the wiki name it at once', async () => {
    let token = ''
    const dataDir = await folderForWriters((applier) => {
      token = createToken(applier, createUser(applier, 'Eve', ['sysop']))
    })
    const server = await startServer(dataDir)
    const before = await server.send('/wiki/Moon')
    expect(await linkIn(server, '/wiki/Moon')).toBeUndefined()
    const fields = { title: 'MediaWiki:Common.css', source: '.own{margin:1px}', comment: '' }
    const headers = { authorization: `Bearer ${token}` }
    expect((await sendJson(server, 'POST', '/v1/page', fields, headers)).status).toBe(201)
    expect(await linkIn(server, '/wiki/Moon')).toBeDefined()
    expect((await server.send('/wiki/Moon')).headers['etag']).not.toBe(before.headers['etag'])
  })

  test.skipIf(CHROMIUM === undefined)('looks as its authors meant, in both themes', async () => {
    const server = await startServer(
      await wikiWithSheets({
        'Common.css':
          '.navbox{background:#f0f0f0;color:#111} .own{background:#ffe} .hint{color:#008} #bodyContent .own{padding:7px}',
      }),
    )
    const browser = await startChromium()
    const looks = async (colorScheme: 'light' | 'dark') => {
      const { page, complaints } = await openPage(browser, server.base, { colorScheme })
      await page.goto('/wiki/Rose')
      const style = (selector: string, property: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)
      expect(await style('.own', 'padding')).toBe('7px')
      expect(complaints).toEqual([])
      return {
        navbox: await style('.navbox', 'backgroundColor'),
        own: await style('.own', 'backgroundColor'),
        words: await style('.own', 'color'),
        hint: await style('.hint', 'color'),
      }
    }
    const light = await looks('light')
    expect(light).toEqual({
      navbox: 'rgb(240, 240, 240)',
      own: 'rgb(255, 255, 238)',
      words: 'rgb(32, 33, 34)',
      hint: 'rgb(0, 0, 136)',
    })
    const dark = await looks('dark')
    expect([dark.own, dark.words]).toEqual([light.own, light.words])
    expect(dark.navbox).toMatch(/^rgb\((?:[1-4]?\d, ){2}[1-4]?\d\)$/)
    expect(dark.hint).toMatch(/^oklch\(0?\.7 /)
  })
})
