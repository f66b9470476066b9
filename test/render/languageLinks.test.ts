import { describe, expect, test } from 'vitest'
import { languageLinks } from '../../src/render/languageLinks.js'

/** `code:key` of each link. */
function keys(wikitext: string, ownLanguage = 'en'): string[] {
  return languageLinks(wikitext, ownLanguage).map(({ code, key }) => `${code}:${key}`)
}

test('a language link has code, name, key and title', () => {
  expect(languageLinks('x [[zh-hant:標題]]\n[[de:Haus meister]]', 'en')).toEqual([
    { code: 'de', name: 'Deutsch', key: 'Haus_meister', title: 'Haus meister' },
    { code: 'zh-hant', name: '中文（繁體）', key: '標題', title: '標題' },
  ])
})

describe('language links', () => {
  test.each([
    [
      'are sorted by code',
      '[[fr:A]] [[de:B]] [[be-tarask:C]] [[als:D]]',
      ['als:D', 'be-tarask:C', 'de:B', 'fr:A'],
    ],
    ['count once for each language', '[[de:B]] [[fr:X]] [[de:A]]', ['de:B', 'fr:X']],
    ['have prefixes in any case', '[[DE:Haus]] [[Zh-Hant:標題]]', ['de:Haus', 'zh-hant:標題']],
    ['may have blanks', '[[ de : Haus  meister_ ]]', ['de:Haus_meister']],
    ['have a raised first letter', '[[de:haus]] [[fr:élan]]', ['de:Haus', 'fr:Élan']],
    ['lose their label', '[[de:Haus|label [x] y]]', ['de:Haus']],
    ['keep their section', '[[de:Haus#Der Bau]]', ['de:Haus#Der_Bau']],
    ['keep the foreign namespace', '[[de:Kategorie:Haus]]', ['de:Kategorie:Haus']],
    ['may hold character references', '[[fr:L&#39;Aquila &amp; co]]', ["fr:L'Aquila_&_co"]],
    ['stand anywhere in the text', 'a[[de:B]]c {{x|[[fr:D]]}} [[File:x|[[it:E]]]]', ['de:B', 'fr:D', 'it:E']],
    [
      'count in noinclude and onlyinclude',
      '<noinclude>[[de:A]]</noinclude><onlyinclude>[[fr:B]]</onlyinclude>',
      ['de:A', 'fr:B'],
    ],
    ['count after nowiki without an end, which is text', '<nowiki>[[de:A]]', ['de:A']],
    ['count in references', '<ref>[[de:A]]</ref>', ['de:A']],
    [
      'count after comments and nowiki',
      '<!-- x -->[[de:A]]<nowiki>y</NoWiki >[[fr:B]]<nowiki/>[[it:C]]',
      ['de:A', 'fr:B', 'it:C'],
    ],
    [
      'count after words that only look like elements',
      '<center>[[de:A]]</center><prefix>[[fr:B]]',
      ['de:A', 'fr:B'],
    ],
  ])('%s', (_case, wikitext, links) => {
    expect(keys(wikitext)).toEqual(links)
  })

  test.each([
    ['an empty text', ''],
    ['ordinary links', '[[Foo]] [[Foo: bar]] [[File:x.png]] [[w:Foo]] [[doi:10.1]]'],
    ['links with a leading colon', '[[:de:Haus]] [[ :fr:X]]'],
    ["links to the wiki's own language", '[[en:House]] [[EN:House]]'],
    ['links in comments', '<!-- [[de:Haus]] -->'],
    ['links in an open comment', '<!-- x [[de:Haus]]'],
    ['links in nowiki', '<nowiki>[[de:Haus]]</nowiki>'],
    ['links in nowiki with attributes, in capitals', '<NOWIKI a="b">[[de:Haus]]</nowiki>'],
    ['links in pre', '<pre>[[de:Haus]]</pre>'],
    ['links in source', '<source lang="x">[[de:Haus]]</source>'],
    ['links in syntaxhighlight', '<syntaxhighlight lang="x">[[de:Haus]]</syntaxhighlight>'],
    ['links in math', '<math>[[de:Haus]]</math>'],
    ['links in includeonly', '<includeonly>[[de:Haus]]</includeonly>'],
    ['comment ends in nowiki', '<nowiki><!--</nowiki><!--<nowiki>-->' + '<!--[[de:Haus]]-->'],
    ['links with a title of more than 255 bytes', `[[de:${'ä'.repeat(128)}]]`],
    ['links without a title', '[[de:]] [[fr: _ ]] [[it:|x]]'],
    ['open links', '[[de:Haus [[fr:Maison|label'],
    ['links over two lines', '[[de:Ha\nus]]'],
    ['links with brackets or braces', '[[de:[x]]] [[fr:{{x}}]] [[it:<b>]] [[es:a&#124;b]]'],
  ])('are not %s', (_case, wikitext) => {
    expect(keys(wikitext)).toEqual([])
  })

  test('take the first letter as it is on a case-sensitive wiki', () => {
    expect(languageLinks('[[de:haus tür]]', 'en', 'case-sensitive')).toMatchObject([
      { key: 'haus_tür', title: 'haus tür' },
    ])
  })

  test('name the English wiki on others', () => {
    expect(keys('[[en:House]] [[de:Haus]]', 'de')).toEqual(['en:House'])
  })
})

describe('a hostile text of a million characters gets an answer', () => {
  test.each([
    ['open links', '[[de:'],
    ['open links with labels', '[[de:a|'],
    ['open brackets', '['],
    ['brackets and blanks', '[[ '],
    ['open comments', '<!--'],
    ['open elements', '<nowiki>'],
    ['elements without end', '<pre '],
    ['self-closed elements', '<nowiki/>'],
    ['end tags without end', '</nowiki '],
    ['elements, each ended', '<math>x</math>'],
  ])('%s', (_case, unit) => {
    const wikitext = `[[de:A]]${unit.repeat(1_000_000 / unit.length)}`
    expect(keys(wikitext)).toEqual(['de:A'])
  })

  test('a title of marks in the wrong order', () => {
    expect(keys(`[[de:A]] [[fr:a${'\u0301\u0323'.repeat(500_000)}]]`)).toEqual(['de:A'])
  })

  test('runs of blanks', () => {
    expect(keys(`[[de:A]]<nowiki>${'</nowiki'.padEnd(1_000_000)}`)).toEqual(['de:A'])
    expect(keys(`[[de:A]] [[fr:${' '.repeat(1_000_000)}\n`)).toEqual(['de:A'])
    expect(keys(`[[de:A]] [[${' '.repeat(1_000_000)}`)).toEqual(['de:A'])
  })
})
