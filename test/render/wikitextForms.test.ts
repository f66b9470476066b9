/** Forms of wikitext that the engine read otherwise than MediaWiki does, or lost a part of. */
import { describe, expect, test } from 'vitest'
import { ROSE_PICTURE, TestWiki } from './support/engine.js'

const SPACE = '<span typeof="mw:DisplaySpace mw:Placeholder">\u00a0</span>'
const RIGHT_TO_LEFT_MARK = '\u200f'

const wiki = new TestWiki(
  {
    'Template:Red': "''red''",
    'Template:Note': '<ref>{{{1}}} of {{{2|roses}}}</ref>',
    'Template:Hedge': "deep ''red'' !",
    'Template:Beds': '{| class="beds"\n! Bed',
    'Template:Item': '# b',
    'Template:Chosen': '{{#if:1|# b}}',
    'Template:Table': '{|\n| b\n|}',
  },
  {},
  { 'Rose.jpg': ROSE_PICTURE },
)

/** What is in the first section. */
async function shown(wikitext: string): Promise<string> {
  const html = await wiki.body(wikitext)
  return /^<section data-mw-section-id="0">(.*)<\/section>$/s.exec(html)![1]!
}

/** The same without marks of templates. */
async function plain(wikitext: string): Promise<string> {
  const html = await shown(wikitext)
  return html
    .replace(/ (?:about|typeof|data-mw)=(?:"[^"]*"|'[^']*')/g, '')
    .replace(/<span>([^<]*)<\/span>/g, '$1')
}

/** There and back, with the paragraph `x` made another. */
async function edited(wikitext: string): Promise<string> {
  const { html, bundle } = await wiki.render(wikitext)
  const changed = html.replace(/(<p[^>]*>)x(<\/p>)/, '$1y$2')
  expect(changed).not.toBe(html)
  return wiki.wikitext(changed, { wikitext, html, bundle: bundle! })
}

describe('a blank', () => {
  test.each([
    ['before ?', 'why ?', `why${SPACE}?`],
    ['before !, ; and %', 'a ! b ; 5 %', `a${SPACE}! b${SPACE}; 5${SPACE}%`],
    ['before a colon', 'a : b', `a${SPACE}: b`],
    ['within quotation marks', '« a » ‹ b ›', `«${SPACE}a${SPACE}» ‹${SPACE}b${SPACE}›`],
    ['at the beginning of a cell', '{|\n| ?\n|}', SPACE + '?'],
    ['in a link', '[[Rose|why ?]]', `why${SPACE}?`],
    ['in a template', '{{Hedge}}', `</i>${SPACE}!`],
  ])('%s does not break', async (_where, wikitext, expected) => {
    expect(await shown(wikitext)).toContain(expected)
  })

  test.each([
    ['before a word', 'a :key ?who !important'],
    ['in preformatted text', '<pre>a ? b</pre>'],
    ['in nowiki', '<nowiki>a ?</nowiki>'],
    ['in code', '<syntaxhighlight lang="js">a ? b : c</syntaxhighlight>'],
    ['before a dot', 'a . b'],
  ])('%s stays one', async (_where, wikitext) => {
    const html = await shown(wikitext)
    expect(html).not.toContain('\u00a0')
    expect(html).not.toContain('DisplaySpace')
  })

  test('is a blank again in wikitext, also of a changed paragraph', async () => {
    const { html, bundle } = await wiki.render('why ? « so »\n\nand ?')
    const changed = html.replace('why', 'but why')
    expect(await wiki.wikitext(changed, { wikitext: 'why ? « so »\n\nand ?', html, bundle: bundle! })).toBe(
      'but why ? « so »\n\nand ?',
    )
    expect(await wiki.wikitext(await wiki.html('why ? « so »', { origins: 'inline' }))).toBe('why ? « so »')
  })

  test('leaves the ids of headings as they are', async () => {
    expect(await wiki.body('== Why ? ==')).toContain('<h2 id="Why_?"')
  })
})

test('the term of a definition in one line ends without a blank that shows', async () => {
  expect(await shown('; rose : red')).toBe('<dl><dt>rose</dt><dd>red</dd></dl>')
})

describe('the names of the right-to-left mark', () => {
  test('in Hebrew and Arabic mean it', async () => {
    expect(await shown('a&רלמ;b&رلم;')).toBe(
      `<p>a<span typeof="mw:Entity">${RIGHT_TO_LEFT_MARK}</span>b<span typeof="mw:Entity">${RIGHT_TO_LEFT_MARK}</span></p>`,
    )
  })

  test('come back, and are escaped where they are text', async () => {
    expect(await edited('a&רלמ;b\n\nx')).toBe('a&רלמ;b\n\ny')
    expect(await wiki.wikitext('<p>&amp;רלמ;</p>')).toBe('&amp;רלמ;')
  })
})

describe('an argument outside of a template', () => {
  test('in a reference that a template makes has no marks within', async () => {
    const html = await shown('{{Note}}')
    expect(html).toContain('class="mw-reference-text">{{{1}}} of roses</span>')
    expect(html).not.toContain('mw:Param')
  })

  test('is described where it stands in the page itself', async () => {
    expect(await shown('a {{{b|c}}}')).toContain('typeof="mw:Param"')
  })
})

describe('a line like a cell outside of tables keeps', () => {
  test.each([
    ['a template', '| {{Red}} | rose', '<p>| <i>red</i> | rose</p>'],
    ['a template without blanks', '|{{Red}}|rose', '<p>|<i>red</i>|rose</p>'],
    ['templates in attributes', '| a="{{Red}}" {{Red}} | x', '<p>| a="<i>red</i>" <i>red</i> | x</p>'],
    ['a template in the place of a caption', '|+ {{Red}} | x', '<p>|+ <i>red</i> | x</p>'],
    ['a template in the place of a row', '|- {{Red}}', '<p>|- <i>red</i></p>'],
    ['a function', '| {{#if:1|{{Red}}}} | x', '<p>| <i>red</i> | x</p>'],
    ['an argument', '| {{{a|b}}} | x', '<p>| b | x</p>'],
  ])('%s', async (_what, wikitext, expected) => {
    expect(await plain(wikitext)).toBe(expected)
    expect(await edited(`${wikitext}\n\nz\n\nx`)).toBe(`${wikitext}\n\nz\n\ny`)
  })

  test('nothing twice when it is a cell of a table that a template began', async () => {
    const html = await plain('{{Beds}}\n|-\n| {{Red}} | rose\n|}')
    expect(html).toMatch(/<td>rose<\/td>/)
    expect(html).not.toContain('<i>')
  })
})

describe('a gallery', () => {
  test('with lines that end as Windows ends them has its pictures', async () => {
    const html = await shown('<gallery>\r\nRose.jpg|one\r\nFile:Rose.jpg\r\n</gallery>')
    expect(html.match(/class="gallerybox"/g)).toHaveLength(2)
    expect(html).toContain('<div class="gallerytext">one</div>')
  })

  test('has pictures of no other form', async () => {
    const html = await shown('<gallery>\nRose.jpg|thumb|one\nRose.jpg|frame|two\nGone.jpg|thumb\n</gallery>')
    expect(html.match(/typeof="mw:Image"/g)).toHaveLength(2)
    expect(html).toContain('typeof="mw:Error mw:Image"')
    expect(html).not.toMatch(/mw:Image\//)
  })
})

describe('the link of a picture says', () => {
  test.each([
    ['the page', '[[File:Rose.jpg|page=2|50px]]', './File:Rose.jpg?page=2'],
    ['the language', '[[File:Rose.jpg|thumb|lang=de]]', './File:Rose.jpg?lang=de'],
    ['both', '[[File:Rose.jpg|lang=pt-BR|page=3]]', './File:Rose.jpg?page=3&amp;lang=pt-BR'],
    ['neither when it leads elsewhere', '[[File:Rose.jpg|page=2|link=Tulip]]', './Tulip'],
    ['neither when there is none', '[[File:Rose.jpg|thumb]]', './File:Rose.jpg'],
  ])('%s, and is no link of its own on the way back', async (_what, wikitext, href) => {
    expect(await shown(wikitext)).toContain(`<a href="${href}">`)
    expect(await edited(`${wikitext}\n\nz\n\nx`)).toBe(`${wikitext}\n\nz\n\ny`)
    expect(await wiki.wikitext(await wiki.html(wikitext, { origins: 'inline' }))).toBe(wikitext)
  })
})

describe('a picture for screens with more pixels', () => {
  test.each([
    ['is twice as wide', '[[File:Rose.jpg|thumb]]', '/thumb/600px-Rose.jpg 2x, …/thumb/450px-Rose.jpg 1.5x'],
    ['is the original if that is smaller', '[[File:Rose.jpg|600px]]', '/Rose.jpg 1.5x'],
    ['is not there for the original', '[[File:Rose.jpg|800px]]', ''],
  ])('%s', async (_what, wikitext, expected) => {
    const [, srcset = ''] = /srcset="([^"]*)"/.exec(await shown(wikitext)) ?? []
    expect(srcset.replaceAll('//garden.example/images', '…').replace(/^…/, '')).toBe(expected)
  })
})

describe('a film', () => {
  const FILM = {
    ...ROSE_PICTURE,
    mime: 'video/webm',
    mediaType: 'VIDEO',
    url: 'https://far.example/Film.webm',
  }
  const films = new TestWiki(
    {},
    {},
    { 'Film.webm': FILM, 'Unscaled.webm': { ...FILM, thumbUrl: () => FILM.url } },
  )

  test.each([
    ['has a poster', 'Film.webm', 'poster="//garden.example/images/thumb/300px-Rose.jpg"'],
    ['has none if that were the film itself', 'Unscaled.webm', undefined],
  ])('%s', async (_what, name, poster) => {
    const html = await films.body(`[[File:${name}|thumb|a]]`)
    expect(html).toContain('src="//far.example/Film.webm"')
    expect(/poster="[^"]*"/.exec(html)?.[0]).toBe(poster)
    expect(html).not.toContain('srcset')
  })
})

describe('a picture of unknown size', () => {
  const elsewhere = new TestWiki(
    {},
    {},
    { 'Far.jpg': { ...ROSE_PICTURE, width: 0, height: 0, sizeBytes: 0, url: 'https://far.example/Far.jpg' } },
  )

  test.each([
    ['is as wide as the page asks for', '[[File:Far.jpg|120px]]', 'width="120"', '/thumb/120px-Rose.jpg'],
    ['has the usual width as a thumb', '[[File:Far.jpg|thumb|a]]', 'width="300"', '/thumb/300px-Rose.jpg'],
    ['has the width of a box', '[[File:Far.jpg|120x80px]]', 'width="120"', '/thumb/120px-Rose.jpg'],
    ['is as high as the page asks for', '[[File:Far.jpg|x80px]]', 'height="80"', '/Far.jpg'],
  ])('%s', async (_how, wikitext, size, source) => {
    const html = await elsewhere.body(wikitext)
    const [image = ''] = /<img [^>]*>/.exec(html) ?? []
    expect(image.match(/ (?:width|height|data-file-width|data-file-height)="[^"]*"/g)).toEqual([` ${size}`])
    expect(image).toMatch(new RegExp(`src="[^"]*${source}"`))
    expect(html).not.toContain('mw:Error')
  })

  test('has no size where the page asks for none', async () => {
    const html = await elsewhere.body('[[File:Far.jpg]]')
    expect(html).toContain('src="//far.example/Far.jpg"')
    expect(html).not.toMatch(/ (?:width|height)=/)
  })

  test.each(['[[File:Far.jpg|120px]]', '[[File:Far.jpg|thumb|x80px|a]]', '[[File:Far.jpg]]'])(
    'goes back as it was: %s',
    async (wikitext) => {
      expect(await elsewhere.wikitext(await elsewhere.html(wikitext, { origins: 'inline' }))).toBe(wikitext)
    },
  )
})

describe('a call at the beginning of a line', () => {
  test.each([
    ['a template continues a list', '# a\n{{Item}}\n# c', '<ol><li>a</li>\n<li>b</li>\n<li>c</li></ol>'],
    ['a function continues a list', '# a\n{{#if:1|# b}}\n# c', '<ol><li>a</li>\n<li>b</li>\n<li>c</li></ol>'],
    ['a template in a function, too', '# a\n{{#if:1|{{Item}}}}\n# c', '<li>a</li>\n<li>b</li>\n<li>c</li>'],
    [
      'a template after another, too',
      '# a\n{{Item}}{{Item}}\n# c',
      '<li>b</li>\n<li>b</li>\n<li>c</li></ol>',
    ],
    ['a table follows its paragraph', 'x\n{{Table}}\ny', '<p>x</p>\n<table>'],
    [
      'a template that begins with a function ends the list',
      '# a\n{{Chosen}}\n# c',
      '<ol><li>a</li></ol>\n\n<ol>',
    ],
    ['a call within a line begins a list', 'a {{Item}}', '<p>a </p>\n<ol><li>b</li></ol>'],
  ])('%s', async (_what, wikitext, expected) => {
    expect(await plain(wikitext)).toContain(expected)
  })
})

test.each([
  ['[[Rose|http://a.example x]]', 'http://a.example x'],
  ['[[Rose|see http://a.example]]', 'see http://a.example'],
  ['[[Rose|RFC 1]]', 'RFC 1'],
  ['[[Rose|ISBN 1234567890 or PMID 2]]', 'ISBN 1234567890 or PMID 2'],
])('the text of a link has no links of its own: %s', async (wikitext, label) => {
  const html = await plain(wikitext)
  expect(html).toMatch(/^<p><a [^>]*href="\.\/Rose"/)
  expect(html).toContain(`>${label}</a></p>`)
})
