/** Ids that authors write stay; those that the engine gives go. */
import { describe, expect, test } from 'vitest'
import { TestWiki } from './support/engine.js'

const wiki = new TestWiki()

const IDS = [
  'mw',
  'mwA',
  'mwAQ',
  'mwAg',
  'mwBAA',
  'mw-',
  'mw-a',
  'mw-customcollapsible-0',
  'mw-customcollapsible-myTable',
  'mw_head',
  'mwx',
  'x',
  '',
]
const TEXTS = IDS.flatMap((id) => [
  `<div id="${id}">x</div>`,
  `a <span id="${id}" class="b">x</span> c`,
  `<div id="${id}">x</div>\n<div id="${id}">y</div>\n\n<p id="${id}">z</p>`,
  `{| id="${id}"\n| id="${id}-cell" |x\n|}`,
  `<h2 id="${id}">x</h2>`,
])

describe('a text with ids of its own', () => {
  test.each(TEXTS)('comes back from its HTML: %j', async (text) => {
    const { html, bundle } = await wiki.render(text)
    const original = { wikitext: text, html, bundle: bundle! }
    const inline = await wiki.html(text, { origins: 'inline' })
    expect(await wiki.wikitext(html, original)).toBe(text)
    expect(await wiki.wikitext(inline, original)).toBe(text)
    // A change nearby, and everything written anew.
    const changed = (document: string): string => document.replace('>x<', '>changed<')
    expect(await wiki.wikitext(changed(html), original)).toBe(text.replace(/(?<=[>|] ?)x/, 'changed'))
    expect(await wiki.wikitext(changed(inline), original)).toBe(text.replace(/(?<=[>|] ?)x/, 'changed'))
    expect(await wiki.wikitext(inline)).toBe(text)
  })
})

describe('an id that the engine gave', () => {
  test('is not written, whether its bundle is there or not', async () => {
    const text = "== a ==\n* b\n* ''c''\n<div>d</div><ref>e</ref>\n<references />"
    const { html, bundle } = await wiki.render(text)
    expect(html).toContain('id="mwAg"')
    expect(await wiki.wikitext(html, { wikitext: text, html, bundle: bundle! })).toBe(text)
    expect(await wiki.wikitext('<div id="mwAg">d</div><p id="mwBAA">e</p>')).toBe('<div>d</div>e')
  })

  test('is not that of an author, who may have written it first', async () => {
    const text = '<div id="mwAg">x</div><div>y</div>'
    const { html, bundle } = await wiki.render(text)
    const copied = html.replace('<div id="mwAw">y</div>', '<div id="mwAw">z</div>')
    expect(await wiki.wikitext(copied, { wikitext: text, html, bundle: bundle! })).toBe(
      '<div id="mwAg">x</div><div>z</div>',
    )
  })
})

test('an id of HTML that never was wikitext is kept', async () => {
  expect(await wiki.wikitext('<div id="mw-customcollapsible-0">x</div>')).toBe(
    '<div id="mw-customcollapsible-0">x</div>',
  )
})
