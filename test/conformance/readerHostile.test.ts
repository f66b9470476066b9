/** Hostile texts in a real browser: nothing runs, with the Content-Security-Policy and without it. */
// @module-tag browser
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { Links } from '../../src/reader/links.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { wikiWith } from '../support/searchWiki.js'
import { startServer, type TestServer } from './garden.js'
import { describeShared, readRows } from '../support/shared.js'

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  `'><img src=x onerror=alert(1)>`,
  '<svg onload=alert(1)>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  'javascript:alert(1)',
  '" onfocus=alert(1) autofocus x="',
  '" onmouseover="alert(1)',
  '{{{1}}}<b onclick=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
]
/** Places in a text that the shell shows again: headings, categories, languages, titles, paragraphs. */
const PLACES = [
  (payload: string) => `== ${payload} ==\n== b ==\n== c ==`,
  (payload: string) => `[[Category:${payload}]] [[Category:A|${payload}]]`,
  (payload: string) => `[[de:${payload}]] [[fr:${payload}]]`,
  (payload: string) => `{{DISPLAYTITLE:${payload}}} ${payload}`,
  (payload: string) => `<ref name="${payload}">${payload}</ref><references />`,
  (payload: string) =>
    `{| class="wikitable sortable mw-collapsible"\n! ${payload}\n|-\n| data-sort-value="${payload}" | ${payload}\n|}`,
  (payload: string) => `<div class="mw-collapsible" id="${payload}">${payload}</div>`,
  (payload: string) => `#REDIRECT [[A#${payload}]]`,
]
const own = PLACES.flatMap((place) => PAYLOADS.map(place))

/** Addresses with a payload in them. */
const ADDRESSES = PAYLOADS.flatMap((payload) => {
  const text = encodeURIComponent(payload)
  return [
    ...[`/wiki/${text}`, `/wiki/Special:${text}`, `/wiki/File:${text}`, `/wiki/A?action=${text}`],
    ...[`/wiki/A?oldid=${text}`, `/wiki/A?diff=${text}`, `/wiki/Special:Search?search=${text}`],
    ...[`/wiki/A?redirect=${text}`, `/assets/${text}`, `/wiki/A%23${text}`, `/wiki/Special:Search/${text}`],
  ]
})

/** Shows a page with each text, and each path, with the Content-Security-Policy and without it. */
function showsNothingActive(texts: readonly string[], paths: readonly string[]): void {
  let wiki: TestServer
  let browser: Browser
  const pages = Object.fromEntries(texts.map((text, n) => [`Text ${n}`, text]))
  beforeAll(async () => {
    const { store, dataDir } = wikiWith({ A: 'a page', ...pages })
    await store.close()
    wiki = await startServer(dataDir, { anonymousEdits: true })
    browser = await startChromium()
  })

  test.each([true, false])('run nothing, without the policy: %s', async (bypassCSP) => {
    const { page, complaints } = await openPage(browser, wiki.base, { bypassCSP })
    const active = /^(?:dialog|request|exception):/
    for (const path of [...Object.keys(pages).map((title) => new Links('').page(title)), ...paths]) {
      await page.goto(path)
      expect([path, complaints.filter((complaint) => active.test(complaint))]).toEqual([path, []])
    }
  })
}

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  describe('texts and addresses of this file', () => showsNothingActive(own, ADDRESSES))

  describeShared('recorded texts', 'oracle/html/xss.jsonl.gz', (path) => {
    const recorded = readRows<{ wikitext: string }>(path)
    showsNothingActive(
      recorded.map(({ wikitext }) => wikitext),
      [],
    )
  })
})
