/** Data of templates as tables. */
import { describe, expect, test } from 'vitest'
import { renderTemplateData } from '../../../src/render/tags/templateData.js'
import { TestWiki } from '../support/engine.js'

const wiki = (code: string) =>
  ({ namespaces: { language: { code } } }) as Parameters<typeof renderTemplateData>[1]
const shown = (data: unknown, language = 'en'): string =>
  renderTemplateData(
    {
      name: 'templatedata',
      attributes: new Map(),
      content: typeof data === 'string' ? data : JSON.stringify(data),
    },
    wiki(language),
  )
const words = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('the data of a template', () => {
  test('is a table of its parameters, in their order', () => {
    const html = shown({
      description: 'A box of facts.',
      params: {
        name: { label: 'Name', description: 'Of the rose', type: 'string', required: true, example: 'Alba' },
        1: { aliases: ['first'], type: 'number', suggested: true, default: '7' },
        old: { deprecated: 'use name', type: 'wiki-page-name' },
        bare: {},
      },
      paramOrder: ['name', 'old', 'nowhere', 'bare'],
    })
    expect(words(html)).toBe(
      'A box of facts. Template parameters Parameter Description Type Status ' +
        'Name name Of the rose Example Alba String required ' +
        'old old Page deprecated: use name bare bare Unknown optional 1 1 first Default 7 Number suggested',
    )
  })

  test('has texts in the language of the wiki, or in English', () => {
    const data = { params: { a: { label: { en: 'Colour', de: 'Farbe' }, description: { fr: 'couleur' } } } }
    expect(words(shown(data, 'de'))).toContain('Farbe a couleur')
    expect(words(shown(data, 'ja'))).toContain('Colour a couleur')
  })

  test('takes over what another parameter has', () => {
    const params = {
      a: { label: 'One', type: 'date' },
      b: { inherits: 'a', label: 'Two' },
      c: { inherits: 'c' },
    }
    expect(words(shown({ params }))).toContain('Two b Date optional c c Unknown optional')
  })

  test.each(['', '{', '[]', '7', 'null', '"x"', `{"a":"${'x'.repeat(200_000)}"}`])(
    'is an error if it is no object: %.20s',
    (data) => {
      expect(shown(data)).toContain('class="error"')
    },
  )

  test('is bounded, escaped, and may have fields of any type', () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, {}]))
    expect(words(shown({ params: many }))).toContain('100 more parameters')
    expect(shown({ description: 'x'.repeat(5000) }).length).toBeLessThan(2200)
    const hostile = '<script>alert(1)</script>"\''
    const html = shown({
      description: hostile,
      params: {
        [hostile]: {
          label: hostile,
          description: hostile,
          default: hostile,
          aliases: [hostile, 7, null],
          deprecated: hostile,
        },
        __proto__: { label: 'x' },
        constructor: { type: 'constructor', inherits: 'toString', label: 7, description: ['a'] },
        text: 'no object',
      },
      paramOrder: { length: 3 },
    })
    expect(html).not.toContain('<script')
    expect(words(html)).toContain('constructor constructor Unknown optional text text Unknown optional')
    for (const params of [[], 7, null, 'x']) expect(shown({ params })).not.toContain('<table')
  })

  test('is bounded where parameters take over much from one', () => {
    const long = '"'.repeat(2000)
    const much = { description: long, default: long, aliases: Array.from({ length: 10_000 }, () => 'x') }
    const heirs = Array.from({ length: 499 }, (_, n) => [`p${n}`, { inherits: 'all' }] as const)
    const html = shown({ params: { all: much, ...Object.fromEntries(heirs) } })
    expect(html.length).toBeLessThan(1_000_000)
    expect(html).toMatch(/<p>\d+ more parameters<\/p><\/div>$/)
  })

  test('goes back to its wikitext', async () => {
    const source = 'Use it so:\n<templatedata>\n{ "params": { "a": {} } }\n</templatedata>'
    const { html } = await new TestWiki().render(source)
    expect(html).toContain('mw-templatedata-doc-params')
    expect(html).toContain(
      '"body":{"extsrc":"\\n{ \\"params\\"'.replaceAll('"', html.includes('&quot;') ? '&quot;' : '"'),
    )
  })
})
