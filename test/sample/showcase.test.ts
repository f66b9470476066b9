/** The showcase of the sample wiki in a real browser: its pages show what they promise, on phones and wide screens. */
// @module-tag browser
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { DUMP_PATH } from '../../sample/build.mjs'
import { startServer, temporaryFolder, type TestServer } from '../conformance/garden.js'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { runHosted } from '../support/command.js'

/** What each page shows, by selectors. */
const PAGES: readonly (readonly [title: string, shown: readonly string[]])[] = [
  ['Showcase', ['.error', '.scribunto-error', '.texerror']],
  [
    'Lantern_Islands',
    [
      '.infobox img[srcset]',
      '.sortable',
      'figure img',
      '.gallery img',
      'bdi[lang=ar]',
      '.mw-references li',
      'a[href*=openstreetmap]',
    ],
  ],
  ['Harbour_Light', ['.infobox img', 'math[display=block]', 'blockquote', 'a[href*=openstreetmap]']],
  ['Saltwing', ['.hatnote a', '.infobox-header', '.sortable']],
  ['Saltwing_(ship)', ['h1 i', 'th[rowspan]', '.mw-collapsible']],
  ['Saltwing_(disambiguation)', ['.content li a']],
  ['Tides_of_the_Lantern_Islands', ['.hatnote', 'math mtable']],
  ["Sailors'_words", ['bdi[lang=fa]', 'div[dir=rtl] li']],
  ['Template:Infobox', ['.wikitable caption']],
]
const MODES = [
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    const dataDir = temporaryFolder()
    const files = join(import.meta.dirname, '../../sample/files')
    for (const parts of [['import', DUMP_PATH], ['files', 'import', '--user', 'Mehmet Yıldız', files]])
      expect(runHosted([...parts, '--data-dir', dataDir])).toMatchObject({ status: 0 })
    wiki = await startServer(dataDir)
    browser = await startChromium()
  })

  test('the main page leads to the showcase, and that to its pages', async () => {
    const { page } = await openPage(browser, wiki.base)
    await page.goto('/wiki/Main_Page')
    await page.click('main a:text-is("Showcase")')
    await page.waitForURL('**/wiki/Showcase')
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a')].map(({ href }) => decodeURIComponent(href))`,
    )
    for (const [title] of PAGES) expect(links.some((href) => href.includes(`/wiki/${title}`))).toBe(true)
  })

  test.each(MODES)('pages show what they promise: %j', async (mode) => {
    const { page, complaints } = await openPage(browser, wiki.base, mode)
    for (const [title, shown] of PAGES) {
      await page.goto(`/wiki/${title}`)
      const missing: string[] = []
      for (const selector of shown) if ((await page.locator(selector).count()) === 0) missing.push(selector)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      const red = await page.locator('.content a.new').count()
      expect([title, missing, width, red]).toEqual([title, [], mode.viewport.width, 0])
      expect([title, await axe(page)]).toEqual([title, []])
    }
    expect(complaints).toEqual([])
  })

  test('every picture is there', async () => {
    const { page } = await openPage(browser, wiki.base)
    for (const title of ['Lantern_Islands', 'Harbour_Light', 'Saltwing']) {
      await page.goto(`/wiki/${title}`)
      const loaded = `Promise.all([...document.querySelectorAll('.content img')].map((image) => {
        image.loading = 'eager'
        return image.decode().then(() => image.naturalWidth > 0)
      })).then((all) => all.every(Boolean))`
      expect(await page.evaluate(loaded)).toBe(true)
    }
  })

  test('pictures have a text for people who cannot see them', async () => {
    const { page } = await openPage(browser, wiki.base)
    await page.goto('/wiki/Lantern_Islands')
    const texts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.content img')].slice(0, 2).map(({ alt }) => alt)`,
    )
    expect(texts).toEqual(['A white lamp on a blue and a green field', 'Lantern Islands map'])
  })
})
