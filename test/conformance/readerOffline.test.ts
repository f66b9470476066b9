/** Pages that a browser keeps for reading without a network, in a real browser. */
// @module-tag browser
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { create, startEmptyWiki } from './editing.js'
import type { TestServer } from './garden.js'

const PAGES = 3

test('a server that keeps none has a worker that ends itself, and no app', async () => {
  const off = await startEmptyWiki()
  const worker = await off.send('/offline.js')
  expect([worker.status, worker.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(worker.bytes.toString()).toContain('registration.unregister()')
  expect((await off.send('/manifest.webmanifest')).status).toBe(404)
  expect((await off.send('/wiki/Moon')).bytes.toString()).not.toContain('rel="manifest"')
})

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    wiki = await startEmptyWiki({ readerOfflinePages: String(PAGES) })
    for (const name of ['Moon', 'Sun', 'Star', 'Rock & reed']) await create(wiki, name, `About ${name}.`)
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  /** A browser whose worker runs. */
  const visitor = async (): Promise<Page> => {
    const { page } = await openPage(browser, wiki.base)
    await page.goto('/wiki/Moon')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    return page
  }
  const keptPages = (page: Page): Promise<string[]> =>
    page.evaluate(async () =>
      (await (await caches.open('palimpsest::pages')).keys()).map(({ url }) => new URL(url).pathname),
    )
  const read = async (page: Page, ...paths: string[]): Promise<void> => {
    for (const path of paths) {
      await page.goto(path)
      await expect.poll(() => keptPages(page)).toContain(path)
    }
  }

  test('pages read before come back without a network, with their style and a note', async () => {
    const page = await visitor()
    await read(page, '/wiki/Sun', '/wiki/Star')
    await page.context().setOffline(true)
    await page.goto('/wiki/Sun')
    expect(await page.textContent('.content')).toContain('About Sun.')
    expect(await page.textContent('.notice')).toContain('There is no network.')
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
  })

  test('others lead to a list of those, with their titles as text', async () => {
    const page = await visitor()
    await read(page, '/wiki/Rock_%26_reed', '/wiki/Sun')
    await page.context().setOffline(true)
    const answer = await page.goto('/wiki/Nowhere')
    expect(answer?.status()).toBe(503)
    expect(await page.textContent('h1')).toBe('No network')
    expect(await page.textContent('ul')).toContain('Rock & reed')
    await page.click('text=Sun')
    expect(await page.textContent('.content')).toContain('About Sun.')
  })

  test('the last ones stay, and forms, special pages and other views are not kept', async () => {
    const page = await visitor()
    await read(page, '/wiki/Sun')
    for (const path of ['/wiki/Sun?action=history', '/wiki/Special:Search?search=sun', '/wiki/Sun?oldid=2'])
      await page.goto(path)
    await read(page, '/wiki/Star', '/wiki/Rock_%26_reed', '/wiki/Moon')
    await expect.poll(() => keptPages(page)).toEqual(['/wiki/Star', '/wiki/Rock_%26_reed', '/wiki/Moon'])
  })

  test('end when the operator switches them off: nothing of the wiki stays in the browser', async () => {
    const off = await startEmptyWiki()
    const { page } = await openPage(browser, off.base)
    await page.goto('/wiki/Moon')
    await page.evaluate(async () => {
      await caches.open('palimpsest::pages')
      await caches.open('of another program')
      await navigator.serviceWorker.register('/offline.js')
    })
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0)
    expect(await page.evaluate(() => caches.keys())).toEqual(['of another program'])
  })

  test('the manifest names the wiki, its start and its icon', async () => {
    const { body, bytes, headers } = await wiki.send('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(body ?? JSON.parse(bytes.toString())).toMatchObject({
      start_url: '/wiki/',
      display: 'minimal-ui',
      icons: [{ src: expect.stringMatching(/^\/assets\/icon\.[0-9a-f]+\.svg$/) as string }],
    })
  })
})
