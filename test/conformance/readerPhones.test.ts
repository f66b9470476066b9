/** Pages for readers on phones, in a real browser: sections that fold, wide tables, the box of facts, the contents. */
// @module-tag browser
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { folderOfFile } from '../support/cleanUp.js'
import { snapshotLines } from '../support/snapshots.js'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { wikiWith } from '../support/searchWiki.js'
import { startServer, type TestServer } from './garden.js'

const SMALL = { viewport: { width: 360, height: 740 } }
const PHONE = { viewport: { width: 390, height: 844 } }
const WIDE = { viewport: { width: 1280, height: 800 } }
const NO_SCRIPTS = { ...PHONE, javaScriptEnabled: false }
const SENTENCE = 'Roses grow in gardens and fields, and some of them climb over walls. '
const cells = (mark: string): string => Array.from({ length: 14 }, (_, n) => `${mark} column${n}`).join(' ')
const ROSE = `<div class="hatnote">See also [[Weed]].</div>
{| class="infobox"
! colspan="2" | Rose
|-
! Colour
| ${'red and white and pink '.repeat(12)}
|}
<span id="coordinates">48° N</span>

The '''rose''' is a plant. ${SENTENCE.repeat(3)}

Another paragraph of the lead.
== Thorns ==
${SENTENCE.repeat(10)}
=== Sharp thorns ===
Sharp thorns are [[#Kinds|sharp]]. ${SENTENCE.repeat(10)}
== Kinds of [[Weed|weeds]] ==
{| class="wikitable"
|+ Kinds by column
! ${cells('!!').slice(3)}
|-
| ${cells('||').slice(3)}
|}
{| class="wikitable sortable"
! [[Weed]] !! Number
|-
| b || 1
|-
| a || 2
|}
<pre>${'a long line of code '.repeat(12)}</pre>
{| class="wikitable mw-collapsible mw-collapsed"
! A box
|-
| hidden words
|}
== Kinds ==
The word marzipan stands here alone. ${SENTENCE.repeat(40)}
== Notes ==
Some notes.`

const PROBE = readFileSync(join(import.meta.dirname, '../support/pageFaults.mjs'), 'utf8')
const MOST_SHIFT = 0.02

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    const written = wikiWith({
      Rose: ROSE,
      Weed: 'A weed is a plant in the wrong place.',
      Short: '== A ==\nwords of a\n== B ==\nwords of b',
      Flower: '#REDIRECT [[Rose#Sharp thorns]]',
    })
    await written.store.close()
    wiki = await startServer(written.dataDir, { anonymousEdits: true })
    browser = await startChromium()
  })

  const open = async (path: string, options: BrowserContextOptions = PHONE) => {
    const opened = await openPage(browser, wiki.base, options)
    await opened.page.goto(path)
    return opened
  }
  /** Whether a text can be seen: `content-visibility` hides it from the check of the test's library. */
  const shows = (page: Page, text: string) =>
    page.evaluate<boolean>(`[...document.querySelectorAll('.content p')].some((p) =>
      p.textContent.includes(${JSON.stringify(text)}) && p.checkVisibility({ contentVisibilityAuto: true }))`)
  const isInView = (page: Page, selector: string) =>
    page.evaluate<boolean>(`(() => {
      const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
      return top >= -1 && bottom <= innerHeight + 1 })()`)

  test.each([SMALL, PHONE])('a tap on a heading opens and closes its section: %j', async (options) => {
    const { page, complaints } = await open('/wiki/Rose', options)
    expect(await shows(page, 'is a plant')).toBe(true)
    expect(await shows(page, 'Sharp thorns')).toBe(false)
    const heading = page.getByRole('button', { name: 'Thorns', exact: true })
    expect(await heading.getAttribute('aria-expanded')).toBe('false')
    expect((await heading.boundingBox())!.width).toBeGreaterThan(200)
    await heading.tap().catch(() => heading.click())
    expect(await shows(page, 'Sharp thorns')).toBe(true)
    expect(await heading.getAttribute('aria-expanded')).toBe('true')
    expect(await shows(page, 'marzipan')).toBe(false)
    await heading.press('Enter')
    expect(await shows(page, 'Sharp thorns')).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    expect(complaints).toEqual([])
  })

  test('a link in a heading works, beside a button of its own', async () => {
    const { page } = await open('/wiki/Rose')
    const heading = page.locator('h2:has(a:not(.mw-editsection))')
    await heading.getByRole('button', { name: 'show' }).click()
    expect(await heading.getByRole('button', { name: 'hide' }).count()).toBe(1)
    await heading.locator('a').first().click()
    await page.waitForURL('**/wiki/Weed')
  })

  test('headings of newer HTML fold, too', async () => {
    const section = (id: number, name: string) =>
      `<section data-mw-section-id="${id}"><div class="mw-heading mw-heading2"><h2 id="${name}">${name}</h2></div><p>words of ${name}</p></section>`
    // The snapshot of a page begins and ends a section.
    const body =
      `<p>Lead.</p></section>${section(1, 'One')}${section(2, 'Two')}${section(3, 'Three')}`.replace(
        /<\/section>$/,
        '',
      )
    const [dataDir, path] = [folderOfFile(), join(folderOfFile(), 'pages.ndjson')]
    writeFileSync(path, snapshotLines([{ id: 1, title: 'Rose', revision: 11, text: 'x', body }]))
    await importDumps({ dataDir, paths: [path] })
    const server = await startServer(dataDir, { anonymousEdits: true })
    const { page, complaints } = await openPage(browser, server.base, PHONE)
    await page.goto('/wiki/Rose')
    expect(await shows(page, 'words of Two')).toBe(false)
    await page.getByRole('button', { name: 'Two' }).click()
    expect(await shows(page, 'words of Two')).toBe(true)
    const [heading, link] = await Promise.all(
      ['#Two', 'h2#Two .mw-editsection'].map((selector) => page.locator(selector).boundingBox()),
    )
    expect(Math.abs(link!.y + link!.height - heading!.y - heading!.height)).toBeLessThan(16)
    expect(await axe(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test.each([
    ['/wiki/Rose#Sharp_thorns', '#Sharp_thorns'],
    ['/wiki/Rose#Kinds', '#Kinds'],
    ['/wiki/Flower', '#Sharp_thorns'],
  ])('a link to a section opens it: %s', async (path, selector) => {
    const { page, complaints } = await open(path)
    await expect.poll(() => isInView(page, selector)).toBe(true)
    expect(await page.locator('section.is-open').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('a link within the page opens the section that it leads to', async () => {
    const { page } = await open('/wiki/Rose#Sharp_thorns')
    await page.click('.content a:text("sharp")')
    await expect.poll(() => isInView(page, '#Kinds')).toBe(true)
    expect(await shows(page, 'marzipan')).toBe(true)
  })

  test('the search of the browser opens the section of a match', async () => {
    const { page } = await open('/wiki/Weed')
    await page.goto('/wiki/Rose#:~:text=word%20marzipan')
    await expect.poll(() => shows(page, 'marzipan')).toBe(true)
    expect(await shows(page, 'Sharp thorns')).toBe(false)
    expect(await page.getByRole('button', { name: 'Kinds', exact: true }).getAttribute('aria-expanded')).toBe(
      'true',
    )
  })

  test('everything is open in print, on wide screens, without scripts, and if these do not load', async () => {
    const { page } = await open('/wiki/Rose')
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => shows(page, 'marzipan')).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await expect.poll(() => shows(page, 'marzipan')).toBe(false)
    await page.setViewportSize(WIDE.viewport)
    await expect.poll(() => shows(page, 'marzipan')).toBe(true)
    const heights = await page.locator('h2#Thorns, h2#Thorns .mw-editsection').all()
    const [heading, link] = await Promise.all(heights.map((each) => each.boundingBox()))
    expect(link!.y).toBeLessThan(heading!.y + heading!.height / 2)
    await page.setViewportSize(PHONE.viewport)
    await expect.poll(() => shows(page, 'marzipan')).toBe(false)
    for (const options of [WIDE, NO_SCRIPTS, { ...WIDE, javaScriptEnabled: false }]) {
      const other = await open('/wiki/Rose', options)
      expect(await shows(other.page, 'marzipan')).toBe(true)
      expect(await other.page.isVisible('text=hidden words')).toBe(
        !('javaScriptEnabled' in options) === false,
      )
    }
    const broken = await openPage(browser, wiki.base, PHONE)
    await broken.page.route('**/assets/script.*', (route) => route.abort())
    await broken.page.goto('/wiki/Rose')
    await expect.poll(() => shows(broken.page, 'marzipan')).toBe(true)
  })

  test('a page without a list of contents does not fold', async () => {
    const { page } = await open('/wiki/Short')
    expect(await shows(page, 'words of b')).toBe(true)
    expect(await page.locator('.fold, .contents-button').count()).toBe(0)
  })

  test('a wide table scrolls in a frame, which the keyboard reaches', async () => {
    const { page, complaints } = await open('/wiki/Rose#Kinds_of_weeds')
    const frame = page.locator('.table-frame')
    expect(await frame.getAttribute('aria-label')).toBe('Kinds by column')
    expect(await frame.count()).toBe(1)
    await frame.focus()
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => page.evaluate(`document.querySelector('.table-frame').scrollLeft`))
      .toBeGreaterThan(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(complaints).toEqual([])
  })

  test.each([PHONE, NO_SCRIPTS, WIDE])('the box of facts stands by its place: %j', async (options) => {
    const { page } = await open('/wiki/Rose', options)
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())!
    const [note, box, first, second] = await Promise.all(
      [
        '.hatnote',
        '.infobox',
        '.content p:has-text("is a plant")',
        '.content p:has-text("Another paragraph")',
      ].map(top),
    )
    if (options === WIDE) {
      expect(box!.x).toBeGreaterThan(700)
      expect(box!.y).toBeLessThan(second!.y)
      return
    }
    expect(note!.y).toBeLessThan(first!.y)
    expect(first!.y).toBeLessThan(box!.y)
    expect(box!.y).toBeLessThan(second!.y)
  })

  test('the contents are a sheet, with and without scripts', async () => {
    for (const options of [PHONE, NO_SCRIPTS]) {
      const { page, complaints } = await open('/wiki/Rose', options)
      expect(await page.isVisible('.contents')).toBe(false)
      await page.click('.contents-button')
      expect(await page.isVisible('.contents')).toBe(true)
      await page.keyboard.press('Escape')
      expect(await page.isVisible('.contents')).toBe(false)
      await page.click('.contents-button')
      await page.click('.contents a:text-is("Kinds")')
      await expect.poll(() => isInView(page, '#Kinds')).toBe(true)
      if (options === PHONE) expect(await page.isVisible('.contents')).toBe(false)
      expect(complaints).toEqual([])
    }
  })

  test.each([360, 390, 640, 768, 1000, 1280, 1920])('lines have a reading width at %i px', async (width) => {
    const { page } = await open('/wiki/Rose#Kinds', { viewport: { width, height: 800 } })
    const { width: line } = (await page.locator('.content p:has-text("marzipan")').boundingBox())!
    expect(line).toBeLessThanOrEqual(960)
    expect(line).toBeGreaterThan(Math.min(580, width - 40))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })

  test.each([
    ['/wiki/Rose', SMALL],
    ['/wiki/Rose', PHONE],
    ['/wiki/Rose', { viewport: { width: 800, height: 900 } }],
    ['/wiki/Rose', WIDE],
    ['/wiki/Rose#Kinds', PHONE],
  ])('nothing moves while %s loads slowly: %j', async (path, options) => {
    const { page } = await openPage(browser, wiki.base, options)
    await page.addInitScript(PROBE)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 60 },
      ...{ downloadThroughput: 40_000, uploadThroughput: 40_000 },
    })
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(`pageFaults.shifts(${MOST_SHIFT})`)).toEqual([])
  })

  test.each([PHONE, { ...PHONE, colorScheme: 'dark' as const }])(
    'axe finds nothing serious: %j',
    async (options) => {
      const { page, complaints } = await open('/wiki/Rose#Kinds_of_weeds', options)
      await page.locator('.table-frame').waitFor()
      expect(await axe(page)).toEqual([])
      await page.click('.contents-button')
      expect(await axe(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})
