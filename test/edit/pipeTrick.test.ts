import { describe, expect, test } from 'vitest'
import { labelLinks } from '../../src/edit/prepareEdit.js'

const LIMIT = 2_097_152
const labelled = (text: string, page = 'Moon') => labelLinks(text, page, LIMIT)

test.each([
  ['[[Help:Foo (bar)|]]', '[[Help:Foo (bar)|Foo]]'],
  ['[[Help:Foo|]]', '[[Help:Foo|Foo]]'],
  ['[[Foo (bar)|]]', '[[Foo (bar)|Foo]]'],
  ['[[Foo(bar)|]]', '[[Foo(bar)|Foo]]'],
  ['[[Foo, Bar|]]', '[[Foo, Bar|Foo]]'],
  ['[[Foo (bar), Baz|]]', '[[Foo (bar), Baz|Foo]]'],
  ['[[Foo, Bar (baz)|]]', '[[Foo, Bar (baz)|Foo, Bar]]'],
  ['[[Foo|]]', '[[Foo|Foo]]'],
  ['[[:Category:Foo|]]', '[[:Category:Foo|Foo]]'],
  ['[[:de:Foo (x)|]]', '[[:de:Foo (x)|Foo]]'],
  ['[[Foo:Bar:Baz|]]', '[[Foo:Bar:Baz|Bar:Baz]]'],
  ['[[東京（曖昧さ回避）|]]', '[[東京（曖昧さ回避）|東京]]'],
  ['[[حلب، سوريا|]]', '[[حلب، سوريا|حلب]]'],
  ['[[(bar)|]]', '[[(bar)|(bar)]]'],
  ['[[Help:|]]', '[[Help:|Help:]]'],
  ['[[Foo|x]] [[Foo]]', '[[Foo|x]] [[Foo]]'],
  ['[[|]] [[Foo\nbar|]] [[{{x}}|]]', '[[|]] [[Foo\nbar|]] [[{{x}}|]]'],
  ['<nowiki>[[Foo|]]</nowiki> [[Foo|]]', '<nowiki>[[Foo|]]</nowiki> [[Foo|Foo]]'],
  ['<!-- [[Foo|]] -->', '<!-- [[Foo|]] -->'],
  ['[[|Sun]]', '[[Sun]]'],
])('%s becomes %s', (text, expected) => {
  expect(labelled(text)).toBe(expected)
})

test.each([
  ['Moon (film)', '[[Sun (film)|Sun]]'],
  ['Moon, Kansas', '[[Sun, Kansas|Sun]]'],
  ['Moon, Kansas (town)', '[[Sun (town)|Sun]]'],
  ['月（映画）', '[[Sun（映画）|Sun]]'],
  ['(film)', '[[Sun]]'],
  [', Kansas', '[[Sun]]'],
])('on the page %s a link without a title becomes %s', (page, expected) => {
  expect(labelled('[[|Sun]]', page)).toBe(expected)
})

describe('a hostile text of a million letters gets an answer', () => {
  test.each(['[[a', '[[', '[[|', '[[a|', '|]]', '[[a|]]', `[[${'a'.repeat(500)}`, '[[a, '])('%s', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length) + '|]]'
    expect(labelled(text)?.length).toBeGreaterThanOrEqual(text.length)
  })
})

test('links that grow beyond the limit end the save', () => {
  expect(labelLinks('[[Foo|]]', 'Moon', 10)).toBeUndefined()
  expect(labelLinks('[[Foo|]]', 'Moon', 11)).toBe('[[Foo|Foo]]')
})
