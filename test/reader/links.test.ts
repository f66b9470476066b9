import { describe, expect, test } from 'vitest'
import { parseTitle, prefixedKey } from '../../src/domain/title.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { decodePercent } from '../../src/domain/percent.js'
import {
  actionLink,
  comparisonLink,
  pageLink,
  revisionLink,
  searchLink,
  sectionLink,
  specialLink,
} from '../../src/reader/links.js'

describe('links', () => {
  test.each([
    [pageLink('Talk:Foo bar'), '/wiki/Talk:Foo_bar'],
    [pageLink('A/B (c), d!'), '/wiki/A/B_(c),_d!'],
    [pageLink('Who?'), '/wiki/Who%3F'],
    [pageLink('100%'), '/wiki/100%25'],
    [pageLink('A&B="\'+'), '/wiki/A%26B%3D%22%27%2B'],
    [pageLink('Fußball'), '/wiki/Fu%C3%9Fball'],
    [pageLink('\ud800'), '/wiki/%EF%BF%BD'],
    [sectionLink('Foo', 'Über_uns "#1"'), '/wiki/Foo#Über_uns%20%22%231%22'.replace(' ', '')],
    [actionLink('Foo', 'history', { offset: 3 }), '/wiki/Foo?action=history&offset=3'],
    [revisionLink('Foo', 12), '/wiki/Foo?oldid=12'],
    [comparisonLink('Foo', 12, 7), '/wiki/Foo?diff=12&oldid=7'],
    [comparisonLink('Foo', 'prev', 7), '/wiki/Foo?diff=prev&oldid=7'],
    [searchLink('a b&c=d'), '/wiki/Special:Search?search=a+b%26c%3Dd'],
    [specialLink('Random', {}, 'Talk'), '/wiki/Special:Random/Talk'],
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
    const { pathname, search, hash } = new URL(pageLink(key), 'http://a.example')
    expect([search, hash]).toEqual(['', ''])
    expect(decodePercent(pathname.slice('/wiki/'.length))).toBe(key)
  })
})
