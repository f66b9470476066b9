import { describe, expect, test } from 'vitest'
import { keptSheets, renderTemplateStyles, sanitiseStyles } from '../../src/render/tags/templateStyles.js'

const SHEET = {
  pageId: 1,
  revisionId: 9,
  timestamp: 0,
  userName: 'Ann',
  sizeBytes: 0,
  contentModel: 'sanitized-css',
  wikitext: '.a{content:"</style><script>alert(1)</script>"} </style><script>',
}

describe('a style sheet', () => {
  test.each([
    ['rules', '.a, i > u { color: red; margin: 0 !important }', '.a,i>u{color:red;margin:0!important}'],
    ['media', '@media (min-width: 9px) { .a { color: red } }', '@media (min-width:9px){'],
    ['keyframes', '@keyframes k { from { top: 0 } to { top: 1px } }', '@keyframes k{from{top:0}to{top:1px}}'],
    ['gradients', '.a{background:linear-gradient(red,blue)}', 'linear-gradient(red,blue)'],
  ])('keeps %s', (_name, sheet, part) => {
    expect(sanitiseStyles(sheet).replaceAll('.mw-parser-output ', '')).toContain(part)
  })

  test('that is kept is that of its text and wrapper', () => {
    const kept = keptSheets()
    for (const sheet of ['.a { color: red }', '.a { color: blue }'])
      for (const wrapper of ['', '.box', '.box'])
        expect(kept(sheet, wrapper)).toBe(sanitiseStyles(sheet, wrapper))
  })

  test('rules only what is inside of the page’s content', () => {
    expect(sanitiseStyles('body, .a b { color: red }', '.box')).toBe(
      '.mw-parser-output .box body,.mw-parser-output .box .a b{color:red}',
    )
  })

  test.each([
    [
      'body.rtl .a, html .b { color: red }',
      'body.rtl .mw-parser-output .a,html .mw-parser-output .b{color:red}',
    ],
    [
      'html.client-js body[dir="rtl"] .a { color: red }',
      'html.client-js body[dir="rtl"] .mw-parser-output .a{color:red}',
    ],
    ['body > .a, bodyx .a { color: red }', '.mw-parser-output body>.a,.mw-parser-output bodyx .a{color:red}'],
    ['body ~ .a { color: red }', '.mw-parser-output body~.a{color:red}'],
  ])('may ask for the whole document: %s', (sheet, scoped) => {
    expect(sanitiseStyles(sheet)).toBe(scoped)
  })

  test('has a wrapper of a type, classes and an id, and a mark of its own with it', () => {
    expect(sanitiseStyles('.b { color: red }', 'div.a#c')).toBe('.mw-parser-output div.a#c .b{color:red}')
    expect(sanitiseStyles('.b { color: red }', '.a, .c')).toBe('.mw-parser-output .b{color:red}')
    expect(renderTemplateStyles('A.css', SHEET, '.a')).toContain('"TemplateStyles:r9/.a"')
    expect(renderTemplateStyles('A.css', SHEET, '.a"')).toContain('"TemplateStyles:r9"')
  })

  test.each(['~ b', '+ b', '/**/ ~ b', '@media print { ~ b'])('rules nothing beside it: %s', (selector) => {
    expect(sanitiseStyles(`${selector} { color: red }`)).toContain('.mw-parser-output :not(*){color:red}')
  })

  test.each([
    ['loading', '@import "x"; .a{background:url(x)} @font-face{src:url(a)} .b{background:image-set("x" 1x)}'],
    ['running', '.a{width:expression(alert(1));-moz-binding:url(x);behavior:url(x)}'],
    ['escapes', '.a{b:ja\\76 ascript:x;c:\\75rl(x);width:\\65xpression(1)}'],
    ['variables', '.a{--x:url(javascript:1);--y:red}'],
    ['what covers the screen', '.a{position:fixed}'],
    ['a position from elsewhere', '.a{position:attr(data-fixed type(*))} .b{position:var(--fixed)}'],
    ['nested rules', '.a{.b{position:static}}'],
  ])('says nothing of %s', (_name, sheet) => {
    expect(sanitiseStyles(sheet)).not.toMatch(
      /url|expression|image-set|binding|behavior|script|fixed|static|--/i,
    )
  })

  test('may nest blocks as authors do, and not without end', () => {
    const nested = (levels: number): string =>
      `${'@media print{'.repeat(levels)}.a{top:0}${'}'.repeat(levels)}`
    expect(sanitiseStyles(nested(5))).toContain('top:0')
    expect(sanitiseStyles(nested(60))).toBe('/* nested too deeply */')
    expect(sanitiseStyles('.a{top:0}'.repeat(100))).toContain('top:0')
  })

  test('cannot end its element', () => {
    const html = renderTemplateStyles('A.css', SHEET)
    expect(html).toMatch(/^<style data-mw-deduplicate="TemplateStyles:r9">[^<]*<\/style>$/)
  })

  test('that is not there gives an error with its name escaped', () => {
    expect(renderTemplateStyles('<b>', undefined)).toBe(
      '<strong class="error">Page &lt;b&gt; has no style sheet.</strong>',
    )
  })
})
