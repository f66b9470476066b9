/** The tools of a page in a real browser, on phones and wide screens. */
// @module-tag browser
import { describe, expect, test } from 'vitest'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { create, startEmptyWiki } from './editing.js'

const PHONE = { viewport: { width: 360, height: 740 } }

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  test.each([
    ['a phone', PHONE],
    ['a wide dark screen', { colorScheme: 'dark' as const }],
    ['a phone without scripts', { ...PHONE, javaScriptEnabled: false }],
  ])('a reader on %s finds out what links to a page', async (name, options) => {
    const wiki = await startEmptyWiki({ anonymousEdits: true })
    await create(wiki, 'Moon', 'It shines.')
    await create(wiki, 'Luna', '#REDIRECT [[Moon]]')
    await create(wiki, 'Night', 'Light of [[Luna]] and the [[Moon]].')
    const { page, complaints } = await openPage(await startChromium(), wiki.base, options)
    const shot = process.env['SHOTS']
    for (const [tool, words] of [
      ['Page information', 'Permanent link'],
      ['Cite this page', 'BibTeX'],
      ['Related changes', 'links to'],
      ['What links here', 'redirect'],
    ] as const) {
      await page.goto('/wiki/Moon')
      await page.click('.tools summary')
      const box = await page.locator('.tools ul').boundingBox()
      expect(box!.x).toBeGreaterThanOrEqual(0)
      expect(box!.x + box!.width).toBeLessThanOrEqual(page.viewportSize()!.width)
      if (shot) await page.screenshot({ path: `${shot}/${name}-menu.png` })
      await page.click(`.tools a:text("${tool}")`)
      expect(await page.textContent('.content')).toContain(words)
      if (shot) await page.screenshot({ path: `${shot}/${name}-${tool}.png` })
      if (!('javaScriptEnabled' in options)) expect(await axe(page)).toEqual([])
    }
    expect(complaints).toEqual([])
  })
})
