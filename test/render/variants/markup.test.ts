/** Markup of variants in HTML for editors. */
import { describe, expect, test } from 'vitest'
import { TestWiki } from '../support/engine.js'

describe('markup of variants', () => {
  test.each([
    ['-{zh-hans:a;zh-hant:b}-', '{"twoway":[{"l":"zh-hans","t":"a"},{"l":"zh-hant","t":"b"}]}'],
    [
      '-{zh-hans:a; note: b;zh-hant:c}-',
      '{"twoway":[{"l":"zh-hans","t":"a; note: b"},{"l":"zh-hant","t":"c"}]}',
    ],
    ['-{a=>zh-hans:b;}-', '{"oneway":[{"f":"a","l":"zh-hans","t":"b"}]}'],
  ])('%s is an element, and survives the way back', async (wikitext, description) => {
    const wiki = new TestWiki({}, { language: 'zh' })
    const { html, bundle } = await wiki.render(wikitext)
    expect(html).toContain(`data-mw-variant='${description}'`)
    const changed = html.replace('</body>', '<p>new</p></body>')
    const back = await wiki.wikitext(changed, { wikitext, html, bundle: bundle! })
    expect(back).toBe(`${wikitext}\n\nnew`)
  })

  test('is text where the language has no variants', async () => {
    expect(await new TestWiki().html('-{a|b}-')).toContain('-{a|b}-')
  })

  test('marks links to missing pages in its texts', async () => {
    const html = await new TestWiki({ A: 'a' }, { language: 'zh' }).html('-{zh-hans:[[A]] [[B]]}-')
    expect(html).toMatch(/href=\\"\.\/B\\"[^>]*class=\\"new\\"/)
    expect(html).not.toMatch(/href=\\"\.\/A\\"[^>]*class=\\"new\\"/)
  })
})
