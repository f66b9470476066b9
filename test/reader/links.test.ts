import { describe, expect, test } from 'vitest'
import { parseTitle, prefixedKey } from '../../src/domain/title.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { decodePercent } from '../../src/domain/percent.js'
import { Links } from '../../src/reader/links.js'

const links = new Links('')

describe('links', () => {
  test.each([
    [links.page('Talk:Foo bar'), '/wiki/Talk:Foo_bar'],
    [links.page('A/B (c), d!'), '/wiki/A/B_(c),_d!'],
    [links.page('Who?'), '/wiki/Who%3F'],
    [links.page('100%'), '/wiki/100%25'],
    [links.page('A&B="\'+'), '/wiki/A%26B%3D%22%27%2B'],
    [links.page('Fußball'), '/wiki/Fu%C3%9Fball'],
    [links.page('\ud800'), '/wiki/%EF%BF%BD'],
    [links.section('Foo', 'Über_uns "#1"'), '/wiki/Foo#Über_uns%20%22%231%22'.replace(' ', '')],
    [links.action('Foo', 'history', { offset: 3 }), '/wiki/Foo?action=history&offset=3'],
    [links.revision('Foo', 12), '/wiki/Foo?oldid=12'],
    [links.comparison('Foo', 12, 7), '/wiki/Foo?diff=12&oldid=7'],
    [links.comparison('Foo', 'prev', 7), '/wiki/Foo?diff=prev&oldid=7'],
    [links.search('a b&c=d'), '/wiki/Special:Search?search=a+b%26c%3Dd'],
    [links.special('Random', {}, 'Talk'), '/wiki/Special:Random/Talk'],
  ])('%s', (link, expected) => {
    expect(link).toBe(expected)
  })

  const namespaces = new Namespaces(DEFAULT_SITE)
  test.each([
    'Who?',
    'A/../B',
    'AT&T',
    'C++',
    '"Heroes"',
    "It's",
    'a;b@c$d!e*f(g)h,i/j:k~l',
    '日本',
    '🙂',
    '%',
  ])('of %s lead back to the same title', (name) => {
    const parsed = parseTitle(name, namespaces)
    if (!parsed.ok) return expect(parsed.error).toBe('relative-path')
    const key = prefixedKey(parsed.title, namespaces)
    const { pathname, search, hash } = new URL(links.page(key), 'http://a.example')
    expect([search, hash]).toEqual(['', ''])
    expect(decodePercent(pathname.slice('/wiki/'.length))).toBe(key)
  })

  test('of a wiki below a path begin with its root', () => {
    const { front, wiki, searchDescription } = new Links('/en')
    expect([front, wiki, searchDescription]).toEqual(['/en/', '/en/wiki/', '/en/opensearch.xml'])
    expect(new Links('/en').action('Foo', 'edit')).toBe('/en/wiki/Foo?action=edit')
    expect(new Links('/en').sitemap()).toBe('/en/sitemap.xml')
    expect(new Links('/en').sitemap(2)).toBe('/en/sitemap/2.xml')
  })
})
