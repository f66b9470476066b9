/** Pages as running text. */
import { describe, expect, test } from 'vitest'
import { extractOf, type ExtractOptions, leadOf } from '../../src/reader/extract.js'

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
    [
      'marks headings as MediaWiki does in JSON',
      { sectionFormat: 'raw' },
      'The moon is round. It shines.\nAt night.\n\n\ufffd\ufffd2\ufffd\ufffdLight\n\nOld & new\nHalf',
    ],
    ['of HTML that is cut has its end tags', { isPlain: false, characters: 10 }, '<p>The <b>moon...</b></p>'],
  ])('%s', (_case, options, text) => {
    expect(extract(options)).toBe(text)
  })

  test('has one line break where a box ends the line of a paragraph', () => {
    const html = '<p>A short page. </p><div class="stub">Make it longer.</div>\n\n<p>It ends.</p>'
    expect(extractOf(html, { isIntro: true, isPlain: true, sectionFormat: 'wiki' })).toBe(
      'A short page.\nIt ends.',
    )
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

describe('the lead of a page', () => {
  test.each<[string, string, { text: string; html: string }]>([
    [
      'is its first paragraph, without boxes and notes',
      PAGE,
      { text: 'The moon is round. It shines.', html: '<p>The <b>moon</b> is round. It shines.</p>' },
    ],
    [
      'comes after coordinates and links to missing templates',
      '<p><span id="coordinates">1° N</span></p><p><a href="./Template:Gone" class="new">Template:Gone</a>\nA <i>pond</i> near the old mill.</p>',
      { text: 'A pond near the old mill.', html: '<p>\nA <i>pond</i> near the old mill.</p>' },
    ],
    [
      'has the list that belongs to it',
      '<p>Mercury is a name of many things:</p><ul><li>A planet</li></ul><p>See also: more</p>',
      {
        text: 'Mercury is a name of many things:\n\nA planet',
        html: '<p>Mercury is a name of many things:</p>\n<ul><li>A planet</li></ul>',
      },
    ],
    [
      'has no brackets that parts have left empty',
      '<p>The rose (<span class="noexcerpt">[roʊz]</span>; <style>a</style>) is a <b>plant</b><sup class="reference">1</sup> , mostly.</p>',
      { text: 'The rose is a plant, mostly.', html: '<p>The rose is a <b>plant</b>, mostly.</p>' },
    ],
    ['may be short', '<p>A stub.</p>', { text: 'A stub.', html: '<p>A stub.</p>' }],
    ['may be missing', '<div><p>in a box</p></div><h2>B</h2><p>text</p>', { text: '', html: '' }],
  ])('%s', (_case, html, lead) => {
    expect(leadOf(html, 'Template:')).toEqual(lead)
  })

  test('is bounded, and its end tags are there', () => {
    const { text, html } = leadOf(`<p><b>${'long word '.repeat(10_000)}</b></p>`, 'Template:')
    expect(text.length).toBeLessThan(5100)
    expect(html).toMatch(/\.\.\.<\/b><\/p>$/)
  })

  test.each([
    ['open brackets', `<p>${'( '.repeat(100_000)}</p>`],
    ['blanks', `<p>a${' '.repeat(300_000)},b</p>`],
    ['paragraphs', '<p>'.repeat(100_000)],
  ])('takes linear time: %s', (_case, html) => {
    const beganMs = performance.now()
    leadOf(html, 'Template:')
    expect(performance.now() - beganMs).toBeLessThan(5000)
  })
})
