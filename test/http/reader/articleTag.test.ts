import { describe, expect, test } from 'vitest'
import { LocalFormats } from '../../../src/domain/localFormats.js'
import { encodeOutline, type Outline } from '../../../src/domain/outline.js'
import { articleTag, type ArticleSetting, type ShownArticle } from '../../../src/http/reader/articleTag.js'
import { html } from '../../../src/reader/html.js'
import { Links } from '../../../src/reader/links.js'
import type { ReaderSite } from '../../../src/reader/site.js'

const site: ReaderSite = {
  links: new Links(''),
  words: new Map(),
  formats: new LocalFormats({ language: 'en' }),
  name: 'Garden',
  language: 'en',
  direction: 'ltr',
  license: { url: 'https://l.example/', title: 'Free' },
  source: '',
  origin: '',
  api: '/v1',
  apiDocs: '/docs',
  assets: { style: '/assets/s.css', theme: '/assets/t.js', script: '/assets/r.js', icon: '/assets/i.svg' },
  allowsEdits: true,
}
const outline: Outline = {
  body: [10, 20],
  headings: [[2, 'Leaves', 'Leaves']],
  categories: [['Category:Plants', 1]],
  languages: [],
  styles: [],
  lead: 'A flower',
}
const article: ShownArticle = { key: 'Rose', name: 'Rose', path: '/wiki/Rose', view: { lastChanged: 5 } }
const setting: ArticleSetting = { languages: 'none', policy: '\r\nA: b', replacements: [] }

interface Changes {
  readonly article?: Partial<ShownArticle>
  readonly setting?: Partial<ArticleSetting>
  readonly outline?: Partial<Outline>
  readonly tag?: string
  readonly site?: Partial<ReaderSite>
}

const tagWith = (changes: Changes): string =>
  articleTag(
    { ...article, ...changes.article },
    { ...setting, ...changes.setting },
    { tag: changes.tag ?? 'aa', outline: encodeOutline({ ...outline, ...changes.outline }) },
    { ...site, ...changes.site },
  )

describe('the tag of an article', () => {
  test('is the same for the same article', () => {
    expect(tagWith({})).toBe(tagWith({}))
    expect(tagWith({})).toMatch(/^"[0-9a-f]{32}"$/)
  })

  const changes: readonly (readonly [what: string, changes: Changes])[] = [
    ['HTML', { tag: 'ab' }],
    ['headings', { outline: { headings: [] } }],
    ['whether a category has a page', { outline: { categories: [['Category:Plants', 0]] } }],
    ['name', { article: { name: 'Roses' } }],
    ['path', { article: { path: '/wiki/Rose?redirect=no' } }],
    ['time of the last change', { article: { view: { lastChanged: 6 } } }],
    ['notice', { article: { view: { lastChanged: 5, notices: [html`<b>Old</b>`] } } }],
    ['part above', { article: { above: html`<p>A picture</p>` } }],
    ['part below', { article: { below: html`<p>A picture</p>` } }],
    ['languages', { setting: { languages: 'some' } }],
    ['policy', { setting: { policy: '\r\nA: c' } }],
    ['changed links', { setting: { replacements: [{ from: 'a', to: 'b' }] } }],
    ['name of the site', { site: { name: 'Park' } }],
    ['licence of the site', { site: { license: { url: '', title: 'Other' } } }],
    ['style sheet of the site', { site: { assets: { ...site.assets, style: '/assets/t.css' } } }],
  ]

  test.each(changes)('changes with its %s', (_what, change) => {
    expect(tagWith(change)).not.toBe(tagWith({}))
  })

  test('of each change is another', () => {
    expect(new Set(changes.map(([, change]) => tagWith(change))).size).toBe(changes.length)
  })
})
