/** The DOM of the package `parsoid` with this server's changes for speed builds the same trees. */
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { loadParsoid } from '../../src/render/parsoid/loadPackage.js'

const require = createRequire(import.meta.url)
const fromPackage = createRequire(require.resolve('parsoid/package.json'))
loadParsoid()

interface Element {
  readonly localName: string
  readonly constructor: unknown
  readonly outerHTML: string
}

interface Document {
  readonly body: Element
  readonly outerHTML: string
  createElement(name: string): Element
}

interface Parser {
  insertToken(type: number, value?: string, attributes?: readonly (readonly [string, string])[]): void
  document(): Document
  restart(): void
}

type ElementClass = abstract new () => Element

const { createDocument, impl } = fromPackage('domino') as {
  createDocument(this: void, html: string): Document
  readonly impl: { readonly HTMLParser: new () => Parser } & Readonly<Record<string, ElementClass>>
}

describe('elements', () => {
  const document = createDocument('')
  const element = (name: string): Element => document.createElement(name)

  test('of common kinds share a class, so that they have one shape', () => {
    const names = ['a', 'table', 'li', 'h2', 'meta', 'span', 'b', 'figure-inline', 'body']
    const classes = new Set(names.map((name) => element(name).constructor))
    expect([...classes]).toEqual([impl['HTMLElement']])
  })

  test('have all properties from the start', () => {
    const before = Object.keys(element('p'))
    const { body } = createDocument('<p class="a" id="b">c</p>')
    expect(Object.keys(body).sort()).toEqual(before.sort())
  })

  test.each([
    ['HTMLTableElement', 'table', 'tbody'],
    ['HTMLLIElement', 'li', 'ul'],
    ['HTMLHeadingElement', 'h3', 'p'],
    ['HTMLBodyElement', 'body', 'div'],
    ['HTMLHtmlElement', 'html', 'head'],
    ['HTMLTemplateElement', 'template', 'table'],
  ])('%s is the class of %s, and not of %s', (name, its, other) => {
    expect(element(its)).toBeInstanceOf(impl[name]!)
    expect(element(other)).not.toBeInstanceOf(impl[name]!)
    expect(undefined).not.toBeInstanceOf(impl[name]!)
  })

  test.each([
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<h1>a<h2>b</h2>', '<h1>a</h1><h2>b</h2>'],
    ['<h1>a</h2>b', '<h1>a</h1>b'],
    [
      '<table>a<tr><td>b<table></table></table>',
      'a<table><tbody><tr><td>b<table></table></td></tr></tbody></table>',
    ],
    ['<table><tr><td>a</table>b', '<table><tbody><tr><td>a</td></tr></tbody></table>b'],
    ['<p>a<div>b</div></p>', '<p>a</p><div>b</div><p></p>'],
    ['a</body>b<body class=c>', 'ab'],
  ])('are nested by their kinds: %s', (html, nested) => {
    const { outerHTML } = createDocument(html).body
    expect(outerHTML.replace(/^<body[^>]*>|<\/body>$/g, '')).toBe(nested)
  })
})

describe('a parser that begins again', () => {
  const [EOF, TEXT, TAG, ENDTAG, DOCTYPE] = [-1, 1, 2, 3, 5]
  type Token = Parameters<Parser['insertToken']>

  const TEXTS: readonly (readonly Token[])[] = [
    [[TEXT, 'plain']],
    [
      [TAG, 'b'],
      [TAG, 'i'],
      [TEXT, 'open formatting'],
      [TAG, 'p'],
      [TEXT, 'x'],
    ],
    [
      [TAG, 'table'],
      [TEXT, ' fostered'],
      [TAG, 'tr'],
      [TEXT, 'more'],
      [TAG, 'b'],
    ],
    [
      [TAG, 'pre'],
      [TEXT, '\n'],
      [TEXT, 'first line'],
      [TAG, 'textarea'],
    ],
    [
      [TAG, 'form'],
      [TAG, 'input', [['name', 'a']]],
      [TAG, 'select'],
      [TAG, 'option'],
    ],
    [
      [TAG, 'template'],
      [TAG, 'td'],
      [TEXT, 'x'],
    ],
    [
      [TAG, 'math'],
      [TAG, 'mi'],
      [TEXT, 'x'],
      [TAG, 'svg'],
    ],
    [
      [ENDTAG, 'p'],
      [ENDTAG, 'br'],
      [TAG, 'frameset'],
    ],
    [
      [TAG, 'a', [['href', 'x']]],
      [TAG, 'a', [['href', 'y']]],
      [TEXT, '\0'],
    ],
  ]

  function build(parser: Parser, tokens: readonly Token[]): string {
    parser.insertToken(DOCTYPE, 'html')
    parser.insertToken(TAG, 'body')
    for (const [type, value, attributes = []] of tokens) parser.insertToken(type, value, attributes)
    parser.insertToken(EOF)
    return parser.document().outerHTML
  }

  test('builds the document of a new one, whatever came before', () => {
    const { HTMLParser } = impl
    const again = new HTMLParser()
    for (const before of TEXTS)
      for (const tokens of TEXTS) {
        build(again, before)
        again.restart()
        expect(build(again, tokens)).toBe(build(new HTMLParser(), tokens))
        again.restart()
      }
  })

  test('has a document of its own each time', () => {
    const parser = new impl.HTMLParser()
    build(parser, TEXTS[0]!)
    const first = parser.document()
    parser.restart()
    build(parser, TEXTS[1]!)
    expect(parser.document()).not.toBe(first)
    expect(first.body.outerHTML).toContain('plain')
  })
})

test('pairs of attributes have the same properties, in the same order', () => {
  const { KV } = require('parsoid/lib/tokens/KV.js') as {
    readonly KV: new (...values: readonly unknown[]) => object
  }
  const names = ['k', 'v', 'srcOffsets', 'ksrc', 'vsrc']
  expect(Object.keys(new KV('a', 'b'))).toEqual(names)
  expect(Object.keys(new KV('a', 'b', [0, 1, 2, 3], 'c', 'd'))).toEqual(names)
  expect(JSON.stringify(new KV('a', 'b'))).toBe('{"k":"a","v":"b"}')
})

test('keys of requests differ for different parts', () => {
  const { Util } = require('parsoid/lib/utils/Util.js') as {
    readonly Util: { makeHash(parts: readonly unknown[]): string }
  }
  const parts = [
    ['a', 'bc'],
    ['ab', 'c'],
    ['a', 'b', 'c'],
    ['__proto__', ''],
    ['a', 1, 'c'],
  ]
  expect(new Set(parts.map((row) => Util.makeHash(row))).size).toBe(parts.length)
})
