import { expect, test } from 'vitest'
import { trusted } from '../../src/reader/html.js'
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

test('a word has the value of its message, once', () => {
  expect(plainWord('Править: $1', 'edit-heading')).toBe('Править: $1')
  expect(plainWord('«$1»: история', 'history-heading')).toBe('«$1»: история')
  for (const wrong of ['Править', '$1 $1', '$1 $2', '$10', '$1$', '$1 [[x]]', "''$1''"])
    expect(plainWord(wrong, 'edit-heading'), wrong).toBeUndefined()
  expect(plainWord('Поиск $1', 'search')).toBeUndefined()
})

test('values of words are escaped as others, and stay as they are', () => {
  const site = { language: 'ru', words: new Map([['edit-heading', 'Править «$1»']] as const) }
  expect(wordOf(site, 'edit-heading', '$1 & $&')).toBe('Править «$1 & $&»')
  expect(String(word(site, 'edit-heading', '<b>'))).toBe(
    '<span lang="ru" dir="auto">Править «&lt;b&gt;»</span>',
  )
  expect(String(word(site, 'edit-heading', trusted('<bdi>x</bdi>')))).toContain('«<bdi>x</bdi>»')
  expect(wordOf({ words: new Map() }, 'edit-heading', 'A')).toBe('Editing A')
  expect(String(word({ language: 'ru', words: new Map() }, 'edit-heading', '<b>'))).toBe('Editing &lt;b&gt;')
})
