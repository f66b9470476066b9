import { expect, test } from 'vitest'
import { directionOf } from '../../src/domain/direction.js'
import {
  defaultInterwikiMap,
  interwikiMap,
  interwikiPrefixOf,
  mergeInterwikiChanges,
  NO_INTERWIKI_CHANGES,
} from '../../src/domain/interwiki.js'

const urls = (base: string, language = 'en') =>
  new Map(defaultInterwikiMap({ base, language }).map(({ prefix, url }) => [prefix, url]))

test('languages lead to the wiki’s own project, projects to the wiki’s own language', () => {
  const map = urls('https://gd.wiktionary.org/wiki/Prìomh-Dhuilleag', 'gd')
  expect(map.get('de')).toBe('https://de.wiktionary.org/wiki/$1')
  expect(map.get('w')).toBe('https://gd.wikipedia.org/wiki/$1')
  expect(map.get('commons')).toBe('https://commons.wikimedia.org/wiki/$1')
})

test('a wiki of another family leads to Wikipedia', () => {
  expect(urls('https://garden.example/wiki/Main').get('de')).toBe('https://de.wikipedia.org/wiki/$1')
  expect(urls('').get('fr')).toBe('https://fr.wikipedia.org/wiki/$1')
})

test('only prefixes of languages name one, and every prefix is there once', () => {
  const map = defaultInterwikiMap({ base: '', language: 'en' })
  expect(map.find(({ prefix }) => prefix === 'de')?.language).toBe('Deutsch')
  expect(map.find(({ prefix }) => prefix === 'w')?.language).toBeUndefined()
  expect(new Set(map.map(({ prefix }) => prefix)).size).toBe(map.length)
})

test('changes add to the map, change it, take away from it, or stand in its place', () => {
  const site = { base: '', language: 'en' }
  const added = { only: false, entries: { moon: { url: 'https://moon.example/$1' }, de: null } }
  const map = interwikiMap(site, mergeInterwikiChanges(NO_INTERWIKI_CHANGES, added))
  expect(map.get('moon')).toEqual({ prefix: 'moon', url: 'https://moon.example/$1' })
  expect(map.has('de')).toBe(false)
  expect(map.size).toBe(defaultInterwikiMap(site).length)
  const only = { only: true, entries: { sun: { url: 'https://sun.example/$1' } } }
  const later = { only: false, entries: { moon: { url: 'https://luna.example/$1' } } }
  const merged = [added, only, later].reduce(mergeInterwikiChanges, NO_INTERWIKI_CHANGES)
  expect([...interwikiMap(site, merged).keys()]).toEqual(['moon', 'sun'])
})

test.each([
  [0, 'De:Foo', 'de'],
  [1, 'de:Foo', 'de'],
  [0, 'Foo:de', undefined],
  [0, 'De', undefined],
  [12, 'De:Foo', undefined],
])('a title in namespace %i, %s, has the prefix %s', (namespace, dbkey, prefix) => {
  const map = interwikiMap({ base: '', language: 'en' }, NO_INTERWIKI_CHANGES)
  expect(interwikiPrefixOf({ namespace, dbkey }, map)).toBe(prefix)
})

test('languages are written from left to right, but for some', () => {
  expect(['en', 'zh', 'he', 'ar', 'FA'].map(directionOf)).toEqual(['ltr', 'ltr', 'rtl', 'rtl', 'rtl'])
})
