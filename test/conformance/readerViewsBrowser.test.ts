/** Views beside the article in a real browser: histories, comparisons, searches, edits and logins as people do them. */
// @module-tag browser
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { PASSWORD, wikiWithAccounts } from './actionClient.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create, update } from './editing.js'
import { startServer, type TestServer } from './garden.js'

const PHONE = { viewport: { width: 360, height: 740 } }
const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '</textarea><script>alert(1)</script>',
  '</title></style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  'javascript:alert(1)',
  '" autofocus onfocus="alert(1)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '[[javascript:alert(1)|x]] [javascript:alert(1) x]',
]
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  let wiki: TestServer
  let browser: Browser
  beforeAll(async () => {
    const { folder } = await wikiWithAccounts()
    wiki = await startServer(folder, { anonymousEdits: true })
    await create(wiki, 'Star', `A star is hot.\nIt shines.\n${'a-long-word'.repeat(30)}`, {
      comment: HOSTILE,
    })
    for (let n = 0; n < 3; n++) await save('Star', `A star is ${n} times hot.\nIt shines.\n${HOSTILE}`)
    browser = await startChromium()
  })

  const open = (options = {}) => openPage(browser, wiki.base, options)
  const latestOf = async (title: string): Promise<number> =>
    ((await wiki.send(`/v1/page/${title}/bare`)).body as { latest: { id: number } }).latest.id
  const save = async (title: string, text: string) =>
    update(wiki, title, text, await latestOf(title), { comment: `/* Light */ see [[Sun]] ${HOSTILE}` })

  test('a reader compares two revisions, and goes on to the next change', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Star')
    await page.click('.tabs a:text("History")')
    const radios = page.locator('[name=oldid]')
    await radios.nth(2).check()
    await page.click('text=Compare selected revisions >> nth=0')
    expect(await page.textContent('.diff-between')).toContain('One revision in between')
    expect(await page.textContent('.diff ins')).toBe('2')
    await page.click('text=← Older edit')
    expect(await page.locator('.diff-head').count()).toBe(2)
    await page.click('text=Newer edit →')
    expect(page.url()).toContain('diff=next')
    expect(complaints).toEqual([])
  })

  test('an edit is previewed, saved and seen at once', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Moon')
    await page.click('.tabs a:text("Edit")')
    await page.fill('#wpTextbox1', "A '''bold''' moon. <span style='color:red' onclick='alert(3)'>red</span>")
    await page.click('text=Show preview')
    expect(await page.textContent('.edit-preview b')).toBe('bold')
    await page.fill('[name=wpSummary]', HOSTILE)
    await page.click('text=Show changes')
    expect(await page.locator('.edit-result .diff-line.diff-added').count()).toBe(1)
    await page.click('button:text-is("Save")')
    await page.waitForURL('**/wiki/Moon')
    expect(await page.textContent('.content b')).toBe('bold')
    await page.click('.tabs a:text("History")')
    expect(await page.textContent('.comment >> nth=0')).toBe(`(${HOSTILE})`)
    expect(complaints).toEqual([])
  })

  test('a conflict shows both texts, also without scripts', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false })
    await page.goto('/wiki/Sun?action=edit')
    await save('Sun', 'theirs')
    await page.fill('#wpTextbox1', 'mine')
    await page.click('button:text-is("Save")')
    expect(await page.textContent('.notice')).toContain('Someone else changed this page')
    expect(await page.inputValue('#wpTextbox1')).toBe('theirs')
    expect(await page.inputValue('#wpTextbox2')).toBe('mine')
    await page.fill('#wpTextbox1', 'both')
    await page.click('button:text-is("Save")')
    expect(await page.textContent('.content')).toContain('both')
    // Chromium reports the status 409 of the conflict.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })

  test('a reader logs in, edits under a name, and logs out', async () => {
    const { page, complaints } = await open()
    await page.goto('/wiki/Special:UserLogin?returnto=Sun')
    await page.fill('#wpName', 'Ann')
    await page.fill('#wpPassword', PASSWORD)
    await page.click('main button:text-is("Log in")')
    await page.waitForURL('**/wiki/Sun')
    await page.click('.tabs a:text("Edit")')
    expect(await page.textContent('.user')).toContain('Ann')
    await page.click('.user >> text=Log out')
    await page.click('main button:text-is("Log out")')
    expect(await page.textContent('main')).toContain('You are logged out.')
    expect(complaints).toEqual([])
  })

  test.each([false, true])(
    'names, summaries and texts run nothing (without a policy: %s)',
    async (bypassCSP) => {
      const titles = PAYLOADS.map((payload, n) => `${n} ${payload}`.replace(/[<>[\]{}|#&]/g, "'"))
      const pages = PAYLOADS.map((payload, n) => {
        const hostile = (id: number, text: string) => ({
          ...revision(id, text),
          editor: { id: null, name: payload },
          comment: `/* ${payload} */ [[${payload}|${payload}]] ${payload}`,
        })
        const title = titles[n]!.replaceAll(' ', '_')
        return page(n + 1, title, [
          hostile(2 * n + 1, `a\n${payload}\nc`),
          hostile(2 * n + 2, `b\n${payload} d`),
        ])
      })
      const server = await startServer(await folderWith(pages), { anonymousEdits: true })
      const { page: tab, complaints } = await openPage(browser, server.base, { bypassCSP })
      const views = ['?action=history', '?diff=cur', '?action=edit'].flatMap((query) =>
        titles.map((title) => `/wiki/${encodeURIComponent(title)}${query}`),
      )
      for (const path of [...views, '/wiki/Special:RecentChanges', '/wiki/Special:AllPages']) {
        await tab.goto(path)
        expect([path, await tab.locator('main h1').count()]).toEqual([path, 1])
      }
      for (const payload of PAYLOADS) {
        await tab.goto('/wiki/New?action=edit')
        await tab.fill('#wpTextbox1', payload)
        await tab.fill('[name=wpSummary]', payload)
        await tab.click('text=Show preview')
        await tab.click('text=Show changes')
        expect(await tab.inputValue('#wpTextbox1')).toBe(payload)
        expect(await tab.inputValue('[name=wpSummary]')).toBe(payload)
      }
      // A picture of a text that is not there is reported, which runs nothing.
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
  )

  test('a search leads to the page, or shows results', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false })
    await page.goto('/wiki/Special:AllPages')
    await page.fill('.top [name=search]', 'star')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wiki/Star')
    await page.fill('.top [name=search]', 'shines')
    await page.keyboard.press('Enter')
    expect(await page.textContent('.result-title a')).toBe('Star')
    expect(complaints).toEqual([])
  })

  const VIEWS = [
    '/wiki/Star?action=history',
    '/wiki/Star?diff=cur',
    '/wiki/Star?action=edit',
    '/wiki/Special:Search?search=shines',
    '/wiki/Special:Search',
    '/wiki/Special:AllPages',
    '/wiki/Special:RecentChanges',
    '/wiki/Special:Statistics',
    '/wiki/Special:SpecialPages',
    '/wiki/Special:UserLogin',
    '/wiki/Special:UserLogout',
  ]

  test.each(VIEWS)('%s has nothing serious against it, and fits a phone', async (path) => {
    const { page, complaints } = await open()
    await page.goto(path)
    expect(await axe(page)).toEqual([])
    const phone = await open(PHONE)
    await phone.page.goto(path)
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect([...complaints, ...phone.complaints]).toEqual([])
  })

  test.each(VIEWS.slice(0, 4))('%s can be read in the dark', async (path) => {
    const { page } = await open({ colorScheme: 'dark' })
    await page.goto(path)
    expect(await axe(page)).toEqual([])
  })
})
