/** Pages as running text. */
import { describe, expect, test } from 'vitest'
import { extractOf, type ExtractOptions } from '../../src/reader/extract.js'

const PAGE = `<section><table><tr><td>box</td></tr></table><p>The <b>moon</b> is <a href="./Round">round</a>.<sup class="mw-ref">[1]</sup> It shines.</p>

<p>At night.</p></section><section><h2 id="Light">Light</h2>
<div class="hatnote">See sun</div><ul><li>Old &amp; new</li>
<li>Half</li></ul></section>`

const extract = (options: Partial<ExtractOptions>): string =>
  extractOf(PAGE, { isIntro: false, isPlain: true, sectionFormat: 'wiki', ...options })

describe('an extract', () => {
  test.each<[string, Partial<ExtractOptions>, string]>([
    [
      'is the text without boxes, notes and references',
      {},
      'The moon is round. It shines.\nAt night.\n\n\n== Light ==\n\nOld & new\nHalf',
    ],
    ['ends at the first heading', { isIntro: true }, 'The moon is round. It shines.\nAt night.'],
    [
      'has bare headings',
      { sectionFormat: 'plain' },
      'The moon is round. It shines.\nAt night.\n\n\nLight\n\nOld & new\nHalf',
    ],
    ['ends at a word', { characters: 6 }, 'The moon...'],
    ['has so many sentences', { sentences: 1 }, 'The moon is round.'],
    [
      'is clean HTML',
      { isPlain: false, isIntro: true },
      '<p>The <b>moon</b> is round. It shines.\n</p><p>At night.\n</p>',
    ],
    ['of HTML that is cut has its end tags', { isPlain: false, characters: 10 }, '<p>The <b>moon...</b></p>'],
  ])('%s', (_case, options, text) => {
    expect(extract(options)).toBe(text)
  })

  test.each([
    ['unclosed boxes', '<div>'.repeat(50_000)],
    ['unclosed paragraphs', '<p>'.repeat(50_000)],
    ['a bracket without an end', `<p>${'<'.repeat(50_000)}`],
    ['an attribute without an end', `<a title="${'x'.repeat(50_000)}`],
  ])('of %s takes linear time', (_case, html) => {
    const start = performance.now()
    extractOf(html, { isIntro: false, isPlain: true, sectionFormat: 'wiki' })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
