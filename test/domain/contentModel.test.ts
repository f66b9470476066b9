import { expect, test } from 'vitest'
import { defaultContentModel } from '../../src/domain/contentModel.js'

test.each([
  ['MediaWiki:Common.css', 8, 'Common.css', 'css'],
  ['MediaWiki:Common.js', 8, 'Common.js', 'javascript'],
  ['MediaWiki:Data.json', 8, 'Data.json', 'json'],
  ['a sub page of an interface page', 8, 'Gadget/x.js', 'javascript'],
  ['another interface page', 8, 'Sidebar', 'wikitext'],
  ['a script on a sub page of a user', 2, 'Ann/common.js', 'javascript'],
  ['a style on a deep sub page of a user', 2, 'Ann/a/b.css', 'css'],
  ['data on a sub page of a user', 2, 'Ann/x.json', 'json'],
  ['a user page that is no sub page', 2, 'Ann.js', 'wikitext'],
  ['an ending in capitals', 2, 'Ann/common.JS', 'wikitext'],
  ['an ending in the middle', 8, 'Common.css/de', 'wikitext'],
  ['a talk page', 3, 'Ann/common.js', 'wikitext'],
  ['an article', 0, 'Node.js', 'wikitext'],
  ['an article on a sub page', 0, 'A/Node.js', 'wikitext'],
])('%s has its default model', (_case, namespace, dbkey, model) => {
  expect(defaultContentModel(namespace, dbkey)).toBe(model)
})
