import { describe, expect, test } from 'vitest'
import { html, safeUrl, trusted } from '../../src/reader/html.js'

const HOSTILE = `"><script>alert('1')</script>&amp;`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#039;1&#039;)&lt;/script&gt;&amp;amp;'

describe('the tag html', () => {
  test('escapes texts, also in arrays and in templates of templates', () => {
    expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.text).toBe(`<p title="${ESCAPED}">${ESCAPED}</p>`)
    expect(html`${[HOSTILE, [html`<i>${HOSTILE}</i>`]]}`.text).toBe(`${ESCAPED}<i>${ESCAPED}</i>`)
  })

  test('keeps what is HTML already', () => {
    expect(html`<b>${html`<i>x</i>`}${trusted('<hr>')}</b>`.text).toBe('<b><i>x</i><hr></b>')
  })

  test('gives nothing for undefined, null and false, and numbers as they are', () => {
    expect(html`[${undefined}${null}${false}${0}${[]}]`.text).toBe('[0]')
  })

  test('drops the indent of the template, and nothing of its values', () => {
    const value = 'a\n   b'
    expect(
      html`<pre>
        ${value}</pre>`.text,
    ).toBe('<pre>\na\n   b</pre>')
  })

  test('is no HTML for objects that look like it', () => {
    const lookalike = { text: '<b>' } as unknown as string[]
    expect(() => html`${lookalike}`).toThrow()
  })
})

test.each([
  ['https://a.example/x', true],
  ['//a.example', true],
  ['HTTP://a.example', true],
  ['javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['/\\a.example', false],
  ['', false],
])('safeUrl(%s)', (url, isSafe) => {
  expect(safeUrl(url) !== undefined).toBe(isSafe)
})
