/** Files that are read out of packages by their paths: no package's documentation promises them to stay. */
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { VIEWER_FILES } from '../../src/http/openapi/document.js'

const require = createRequire(import.meta.url)

test.each(Object.keys(VIEWER_FILES))('swagger-ui-dist has %s', (name) => {
  expect(statSync(require.resolve(`swagger-ui-dist/${name}`)).size).toBeGreaterThan(500)
})

test('@wikimedia/language-data has languages as [script, regions, own name], or [another code]', () => {
  const { languages } = require('@wikimedia/language-data/data/language-data.json') as {
    readonly languages: Readonly<Record<string, readonly unknown[]>>
  }
  expect(languages['de']).toEqual(['Latn', expect.any(Array), 'Deutsch'])
  const others = Object.values(languages).filter(({ length }) => length === 1)
  expect(others.length).toBeGreaterThan(10)
  for (const [code] of others) expect(languages[code as string]).toBeDefined()
})

describe('highlight.js', () => {
  test('has common languages in one file, and each language in one of its own', () => {
    const highlighter = require('highlight.js/lib/common') as {
      getLanguage(name: string): unknown
      registerLanguage(name: string, grammar: unknown): void
    }
    expect(highlighter.getLanguage('javascript')).toBeDefined()
    expect(highlighter.getLanguage('haskell')).toBeUndefined()
    highlighter.registerLanguage('haskell', require('highlight.js/lib/languages/haskell'))
    expect(highlighter.getLanguage('haskell')).toBeDefined()
  })
})

test('temml bounds the expansion of macros by `maxExpand`, and names what it does not know', () => {
  const { renderToString } = require('temml') as {
    readonly renderToString: (formula: string, options: Readonly<Record<string, unknown>>) => string
  }
  expect(renderToString('x^2', { trust: false })).toContain('<msup>')
  const loop = '\\def\\a{\\a\\a}\\a'
  expect(() => renderToString(loop, { maxExpand: 100, throwOnError: true })).toThrow(/expansion/)
  expect(() => renderToString('\\nosuchword', { throwOnError: true })).toThrow(/nosuchword/)
  expect(renderToString('\\href{http://a.example}{x}', { trust: false })).not.toContain('a.example"')
})
