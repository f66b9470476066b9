import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import {
  categoriesOfHtml,
  categoryLinks,
  MAX_CATEGORIES,
  sortKeyOf,
} from '../../src/wikitext/categoryLinks.js'

const named = (name: string): Namespaces =>
  new Namespaces({
    ...DEFAULT_SITE,
    namespaces: DEFAULT_SITE.namespaces.map((each) => (each.id === 14 ? { ...each, name } : each)),
  })
const ENGLISH = new Namespaces(DEFAULT_SITE)
const GERMAN = named('Kategorie')

/** Categories with their sort keys, in one line each. */
const found = (wikitext: string, namespaces = ENGLISH): string[] =>
  categoryLinks(wikitext, namespaces).map(({ category, sortKey }) => `${category}|${sortKey}`)
const inHtml = (html: string, namespaces = GERMAN): string[] =>
  categoriesOfHtml(html, namespaces).map(({ category, sortKey }) => `${category}|${sortKey}`)

describe('categories of a wikitext', () => {
  test.each([
    ['a link', '[[Category:Ponds]]', ['Ponds|']],
    ['any case, blanks and underscores', '[[ category : old_ponds ]] [[CATEGORY:B]]', ['B|', 'Old_ponds|']],
    ['an own sort key', '[[Category:Ponds|Old pond]]', ['Ponds|Old pond']],
    ['a blank as the sort key', '[[Category:Ponds| ]]', ['Ponds| ']],
    ['an empty sort key', '[[Category:Ponds|]]', ['Ponds|']],
    ['a bar in the sort key', '[[Category:Ponds|a|b]]', ['Ponds|a|b']],
    ['the last sort key of a category', '[[Category:P|a]] [[Category:P|b]]', ['P|b']],
    [
      'a sort key for all',
      '[[Category:P]] [[Category:Q|q]] {{DEFAULTSORT: Pond, old }}',
      ['P|Pond, old', 'Q|q'],
    ],
    ['the last sort key for all', '{{DEFAULTSORT:a}}[[Category:P]]{{DEFAULTSORT:b}}', ['P|b']],
    ['noreplace', '{{DEFAULTSORT:a}}[[Category:P]]{{DEFAULTSORT:b|noreplace}}', ['P|a']],
    ['references and escapes', '[[Category:A&amp;b%21|&Ouml;l]]', ['A&b!|Öl']],
    ['a link in a label', '[[File:A.png|thumb|[[Category:P]]]]', ['P|']],
    ['links of a redirect page', '#REDIRECT [[Category:Ponds]] [[Category:Redirects]]', ['Redirects|']],
    ['a link to the page of a category', '[[:Category:Ponds]] [[ :Category:Ponds]]', []],
    [
      'nowiki, comments and code',
      '<nowiki>[[Category:A]]</nowiki><!-- [[Category:B]] --><pre>[[Category:C]]</pre>',
      [],
    ],
    [
      'text for other pages',
      '<includeonly>[[Category:A]]</includeonly><noinclude>[[Category:B]]</noinclude>',
      ['B|'],
    ],
    ['names with templates', '[[Category:{{PAGENAME}}]] [[Category:A|{{PAGENAME}}]]', ['A|']],
    ['names that are no titles', '[[Category:]] [[Category:a<b]] [[Category:%5B]]', []],
    ['other namespaces', '[[Help:A]] [[de:Category:B]] [[Category talk:C]]', []],
    ['text without an end', '[[Category:Ponds', []],
  ])('%s', (_case, wikitext, wanted) => {
    expect(found(wikitext)).toEqual(wanted)
  })

  test('have the local name of the namespace and the English one', () => {
    expect(found('[[Kategorie:A]] [[kategorie:b]] [[Category:C]]', GERMAN)).toEqual(['A|', 'B|', 'C|'])
    expect(found('[[Kategorie:A]]')).toEqual([])
  })

  test('are bounded in number, and take linear time', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `[[Category:C${n}]]`).join('')
    const start = performance.now()
    expect(found(many)).toHaveLength(MAX_CATEGORIES)
    for (const text of ['[[Category:', '[[', '[[Category:A|', '[[Category:A]]<nowiki>', '{{DEFAULTSORT:'])
      expect(found(text.repeat(100_000)).length).toBeLessThanOrEqual(1)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

describe('categories of HTML', () => {
  test('have the sort keys of their links, or that of the page', () => {
    const html = `<meta property="mw:PageProp/categorydefaultsort" content='Zoo"key'/>
      <link rel="mw:PageProp/Category" href="./Kategorie:Foo_bar#k%22e%20y/ö%20%23x%3E"/>
      <link about="#mwt1" typeof="mw:Transclusion" rel='mw:PageProp/Category' href="./Kategorie:B&amp;a" data-mw='{"a":">"}' id="mwBA">
      <link rel="mw:PageProp/Category" href="./Kategorie:C#%20"/>`
    expect(inHtml(html)).toEqual(['B&a|Zoo"key', 'C| ', 'Foo_bar|k"e y/ö #x>'])
  })

  test('are no other links, and nothing in attributes', () => {
    const html = `<a rel="mw:WikiLink" href="./Kategorie:A">A</a> <link rel="mw:PageProp/Language" href="./Kategorie:B"/>
      <p data-mw='&lt;link rel="mw:PageProp/Category" href="./Kategorie:C"/>'></p>
      <link rel="mw:PageProp/Category" href="./Hilfe:D"/>`
    expect(inHtml(html)).toEqual([])
  })
})

test('sort keys have no control characters, and at most 255 bytes of whole letters', () => {
  expect(sortKeyOf('a\n\0b\tc')).toBe('abc')
  expect(sortKeyOf('ö'.repeat(200))).toBe('ö'.repeat(127))
  expect(sortKeyOf('a\ud800')).toBe('a\ufffd')
})
