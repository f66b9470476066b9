import { expect, test } from 'vitest'
import { MESSAGES, plainWord, text, word, WORD_PAGES, wordOf } from '../../src/reader/messages.js'

test.each([
  ['Lorg', 'Lorg'],
  [' Свежие правки\n', 'Свежие правки'],
  ['صفحهٔ اصلی', 'صفحهٔ اصلی'],
  ["L'article", "L'article"],
])('%j is a word', (wikitext, shown) => {
  expect(plainWord(wikitext)).toBe(shown)
})

test.each([
  ['nothing', ''],
  ['a switch', '-'],
  ['a tag', '<b>Search</b>'],
  ['a script', '<script>alert(1)</script>'],
  ['a reference', '&lt;script>'],
  ['a template', 'Search {{SITENAME}}'],
  ['a link', '[[Search]]'],
  ['a value', '$1 pages'],
  ['bold text', "'''Search'''"],
  ['a redirect', '#REDIRECT [[MediaWiki:Search]]'],
  ['two lines', 'a\nb'],
  ['a sign of direction', 'a\u202eb'],
  ['half of a letter', '\ud800'],
  ['a long text', 'x'.repeat(81)],
  ['a very long text', ' '.repeat(1e6)],
])('%s is none', (_what, wikitext) => {
  expect(plainWord(wikitext)).toBeUndefined()
})

test('each page stands for a message that there is, and each message has English words', () => {
  for (const [key] of WORD_PAGES) expect(Object.hasOwn(MESSAGES, key), key).toBe(true)
  const site = { language: 'gd', words: new Map([['search', 'Lorg "&"']] as const) }
  expect([wordOf(site, 'search'), wordOf(site, 'menu')]).toEqual(['Lorg "&"', text('menu')])
  expect(String(word(site, 'search'))).toBe('<span lang="gd" dir="auto">Lorg &quot;&amp;&quot;</span>')
  expect(word(site, 'menu')).toBe('Menu')
})
