/** The style sheets of a wiki: cleaned, scoped to the content, and with a dark side. */
import { describe, expect, test } from 'vitest'
import { growth, MOST_GROWTH } from '../support/processorTime.js'
import { wikiSheet } from '../../src/render/tags/wikiSheet.js'

const LIGHT = '--color-base:#000;'
const sheet = (...sheets: string[]): string => wikiSheet(sheets, LIGHT)

describe('a sheet of a wiki', () => {
  test.each([
    ['.hlist li{margin:0}', '.mw-parser-output .hlist li{margin:0}'],
    ['.mw-parser-output .x>p{margin:0}', '.mw-parser-output .x>p{margin:0}'],
    ['body.skin-vector #content .mw-body-content .x{margin:0}', '.mw-parser-output .x{margin:0}'],
    ['#bodyContent>.x, #mw-content-text h2{margin:0}', '.mw-parser-output .x,.mw-parser-output h2{margin:0}'],
    ['.client-js .x{display:none}', 'html.client-js .mw-parser-output .x{display:none}'],
    ['@media print{.x{display:none}}', '@media print{.mw-parser-output .x{display:none}}'],
  ])('reaches the content alone: %s', (given, shown) => {
    expect(sheet(given)).toBe(shown)
  })

  test.each([
    ['body{margin:9px}', 'margin'],
    ['html.skin-theme-clientpref-night .x{color:red}', 'red'],
    ['body.page-Main_Page .x{margin:9px}', '9px'],
    ['.x{background:url(//evil.example/a)}', 'evil'],
    ['@import "//evil.example/a.css";', 'evil'],
    ['.x{position:fixed}', 'fixed'],
    ['.x{behavior:url(a)}', 'behavior'],
    ['@font-face{src:url(a)}', 'src'],
    ['.x{content:"</style><script>"}', '</style'],
    ['~ .x{margin:9px}', '9px'],
  ])('has nothing that loads, covers or leads out: %s', (given, absent) => {
    expect(sheet(given)).not.toContain(absent)
  })

  test('lets boxes that the server knows have its dark colours', () => {
    const shown = sheet('.navbox{background:#fdfdfd;border:1px solid Silver;color:rgb(0,0,0)}')
    expect(shown).toBe(
      '.mw-parser-output .navbox{background:light-dark(#fdfdfd,var(--background-color-neutral-subtle));' +
        'border:1px solid light-dark(Silver,var(--border-color-base));color:light-dark(rgb(0,0,0),var(--color-base))}',
    )
  })

  test('keeps other backgrounds as they are, with a light inside', () => {
    expect(sheet('.chess .dark{background:#d18b47}.x{color:inherit;background:none}')).toBe(
      `:where(.mw-parser-output .chess .dark){color-scheme:light;${LIGHT}color:var(--color-base)}\n` +
        '.mw-parser-output .chess .dark{background:#d18b47}.mw-parser-output .x{color:inherit;background:none}',
    )
  })

  test('gives colours of texts a lighter side', () => {
    expect(sheet('.x{color:navy}')).toBe(
      '.mw-parser-output .x{color:light-dark(navy,oklch(from navy max(l,.7) c h))}',
    )
  })

  test('is bounded, and has an order', () => {
    expect(sheet(`.x{margin:1px}${' '.repeat(200_001)}`, '.y{margin:2px}')).toBe(
      '/* too long */\n.mw-parser-output .y{margin:2px}',
    )
    expect(sheet('not a sheet {{{', '')).not.toContain('{{{')
    expect(sheet(`.x{margin:1px}${'}{'.repeat(600)}`)).toBe('/* too many errors */')
    expect(sheet(`.x{margin:1px}${'}{'.repeat(400)}`)).toBe('.mw-parser-output .x{margin:1px}')
  })

  test.each([
    ['braces', '}{'],
    ['declarations that are none', 'a{b:c;;!!}'],
    ['short rules', 'a{b:c}'],
    ['short rules with a background', '.ab{background:red}'],
    ['selectors', '.ab,'],
    ['colours of a box', '.navbox{background:red,red,red,red}'],
    ['rules for print', '@media print{a{b:c}}'],
  ])('takes time that grows with its length: %s', (_what, part) => {
    const clean = (length: number) => sheet(part.repeat(length / part.length) + '.x{margin:0}')
    expect(growth(clean, 10_000)).toBeLessThan(MOST_GROWTH)
  })
})
