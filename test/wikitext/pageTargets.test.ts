/** What a wikitext leads to. */
import { describe, expect, test } from 'vitest'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { externalIndex } from '../../src/wikitext/externalLinks.js'
import { linkRules } from '../../src/wikitext/languageLinks.js'
import { type LinkKind, nameIn, namespaceIn, pageTargets } from '../../src/wikitext/pageTargets.js'

const RULES = linkRules({
  namespaces: new Namespaces(DEFAULT_SITE),
  interwiki: interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES),
  language: 'en',
})

function targets(kind: LinkKind, wikitext: string, page = { namespace: 0, dbkey: 'Moon' }): string[] {
  const found = pageTargets({ ...page, redirectTarget: undefined, wikitext }, RULES)[kind]
  return found.map((target) => `${namespaceIn(target)}:${nameIn(target).replace('\t', ' → ')}`)
}

test.each([
  ['plain, labelled and lower case', '[[Sun]] [[the sea|sea]] [[Sun|again]]', ['0:Sun', '0:The_sea']],
  [
    'escapes and blanks',
    '[[ Big_rock ]] [[Caf%C3%A9]] [[A &amp; B#part]]',
    ['0:A_&_B', '0:Big_rock', '0:Café'],
  ],
  ['pages of files and categories', '[[:File:A.png]] [[:Category:Rocks]]', ['6:A.png', '14:Rocks']],
  ['no files, categories, special pages', '[[File:A.png]] [[Category:Rocks]] [[Special:Random]]', []],
  ['no other wikis and languages', '[[w:Moon]] [[de:Mond]] [[:de:Mond]]', []],
  ['no sections, comments and nowiki', '[[#top]] <!-- [[a]] --> <nowiki>[[b]]</nowiki>', []],
  ['no broken links', '[[a [[b] [[c\n]] [[d{{e}}]]', []],
  ['in arguments and references', '{{box|[[Sun]]}} <ref>[[Sea]]</ref>', ['0:Sea', '0:Sun']],
])('links: %s', (_name, text, wanted) => {
  expect(targets('link', text)).toEqual(wanted)
})

test('links to subpages have the whole title', () => {
  const page = { namespace: 2, dbkey: 'Ann/drafts' }
  const text = '[[/one]] [[/two/]] [[../three]] [[../]]'
  const wanted = ['2:Ann', '2:Ann/drafts/one', '2:Ann/drafts/two', '2:Ann/three']
  expect(targets('link', text, page)).toEqual(wanted)
  expect(targets('link', '[[/one]]')).toEqual(['0:/one'])
})

test.each([
  [
    'plain and with arguments',
    '{{Box}} {{note|a}} {{Info box\n| a = {{Inner}} }}',
    ['Box', 'Info_box', 'Inner', 'Note'],
  ],
  ['of other namespaces', '{{:Sun}} {{User:Ann/box}} {{Talk:Moon}}', undefined],
  ['no parameters', '{{{1}}} {{{name|{{Box}}}}}', ['Box']],
  [
    'no functions and variables',
    '{{#if:x|y}} {{PAGENAME}} {{lc:A}} {{DEFAULTSORT:x}} {{FULLPAGENAMEE}} {{!}}',
    [],
  ],
  ['a name with a colon', '{{Note: this}}', ['Note:_this']],
])('templates: %s', (_name, text, wanted) => {
  const all = ['0:Sun', '1:Moon', '2:Ann/box']
  expect(targets('template', text)).toEqual(wanted?.map((name) => `10:${name}`) ?? all)
})

test('modules are templates', () => {
  expect(targets('template', '{{#invoke:Box|main}} {{#invoke: tides/data |x}}')).toHaveLength(2)
})

test('files are shown, linked and listed', () => {
  const text = '[[File:A.png|thumb]] [[Media:B.ogg]] <gallery>\nC.jpg|x\nFile:D.jpg\n</gallery>'
  expect(targets('file', text)).toEqual(['6:A.png', '6:B.ogg', '6:C.jpg', '6:D.jpg'])
})

test('titles of other wikis have their prefix', () => {
  expect(targets('interwiki', '[[w:Moon rock|x]] [[:de:Mond]]')).toEqual(['0:de → Mond', '0:w → Moon_rock'])
})

test('a redirect is a link', () => {
  const lists = pageTargets({ namespace: 0, dbkey: 'A', redirectTarget: 'Talk:B', wikitext: '' }, RULES)
  expect([lists.redirect, lists.link]).toEqual([['\u0003B'], ['\u0003B']])
})

test.each([
  [
    'bare and in brackets',
    'see https://a.example/x, [http://b.example y]',
    ['https://a.example/x', 'http://b.example'],
  ],
  [
    'round brackets',
    '(https://a.example/x) https://a.example/(y)',
    ['https://a.example/x', 'https://a.example/(y)'],
  ],
  ['without protocol', '[//a.example/x] //b.example', ['//a.example/x']],
  ['without host', 'mailto:ann@a.example', ['mailto:ann@a.example']],
  ['no words that end so', 'xhttp://a.example good news: none', []],
])('addresses: %s', (_name, text, wanted) => {
  expect(new Set(targets('external', text))).toEqual(new Set(wanted.map((url) => `0:${url}`)))
})

test.each([
  ['https://tides.example/ebbe', 'https://example.tides./ebbe'],
  ['http://Www.Example.org:8080?a', 'http://org.example.www.:8080?a'],
  ['mailto:harbour@example.org', 'mailto:org.example.@harbour'],
  ['//a.example', 'https://example.a./'],
  ['http://10.0.0.1/x', 'http://V4.10.0.0.1./x'],
])('%s is at %s', (url, index) => {
  expect(externalIndex(url)).toBe(index)
})

describe('hostile texts take linear time', () => {
  const times = 200_000
  test.each([
    '[[',
    '{{',
    '[[a|',
    '{{\n',
    '{{{',
    'http://',
    '[//',
    '[[a]]',
    '{{a}}',
    '[[::',
    '%',
    'mailto:',
    '<gallery>',
  ])('of %s alone', (part) => {
    const started = performance.now()
    targets('link', part.repeat(times))
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
