import { describe, expect, test } from 'vitest'
import { ownSections, pagesElsewhere, replaceBytes } from '../../../src/http/reader/contentBytes.js'

const own = (html: string, key: string, path: string): string =>
  Buffer.from(replaceBytes(Buffer.from(html), ownSections(key, path))).toString()

describe('links to sections of the page itself', () => {
  test.each([
    ['<a href="./Rose#a">', 'Rose', '<a href="/wiki/Old?oldid=1&amp;x#a">'],
    [
      '<a rel="mw:WikiLink" href="./Rose#a">',
      'Rose',
      '<a rel="mw:WikiLink" href="/wiki/Old?oldid=1&amp;x#a">',
    ],
    ['<a href="./A&amp;B#a">', 'A&B', '<a href="/wiki/Old?oldid=1&amp;x#a">'],
    [`<a href='./"A"#a'>`, '"A"', `<a href='/wiki/Old?oldid=1&amp;x#a'>`],
    ['<a href="./Who%3F#a">', 'Who?', '<a href="/wiki/Old?oldid=1&amp;x#a">'],
    ['<a href="./日本#a">日本', '日本', '<a href="/wiki/Old?oldid=1&amp;x#a">日本'],
    [
      '<a href="./Rose#a"><a href="./Rose#b">',
      'Rose',
      '<a href="/wiki/Old?oldid=1&amp;x#a"><a href="/wiki/Old?oldid=1&amp;x#b">',
    ],
  ])('%s on %s become %s', (html, key, expected) => {
    expect(own(html, key, '/wiki/Old?oldid=1&x')).toBe(expected)
  })

  test.each([
    ['links to other pages', '<a href="./Roses#a"><a href="./Rose">'],
    ['texts', '&lt;a href="./Rose#a">'],
    ['attributes', `<p title='&lt;a href="./Rose#a"'>`],
    ['other elements', '<link href="./Rose#a">'],
  ])('%s stay', (_name, html) => {
    expect(own(html, 'Rose', '/x')).toBe(html)
  })
})

test('links to pages may lead to another server, and links to notes stay', () => {
  const html = '<a rel="mw:WikiLink" href="./A">a</a><a href="./A#cite_note-1">1</a>'
  const there = replaceBytes(Buffer.from(html), pagesElsewhere('https://w.example/wiki/'))
  expect(Buffer.from(there).toString()).toBe(
    '<a rel="mw:WikiLink" href="https://w.example/wiki/A">a</a><a href="./A#cite_note-1">1</a>',
  )
})

test('a megabyte of links takes a few milliseconds at most', () => {
  const html = Buffer.from('<a href="./Rose#a">x</a> some words between '.repeat(25_000))
  const before = process.cpuUsage()
  const changed = replaceBytes(html, ownSections('Rose', '/wiki/Rose?oldid=1'))
  expect(changed.length).toBe(html.length + 25_000 * ('/wiki/Rose?oldid=1'.length - './Rose'.length))
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})
