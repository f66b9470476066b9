import { describe, expect, test } from 'vitest'
import { expandOn, substituteOn, type Pages } from './memoryWiki.js'

const PAGES: Pages = {
  Parts:
    'lead <section begin=one />1 {{Greet|a}} <section end="one"/>between ' +
    "<section begin='two words' /><section begin=inner/>2<section end=inner/>b<section end='two words'/> " +
    '<SECTION begin=one/>3<Section end=one /> tail <section begin=open />4',
  Overlap: '<section begin=a/>1<section begin=b/>2<section end=a/>3<section end=b/>4',
  Included: 'no<onlyinclude><section begin=a/>yes<noinclude>no</noinclude><section end=a/></onlyinclude>',
  Hidden:
    '<!-- <section begin=a/>no<section end=a/> --><nowiki><section begin=a/></nowiki><section begin=a/>yes<section end=a/>',
  Itself: '<section begin=a/>x{{#lst:Itself|a}}<section end=a/>',
  Other: '<section begin=a/>x{{#lst:Other|b}}<section end=a/><section begin=b/>y<section end=b/>',
  Arguments: '<section begin=a/>{{{1|none}}}<section end=a/>',
  Table: '<section begin=a/>{|\n|x\n|}<section end=a/>',
  Headed:
    'the lead\n== First ==\none {{Greet|b}}\n=== Sub ===\nsub\n==Second== <!-- c -->\ntwo\n<!--\n== No ==\n-->\n' +
    '<nowiki>\n== Nor this ==\n</nowiki>\n= Top =\ntop\n== First ==\nagain',
  'Template:Greet': 'Hello {{{1}}}',
  'Old name': '#REDIRECT [[Overlap]]',
}

const expand = (text: string): string => expandOn(text, { pages: PAGES }).wikitext
const LOOP = (page: string): string => `<span class="error">Template loop detected: [[${page}]]</span>`

describe('#lst puts in', () => {
  test.each([
    ['all parts of a name', '{{#lst:Parts|one}}', '1 Hello a 3'],
    ['by its other name', '{{#section:Parts|one}}', '1 Hello a 3'],
    ['a part with others in it', '{{#lst:Parts|two words}}', '2b'],
    ['a part within another', '{{#lst:Parts|inner}}', '2'],
    ['a part that never ends', '{{#lst:Parts|open}}', '4'],
    ['nothing of no such name', 'a{{#lst:Parts|none}}b', 'ab'],
    ['parts that overlap', '{{#lst:Overlap|a}} {{#lst:Overlap|b}}', '12 23'],
    ['from one part to the end of another', '{{#lst:Parts|one|inner}}', '1 Hello a between 23 tail 4'],
    ['all of a page, as a template', '{{#lst:Arguments}}', '<section begin=a/>none<section end=a/>'],
    ['what is for other pages', '{{#lst:Included|a}}', 'yes'],
    ['nothing from comments and nowiki', '{{#lst:Hidden|a}}', 'yes'],
    ['no arguments', '{{#lst:Arguments|a|}}', 'none'],
    ['a table at the beginning of a line', 'x{{#lst:Table|a}}', 'x\n{|\n|x\n|}'],
    ['parts of where a redirect leads', '{{#lst:Old name|a}}', '12'],
    ['a link to a page that is missing', '{{#lst:Nowhere|a}}', '[[:Nowhere]]'],
    ['nothing of what is no title', 'a{{#lst:[x]|a}}b{{#lst:}}c', 'abc'],
    ['names that are no parts', '{{#lst:Parts|__proto__}}{{#lst:Parts|constructor}}', ''],
    ['a part that holds another of its page', '{{#lst:Other|a}}', 'xy'],
    ['no part into itself', '{{#lst:Itself|a}}', `x${LOOP('Itself')}`],
  ])('%s', (_what, text, expected) => {
    expect(expand(text)).toBe(expected)
  })
})

describe('#lstx puts in all but', () => {
  test.each([
    ['the parts of a name', '{{#lstx:Overlap|a}}', '34'],
    ['the parts, with a text in their place', '{{#lstx:Overlap|b|[cut]}}', '1[cut]4'],
    ['each part', '{{#section-x:Hidden|a|-}}', '<nowiki><section begin=a/></nowiki>-'],
    ['nothing', '{{#lstx:Overlap|none|x}}', '1234'],
  ])('%s', (_what, text, expected) => {
    expect(expand(text)).toBe(expected)
  })
})

describe('#lsth puts in', () => {
  test.each([
    ['what is under a heading', '{{#lsth:Headed|Sub}}', 'sub'],
    ['with the headings below it', '{{#lsth:Headed|first}}', 'one Hello b\n=== Sub ===\nsub'],
    [
      'under a heading with a comment',
      '{{#section-h:Headed|Second}}',
      'two\n<nowiki>\n== Nor this ==\n</nowiki>',
    ],
    [
      'up to another heading',
      '{{#lsth:Headed|Sub|Top}}',
      'sub\n==Second== \ntwo\n<nowiki>\n== Nor this ==\n</nowiki>',
    ],
    ['the lead', '{{#lsth:Headed|}}', 'the lead'],
    ['the last one', '{{#lsth:Headed|top}}', 'top\n== First ==\nagain'],
    ['nothing of no such heading', 'a{{#lsth:Headed|No}}{{#lsth:Headed|Nor this}}b', 'ab'],
    ['all of a page without headings', '{{#lsth:Arguments}}', '<section begin=a/>none<section end=a/>'],
  ])('%s', (_what, text, expected) => {
    expect(expand(text)).toBe(expected)
  })
})

test('a page whose parts are used is recorded, a missing one too', () => {
  const { report } = expandOn('{{#lst:Parts|one}}{{#lsth:Nowhere|a}}', { pages: PAGES })
  expect(report.pages.map(({ dbkey }) => dbkey)).toEqual(
    expect.arrayContaining(['Parts', 'Nowhere', 'Greet']),
  )
})

test('parts may be put in for good', () => {
  expect(substituteOn('{{subst:#lst:Overlap|a}}', PAGES)).toBe('12')
  expect(substituteOn('{{subst:#lst:Nowhere|a}}', PAGES)).toBe('{{subst:#lst:Nowhere|a}}')
})

test('the work on parts is bounded', { tags: ['hostile'] }, () => {
  const page = `${'<section begin=a/>x<section end=a/>'.repeat(2000)}\n${'== a ==\n'.repeat(2000)}`
  for (const call of ['{{#lst:Big|a}}', '{{#lsth:Big|b}}', '{{#lstx:Big|a|x}}']) {
    const { wikitext, report } = expandOn(call.repeat(5000), { pages: { Big: page } })
    expect(report.isWhole).toBe(false)
    expect(wikitext.length).toBeLessThan(3_000_000)
  }
})

describe('functions of extensions', () => {
  test.each([
    ['values of an item that is not here', 'a{{#property:P31}}{{#statements:P31|from=Q1}}b', 'ab'],
    ['coordinates, which are only recorded', 'a{{#coordinates:primary|1|2|display=inline,title}}b', 'ab'],
    ['related pages and assessments', 'a{{#related:Moon}}{{#assessment:Moon|A|high}}b', 'ab'],
    [
      'languages of a user',
      '{{#babel:de-2|en|fr-0|plain=1|ja-N}}',
      '\n<div class="mw-babel-wrapper">\n' +
        `<div class="mw-babel-box mw-babel-box-2">'''de-2''' This user has intermediate knowledge of Deutsch.</div>\n` +
        `<div class="mw-babel-box mw-babel-box-N">'''en''' This user has a native understanding of English.</div>\n` +
        `<div class="mw-babel-box mw-babel-box-0">'''fr-0''' This user has no knowledge of français (or understands it with considerable difficulties).</div>\n` +
        `<div class="mw-babel-box mw-babel-box-N">'''ja-N''' This user has a native understanding of 日本語.</div>\n</div>\n`,
    ],
    [
      'what is no language is a template',
      '{{#babel:Greet|constructor|<script>|de-9}}',
      '\n<div class="mw-babel-wrapper">\nHello {{{1}}}\n[[:Template:constructor]]\n[[:Template:&#60;script&#62;]]\n[[:Template:de-9]]\n</div>\n'.replace(
        '{{{1}}}',
        '&#123;&#123;&#123;1}}}',
      ),
    ],
    ['no languages', 'a{{#babel:}}b', 'ab'],
    [
      'a category tree',
      '{{#categorytree:Plants|mode=pages|depth=2}}',
      '<categorytree mode="pages" depth="2">Plants</categorytree>',
    ],
  ])('%s', (_what, text, expected) => {
    expect(expand(text)).toBe(expected)
  })
})
