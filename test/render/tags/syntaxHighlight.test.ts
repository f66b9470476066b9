import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { GRAMMARS, renderSyntaxHighlight } from '../../../src/render/tags/syntaxHighlight.js'

const require = createRequire(import.meta.url)

function highlight(lang: string, content: string): string {
  return renderSyntaxHighlight({ name: 'syntaxhighlight', attributes: new Map([['lang', lang]]), content })
}

describe('code of a language', () => {
  test.each([
    ['python3', 'def a(): pass', 'def'],
    ['docker', 'FROM a', 'FROM'],
    ['postgresql', 'SELECT 1', 'SELECT'],
    ['pascal', 'begin end.', 'begin'],
    ['f#', 'let a = 1', 'let'],
    ['vb.net', 'Dim a As String', 'Dim'],
    ['JS', 'let a', 'let'],
  ])('has marks under the name %s', (lang, code, word) => {
    expect(highlight(lang, code)).toContain(`<span class="hljs-keyword">${word}</span>`)
  })

  test('has the class of its name, also when nothing is marked', () => {
    expect(highlight('python3', 'a')).toContain(
      'class="mw-highlight mw-highlight-lang-python3 mw-content-ltr"',
    )
    expect(highlight('text', 'a < b')).toBe(
      '<div class="mw-highlight mw-highlight-lang-text mw-content-ltr" dir="ltr"><pre>a &lt; b\n</pre></div>',
    )
    expect(highlight('COBOL', 'STOP RUN.')).toContain('mw-highlight-lang-cobol')
  })

  test('that nobody knows has neither', () => {
    expect(highlight('klingon', 'a')).toBe(
      '<div class="mw-highlight mw-content-ltr" dir="ltr"><pre>a\n</pre></div>',
    )
  })
})

test.each([...new Set(GRAMMARS.values())])('the grammar %s is there', (grammar) => {
  expect(require.resolve(`highlight.js/lib/languages/${grammar}`)).toContain(grammar)
})
