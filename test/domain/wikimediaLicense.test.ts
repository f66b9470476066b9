import { expect, test } from 'vitest'
import { wikimediaLicense } from '../../src/domain/wikimediaSettings.js'

test.each([
  ['https://gd.wikipedia.org/wiki/Prìomh-Dhuilleag', 'gdwiki'],
  ['http://en.wikipedia.org/wiki/Main_Page', 'enwiki'],
  ['https://zh-min-nan.wikipedia.org/wiki/X', 'zh_min_nanwiki'],
  ['https://fr.wiktionary.org/wiki/X', 'frwiktionary'],
  ['https://de.wikivoyage.org/wiki/X', 'dewikivoyage'],
])('%s (%s) has the licence of Wikimedia', (base, wikiId) => {
  expect(wikimediaLicense(base, wikiId)?.url).toBe('https://creativecommons.org/licenses/by-sa/4.0/')
})

test.each([
  ['https://test.example.org/wiki/Main_Page', 'testwiki'],
  ['https://en.wikipedia.org.example/wiki/X', 'enwiki'],
  ['https://example.org/?https://en.wikipedia.org/wiki/', 'enwiki'],
  ['https://en.wikinews.org/wiki/X', 'enwikinews'],
  ['https://www.wikidata.org/wiki/X', 'wikidatawiki'],
  ['https://en.wikipedia.org/wiki/X', ''],
])('%s (%s) has one that nobody knows', (base, wikiId) => {
  expect(wikimediaLicense(base, wikiId)).toBeUndefined()
})
