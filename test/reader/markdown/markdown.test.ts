/** Pages as Markdown. */
import { describe, expect, test } from 'vitest'
import { rounds } from '../../support/effort.js'
import { randomNumbers } from '../../support/random.js'
import { markdownOf, type MarkdownOptions } from '../../../src/reader/markdown/markdown.js'

const OPTIONS: MarkdownOptions = { form: 'markdown', links: 'words', notes: 'none', maxBytes: 1_000_000 }
const markdown = (html: string, options: Partial<MarkdownOptions> = {}): string | undefined =>
  markdownOf(html, { ...OPTIONS, ...options }).text

const math = (inside: string, attributes = ''): string =>
  `<span class="mwe-math-element mwe-math-element-inline"${attributes}><math>${inside}</math></span>`

describe('Markdown of a page has', () => {
  test.each([
    ['paragraphs', '<p>One\ntwo</p>\n\n<p> three&nbsp;four </p>', 'One two\n\nthree four'],
    ['lines that an author broke', '<p>one<br/>\ntwo</p>', 'one\\\ntwo'],
    ['headings', '<section><h2 id="A">A <i>b</i></h2><p>x</p></section>', '## A *b*\n\nx'],
    ['emphasis', '<p><b>a</b> <i>b</i> <b><i>c</i></b> <s>d</s></p>', '**a** *b* ***c*** ~~d~~'],
    ['blanks outside of emphasis', '<p>a<b> b </b>c</p>', 'a **b** c'],
    [
      'no emphasis that would not act',
      '<p>a<b>(b)</b>c <i></i><b>d</b><i>e</i></p>',
      'a(b)c de'.replace('de', '**d**e'),
    ],
    [
      'emphasis once',
      '<p><b>a <b>b</b></b> <i>c <em>d</em></i> <s>e<del>f</del></s></p>',
      '**a b** *c d* ~~ef~~',
    ],
    ['headings with signs at their end', '<h2>The #</h2><h3>C#</h3>', '## The \\#\n\n### C#'],
    ['code beside code', '<p><code>a</code><code>b</code>`</p>', '`a` `b`\\`'],
    ['raised and lowered signs', '<p>H<sub>2</sub>O 10<sup>6</sup></p>', 'H<sub>2</sub>O 10<sup>6</sup>'],
    ['code', '<p><code>a`b | c</code> <tt>d</tt></p>', '``a`b | c`` `d`'],
    ['blocks of code', '<pre>a\n  b ``` *c*\n</pre>', '````\na\n  b ``` *c*\n````'],
    [
      'the language of code',
      '<div class="mw-highlight mw-highlight-lang-js"><pre><span>let</span> a\n</pre></div>',
      '```js\nlet a\n```',
    ],
    [
      'lists in lists',
      '<ul><li>a<ul><li>b</li></ul><ol><li>c</li><li>d</li></ol></li></ul>',
      '- a\n  - b\n  1. c\n  2. d',
    ],
    ['lists beside items', '<ul><ol><li>a</li></ol><li>b</li><ul><li>c</li></ul></ul>', '1. a\n- b\n    - c'],
    ['numbers from the first one', '<ol start="7"><li>a</li><li>b</li></ol>', '7. a\n8. b'],
    ['paragraphs in lists', '<ul><li><p>a</p><p>b</p></li><li></li><li>c</li></ul>', '- a\n\n  b\n- c'],
    ['definitions', '<dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d</dt><dd>e</dd></dl>', 'a\n: b\n: c\n\nd\n: e'],
    ['an empty definition', '<dl><dt>a</dt><dd></dd></dl>', 'a'],
    ['definitions without any text', '<dl><dt></dt><dd><img src="a.png"></dd></dl><p>b</p>', 'b'],
    ['indented texts', '<dl><dd>a<dl><dd>b</dd></dl></dd><dd>c</dd></dl>', 'a\n\n> b\n\nc'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['rules', '<p>a</p><hr/><p>b</p>', 'a\n\n* * *\n\nb'],
    [
      'captions of pictures',
      '<figure typeof="mw:Image/Thumb"><a href="./File:A.png"><img src="a"/></a><figcaption>A <b>b</b></figcaption></figure>',
      '*A **b***',
    ],
    [
      'captions of galleries',
      '<ul class="gallery"><li class="gallerybox"><div class="thumb"><img/></div><div class="gallerytext">a</div></li></ul>',
      '- a',
    ],
    [
      'formulas as the author wrote them',
      `<p>${math('<mi>E</mi>', ` data-mw='{"name":"math","body":{"extsrc":"E=mc^2"}}'`)}</p>`,
      '$E=mc^2$',
    ],
    [
      'formulas of their MathML',
      `<p>${math('<msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup><mo>+</mo><mfrac><mn>1</mn><mi>b</mi></mfrac>')}</p>`,
      '$a_{1}^{2} + \\frac{1}{b}$',
    ],
    [
      'formulas of their annotation',
      `<p>${math('<semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x}</annotation></semantics>')}</p>`,
      '$x$',
    ],
    ['words of all inline elements', '<p><span><font>a</font></span><abbr>b</abbr></p>', 'ab'],
    ['blocks in inline elements', '<span><p>a</p><p>b</p></span>', 'a\n\nb'],
    ['texts without a paragraph', '<div>a <b>b</b><p>c</p>d</div>', 'a **b**\n\nc\n\nd'],
    [
      'links on their own',
      '<p><a rel="mw:ExtLink" href="http://a.example/b_c">x</a> <a href="http://a.example/b_c"></a></p>',
      '[x](http://a.example/b_c) <http://a.example/b_c>',
    ],
    [
      'safe addresses',
      '<p><a href="http://a.example/b (c)">x]</a></p>',
      '[x\\]](http://a.example/b%20%28c%29)',
    ],
    ['no links that run', '<p><a href="javascript:alert(1)">x</a></p>', 'x'],
    ['no pictures of marks', '<p>Oh!<a href="http://a.example/">x</a></p>', 'Oh\\![x](http://a.example/)'],
  ])('%s', (_case, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  test.each([
    ['hatnotes', '<div class="hatnote">See b</div>'],
    ['navigation boxes', '<table class="navbox"><tr><td>b</td></tr></table>'],
    ['boxes for other pages', '<div role="navigation">b</div>'],
    ['links to edit', '<span class="mw-editsection">[edit]</span>'],
    ['hidden parts', '<div style="color:red; display: none">b</div>'],
    ['styles', '<style>.a{}</style>'],
    ['scripts', '<script>b<c</script>'],
    ['comments', '<!-- b -->'],
    [
      'pictures without a caption',
      '<p><span typeof="mw:File"><a href="./File:B.png"><img alt="b"/></a></span></p>',
    ],
    [
      'templates that do not exist',
      `<p><a href="./Template:B" class="new" typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"B","href":"./Template:B"}}}]}'>Template:B</a></p>`,
    ],
    ['errors', '<strong class="error">b</strong>'],
  ])('no %s', (_case, html) => {
    expect(markdown(`<p>a</p>${html}<p>c</p>`)).toBe('a\n\nc')
  })
})

describe('signs of Markdown in a text', () => {
  test.each([
    ['*a* _b_ `c` [d](e) ~~f~~ $g$', '\\*a\\* \\_b\\_ \\`c\\` \\[d](e) \\~\\~f\\~\\~ \\$g\\$'],
    ['a * b snake_case C:\\Dir 5 &lt; 6 & 7', 'a * b snake_case C:\\Dir 5 < 6 & 7'],
    [
      '&lt;b&gt; &amp;amp; <span>&amp;</span>#38; <span>&amp;</span> &amp; \\*',
      '\\<b> \\&amp; \\&#38; & & \\\\\\*',
    ],
    ['# a', '\\# a'],
    ['- a', '\\- a'],
    ['+ a', '\\+ a'],
    ['1. a', '1\\. a'],
    ['2024) a', '2024\\) a'],
    ['&gt; a', '\\> a'],
    ['---', '\\---'],
    ['===', '\\==='],
    ['1.5 -a #b', '1.5 -a #b'],
    ['| a', '\\| a'],
    [': a', ': a'],
    ['--|:-', '\\--|:-'],
    [' * ', '\\*'],
    ['<b>a \\ </b>', '**a \\\\**'],
  ])('%s', (text, expected) => {
    expect(markdown(`<p>${text}</p>`)).toBe(expected)
  })

  test('also after a break', () => {
    expect(markdown('<p>a<br/># b</p>')).toBe('a\\\n\\# b')
  })
})

test.each([
  [
    'code in a cell',
    '<table class="wikitable"><tr><th>a</th><td><pre>&lt;b&gt;|\n*c*</pre></td></tr></table>',
    '`<b>\\|`<br>`*c*`',
  ],
  [
    'code in a box of facts',
    '<table class="infobox"><tr><th>a</th><td><pre>&lt;b&gt;</pre></td></tr></table>',
    '- **a**: `<b>`',
  ],
  [
    'code with a lone carriage return',
    '<ul><li><pre>a&#13;&lt;b&gt;</pre></li></ul>',
    '- ```\n  a\n  <b>\n  ```',
  ],
  ['a formula', '<math alttext="a&lt;b&lt;1"><mi>a</mi></math>', '$a< b<1$'],
  ['a link to a place', '<p><a href="./A#%3Cb%3E" rel="mw:WikiLink">b</a></p>', 'b'],
])('%s does not become HTML', (_case, html, expected) => {
  expect(markdown(html, { links: 'titles' })).toContain(expected)
})

describe('links to pages', () => {
  const LINK =
    '<p><a rel="mw:WikiLink" href="./The_sun#Core" title="x">core</a> <a href="./Sun">Sun</a> <a href="./Gone" class="new">gone</a></p>'

  test.each<[MarkdownOptions['links'], string]>([
    ['words', 'core Sun gone'],
    ['titles', '[[The sun#Core|core]] [[Sun]] gone'],
    [
      { below: 'http://w.example/wiki/' },
      '[core](http://w.example/wiki/The_sun#Core) [Sun](http://w.example/wiki/Sun) gone',
    ],
  ])('as %o', (links, expected) => {
    expect(markdown(LINK, { links })).toBe(expected)
  })

  test('with a bar that stays in its cell', () => {
    const table = `<table class="wikitable"><tr><th>a</th></tr><tr><td>${LINK}</td></tr></table>`
    expect(markdown(table, { links: 'titles' })).toContain('[[The sun#Core\\|core]]')
  })
})

describe('tables', () => {
  test.each([
    [
      'of data are rows, with cells over several rows repeated',
      '<table class="wikitable"><caption>C</caption><tbody><tr><th>A</th><th colspan="2">B</th></tr><tr><td rowspan="2">1</td><td>2|3</td><td>x</td></tr><tr><td><ul><li>x</li><li>y</li></ul></td><td>z</td></tr></tbody></table>',
      '**C**\n\n| A | B |  |\n| --- | --- | --- |\n| 1 | 2\\|3 | x |\n| 1 | - x<br>- y | z |',
    ],
    [
      'have no rows without cells of their own',
      '<table class="wikitable"><tr><td rowspan="2">1</td><td>2</td></tr><tr><td></td></tr></table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'without headings have an empty one',
      '<table class="wikitable"><tr><td>1</td><td>2</td></tr></table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'with a bold first row have it as headings',
      '<table class="wikitable"><tr><td><b>A</b></td><td><b>B</b></td></tr><tr><td>1</td><td>2</td></tr></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'of facts are labels and values',
      '<table class="infobox vcard"><tr><th colspan="2">Moon</th></tr><tr><td colspan="2"><figure-inline typeof="mw:Image"><img/></figure-inline>Seen from Earth</td></tr><tr><th>Mass</th><td>7<br/>8</td></tr><tr><td>Age</td><td>old</td></tr></table>',
      '**Moon**\n\nSeen from Earth\n\n- **Mass**: 7, 8\n- **Age**: old',
    ],
    [
      'that arrange a page are text',
      '<table><tr><td><h2 id="A">A</h2><p>a</p></td><td><p>b</p></td></tr></table>',
      '## A\n\na\n\nb',
    ],
    [
      'in tables are text',
      '<table class="wikitable"><tr><th>A</th></tr><tr><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>',
      '| A |\n| --- |\n| b<br>c |',
    ],
    ['with nothing in them are nothing', '<table class="wikitable"><tr><td></td></tr></table>', ''],
  ])('%s', (_case, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  test('repeat no more than they have', () => {
    const cell = `<td rowspan="9999">${'x'.repeat(1000)}</td>`
    const html = `<table class="wikitable"><tr>${cell.repeat(50)}</tr>${'<tr><td>1</td></tr>'.repeat(2000)}</table>`
    expect(markdown(html, { maxBytes: 1e9 })!.length).toBeLessThan(20 * html.length)
  })
})

const NOTED = `<p>a<sup class="mw-ref" id="cite_ref-1"><a href="./Moon#cite_note-b-1"><span>[1]</span></a></sup></p>
<h2 id="B">B</h2><p>c<sup class="mw-ref"><a href="./Moon#cite_note-2"><span>[2]</span></a></sup></p>
<h2 id="Notes">Notes</h2><div class="mw-references-wrap"><ol class="mw-references references">
<li id="cite_note-b-1"><a rel="mw:referencedBy">↑</a> <span class="mw-reference-text">A <i>book</i></span></li>
<li id="cite_note-2"><a rel="mw:referencedBy">↑</a> <span class="mw-reference-text">Two</span></li></ol></div><h2 id="End">End</h2><p>d</p>`

describe('notes', () => {
  test('are left out with the heading that has nothing else', () => {
    expect(markdown(NOTED)).toBe('a\n\n## B\n\nc\n\n## End\n\nd')
  })

  test('are footnotes', () => {
    expect(markdown(NOTED, { notes: 'footnotes' })).toBe(
      'a[^1]\n\n## B\n\nc[^2]\n\n## End\n\nd\n\n[^1]: A *book*\n[^2]: Two',
    )
  })

  test('may name further ones', () => {
    const mark = (id: string): string => `<sup class="mw-ref"><a href="./A#cite_note-${id}">x</a></sup>`
    const note = (id: string, text: string): string =>
      `<li id="cite_note-${id}"><span class="mw-reference-text">${text}</span></li>`
    const html = `<p>a${mark('1')}</p><ol class="references">${note('1', `one${mark('2')}`)}${note('2', `two${mark('1')}`)}</ol>`
    expect(markdown(html, { notes: 'footnotes' })).toBe('a[^1]\n\n[^1]: one[^2]\n[^2]: two[^1]')
  })

  test('without a text have no footnote', () => {
    const html = '<p>a<sup class="mw-ref"><a href="./A#cite_note-1">x</a></sup> <code>[^7]</code></p>'
    expect(markdown(html, { notes: 'footnotes' })).toBe('a[^1] `[^7]`')
  })

  test('come with the section that names them', () => {
    expect(markdown(NOTED, { notes: 'footnotes', section: 'B' })).toBe('## B\n\nc[^2]\n\n[^2]: Two')
  })
})

describe('sections', () => {
  const PAGE =
    '<p>lead</p><h2 id="A">A</h2><p>a</p><h3 id="A_b">A b</h3><p>ab</p><h2 id="C">C &amp; D</h2><p>c</p>'

  test('are listed with their place and size', () => {
    expect(markdownOf(PAGE, OPTIONS).sections).toEqual([
      { number: 1, level: 2, title: 'A', anchor: 'A', bytes: '## A\n\na\n\n### A b\n\nab'.length },
      { number: 2, level: 3, title: 'A b', anchor: 'A_b', bytes: '### A b\n\nab'.length },
      { number: 3, level: 2, title: 'C & D', anchor: 'C', bytes: '## C & D\n\nc'.length },
    ])
  })

  test.each<[number | string, string | undefined]>([
    [0, 'lead'],
    [1, '## A\n\na\n\n### A b\n\nab'],
    ['A b', '### A b\n\nab'],
    ['A_b', '### A b\n\nab'],
    ['c & d', '## C & D\n\nc'],
    ['2', '### A b\n\nab'],
    [4, undefined],
    [-1, undefined],
    [1.5, undefined],
    ['Nowhere', undefined],
  ])('can be had by %o', (section, expected) => {
    expect(markdown(PAGE, { section })).toBe(expected)
  })

  test('keep their number when one is left out', () => {
    expect(markdownOf(NOTED, OPTIONS).sections.map(({ number, title }) => [number, title])).toEqual([
      [1, 'B'],
      [3, 'End'],
    ])
  })
})

describe('a page', () => {
  test('has its title above it', () => {
    expect(markdown('<p>x</p>', { title: 'A_b*' })).toBe('# A_b\\*\n\nx')
  })

  test('ends after the last block that fits', () => {
    const { text, isCut, bytes } = markdownOf('<p>äöü</p><p>two</p><p>three</p>', {
      ...OPTIONS,
      maxBytes: 12,
    })
    expect({ text, isCut, bytes }).toEqual({ text: 'äöü\n\ntwo', isCut: true, bytes: 18 })
  })

  test.each([1, 5, 6, 9])('has at most %i bytes', (maxBytes) => {
    const { text, isCut } = markdownOf(`<p>ä ö 𝄞 ${'x'.repeat(50)}</p>`, { ...OPTIONS, maxBytes })
    expect(Buffer.byteLength(text!)).toBeLessThanOrEqual(maxBytes)
    expect(text).not.toContain('\ufffd')
    expect(isCut).toBe(true)
  })

  test('is text without signs', () => {
    const html = `${NOTED}<ul><li><b>x</b> <a href="http://a.example/">y</a></li></ul><pre>*z*</pre>`
    expect(markdown(html, { form: 'text', title: 'Moon' })).toBe(
      'Moon\n\na\n\nB\n\nc\n\nEnd\n\nd\n\n- x y\n\n*z*',
    )
  })

  test('cannot forge signs of its own', () => {
    expect(markdown('<p>a \ufdd0b\ufdd1 &#xfdd2;c</p>')).not.toMatch(/[\ufdd0-\ufdef*]/)
  })
})

const NAMES =
  'a b i p ul ol li dl dt dd table tr td th caption pre code div span figure figcaption blockquote sup h2 math mi br'.split(
    ' ',
  )
const ATTRIBUTES = [
  '',
  ' class="infobox"',
  ' class="wikitable"',
  ' class="references"',
  ' class="gallery"',
  ' class="mw-ref"',
  ' rowspan="2"',
  ' colspan="3"',
  ' href="./Sun"',
  ' style="display:none"',
]
const TEXTS = ['word', ' ', '\n', '*', '|', '&amp;', '#', '$x', '[a](b)', '']

test('of elements in any order, there is Markdown without their tags', () => {
  const random = randomNumbers(7)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  for (let round = 0; round < rounds(20_000, 2000); round++) {
    let html = ''
    const open: string[] = []
    for (let n = 0; n < 40; n++) {
      const name = pick(NAMES)
      if (random() < 0.4) html += pick(TEXTS)
      else if (random() < 0.5 && open.length > 0) html += `</${random() < 0.9 ? open.pop()! : name}>`
      else {
        html += `<${name}${pick(ATTRIBUTES)}>`
        open.push(name)
      }
    }
    for (const form of ['markdown', 'text'] as const) {
      const { text, sections } = markdownOf(html, { ...OPTIONS, form, links: 'titles', notes: 'footnotes' })
      expect(text, html).not.toMatch(/<(?!br>|\/?su[bp]>)|[\ufdd0-\ufdef]/)
      for (const { number } of sections)
        expect(markdown(html, { form, section: number }), html).toEqual(expect.any(String))
    }
  }
})

describe('time is linear for', () => {
  test.each([
    ['elements without an end', '<div>'.repeat(100_000)],
    ['emphasis without an end', '<i><b>'.repeat(100_000)],
    ['ends without a start', `${'<div>'.repeat(200)}${'</p>'.repeat(100_000)}`],
    ['brackets without an end', '<'.repeat(200_000)],
    ['tags without an end', '<a href="'.repeat(50_000)],
    ['quotes without an end', `<a title='`.repeat(50_000)],
    ['names without an end', '<a'.repeat(200_000)],
    ['quotes beside quotes', `<a ${'""'.repeat(200_000)}>`],
    ['tags whose ends are quoted', `${'<a ""'.repeat(50_000)}">"`],
    ['comments without an end', '<!--'.repeat(100_000)],
    ['scripts without an end', '<script>'.repeat(100_000)],
    ['lists in lists', '<ul><li>a'.repeat(50_000)],
    ['quotes in quotes', '<blockquote>a'.repeat(50_000)],
    ['indented texts', '<dl><dd>a'.repeat(50_000)],
    ['tables in tables', '<table><tr><td>a'.repeat(30_000)],
    ['wide cells', '<table class="wikitable"><tr><td colspan="9999" rowspan="9999">a'.repeat(5_000)],
    ['formulas in formulas', '<math><mfrac>'.repeat(50_000)],
    ['notes', '<sup class="mw-ref"><a href="./A#cite_note-1">1</a></sup>'.repeat(30_000)],
    ['blanks', `<p>${' \n'.repeat(200_000)}</p>`],
    ['signs', `<p>${'*_`[\\'.repeat(100_000)}</p>`],
    ['breaks', `<p>${'<br/>'.repeat(100_000)}</p>`],
    ['headings', '<h2>a</h2>'.repeat(50_000)],
    ['hidden headings', '<h2>a</h2><ol class="references"></ol>'.repeat(30_000)],
    ['attributes', `<p ${'a=b '.repeat(200_000)}>x</p>`],
  ])('%s', (_case, html) => {
    const start = performance.now()
    markdown(html, { notes: 'footnotes', links: 'titles' })
    markdown(html, { form: 'text' })
    expect(performance.now() - start).toBeLessThan(6000)
  })
})
