import { expect, test } from 'vitest'
import { defaultContentModel, documentationOf } from '../../src/domain/contentModel.js'

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
  ['a module', 828, 'Sums', 'Scribunto'],
  ['a sub page of a module', 828, 'Sums/sandbox', 'Scribunto'],
  ['the documentation of a module', 828, 'Sums/doc', 'wikitext'],
  ['the documentation of a sub page of a module', 828, 'Sums/sandbox/doc', 'wikitext'],
  ['a module that is named as documentation', 828, 'Doc', 'Scribunto'],
  ['data of a module', 828, 'Sums/rates.json', 'json'],
  ['a module named as data', 828, 'Rates.json', 'json'],
  ['styles of a module', 828, 'Sums/styles.css', 'sanitized-css'],
  ['a module that ends as styles', 828, 'Styles.css', 'Scribunto'],
  ['a talk page of a module', 829, 'Sums', 'wikitext'],
  ['styles of a template', 10, 'Box/styles.css', 'sanitized-css'],
  ['a template that ends as styles', 10, 'Box.css', 'wikitext'],
])('%s has its default model', (_case, namespace, dbkey, model) => {
  expect(defaultContentModel(namespace, dbkey)).toBe(model)
})

test.each([
  [828, 'Sums', 'Sums/doc'],
  [828, 'Sums/sandbox', 'Sums/sandbox/doc'],
  [828, 'Sums/doc', undefined],
  [828, 'Rates.json', undefined],
  [828, 'Sums/styles.css', undefined],
  [829, 'Sums', undefined],
  [0, 'Sums', undefined],
])('in namespace %i, %s is described by %s', (namespace, dbkey, documentation) => {
  expect(documentationOf({ namespace, dbkey })?.dbkey).toBe(documentation)
})
