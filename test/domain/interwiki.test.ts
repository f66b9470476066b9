import { expect, test } from 'vitest'
import { directionOf } from '../../src/domain/direction.js'
import { defaultInterwikiMap } from '../../src/domain/interwiki.js'

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

test('languages are written from left to right, but for some', () => {
  expect(['en', 'zh', 'he', 'ar', 'FA'].map(directionOf)).toEqual(['ltr', 'ltr', 'rtl', 'rtl', 'rtl'])
})
