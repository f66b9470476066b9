/** Rules of a wiki that no dump has, in HTML. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_SITE, type Site, USUAL_PROTOCOLS } from '../../src/domain/site.js'
import { renderingConfiguration } from '../../src/render/configuration.js'
import { TestWiki } from './support/engine.js'

const body = (wikitext: string, site: Partial<Site>, title = 'Rose'): Promise<string> =>
  new TestWiki({}, site).body(wikitext, { title })

describe('HTML follows', () => {
  test('subpages of the main namespace', async () => {
    const text = '[[/Thorns]] {{SUBPAGENAME:Rose/Thorns}}'
    const usual = await body(text, {})
    expect(usual).toContain('href=".//Thorns"')
    expect(usual).toContain('Rose/Thorns')
    const withSubpages = await body(text, { subpages: { 0: true } })
    expect(withSubpages).toContain('href="./Rose/Thorns')
    expect(withSubpages).toMatch(/>Thorns<\/span>/)
  })

  test('further names of namespaces', async () => {
    expect(await body('[[WP:About]]', {})).toContain('href="./WP:About')
    expect(await body('[[WP:About]]', { aliases: [['WP', 4]] })).toContain('href="./Project:About')
  })

  test('tags of extensions: others are text', async () => {
    const text = '<poem>a</poem><ref>b</ref>'
    expect(await body(text, {})).toContain('class="poem"')
    const without = await body(text, { extensionTags: ['ref'] })
    expect(without).toContain('&lt;poem>a&lt;/poem>')
    expect(without).toContain('mw-ref')
  })

  test('protocols, of which a wiki may leave some out', async () => {
    const text = '[ftp://a.example x] [https://b.example y] [javascript:alert(1) z]'
    expect(await body(text, {})).toMatch(/href="ftp:.*href="https:/s)
    const few = await body(text, { protocols: USUAL_PROTOCOLS.filter((each) => each !== 'ftp://') })
    expect(few).not.toContain('href="ftp:')
    expect(few).toContain('href="https://b.example"')
    expect(few).not.toContain('href="javascript:')
  })

  test('string functions, names of special pages, and digits', async () => {
    const text = '{{#len:abc}} {{#special:Search}} {{formatnum:12}}'
    const site: Partial<Site> = { language: 'hi', specialPages: { Search: ['Find'] }, stringFunctions: true }
    expect(await body(text, site)).toMatch(/>3<.*>Special:Find<.*>१२</)
    expect(await body(text, { ...site, localDigits: false })).toMatch(/>3<.*>Special:Find<.*>12</)
  })
})

test.each<Partial<Site>>([
  { aliases: [['WP', 4]] },
  { subpages: { 0: true } },
  { stringFunctions: true },
  { localDigits: false },
  { extensionTags: [] },
  { protocols: [] },
  { specialPages: { Search: ['Find'] } },
])('kept HTML is made again after a change of %j', (change) => {
  const of = (site: Site): string => renderingConfiguration(site, '1', {}).toString('hex')
  expect(of({ ...DEFAULT_SITE, ...change })).not.toBe(of(DEFAULT_SITE))
  expect(of({ ...DEFAULT_SITE, logo: 'x', fileExtensions: [] })).toBe(of(DEFAULT_SITE))
})
