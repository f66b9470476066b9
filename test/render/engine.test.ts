import { connect } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { MAX_TABLE_CELLS } from '../../src/render/parsoid/limits.js'
import { ROSE_PICTURE, TestWiki } from './support/engine.js'

vi.mock('node:net', { spy: true })
afterAll(() => {
  // All data of a page comes from the wiki, so no rendering opens a connection.
  expect(connect).not.toHaveBeenCalled()
})

describe('a document', () => {
  test('says its version, its title and where the wiki is, and asks for nothing', async () => {
    const html = await new TestWiki().html('Red.', { title: 'Rose garden' })
    expect(html).toContain('<meta property="mw:html:version" content="2.1.0"/>')
    expect(html).toContain('<title>Rose garden</title>')
    expect(html).toContain('<base href="https://garden.example/wiki/"/>')
    expect(html).toContain('<link rel="dc:isVersionOf" href="https://garden.example/wiki/Rose_garden"/>')
    expect(html).not.toMatch(/load\.php|<script|stylesheet|<!--/)
  })

  test('has sections, nested by level, and headings with ids', async () => {
    expect(await new TestWiki().body('lead\n== A ==\n=== B ===\nb')).toBe(
      '<section data-mw-section-id="0"><p>lead</p>\n</section>' +
        '<section data-mw-section-id="1"><h2 id="A">A</h2>\n' +
        '<section data-mw-section-id="2"><h3 id="B">B</h3>\n<p>b</p></section></section>',
    )
  })

  test('keeps where elements came from apart, by their ids', async () => {
    const { html, bundle } = await new TestWiki().render("''a''")
    expect(html).not.toContain('data-parsoid')
    expect(html).toMatch(/<p id="mw\w+"><i id="mw\w+">a<\/i><\/p>/)
    expect(Object.keys(bundle?.parsoid.ids ?? {})).toContain('mwAg')
  })

  test('is written from right to left in languages that are', async () => {
    const html = await new TestWiki({}, { language: 'he' }).html('שלום')
    expect(html).toMatch(/<body [^>]*lang="he"[^>]*dir="rtl"/)
  })

  test('of a page that is no wikitext shows its source, of JSON a table', async () => {
    const wiki = new TestWiki()
    expect(await wiki.html('a < b', { contentModel: 'javascript' })).toContain(
      '<pre class="mw-code mw-javascript" dir="ltr"',
    )
    expect(await wiki.html('a < b', { contentModel: 'javascript' })).toContain('a &lt; b')
    expect(await wiki.html('{"a": [1, "<b>"]}', { contentModel: 'json' })).toMatch(/<table[^>]*mw-json/)
    expect(await wiki.html('return x', { contentModel: 'Scribunto' })).toContain(
      '<pre class="mw-code mw-scribunto"><span class="hljs-keyword">return</span> x</pre>',
    )
    const long = `return "${'x'.repeat(50_000)}"`
    expect(await wiki.html(long, { contentModel: 'Scribunto' })).toContain(`mw-scribunto">${long}</pre>`)
  })
})

describe('links', () => {
  test('to pages that do not exist are marked; special pages always exist', async () => {
    const html = await new TestWiki({ Tulip: 't' }).body(
      '[[Tulip]] [[Weed]] [[Special:Search]] [[Weed|more]]',
    )
    expect(html).toContain('<a rel="mw:WikiLink" href="./Tulip" title="Tulip">')
    expect(html.match(/href=".\/Weed" title="Weed" class="new"/g)).toHaveLength(2)
    expect(html).toContain('<a rel="mw:WikiLink" href="./Special:Search" title="Special:Search">')
  })

  test('to other wikis and languages', async () => {
    const html = await new TestWiki().body('[[w:Rose]] [[de:Rose]] [[:fr:Rose]]')
    expect(html).toContain('<a rel="mw:WikiLink/Interwiki" href="https://en.wikipedia.org/wiki/Rose"')
    expect(html).toContain('<link rel="mw:PageProp/Language" href="https://de.wikipedia.org/wiki/Rose"/>')
    expect(html).toContain('href="https://fr.wikipedia.org/wiki/Rose"')
  })

  test('that hold a link are none', async () => {
    const wiki = new TestWiki({ Tulip: 't', Rose: 'r', 'Template:T': '[[Tulip]]' })
    const text = (html: string): string => html.replace(/<[^>]+>/g, '')
    const nested = await wiki.body('a [[Rose|red [[Tulip]]]] b')
    expect(text(nested)).toBe('a [[Rose|red Tulip]] b')
    expect(nested).not.toContain('href="./Rose"')
    expect(text(await wiki.body('[[Rose|{{T}}]]'))).toBe('[[Rose|Tulip]]')
    expect(await wiki.body("[[Rose|''red'' rose]]")).toContain('href="./Rose"')
  })

  test('of categories and redirects', async () => {
    const wiki = new TestWiki()
    expect(await wiki.body('[[Category:Flowers|k]]')).toContain(
      '<link rel="mw:PageProp/Category" href="./Category:Flowers#k"/>',
    )
    expect(await wiki.body('#REDIRECT [[Tulip]]')).toContain(
      '<link rel="mw:PageProp/redirect" href="./Tulip"/>',
    )
  })
})

describe('pictures', () => {
  const wiki = new TestWiki({}, {}, { 'Rose.jpg': ROSE_PICTURE })

  test('have the sizes of their thumbnails', async () => {
    const html = await wiki.body('[[File:Rose.jpg|thumb|200px|A rose]]')
    expect(html).toContain('typeof="mw:Image/Thumb"')
    expect(html).toContain('src="//garden.example/images/thumb/200px-Rose.jpg"')
    expect(html).toMatch(/height="150" width="200"/)
    expect(html).toContain('<figcaption>A rose</figcaption>')
  })

  test('may have a caption that is a word for an option in another case', async () => {
    expect(await wiki.body('[[File:Rose.jpg|thumb|Left]]')).toContain('<figcaption>Left</figcaption>')
  })

  test('of galleries may be none', async () => {
    expect(await wiki.body('<gallery/> <gallery mode="packed" /> after')).toContain('after')
  })

  test('that are missing say so', async () => {
    expect(await wiki.body('[[File:None.jpg]]')).toContain('apierror-filedoesnotexist')
  })
})

describe('templates', () => {
  test('are expanded and carry their description', async () => {
    const wiki = new TestWiki({ 'Template:Greet': 'Hello, {{{1|you}}}!' })
    const html = await wiki.body('{{Greet|Bob}} {{Greet}}')
    expect(html).toContain('Hello, Bob!')
    expect(html).toContain('Hello, you!')
    expect(html).toContain('"target":{"wt":"Greet","href":"./Template:Greet"},"params":{"1":{"wt":"Bob"}}')
    expect([...wiki.asked]).toContain('Template:Greet')
  })
})

describe('tags', () => {
  const wiki = new TestWiki({ 'Template:S.css': { text: '.a{color:red}', model: 'sanitized-css' } })

  test('of code mark its words', async () => {
    const html = await wiki.body('<syntaxhighlight lang="js">let a = "<b>"</syntaxhighlight>')
    expect(html).toContain('class="mw-highlight mw-highlight-lang-js mw-content-ltr" dir="ltr"')
    expect(html).toContain('<span class="hljs-keyword">let</span>')
    expect(html).toContain('"&lt;b>"')
  })

  test('of formulas give MathML, or the formula with what is wrong', async () => {
    expect(await wiki.body('<math>x^2</math>')).toMatch(
      /<math[^>]*><msup><mi>x<\/mi><mn[^>]*>2<\/mn><\/msup><\/math>/,
    )
    expect(await wiki.body('<math>\\frac{</math>')).toContain('class="error texerror"')
  })

  test.each([
    ['<math>', '<math displaystyle="true"><mrow><munder', 'inline'],
    ['<math display="inline">', '<math><msub', 'inline'],
    ['<math display="block">', '<math display="block"', 'block'],
  ])('of formulas have the style of MediaWiki: %s', async (tag, start, kind) => {
    const html = await wiki.body(`${tag}\\sum_i</math>`)
    expect(html).toContain(start)
    expect(html).toContain(`mwe-math-element-${kind}`)
  })

  test.each([
    ['\\mbox{H}^+', '<mtext>H</mtext>'],
    ['x \\isin \\Q', '<mi>ℚ</mi>'],
    ['\\begin{align} a &= b \\\\ c \\end{align}', '<mtable'],
    ['\\begin{alignat*}{2} a &= b \\end{alignat*}', '<mtable'],
    ['5 \\officialeuro', '€'],
  ])('of formulas know the words of MediaWiki: %s', async (formula, part) => {
    const html = await wiki.body(`<math>${formula}</math>`)
    expect(html).toContain(part)
    expect(html).not.toMatch(/texerror|<mtext>\(1\)/)
  })

  test('of style sheets give scoped styles', async () => {
    expect(await wiki.body('<templatestyles src="S.css" />')).toContain('.mw-parser-output .a{color:red}')
    expect(await wiki.body('<templatestyles src="None.css" />')).toContain('has no style sheet')
  })

  test('of references make a list', async () => {
    const html = await wiki.body('A<ref>one</ref>\n<references/>')
    expect(html).toContain('rel="dc:references"')
    expect(html).toContain('<span id="mw-reference-text-cite_note-1" class="mw-reference-text">one</span>')
  })

  test('of references keep their order beside pictures and formatted links', async () => {
    const pictures = new TestWiki({}, {}, { 'Rose.jpg': ROSE_PICTURE })
    const html = await pictures.body(
      "A<ref>[[File:Rose.jpg|200px]]</ref> [[B|''b'']] C<ref>two</ref>\n<references/>",
    )
    expect(html).toMatch(/id="mw-reference-text-cite_note-1"[^>]*><figure-inline.*200px-Rose\.jpg/)
    expect(html).toContain('<span id="mw-reference-text-cite_note-2" class="mw-reference-text">two</span>')
    expect(html).toMatch(/>b<\/i><\/a> C/)
  })

  test('that are not known here show their content as it is', async () => {
    expect(await wiki.body('<langconvert><b>A1</b></langconvert>')).toContain('&lt;b>A1&lt;/b>')
  })
})

describe('back to wikitext', () => {
  const text = "[[Category:B]] \n== A==\n* one\n*two ''x''\n{{Greet|1 = a}}\n\n{|\n|a||b\n|}\nlast"

  const misplaced = '<table><b>x</b><tr><td>y</td></tr></table>\n<i>a<b>b</i>c</b>\n</div>'

  test.each([text, misplaced, '== ==', '= <!-- a --> =\n<h2></h2>'])(
    'unchanged HTML gives the same text, with ids as with inline origins: %j',
    async (text) => {
      const wiki = new TestWiki({ 'Template:Greet': 'Hello, {{{1|you}}}!' })
      const { html, bundle } = await wiki.render(text)
      const original = { wikitext: text, html, bundle: bundle! }
      expect(await wiki.wikitext(html, original)).toBe(text)
      const { html: inline } = await wiki.render(text, { origins: 'inline' })
      expect(await wiki.wikitext(inline, original)).toBe(text)
    },
  )

  test('a change changes only its own place', async () => {
    const wiki = new TestWiki({ 'Template:Greet': 'Hello, {{{1|you}}}!' })
    const { html, bundle } = await wiki.render(text)
    const changed = html.replace('</section></body>', '<p>more</p></section></body>')
    expect(await wiki.wikitext(changed, { wikitext: text, html, bundle: bundle! })).toBe(`${text}\n\nmore`)
  })

  test('HTML of any origin is written anew', async () => {
    expect(await new TestWiki().wikitext('<p>hi <b>x</b></p><h2>t</h2>')).toBe("hi '''x'''\n\n== t ==\n")
  })
})

describe('what is too much', () => {
  test.each([
    ['pictures', `${'[[File:F.jpg|thumb|'.repeat(1000)}${']]'.repeat(1000)}`],
    ['list marks', `${'*'.repeat(2500)} x`],
  ])('says that it nests too deep: %s', async (_kind, text) => {
    const message = 'elements that nest too deeply'
    await expect(new TestWiki().html(text)).rejects.toMatchObject({
      name: 'EngineError',
      limit: true,
      message,
    })
  })

  test('for the engine ends at once with an error', async () => {
    const cells = `{|\n${`|-\n| ${'a||'.repeat(10)}\n`.repeat(MAX_TABLE_CELLS / 10)}|}`
    const message = `more than ${MAX_TABLE_CELLS} table cells`
    await expect(new TestWiki().html(cells)).rejects.toMatchObject({ limit: true, message })
  })
})
