/** Links to edit sections, and drafts of unsaved texts, in a real browser. */
// @module-tag browser
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { create, startEmptyWiki } from './editing.js'
import type { TestServer } from './garden.js'

const PHONE = { viewport: { width: 390, height: 844 } }
const TEXT = `Lead.
<nowiki>
== No heading ==
</nowiki>
<!--
== No heading ==
-->
<includeonly>
== No heading ==
</includeonly>
<gallery>
== No heading ==
</gallery>
<h2>HTML</h2>
== ''First'' part ==
{{Heading}}
== Second <!-- note --> part ==
text
=== Third [[Moon|part]] ===
more
== Second part ==
end
`

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    wiki = await startEmptyWiki({ anonymousEdits: true })
    await create(wiki, 'Template:Heading', '== From a template ==\ntext')
    await create(wiki, 'Parts', TEXT)
    await create(wiki, 'Twice', '<noinclude>\n== A ==\na\n</noinclude>\n== B ==\nb\n== C ==\nc')
    await create(wiki, 'Silent', `${TEXT}\n__NOEDITSECTION__`)
    browser = await startChromium()
  })
  const open = (options = {}) => openPage(browser, wiki.base, options)
  const sourceOf = async (title: string) =>
    ((await wiki.send(`/v1/page/${title}`)).body as { source: string }).source
  const area = (page: Page) => page.inputValue('#wpTextbox1')

  test('no heading leads to the form of another one whose number it has', async () => {
    const { page } = await open()
    await page.goto('/wiki/Twice')
    const links = await page.locator('.mw-editsection').all()
    const titles = await Promise.all(links.map((link) => link.getAttribute('title')))
    expect(titles).toEqual(['edit: A'])
  })

  test.each([{}, PHONE])('each heading of the text leads to the form of its section: %j', async (options) => {
    const { page, complaints } = await open(options)
    await page.goto('/wiki/Parts')
    for (const fold of await page.locator('.fold').all()) await fold.click()
    expect(await axe(page)).toEqual([])
    expect(complaints).toEqual([])
    const links = await page.locator('.mw-editsection').all()
    const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')))
    const beginnings: string[] = []
    for (const href of hrefs) {
      await page.goto(href!)
      beginnings.push((await area(page)).split('\n', 1)[0]!)
    }
    expect(beginnings).toEqual([
      "== ''First'' part ==",
      '== Second <!-- note --> part ==',
      '=== Third [[Moon|part]] ===',
      '== Second part ==',
    ])
    await page.goto('/wiki/Silent')
    expect(await page.locator('.mw-editsection').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a section is edited by its link', async () => {
    await create(wiki, 'Edited', '== A ==\na\n== B ==\nb\n== C ==\nc')
    const { page, complaints } = await open()
    await page.goto('/wiki/Edited')
    await page.click('h2:has-text("B") .mw-editsection')
    await page.fill('#wpTextbox1', '== B ==\nnew')
    await page.click('button:text-is("Save")')
    await page.waitForURL('**/wiki/Edited')
    expect(await sourceOf('Edited')).toBe('== A ==\na\n== B ==\nnew\n\n== C ==\nc')
    expect(complaints).toEqual([])
  })

  test('a draft stays until it is saved or discarded, each section its own', async () => {
    await create(wiki, 'Drafted', 'lead\n== A ==\na')
    const { page, complaints } = await open()
    await page.goto('/wiki/Drafted?action=edit')
    await page.fill('#wpTextbox1', 'my unsaved text')
    await page.fill('[name=wpSummary]', 'my summary')
    await page.goto('/wiki/Drafted')
    await page.goto('/wiki/Drafted?action=edit&section=1')
    expect(await area(page)).toBe('== A ==\na')
    expect(await page.locator('.notice:has(button)').count()).toBe(0)
    await page.goto('/wiki/Drafted?action=edit')
    expect(await page.textContent('.notice:has(button)')).toMatch(/^Your unsaved text of .+ is restored\./)
    expect([await area(page), await page.inputValue('[name=wpSummary]')]).toEqual([
      'my unsaved text',
      'my summary',
    ])
    expect(await axe(page)).toEqual([])
    await page.click('button:text("Discard it")')
    expect(await area(page)).toBe('lead\n== A ==\na\n'.trimEnd())
    await page.reload()
    expect(await page.locator('.notice:has(button)').count()).toBe(0)
    await page.fill('#wpTextbox1', 'saved text')
    await page.click('button:text-is("Save")')
    await page.waitForURL('**/wiki/Drafted')
    await page.goto('/wiki/Drafted?action=edit')
    expect(await page.locator('.notice:has(button)').count()).toBe(0)
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a draft of an older revision meets later edits as it would have met them then', async () => {
    await create(wiki, 'Later', 'one\n\ntwo\n\nthree\n')
    const { page } = await open()
    await page.goto('/wiki/Later?action=edit')
    await page.fill('#wpTextbox1', 'MINE\n\ntwo\n\nthree\n')
    await page.goto('/wiki/Parts')
    const other = await open()
    await other.page.goto('/wiki/Later?action=edit')
    await other.page.fill('#wpTextbox1', 'one\n\ntwo\n\nTHEIRS\n')
    await other.page.click('button:text-is("Save")')
    await other.page.waitForURL('**/wiki/Later')
    await page.goto('/wiki/Later?action=edit')
    expect(await area(page)).toContain('MINE')
    await page.click('button:text-is("Save")')
    await page.waitForURL('**/wiki/Later')
    expect(await sourceOf('Later')).toBe('MINE\n\ntwo\n\nTHEIRS')
  })

  test('the reader is warned before leaving an unsaved text, and only then', async () => {
    const { page } = await open()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => dialogs.push(dialog.type()))
    await page.goto('/wiki/Parts?action=edit')
    await page.goto('/wiki/Parts')
    expect(dialogs).toEqual([])
    await page.goto('/wiki/Parts?action=edit')
    await page.click('#wpTextbox1')
    await page.keyboard.type('x')
    await page.click('text=Show preview')
    await page.waitForSelector('.edit-preview')
    expect(dialogs).toEqual([])
    await page.click('#wpTextbox1')
    await page.click('.site-name')
    await page.waitForURL('**/wiki/Special:AllPages')
    expect(dialogs).toEqual(['beforeunload'])
  })

  test('a preview stands beside the text on wide screens, and keeps its place', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\n`).join('\n')
    await create(wiki, 'Long', `Lead.\n== A ==\n${lines}\n== B ==\nb`)
    const { page, complaints } = await open({ viewport: { width: 1280, height: 800 } })
    await page.goto('/wiki/Long?action=edit&section=1')
    const scroll = `(() => { const area = document.querySelector('#wpTextbox1')
      area.setSelectionRange(500, 510); area.scrollTop = 2000 })()`
    await page.evaluate(scroll)
    await page.click('text=Show preview')
    await page.waitForSelector('.edit-preview')
    const [preview, text] = await Promise.all(
      ['.is-beside', '#wpTextbox1'].map((selector) => page.locator(selector).boundingBox()),
    )
    expect(preview!.x).toBeGreaterThan(text!.x + text!.width)
    expect(Math.abs(preview!.y - text!.y)).toBeLessThan(40)
    expect(await page.inputValue('[name=wpSection]')).toBe('1')
    const place = `(() => { const area = document.querySelector('#wpTextbox1')
      return [area.scrollTop, area.selectionStart, area.selectionEnd, document.activeElement === area] })()`
    expect(await page.evaluate(place)).toEqual([2000, 500, 510, true])
    expect(await page.evaluate(`document.querySelector('.is-beside').scrollTop > 500`)).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280)
    expect(await axe(page)).toEqual([])
    await page.setViewportSize(PHONE.viewport)
    const [above, below] = await Promise.all(
      ['.is-beside', '#wpTextbox1'].map((selector) => page.locator(selector).boundingBox()),
    )
    expect(above!.y).toBeLessThan(below!.y)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(complaints).toEqual([])
  })
})
