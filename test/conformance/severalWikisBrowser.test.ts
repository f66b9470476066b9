/** A server with several wikis in a real browser: from the list of wikis into one, which nobody leaves by accident. */
// @module-tag browser
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { type SeveralWikis, startSeveral } from './severalWikis.js'

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let server: SeveralWikis
  let browser: Browser
  beforeAll(async () => {
    server = await startSeveral({ anonymousEdits: true })
    browser = await startChromium()
  })

  const open = (options = {}) => openPage(browser, `http://127.0.0.1:${server.port}`, options)

  test.each([
    ['light, wide', {}],
    ['dark, on a phone', { colorScheme: 'dark' as const, viewport: { width: 360, height: 740 } }],
  ])('the list of wikis has no faults: %s', async (_case, options) => {
    const { page, complaints } = await open(options)
    await page.goto('/')
    expect(await page.locator('tbody a').allTextContents()).toEqual([
      'Wiki garden',
      'Wiki field',
      'Wiki rock',
    ])
    expect(await axe(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('links, completions, previews and forms stay in the wiki', async () => {
    const { page, complaints } = await open()
    const path = (): string => new URL(page.url()).pathname
    await page.goto('/')
    await page.click('a:text("Wiki garden")')
    expect(path()).toBe('/garden/wiki/Moon')
    await page.click('#reader-content a:text("Sun")')
    await page.waitForURL('**/garden/wiki/Sun')
    await page.locator('[name=search]').pressSequentially('only')
    await page.waitForSelector('.completions li')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/garden/wiki/Only_garden')
    expect(await page.textContent('.content')).toContain('The garden text of')
    await page.goto('/garden/wiki/Sun?action=edit')
    await page.fill('#wpTextbox1', 'Changed in the browser')
    await page.click('[name=wpSave]')
    await page.waitForURL('**/garden/wiki/Sun')
    expect(await page.textContent('.content')).toContain('Changed in the browser')
    await page.click('a.site-name')
    await page.waitForURL('**/garden/wiki/Moon')
    expect(complaints).toEqual([])
    const cookies = await page.context().cookies()
    expect(cookies.map((cookie) => cookie.path)).toEqual(cookies.map(() => '/garden/'))
    expect(cookies.length).toBeGreaterThan(0)
  })
})
