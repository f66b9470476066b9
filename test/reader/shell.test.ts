import { describe, expect, test } from 'vitest'
import { LocalFormats } from '../../src/domain/localFormats.js'
import { html } from '../../src/reader/html.js'
import { Links } from '../../src/reader/links.js'
import { shell, type ShellView, wholePage } from '../../src/reader/parts/shell.js'
import type { ReaderSite } from '../../src/reader/site.js'

const HOSTILE = `"'><img src=x onerror=alert(1)>`
const site: ReaderSite = {
  links: new Links(''),
  words: new Map(),
  formats: new LocalFormats({ language: 'en' }),
  name: 'Garden',
  language: 'en',
  direction: 'ltr',
  license: { url: 'https://l.example/', title: 'Free' },
  source: 'https://wiki.example/wiki/Main_Page',
  origin: 'https://here.example',
  api: '/w/rest.php/v1',
  apiDocs: '/w/rest.php/docs',
  assets: { style: '/assets/s.css', theme: '/assets/t.js', script: '/assets/r.js', icon: '/assets/i.svg' },
  allowsEdits: true,
}
const view: ShellView = { site, title: 'Rose', path: '/wiki/Rose', isListed: true }

describe('the shell', () => {
  test('has a head with title, addresses and metadata', () => {
    const { head } = shell({ ...view, description: 'A flower', picture: 'https://p.example/r.jpg' })
    expect(head).toContain('<title>Rose – Garden</title>')
    expect(head).toContain('<link rel="canonical" href="https://here.example/wiki/Rose">')
    expect(head).toContain('<meta name="description" content="A flower">')
    expect(head).toContain('<meta property="og:image" content="https://p.example/r.jpg">')
    expect(head).not.toContain('noindex')
  })

  test('keeps pages that are not listed away from search engines', () => {
    const { head } = shell({ ...view, isListed: false })
    expect(head).toContain('noindex')
    expect(head).not.toContain('canonical')
  })

  test('writes the direction and language of the wiki', () => {
    const { head } = shell({ ...view, site: { ...site, language: 'he', direction: 'rtl' } })
    expect(head).toContain('<html lang="he" dir="rtl">')
  })

  test('nests the contents, and links to sections with the path of the page', () => {
    const contents = [
      { level: 1, id: 'A', text: 'A' },
      { level: 2, id: 'B_1', text: 'B 1' },
      { level: 1, id: 'C', text: 'C' },
    ]
    const { head } = shell({ ...view, contents })
    expect(head.replaceAll('\n', '')).toContain(
      '<li><a href="/wiki/Rose#A" dir="auto">A</a><ul><li><a href="/wiki/Rose#B_1" dir="auto">B 1</a></li></ul></li>' +
        '<li><a href="/wiki/Rose#C" dir="auto">C</a></li>',
    )
  })

  test('escapes everything that comes from authors', () => {
    const hostile: ShellView = {
      ...view,
      site: { ...site, name: HOSTILE, license: { url: 'javascript:alert(1)', title: HOSTILE } },
      title: HOSTILE,
      description: HOSTILE,
      picture: `https://x/${HOSTILE}`,
      query: HOSTILE,
      notices: [HOSTILE],
      contents: [{ level: 1, id: HOSTILE, text: HOSTILE }],
      languages: [
        { code: HOSTILE, name: HOSTILE, href: `https://x/${HOSTILE}`, title: HOSTILE },
        { code: 'de', name: 'Deutsch', href: 'javascript:alert(1)', title: 'x' },
      ],
      categories: [{ name: HOSTILE, href: '/wiki/Category:X' }],
      tabs: [[{ label: HOSTILE, href: '/wiki/X', isSelected: false }]],
    }
    const page = wholePage(hostile, html`${HOSTILE}`)
    expect(page).not.toContain('<img')
    expect(page).not.toContain('href="javascript:')
    expect(page).not.toContain(HOSTILE)
  })

  test('names the source and the licence', () => {
    const { tail } = shell({ ...view, lastChanged: 1_700_000_000, source: 'https://wiki.example/wiki/Rose' })
    expect(tail).toContain('<a href="https://wiki.example/wiki/Rose">wiki.example</a>')
    expect(tail).toContain('<a href="https://l.example/" rel="license">Free</a>')
    expect(tail).toContain('<time datetime="2023-11-14T22:13:20Z">14 November 2023, 22:13</time>')
  })
})
