import { describe, expect, test } from 'vitest'
import { plainBody } from '../../src/reader/plainBody.js'

describe('a body without marks of Parsoid', () => {
  test.each([
    [
      'sections and ids',
      '<section data-mw-section-id="0" id="mwAQ"><p id="mwAg">A <b id="mwAw">b</b></p></section>',
      '<p>A <b>b</b></p>',
    ],
    ['headings keep their ids', '<h2 id="Spring">Spring</h2>', '<h2 id="Spring">Spring</h2>'],
    [
      'text of a template',
      `<span about="#mwt1" typeof="mw:Transclusion" data-mw='{"a":"<b>"}' id="mwBg">ebb <span class="x">and</span></span>.`,
      'ebb <span class="x">and</span>.',
    ],
    ['spans of the text', '<span>a</span>', '<span>a</span>'],
    [
      'links',
      '<a rel="mw:WikiLink" href="./A%26B" title="A&amp;B" id="mwAQ">A</a>',
      '<a href="/wiki/A%26B" title="A&amp;B">A</a>',
    ],
    [
      'outer links',
      '<a rel="mw:ExtLink" href="https://a.example/">a</a>',
      '<a class="external text" rel="nofollow" href="https://a.example/">a</a>',
    ],
    [
      'references',
      '<sup about="#mwt2" class="mw-ref reference" id="cite_ref-1" rel="dc:references" typeof="mw:Extension/ref">1</sup>',
      '<sup class="reference" id="cite_ref-1">1</sup>',
    ],
    [
      'categories',
      '<p>a</p><link rel="mw:PageProp/Category" href="./Category:A" id="mwBw"/><meta property="mw:PageProp/notoc"/>',
      '<p>a</p>',
    ],
    [
      'redirects',
      '<link rel="mw:PageProp/redirect" href="./A_B" id="mwAg"/>',
      '<div class="redirectMsg"><p>Redirect to:</p><ul class="redirectText"><li><a href="/wiki/A_B" title="A B">A B</a></li></ul></div>',
    ],
    ['what is no tag', 'a &lt; b <br/> c', 'a &lt; b <br/> c'],
  ])('%s', (_what, html, plain) => {
    expect(plainBody(html, '/wiki/')).toBe(plain)
  })

  test('takes linear time', () => {
    const start = performance.now()
    plainBody('<a '.repeat(200_000) + '<span about="x">'.repeat(20_000), '/wiki/')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
