/** Pages for readers in a real browser: a walk as people read, without and with scripts, on large and small screens. */
// @module-tag browser
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { wikiWith } from '../support/searchWiki.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { folderWith, page as storedPage, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

const PHONE = { viewport: { width: 360, height: 740 } }
const PARAGRAPH = 'Roses grow in gardens and fields, and some of them climb over walls. '.repeat(12)
const ROSE = `The '''rose''' is a plant that grows in many gardens.<ref>A note on [[Weed|weeds]].</ref> See [[Weed]] and [[Nowhere]].
== Thorns ==
${PARAGRAPH}
=== Sharp thorns ===
${PARAGRAPH}
== Kinds ==
{| class="wikitable sortable"
! Kind !! Number
|-
| Tea || 12
|-
| Dog || 7
|-
| Alba || 100
|}
{| class="wikitable mw-collapsible mw-collapsed"
! A box
|-
| hidden words
|}
<syntaxhighlight lang="js">const rose = "red"</syntaxhighlight>
== Notes ==
<references />
[[Category:Plants]] [[de:Rosen]] [[fr:Rose]]`

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    const written = wikiWith({
      Rose: ROSE,
      Weed: 'A weed is a plant in the wrong place, which nobody has planted there.',
      'Main Page': 'Welcome to the [[Rose]].',
      'Abraham Lincoln': 'A president of the United States.',
      Springfield: 'The town where Lincoln lived.',
      Noted: `${'Word<ref>A note.</ref> '.repeat(11)}\n<references />`,
      'Less noted': `${'Word<ref>A note.</ref> '.repeat(10)}\n<references />`,
      Numbered: 'See [https://a.example/x] and <gallery>\nNone.jpg|a [[Weed]] in a text\n</gallery>',
      Flower: '#REDIRECT [[Rose#Kinds]]',
      Styled: `<templatestyles src="Box/styles.css" /><div class="box">x</div><b style="color: rgb(4, 5, 6)">y</b>`,
    })
    written.write('Template:Box/styles.css', '.box { color: rgb(1, 2, 3) }', 'sanitized-css')
    await written.store.close()
    wiki = await startServer(written.dataDir, { anonymousEdits: true })
    browser = await startChromium()
  })

  const open = (options = {}) => openPage(browser, wiki.base, options)

  test('a reader opens the wiki, follows links, and finds sections', async () => {
    const { page, complaints } = await open()
    await page.goto('/')
    expect(new URL(page.url()).pathname).toBe('/wiki/Main_Page')
    await page.click('main a:text("Rose")')
    await page.waitForURL('**/wiki/Rose')
    expect(await page.textContent('h1')).toBe('Rose')
    await page.click('.contents a:text("Kinds")')
    expect(page.url()).toBe(`${wiki.base}/wiki/Rose#Kinds`)
    expect(await page.getAttribute('.content a.new', 'href')).toBe('./Nowhere')
    await page.click('.languages summary')
    expect(await page.getAttribute('.languages a[lang=de]', 'href')).toBe(
      'https://de.wikipedia.org/wiki/Rosen',
    )
    await page.click('sup a')
    expect(new URL(page.url()).hash).toMatch(/^#cite_note/)
    expect(complaints).toEqual([])
  })

  test('a redirect says where the reader came from, and goes to its section', async () => {
    const { page, complaints } = await open({ viewport: { width: 1000, height: 300 } })
    await page.goto('/wiki/Flower')
    expect(await page.textContent('.notice')).toBe('Redirected from Flower to the section Kinds.')
    await expect.poll(() => page.evaluate('scrollY > 100')).toBe(true)
    await page.click('.contents a:text("Thorns")')
    expect(page.url()).toBe(`${wiki.base}/wiki/Flower#Thorns`)
    await page.click('sup a')
    expect(page.url()).toMatch(/\/wiki\/Flower#cite_note/)
    expect(complaints).toEqual([])
  })

  test('the search box completes titles', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Main_Page')
    await page.locator('[name=search]').pressSequentially('ro')
    await page.waitForSelector('.completions li')
    expect(await page.getAttribute('[name=search]', 'aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wiki/Rose')
    expect(complaints).toEqual([])
  })

  test('the search box names titles that have the word elsewhere, and searches texts', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Main_Page')
    await page.locator('[name=search]').pressSequentially('lincoln')
    await page.waitForSelector('.completions li')
    expect(await page.locator('.completions b').allTextContents()).toEqual([
      'Abraham Lincoln',
      'Search texts for “lincoln”',
    ])
    await page.click('.completions li:last-child a')
    await page.waitForURL('**/wiki/Special:Search?search=lincoln')
    expect(await page.locator('.result-title').allTextContents()).toHaveLength(2)
    expect(complaints).toEqual([])
  })

  test.each([
    ['Noted', 2],
    ['Less noted', 1],
  ])('references of %s stand in columns: %i', async (title, columns) => {
    const { page } = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto(`/wiki/${title}`)
    const items = await page.locator('.mw-references li').all()
    const starts = await Promise.all(items.map(async (item) => (await item.boundingBox())!.x))
    expect(new Set(starts).size).toBe(columns)
  })

  test('tables sort, and boxes open', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Rose')
    const column = () => page.locator('table.sortable td:first-child').allTextContents()
    await page.click('button.sorter:text("Number")')
    expect((await column()).map((text) => text.trim())).toEqual(['Dog', 'Tea', 'Alba'])
    await page.click('button.sorter:text("Number")')
    expect((await column()).map((text) => text.trim())).toEqual(['Alba', 'Tea', 'Dog'])
    expect(await page.isVisible('text=hidden words')).toBe(false)
    await page.click('.mw-collapsible-toggle button')
    expect(await page.isVisible('text=hidden words')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('links and references have previews, which Escape closes', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Weed')
    await page.goto('/wiki/Rose')
    await page.hover('main p a:text-is("Weed")')
    expect(await page.textContent('.preview')).toContain('a plant in the wrong place')
    await page.keyboard.press('Escape')
    expect(await page.locator('.preview').count()).toBe(0)
    await page.hover('sup a')
    expect(await page.textContent('.preview')).toContain('A note on weeds')
    expect(complaints).toEqual([])
  })

  test('the colour theme follows the system, and then the reader', async () => {
    const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const { page, complaints } = await open({ colorScheme: 'dark' })
    await page.goto('/wiki/Rose')
    expect(await background(page)).toBe('rgb(16, 20, 24)')
    await page.click('.menu summary')
    await page.check('[name=theme][value=light]')
    expect(await background(page)).toBe('rgb(255, 255, 255)')
    await page.goto('/wiki/Weed')
    expect(await background(page)).toBe('rgb(255, 255, 255)')
    expect(complaints).toEqual([])
  })

  test('nothing is wider than a phone', async () => {
    const { page, complaints } = await open(PHONE)
    await page.goto('/wiki/Rose')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await page.isVisible('.contents li')).toBe(false)
    expect(complaints).toEqual([])
  })

  test('without scripts, everything can be read and searched', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false })
    await page.goto('/wiki/Rose')
    await page.click('.contents a:text("Thorns")')
    expect(await page.isVisible('text=hidden words')).toBe(true)
    expect(await page.isVisible('.theme-switch')).toBe(false)
    await page.click('.menu summary')
    expect(await page.isVisible('text=All pages')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('style blocks of templates apply, without a word on the console', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Styled')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.box')).color`)).toBe('rgb(1, 2, 3)')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('b')).color`)).toBe('rgb(4, 5, 6)')
    expect(complaints).toEqual([])
  })

  test('a wiki from right to left has its contents at the right, and fits a phone', async () => {
    const text = `== א ==\n${'מילים רבות בעברית. '.repeat(80)}\n== ב ==\n{| class="infobox"\n! א\n|}\n== ג ==\nסוף`
    const site = { ...DEFAULT_SITE, name: 'ויקי', language: 'he' }
    const server = await startServer(await folderWith([storedPage(1, 'עיר', [revision(1, text)])], { site }))
    for (const [options, isWide] of [
      [{}, true],
      [PHONE, false],
    ] as const) {
      const { page, complaints } = await openPage(browser, server.base, options)
      await page.goto('/wiki/עיר')
      const [contents, main] = await Promise.all(
        ['.contents', 'main'].map((selector) => page.locator(selector).boundingBox()),
      )
      if (isWide) expect(contents!.x).toBeGreaterThan(main!.x + main!.width)
      else expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await axe(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  test.each([
    ['/wiki/Rose', {}],
    ['/wiki/Rose', { colorScheme: 'dark' }],
    ['/wiki/Rose', PHONE],
    ['/wiki/Numbered', {}],
    ['/wiki/Numbered', { colorScheme: 'dark' }],
    ['/wiki/Rose?oldid=1', {}],
    ['/wiki/Flower', {}],
    ['/wiki/Nowhere', {}],
  ])('axe finds nothing serious at %s %j', async (path, options) => {
    const { page } = await open(options)
    await page.goto(path)
    expect(await axe(page)).toEqual([])
  })
})
