/** What the HTML of a page names. */
import { expect, test } from 'vitest'
import { bodyFacts } from '../../src/reader/bodyFacts.js'

test('lists links, files, categories, languages and headings of a body', () => {
  const html = `<section><p data-mw='{"parts":[{"template":{"target":{"wt":"Stub","href":"./Template:Stub"}}}]}'>
    <a rel="mw:WikiLink" href="./Moon_%26_sun#x" title="Moon">m</a> <a rel="mw:ExtLink" href="https://a.example/?b=1&amp;c">e</a>
    <a rel="mw:WikiLink/Interwiki" href="https://w.example/x" title="w:x">x</a><img resource="./File:Moon.png" src="/m.png"/></p>
    <h2 id="Far_side">Far <a href="./S">side</a></h2></section>
    <link rel="mw:PageProp/Category" href="./Category:Bodies#!Moon"/><link rel="mw:PageProp/Language" href="https://de.example/Mond"/>`
  expect(bodyFacts(html)).toEqual({
    links: ['Moon_&_sun'],
    external: ['https://a.example/?b=1&c'],
    languages: ['https://de.example/Mond'],
    interwiki: [{ title: 'w:x', url: 'https://w.example/x' }],
    templates: ['Template:Stub'],
    files: ['File:Moon.png'],
    categories: [{ key: 'Category:Bodies', sortKey: '!Moon' }],
    headings: [{ level: 2, id: 'Far_side', line: 'Far side' }],
  })
})

test('takes linear time for odd HTML', () => {
  const start = performance.now()
  for (const part of ['<a ', '<h2>', '<a href="', '<', '"']) bodyFacts(part.repeat(30_000))
  expect(performance.now() - start).toBeLessThan(5000)
})
