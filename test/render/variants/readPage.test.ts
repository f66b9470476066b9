/** HTML for the readers of variants. */
import { describe, expect, test } from 'vitest'
import { readPage } from '../../../src/render/variants/readPage.js'
import { TestWiki } from '../support/engine.js'

const OUTLINE = { body: [0, 0], headings: [], categories: [], styles: [], lead: '' } as const

const read = (html: string, variant: string, language = 'sr') =>
  readPage(html, { language, variant, name: 'Ana', outline: OUTLINE })

/** The text of wikitext in a variant. */
async function shown(wikitext: string, variant: string, language = 'sr'): Promise<string> {
  const html = await new TestWiki({}, { language }).body(wikitext)
  return read(html, variant, language)
    .html.replace(/<[^<>]*>/g, '')
    .trim()
}

describe('markup of variants shows', () => {
  test.each([
    ['-{sr-ec:one;sr-el:two}-', 'one', 'two'],
    ['-{sr-el|ab}- -{sr-ec|ab}-', 'ab аб', 'ab ab'],
    ['-{A|ab}- ab', 'ab ab', 'ab ab'],
    ['-{H|sr-ec:qqa;sr-el:qqb}-qqb -{-|sr-ec:qqa;sr-el:qqb}-qqb', 'qqa qqб', 'qqb qqb'],
    ['-{H|qqa=>sr-ec:qqb}-qqa', 'qqb', 'qqa'],
    ['-{H|sr-ec:qqa;\nsr-el:qqb;\n}-qqb', 'qqa', 'qqb'],
    ['-{sr-ec:;sr-el:two}-', 'Пронађена је грешка у правилу за ручно претварање језика', 'two'],
    ['-{N|sr-el}- -{N|zz}-', 'srpski (latinica)', 'srpski (latinica)'],
    [
      '-{D|sr-ec:a;sr-el:b}-',
      'српски (ћирилица):a;srpski (latinica):b;',
      'српски (ћирилица):a;srpski (latinica):b;',
    ],
    ['-{T|sr-ec:a}-x', 'x', 'x'],
    ['-{sr-Cyrl:one; two;sr-Latn:three}-', 'one; two', 'three'],
    ['-{sr-latn:one;sr-el:two}-', 'Пронађена је грешка у правилу за ручно претварање језика', 'two'],
    ['-{H|sr-Cyrl:qqa;sr-Latn:qqb}-qqb', 'qqa', 'qqb'],
    ['-{qqa=>sr-Cyrl:qqb}-', 'qqb', 'Пронађена је грешка у правилу за ручно претварање језика'],
    ['-{sr-Cyrl|ab аб}-', 'ab аб', 'ab аб'],
    ["-{sr-ec:'''b''' [[c]];sr-el:d}-", 'b c', 'd'],
    ['{{#if:1|-{sr-ec:a|b;sr-el:c}-|no}}', 'a|b', 'c'],
    ['-{sr-ec:\n* a\n* b;sr-el:c}-', 'a\nb', 'c'],
  ])('%s', async (wikitext, cyrillic, latin) => {
    expect([await shown(wikitext, 'sr-ec'), await shown(wikitext, 'sr-el')]).toEqual([cyrillic, latin])
  })

  test('no elements that an author writes as text', async () => {
    const evil = '&lt;img src=x onerror=alert(1)&gt; &amp;lt;b'
    const wikitext = `-{A|sr-ec:${evil};sr-el:qqa}- qqa <b title="-{sr-ec:${evil};sr-el:b}- qqa">c</b> -{sr-ec:${evil}}-`
    const html = await new TestWiki({}, { language: 'sr' }).body(wikitext)
    const { html: seen } = read(html, 'sr-ec')
    expect(seen.match(/<[^<>]*>/g)?.filter((tag) => tag.startsWith('<img'))).toEqual([])
    const texts = seen
      .replace(/ data-mw='[^']*'/, '')
      .replace(/<(?:\/?span|\/?section|\/?p)[^<>]*>|<span[^<>]*>/g, '')
    expect(texts.match(/&lt;img/g)).toHaveLength(5)
    expect(texts).not.toContain('dsr')
    expect(read('-{T|sr-ec:&lt;i&gt;}-', 'sr-ec').name).toBe('<i>')
  })

  test('nothing of how the engine stores it', async () => {
    const html = await new TestWiki({}, { language: 'sr' }).body('-{sr-ec:[[Ana]];sr-el:b}-')
    expect(read(html, 'sr-ec').html).not.toMatch(/data-parsoid|LanguageVariant/)
  })
})

describe('HTML in a variant', () => {
  test.each([
    ['<p>ab &amp;&nbsp;ab</p>', '<p>аб &amp;&nbsp;аб</p>'],
    ['<code>a<code>b</code></code>a', '<code>a<code>b</code></code>а'],
    [
      '<i lang="en">ab<i>c</i></i>ab <i lang="sr-Latn">ab</i>',
      '<i lang="en">ab<i>c</i></i>аб <i lang="sr-Latn">аб</i>',
    ],
    ['<img lang="en" alt="ab">ab', '<img lang="en" alt="аб">аб'],
    ['<a href="./Ab" title="ab &quot;b&quot;">ab</a>', '<a href="./Ab" title="аб &quot;б&quot;">аб</a>'],
    [
      '<a title="http://ab">http://ab.c/d ab@ab.ab www.ab</a>',
      '<a title="http://ab">http://ab.c/d ab@ab.ab www.ab</a>',
    ],
    ['<b title="-{sr-ec:x;sr-el:y}- a">-{sr-ec:x;sr-el:y}-</b>', '<b title="x а">x</b>'],
    ['<b title="-{sr-Cyrl:x;sr-Latn:y}- a">-{sr-Latn:x;sr-Cyrl:y}-</b>', '<b title="x а">y</b>'],
    [
      '<math><mi>a</mi></math><!-- ab --><style>ab</style>',
      '<math><mi>a</mi></math><!-- ab --><style>ab</style>',
    ],
    ['<span typeof="mw:Nowiki">-{a}-</span> a', '<span typeof="mw:Nowiki">-{a}-</span> а'],
    ['a < b -{', 'а < б -{'],
  ])('%s', (html, expected) => {
    expect(read(html, 'sr-ec').html).toBe(expected)
  })

  test('keeps what the page keeps', () => {
    const kept = (name: string): string => `<meta property="mw:PageProp/${name}"/>`
    expect(read(`${kept('nocontentconvert')}ab`, 'sr-ec')).toMatchObject({ name: 'Ana' })
    expect(read(`${kept('nocontentconvert')}ab`, 'sr-ec').html).toMatch(/ab$/)
    expect(read(`${kept('notitleconvert')}ab`, 'sr-ec')).toMatchObject({ name: 'Ana' })
    expect(read('ab', 'sr-ec').name).toBe('Ана')
  })

  test('a text that is mostly in the script stays, with texts of markup, and its title is another text', () => {
    const markup = `<span typeof="mw:LanguageVariant" data-mw-variant='{"disabled":{"t":"ш"}}'></span>`
    expect(read('<p title="č > č">čш Ana</p>', 'sr-ec').html).toContain('Ана')
    expect(read(`<p title="č > č">čш Ana</p>${markup}`, 'sr-ec')).toMatchObject({
      html: expect.stringContaining('Ana') as string,
      name: 'Ана',
    })
  })

  test('the title of markup is for variants, unless it names the language', () => {
    const titleIn = (markup: string, variant: string): string => read(markup, variant).name
    expect(titleIn('-{T|sr-ec:a;sr-el:b}-', 'sr')).toBe('Ana')
    expect(titleIn('-{T|sr-ec:a;sr-el:b}-', 'sr-el')).toBe('b')
    expect(titleIn('-{T|sr:c;sr-el:b}-', 'sr')).toBe('c')
  })

  test('namespaces have the names of the variant', () => {
    const nameIn = (name: string, variant: string): string =>
      readPage('x', { language: 'zh', variant, name, outline: OUTLINE }).name
    expect(nameIn('Template:软件', 'zh-cn')).toBe('模板:软件')
    expect(nameIn('User:發', 'zh-cn')).toBe('用户:发')
    expect(nameIn('User:发', 'zh-tw')).toBe('使用者:發')
    expect(nameIn('Category:發', 'zh')).toBe('Category:發')
    expect(nameIn('發:發', 'zh-cn')).toBe('发:发')
  })

  test('takes linear time for hostile texts', () => {
    const html = ['-{', '-{ a }-', '<b title="-{">', '&amp;', 'a@', '-{sr-ec:', '}-', '<'].map((part) =>
      part.repeat(40_000),
    )
    const started = performance.now()
    for (const text of html) read(text, 'sr-ec')
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
