// @module-tag hostile
import { describe, expect, test } from 'vitest'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import { processorMs } from '../../support/processorTime.js'
import { expandOn, pageNamed, wikiWith } from './memoryWiki.js'

/** Processor time far above that of each test on a slow machine. Quadratic code takes minutes. */
const MOST_SECONDS = 5

function timed<T>(run: () => T): T {
  let result: T
  const ms = processorMs(() => (result = run()))
  expect(ms / 1000).toBeLessThan(MOST_SECONDS)
  return result!
}

describe('braces that go nowhere take time in proportion to the text:', () => {
  test.each([
    ['open pairs', '{{'.repeat(200_000)],
    ['open pairs with names', '{{a'.repeat(100_000)],
    ['open triples', '{{{'.repeat(150_000)],
    ['one run', '{'.repeat(300_000) + '}'.repeat(300_000)],
    ['one run of brackets', '['.repeat(300_000) + ']'.repeat(300_000)],
    ['open triples with defaults', '{{{a|'.repeat(80_000)],
    ['closed pairs', '}}'.repeat(200_000)],
    ['open brackets', '[['.repeat(200_000)],
    ['brackets with comments between', '[[<!---->'.repeat(50_000) + ']]'.repeat(50_000)],
    ['brackets with tags between', '[[<nowiki/>'.repeat(50_000) + ']]'.repeat(50_000)],
    ['braces with tags between', '{{<nowiki/>'.repeat(50_000)],
    ['braces and brackets in turn', '{{[['.repeat(100_000)],
    ['pipes', `{{a${'|'.repeat(300_000)}`],
    ['names', `{{a${'|b=c'.repeat(100_000)}`],
    ['headings', '\n=a'.repeat(100_000)],
    ['headings with braces', '\n=={{'.repeat(80_000)],
    ['comments', '<!---->'.repeat(60_000)],
    ['comments at the beginning of lines', '\n<!---->'.repeat(50_000)],
    ['comments on one line', `\n${'<!---->'.repeat(60_000)}x`],
    ['open comments', '<!--'.repeat(100_000)],
    ['open tags', '<ref>'.repeat(80_000)],
    ['open tags of many kinds', '<ref><pre><nowiki><math><poem>'.repeat(15_000)],
    ['half tags', '<ref '.repeat(80_000)],
    ['end tags with blanks', `<ref>${'</ref '.repeat(60_000)}`],
    ['angle brackets', '<'.repeat(400_000)],
    ['inclusion tags', '<noinclude>'.repeat(40_000)],
    ['blank lines', ' \n'.repeat(200_000)],
    ['blanks before a comment', `${' '.repeat(400_000)}<!-- -->`],
    ['markers of tags', '\x7f\'"`UNIQ--ref-00000000-QINU`"\'\x7f'.repeat(12_000)],
    ['openings of markers', '\x7f\'"`UNIQ-'.repeat(40_000)],
  ])('%s', (_case, text) => {
    const { wikitext } = timed(() => expandOn(text))
    expect(wikitext.replace(/<(nowiki|ref|pre|math|poem)[^]*/, '')).not.toContain('{{')
  })

  test('and those in arguments of a template', () => {
    const pages = { 'Template:A': '{{{1}}}' }
    timed(() => expandOn(`{{a|${'{{'.repeat(100_000)}}}`, { pages }))
    timed(() => expandOn('{{a|'.repeat(5000) + '}}'.repeat(5000), { pages }))
  })
})

describe('deep nesting', () => {
  test('of arguments ends at the depth of expansions', () => {
    const { wikitext, categories } = timed(() => expandOn('{{#if:x|'.repeat(500) + 'a' + '}}'.repeat(500)))
    expect(wikitext).toContain('<span class="error">Expansion depth limit exceeded</span>')
    expect(categories).toEqual(['Pages where expansion depth is exceeded'])
  })

  test('of defaults and names does too', () => {
    timed(() => expandOn('{{{a|'.repeat(5000) + '}}}'.repeat(5000)))
    timed(() => expandOn('{{{'.repeat(5000) + 'a' + '}}}'.repeat(5000)))
    timed(() => expandOn('{{'.repeat(5000) + 'a' + '}}'.repeat(5000)))
  })

  test('of templates ends at their own depth', () => {
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`Template:T${n}`, `${n}{{T${n + 1}}}`]),
    )
    const { wikitext } = expandOn('{{T0}}', { pages })
    expect(wikitext).toContain('3839<span class="error">Template recursion depth limit exceeded (40)</span>')
  })
})

describe('exponential templates', () => {
  const doubling = (last: string): Record<string, string> => ({
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`Template:D${n}`, `{{D${n + 1}|{{{1}}}}}{{D${n + 1}|{{{1}}}}}`]),
    ),
    'Template:D30': last,
  })

  test('that grow are cut off at the length', () => {
    const { wikitext, categories } = timed(() =>
      expandOn('{{D0|x}}', { pages: doubling('{{{1}}}abcdefghij') }),
    )
    expect(wikitext.length).toBeLessThan(4_000_000)
    expect(categories).toContain('Pages where template include size is exceeded')
  })

  test('that stay empty are cut off at the number of calls', () => {
    const { wikitext, report } = timed(() => expandOn('{{D0|x}} after', { pages: doubling('') }))
    expect(wikitext).toBe('<strong class="error">Expansion limit reached in [[:Sample page]]</strong> after')
    expect(report.warnings).toEqual(['the page was not expanded whole: more than 100000 calls'])
  })

  test('without arguments are expanded once each', () => {
    const pages = {
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`Template:D${n}`, `{{D${n + 1}}}{{D${n + 1}}}`]),
      ),
      'Template:D30': '',
    }
    expect(timed(() => expandOn('{{D0}}', { pages, options: { limits: { calls: 200 } } })).wikitext).toBe('')
  })

  test('of arguments are cut off too', () => {
    const text = Array.from({ length: 30 }).reduce<string>((inner) => `{{D|${inner}}}`, 'abcdefghij')
    const { wikitext } = timed(() => expandOn(text, { pages: { 'Template:D': '{{{1}}}{{{1}}}' } }))
    expect(wikitext.length).toBeLessThan(5_000_000)
  })

  test('of extension tags are cut off before they are put together', () => {
    const pages = {
      ...doubling(`<nowiki>${'x'.repeat(20_000)}</nowiki>`),
      'Template:E': '{{{1}}}'.repeat(1000),
    }
    expect(timed(() => expandOn('{{D0|x}}', { pages })).wikitext.length).toBeLessThan(7_000_000)
    const repeated = timed(() => expandOn(`{{E|{{E|<nowiki>${'x'.repeat(1000)}</nowiki>}}}}`, { pages }))
    expect(repeated.wikitext).toBe('<span class="error">Unstrip size limit exceeded (2097152)</span>')
  })

  test('that throw long texts away are cut off at the number of steps', () => {
    const long = 'x&#39;'.repeat(200_000)
    const text = Array.from({ length: 3000 }, (_, n) => `{{L|${n}}}`).join('')
    for (const template of [
      `{{#if:${long}{{{1}}}||}}`,
      `{{#ifeq:${long}|{{{1}}}||}}`,
      `{{#switch:a|${long}=b}}`,
    ]) {
      const { report } = timed(() => expandOn(text, { pages: { 'Template:L': template } }))
      expect(report.warnings).toEqual(['the page was not expanded whole: more than 3000000 steps'])
    }
  })
})

describe('hostile calls of functions stay bounded:', () => {
  test.each([
    [
      'a huge #switch',
      `{{#switch:x${Array.from({ length: 50_000 }, (_, n) => `|${n}=a`).join('')}|last}}`,
      'last',
    ],
    ['a #switch that falls through', `{{#switch:0${'|0'.repeat(50_000)}|1=end}}`, 'end'],
    ['padding', '{{padleft:|999999999|ab}}', 'ab'.repeat(250)],
    ['a long expression', `{{#expr:${'1+'.repeat(20_000)}1}}`, '20001'],
    ['a long number', `{{#ifeq:${'9'.repeat(100_000)}|1|a|b}}`, 'b'],
    ['a long number in words', `{{formatnum:${'x'.repeat(100_000)}}}`, 'x'.repeat(100_000)],
    ['a long title', `{{#ifexist:${'x'.repeat(100_000)}|a|b}}`, 'b'],
    ['a title of combining marks', `{{PAGENAME:a${'\u0301\u0316'.repeat(50_000)}}}x`, 'x'],
    ['a path that goes up', `{{#rel2abs:${'./'.repeat(1000)}a|b}}`, 'b/a'],
    ['a path of slashes', `{{#rel2abs:${'/'.repeat(300_000)}a|b}}`, 'b'],
    ['a message that repeats its argument', `{{int:again|${'x'.repeat(500_000)}}}`, 'x'.repeat(2_000_000)],
    ['formats of times', `{{#time:${'xiFxjF'.repeat(900)}|2000-01-01}}`.repeat(3000), undefined],
    ['numbers', `{{formatnum:${'1 '.repeat(200_000)}}}`, undefined],
    [
      'titles of combining marks',
      `{{ns:x}}{{PAGENAME:a${'\u0301\u0316'.repeat(1000)}}}`.repeat(3000),
      undefined,
    ],
    ['a name of a function', `{{${'x'.repeat(100_000)}:a|b}}`.replaceAll('x', '#'), undefined],
    ['prefixes', `{{${'msg:'.repeat(100_000)}a}}`, undefined],
    ['marks of substitution', `{{${'safesubst:'.repeat(100_000)}a}}`, undefined],
    ['classes', `{{#iferror:${'<span class='.repeat(20_000)}|a|b}}`, 'b'],
    ['anchors', `{{anchorencode:${'[['.repeat(20_000)}}}`, undefined],
    ['dates', `{{#dateformat:${'1 '.repeat(20_000)}|dmy}}`, undefined],
    [
      'times',
      `{{#time:Y|${'+1 day '.repeat(20_000)}}}`,
      '<strong class="error">Error: Invalid time.</strong>',
    ],
    ['names of languages', `{{#time:F|2000-01-01|${'x-'.repeat(20_000)}}}`, 'January'],
    [
      'a property of a prototype',
      '{{#tag:ref|a|__proto__=b|constructor=c}}',
      '<ref __proto__="b" constructor="c">a</ref>',
    ],
    ['a message of a prototype', '{{int:constructor}}{{constructor:x}}{{toString}}', undefined],
    [
      'a date format of a prototype',
      '{{#dateformat:2009-12-25|constructor}}',
      '<span class="mw-formatted-date" title="2009-12-25">2009-12-25</span>',
    ],
  ])('%s', (_case, text, expected) => {
    const { wikitext } = timed(() => expandOn(text, { pages: { 'MediaWiki:Again': '$1'.repeat(1000) } }))
    if (expected !== undefined) expect(wikitext).toBe(expected)
  })
})

test('limits are for all texts of a page together', () => {
  const pages = { 'Template:A': 'a' }
  const preprocessor = new Preprocessor(pageNamed('Sample page'), wikiWith(pages), { limits: { calls: 2 } })
  const results = Array.from({ length: 3 }, () => preprocessor.expand('{{A}}').wikitext)
  expect(results).toEqual([
    'a',
    'a',
    '<strong class="error">Expansion limit reached in [[:Sample page]]</strong>',
  ])
})

test('categories and properties are those of each text, reads those of the page', () => {
  const preprocessor = new Preprocessor(
    pageNamed('Sample page'),
    wikiWith({ 'Template:A': '{{DEFAULTSORT:a}}' }),
  )
  expect(preprocessor.expand('{{A}}').properties).toEqual({ defaultsort: 'a' })
  expect(preprocessor.expand('{{B}}')).toEqual({
    wikitext: '[[:Template:B]]',
    categories: [],
    properties: {},
  })
  expect(preprocessor.report.pages.map(({ dbkey }) => dbkey)).toEqual(['A', 'B'])
})
