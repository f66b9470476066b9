import { describe, expect, test } from 'vitest'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE, type TitleCase } from '../../src/domain/site.js'
import { LanguageLinkReader } from '../../src/wikitext/languageLinkReader.js'
import { linkRules } from '../../src/wikitext/languageLinks.js'

interface Link {
  readonly code: string
  readonly name: string
  readonly key: string
  readonly title: string
}

function readerOf(language = 'en', titleCase: TitleCase = 'first-letter'): LanguageLinkReader {
  const site = {
    ...DEFAULT_SITE,
    language,
    case: titleCase,
    namespaces: DEFAULT_SITE.namespaces.map((namespace) => ({ ...namespace, case: titleCase })),
  }
  const interwiki = interwikiMap(site, NO_INTERWIKI_CHANGES)
  return new LanguageLinkReader(linkRules({ namespaces: new Namespaces(site), interwiki, language }))
}

/** The list of a text, which is the same for the text as a title row has it. */
function listOf(reader: LanguageLinkReader, wikitext: string): string {
  const list = Buffer.from(reader.listIn(wikitext)).toString()
  const source = Buffer.from(JSON.stringify(wikitext)).subarray(1, -1)
  expect(Buffer.from(reader.listOf(source)).toString()).toBe(list)
  return list
}

const linksOf = (wikitext: string, ...wiki: Parameters<typeof readerOf>): Link[] =>
  JSON.parse(listOf(readerOf(...wiki), wikitext)) as Link[]

/** `code:key` of each link. */
function keys(wikitext: string, language = 'en'): string[] {
  return linksOf(wikitext, language).map(({ code, key }) => `${code}:${key}`)
}

test('a language link has code, name, key and title', () => {
  expect(linksOf('x [[zh-hant:標題]]\n[[de:Haus meister]]')).toEqual([
    { code: 'de', name: 'Deutsch', key: 'Haus_meister', title: 'Haus meister' },
    { code: 'zh-hant', name: '中文（繁體）', key: '標題', title: '標題' },
  ])
})

describe('the JSON of links is that of JSON.stringify', () => {
  test.each([
    ['no link', ''],
    ['words', '[[de:Haus meister]] [[fr:Maison_du roi]] [[ja:月]]'],
    ['quotation marks', '[[de:Haus "x"]] [[fr:"]]'],
    ['backslashes', '[[de:\\]] [[fr:A\\"b]]'],
    ['pairs of surrogates', '[[de:😀]] [[fr:A 😀]]'],
    ['a section alone', '[[de:#a]]'],
  ])('with %s', (_case, wikitext) => {
    const list = listOf(readerOf(), wikitext)
    expect(list).toBe(JSON.stringify(JSON.parse(list)))
  })
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
    ['lose their section', '[[de:Haus#Der Bau]] [[fr:A%23b]] [[it:a&#35;b]]', ['de:Haus', 'fr:A', 'it:A']],
    ['may be a section alone', '[[de:#a]] [[de:x]]', ['de:']],
    [
      'have their escapes decoded',
      '[[de:%C3%A9]] [[fr:100%]] [[it%3AA%20b]] [[%65s:x]]',
      ['de:É', 'es:X', 'fr:100%', 'it:A_b'],
    ],
    [
      'may have a prefix in any spelling',
      '[[_de_:x]] [[f&#114;:x]] [[i\u200et:x]]',
      ['de:X', 'fr:X', 'it:X'],
    ],
    ['may have a second colon', '[[de::Haus]] [[fr: :talk:x]]', ['de:Haus', 'fr:Talk:X']],
    [
      'have namespaces read as those of the own wiki',
      '[[de:talk:x]] [[es:image:x]] [[fr:user talk: x]] [[it:xyz:x]]',
      ['de:Talk:X', 'es:File:X', 'fr:User_talk:X', 'it:Xyz:x'],
    ],
    ['keep a second prefix', '[[de:W:haus]] [[fr:DE:haus]] [[it:w:]]', ['de:w:haus', 'fr:de:haus', 'it:w:']],
    ['lose direction marks', '[[de:\u200ex\u200ey]]', ['de:Xy']],
    ['have blanks of any kind', '[[de:a\u00a0b\u3000]]', ['de:A_b']],
    ['are composed', '[[de:e\u0301]]', ['de:É']],
    ['may have comments in them', '[[de:Ha<!-- x -->us]] [<!-- -->[fr:X]]', ['de:Haus', 'fr:X']],
    ['may have labels over lines', '[[de:Haus|a\nb]] [[fr:x|[y] ]]', ['de:Haus', 'fr:X']],
    ['stand in labels of other links', '[[Foo|[[de:A]]]] [[it:B|[[fr:C]]]]', ['de:A', 'fr:C']],
    ['may have brackets around them by twos', '[[[[de:A]]]] [[fr:B]]]', ['de:A', 'fr:B']],
    ['follow the link of a redirect', '#REDIRECT [[de:X]] [[de:Y]]', ['de:Y']],
    ['count in a redirect that is none', 'x\n#REDIRECT [[de:X]]', ['de:X']],
    ['count after elements that never end', '<nowiki>[[de:A]] <pre>[[fr:B]]', ['de:A', 'fr:B']],
    ['make way for no title that is none', '[[de:<b>]] [[de:a~~~b]] [[de:./x]] [[de:C]]', ['de:C']],
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
    ['links in open includeonly', '<includeonly>[[de:Haus]]'],
    ['links of redirects', '#REDIRECT [[de:X]]'],
    ['links of redirects with a label', ' #redirect: [[de:X|y]]'],
    ['links after one without a title', '[[de:]] [[de:Sp]]'],
    [
      'links after one whose title is none here',
      '[[de:Talk:]] [[de:x]] [[fr:Talk:file:x]] [[fr:#]] [[it:#_]] [[it:x]]',
    ],
    ['links with prefixes of other wikis', '[[commons:Haus]] [[w:de:Haus]] [[User:de:x]]'],
    ['links in three brackets', '[[[de:Haus]]] x[[[fr:x]]'],
    ['links without a letter in the label', '[[de:Haus|<!-- x -->]]'],
    ['links whose label has another', '[[de:Haus|a [[Foo]] b]] [[de:Haus|a [[b c]]'],
    [
      'links with escapes of escapes or of brackets',
      '[[de:%2541]] [[fr:%5B]] [[it:a&amp;amp;b]] [[es:a%0Ab]]',
    ],
    ['links with bytes that are no letters', '[[de:a%FFb]] [[fr:a&#0;b]]'],
    ['links with a leading colon as an escape', '[[%3Ade:Haus]]'],
    ['links with elements in them', '[[de:<nowiki>x</nowiki>]]'],
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
    expect(linksOf('[[de:haus tür]]', 'en', 'case-sensitive')).toMatchObject([
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
    ['elements that never end', '<pre>'],
    ['sections', '#'],
    ['escapes', '%41'],
    ['references', '&#65;'],
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

describe('a list of all kinds of links', () => {
  const targets = [
    'A b',
    'A_b',
    'a"b',
    'A\\b',
    'Ünï',
    '標題',
    'Дом',
    '😀',
    '\ud800',
    'A\u0001b',
    'A\tb',
    '#a',
    '',
  ]
    .concat(['Talk:x', 'A  b', ' A', 'A|l', 'A&amp;b', 'A%20b', `${'Ä'.repeat(85)}`, `${'Ä'.repeat(86)}`])
    .concat(["L'eau, (x)", 'A.b–c', 'A\u0301', 'A\u200e'])
  const prefixes = [
    'de',
    'DE',
    'be-tarask',
    'File',
    'Media talk',
    'ed',
    'no such',
    '%64e',
    'd&#101;',
    ':de',
    '',
  ]

  test.each(prefixes)('with the prefix %j is that of each link alone, in any text', (prefix) => {
    const reader = readerOf()
    for (const target of targets) {
      const link = `[[${prefix}:${target}]]`
      const alone = listOf(reader, link)
      expect(alone).toBe(JSON.stringify(JSON.parse(alone)))
      for (const [before, after] of [
        ['x [[File:M.png|[[', ' [[fi'],
        ['<b>', '</b>\n'],
        ['\n"\\[[', '[[\\'],
        ['<!-- [[de:B]] -->', `${link}[[`],
      ] as const)
        expect(listOf(reader, before + link + after)).toBe(alone)
    }
  })
})

test('a list of all languages with the longest titles is whole', () => {
  const reader = readerOf()
  const codes = [...interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES).values()]
    .filter(({ language, prefix }) => language !== undefined && prefix !== 'en')
    .map(({ prefix }) => prefix)
  const [plain, other] = ['標'.repeat(85), `${'"'.repeat(254)}x`]
  for (const title of [plain, other]) {
    const links = JSON.parse(listOf(reader, codes.map((code) => `[[${code}:${title}]]`).join(''))) as Link[]
    expect(links.map(({ code, key }) => `${code}:${key}`)).toEqual(
      codes.sort().map((code) => `${code}:${title}`),
    )
  }
})
