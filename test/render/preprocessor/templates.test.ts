import { describe, expect, test } from 'vitest'
import { expandOn, type Pages } from './memoryWiki.js'

const PAGES: Pages = {
  'Template:Greet': 'Hello, {{{1|stranger}}}!',
  'Template:Named': '{{{first|no first}}} {{{last|}}}',
  'Template:Raw': '[{{{1}}}]',
  'Template:X': '[{{{x}}}]',
  'Template:Nest': '({{Greet|{{{1|inner}}}}})',
  'Template:Docs': 'body<noinclude> documentation</noinclude><includeonly> included</includeonly>',
  'Template:Only': 'never<onlyinclude>just this</onlyinclude>never<onlyinclude>, and that</onlyinclude>',
  'Template:Open': 'a<noinclude>b',
  'Template:List': '* one\n* two',
  'Template:Table': '{| class="x"\n|}',
  'Template:Redir': '#REDIRECT [[Template:Greet]]',
  'Template:Double redirect': '#REDIRECT [[Template:Redir]]',
  'Template:Lost': '#REDIRECT [[Template:Nowhere]]',
  'Template:Loop': 'a {{Loop}} b',
  'Template:Ping': '{{Pong}}',
  'Template:Pong': '{{Ping}}',
  'Template:Comment': '<!-- hidden -->visible<!-- also hidden -->',
  'Template:Space': ' leading and trailing ',
  'Template:Pipe': '{{{1}}}/{{{2}}}',
  'Template:Ref': '<ref>{{{1}}}</ref>',
  'Template:Default': '{{{1|{{{2|{{{3|none}}}}}}}}}',
  'Template:Inner name': '{{{{{{1}}}}}}',
  'Template:Call': '{{{{{1}}}|{{{2}}}}}',
  'Template:Eq default': '{{{1|a=b|c}}}',
  'Template:Empty': '',
  'Template:Here': '{{FULLPAGENAME}}',
  'Moonbase:Note': 'A note.',
  'Main Page': 'The main page.',
  'User:Ann/Sub': 'Of Ann.',
  'Template:Outer/part': 'A part.',
}

function rows(table: readonly (readonly [string, string])[]): void {
  test.each(table)('%s', (wikitext, expected) => {
    expect(expandOn(wikitext, { pages: PAGES }).wikitext).toBe(expected)
  })
}

describe('arguments', () => {
  rows([
    ['{{Greet}}', 'Hello, stranger!'],
    ['{{greet|Bob}}', 'Hello, Bob!'],
    ['{{ Greet | Bob }}', 'Hello,  Bob !'],
    ['{{Greet|1=Eve}}', 'Hello, Eve!'],
    ['{{Greet|1= Eve }}', 'Hello, Eve!'],
    ['{{Greet|}}', 'Hello, !'],
    ['{{Greet|a|1=b}}', 'Hello, b!'],
    ['{{Greet|1=b|a}}', 'Hello, a!'],
    ['{{Greet| 1 =b}}', 'Hello, b!'],
    ['{{Greet|01=b}}', 'Hello, stranger!'],
    ['{{Named|last=B}}', 'no first B'],
    ['{{Named|first=\nA\n|last = B }}', 'A B'],
    ['{{Named|First=A}}', 'no first '],
    ['{{X|x=1=2}}', '[1=2]'],
    ['{{X}}', '[&#123;&#123;&#123;x}}}]'],
    ['{{Raw|a=b}}', '[&#123;&#123;&#123;1}}}]'],
    ['{{Raw|{{!}}}}', '[|]'],
    ['{{Raw|a{{=}}b}}', '[a=b]'],
    ['{{Raw|[[a|b]]}}', '[[[a|b]]]'],
    ['{{Raw|[[a=b]]}}', '[[[a=b]]]'],
    ['{{Raw|[http://x y=z]}}', '[&#123;&#123;&#123;1}}}]'],
    ['{{Raw|<nowiki>a|b=c}}</nowiki>}}', '[<nowiki>a|b=c}}</nowiki>]'],
    ['{{Raw|<ref name="a|b">c|d=e</ref>}}', '[<ref name="a|b">c|d=e</ref>]'],
    ['{{Raw|<span class="x">a</span>}}', '[&#123;&#123;&#123;1}}}]'],
    ['{{Raw|\n== a = b ==\n}}', '[\n== a = b ==\n]'],
    ['{{Pipe|a|b}}', 'a/b'],
    ['{{Pipe|a|3=c|b}}', 'a/b'],
    ['{{Pipe|{{Pipe|a|b}}|{{Pipe|c|d}}}}', 'a/b/c/d'],
    ['{{Default|2=b}}', 'b'],
    ['{{Default||2=b}}', ''],
    ['{{Default}}', 'none'],
    ['{{Inner name|x|x=found}}', 'found'],
    ['{{Call|Greet|Bob}}', 'Hello, Bob!'],
    ['{{Call|#if:x|then}}', 'then'],
    ['{{Call|lc:ABC|then}}', 'abc'],
    ['{{Eq default}}', 'a=b'],
    ['{{Nest|Bob}}', '(Hello, Bob!)'],
    ['{{Nest}}', '(Hello, inner!)'],
    ['{{{param}}}', '&#123;&#123;&#123;param}}}'],
    ['{{{param|preset}}}', 'preset'],
    ['{{{param|}}}', ''],
    ['{{{|x}}}', 'x'],
    ['{{Greet|{{{1|own}}}}}', 'Hello, own!'],
  ])

  test('of one name twice put the page into a category', () => {
    expect(expandOn('{{Named|last=a|last=b}}', { pages: PAGES })).toMatchObject({
      wikitext: 'no first b',
      categories: ['Pages using duplicate arguments in template calls'],
    })
  })
})

describe('braces', () => {
  rows([
    ['{{{{Greet}}}}', '&#123;&#123;&#123;&#123;Greet}}}}'],
    ['{{Greet', '&#123;&#123;Greet'],
    ['Greet}}', 'Greet}}'],
    ['{Greet}', '{Greet}'],
    ['{{ }}', '&#123;&#123; }}'],
    ['{{}}', '&#123;&#123;}}'],
    ['{{|a}}', '&#123;&#123;|a}}'],
    ['{{{{{param|Greet}}}}}', 'Hello, stranger!'],
    ['{{{{{param|Greet}}}|Bob}}', 'Hello, Bob!'],
    ['{{{!}} class="x"', '{| class="x"'],
    ['{{{{!}} {{!}} }}', '&#123;&#123;| | }}'],
    ['{ {{Greet}} }', '{ Hello, stranger! }'],
    ['{{Raw|{a}}}', '[{a]}'],
    ['{{Raw|{a} }}', '[{a} ]'],
    ['{{Raw|}a}}', '[}a]'],
    ['{{Raw|[[a}}', '&#123;&#123;Raw|[[a}}'],
    ['{{Raw|a]]}}', '[a]]]'],
    ['[[{{Greet}}]]', '[[Hello, stranger!]]'],
    ['[[a|{{Greet}}', '[[a|Hello, stranger!'],
    ['== {{Greet}} ==', '== Hello, stranger! =='],
    ['{{Greet|{{Greet', '&#123;&#123;Greet|&#123;&#123;Greet'],
    ['{{a b|c=d{{Greet}}', '&#123;&#123;a b|c=dHello, stranger!'],
    ['{{Greet|a}}}', 'Hello, a!}'],
    ['{{[bad]|a}}', '&#123;&#123;[bad]|a}}'],
    ['{{[bad]|{{Greet}}|x={{Greet}}}}', '&#123;&#123;[bad]|Hello, stranger!|x=Hello, stranger!}}'],
    ['<nowiki>{{Greet}}</nowiki>', '<nowiki>{{Greet}}</nowiki>'],
    ['<pre>{{Greet}}</pre>{{Greet}}', '<pre>{{Greet}}</pre>Hello, stranger!'],
    ['<nowiki>{{Greet}}', '<nowiki>Hello, stranger!'],
    ['<nowiki />{{Greet}}', '<nowiki />Hello, stranger!'],
    ['<NoWiki>{{Greet}}</nowiki >', '<NoWiki>{{Greet}}</nowiki >'],
    ['<div>{{Greet}}</div>', '<div>Hello, stranger!</div>'],
    ['{{subst:Greet|x}}', '&#123;&#123;subst:Greet|x}}'],
    ['{{safesubst:Greet|x}}', 'Hello, x!'],
    ['{{safesubst: Greet }}', 'Hello, stranger!'],
    ['{{{{{|safesubst:}}}Greet}}', 'Hello, stranger!'],
  ])
})

describe('pages that are put in', () => {
  rows([
    ['{{Template:Greet}}', 'Hello, stranger!'],
    ['{{template: greet }}', 'Hello, stranger!'],
    ['{{T:Greet}}', '[[:Template:T:Greet]]'],
    ['{{:Main Page}}', 'The main page.'],
    ['{{: main_Page }}', 'The main page.'],
    ['{{Project:Note}}', 'A note.'],
    ['{{User:Ann/Sub}}', 'Of Ann.'],
    ['{{Redir|z}}', 'Hello, z!'],
    ['{{Nonexistent|a|b=c}}', '[[:Template:Nonexistent]]'],
    ['{{:Nonexistent}}', '[[:Nonexistent]]'],
    ['{{Project:Nonexistent}}', '[[:Moonbase:Nonexistent]]'],
    ['{{Special:Search}}', '[[:Special:Search]]'],
    ['{{de:Mond}}', '[[:de:Mond]]'],
    ['{{Lost}}', '\n#REDIRECT [[Template:Nowhere]]'],
    ['{{Docs}}', 'body included'],
    ['{{Only}}', 'just this, and that'],
    ['{{Open}}', 'a'],
    ['{{Comment}}', 'visible'],
    ['a{{Space}}b', 'a leading and trailing b'],
    ['{{Here}}', 'Sample page'],
    ['{{Greet#part}}', 'Hello, stranger!'],
    ['{{msg:Greet}}', 'Hello, stranger!'],
    ['{{raw:Greet}}', 'Hello, stranger!'],
    ['{{msgnw:Raw}}', '&#91;&#123;&#123;&#123;1&#125;&#125;&#125;&#93;'],
    ['{{Ref|x}}', '<ref>{{{1}}}</ref>'],
    ['{{/part}}', '[[:Template:/part]]'],
  ])

  test('relative names follow from the page', () => {
    const expand = (text: string, title: string): string => expandOn(text, { title, pages: PAGES }).wikitext
    expect(expand('{{/part}}', 'Template:Outer')).toBe('A part.')
    expect(expand('{{/part/}}', 'Template:Outer')).toBe('A part.')
    expect(expand('{{../part}}', 'Template:Outer/other')).toBe('A part.')
    expect(expand('{{../../x}}', 'Template:Outer/other')).toBe('&#123;&#123;../../x}}')
  })
})

describe('a result that begins a list or table', () => {
  rows([
    ['{{List}}', '\n* one\n* two'],
    ['x{{List}}', 'x\n* one\n* two'],
    ['x\n{{List}}', 'x\n* one\n* two'],
    ['* {{List}}', '* \n* one\n* two'],
    ['x{{Table}}', 'x\n{| class="x"\n|}'],
    ['\n{{Table}}', '\n{| class="x"\n|}'],
    ['x{{#if:1|# a}}', 'x\n# a'],
    ['x{{#if:1|; a}}', 'x\n; a'],
    ['x{{#if:1|: a}}', 'x\n: a'],
    ['x{{#if:1|{{!}}- a}}', 'x|- a'],
    ['x{{lc:* A}}', 'x\n* a'],
    ['{{Raw|{{List}}}}', '[\n* one\n* two]'],
  ])
})

describe('comments', () => {
  rows([
    ['a<!-- c -->b', 'ab'],
    ['a\n<!-- c -->\nb', 'a\nb'],
    ['a\n  <!-- c -->  \nb', 'a\nb'],
    ['a\n<!-- c --> <!-- d -->\nb', 'a\nb'],
    ['a\n<!-- c -->b', 'a\nb'],
    ['a <!-- c -->\nb', 'a \nb'],
    ['<!-- c -->\nb', '\nb'],
    ['a<!-- c', 'a'],
    ['a<!-- {{Greet}} -->', 'a'],
    ['{{Gre<!-- c -->et}}', 'Hello, stranger!'],
    ['{{Greet|a<!-- | -->b}}', 'Hello, ab!'],
    ['{{Greet<!-- c -->|1<!-- c -->=b}}', 'Hello, b!'],
    ['a\n<!-- c -->\n== h ==\nb', 'a\n== h ==\nb'],
    ['<!-->{{Greet}}-->', ''],
  ])
})

describe('inclusion tags on the page itself', () => {
  rows([
    ['a<noinclude>b</noinclude>c', 'abc'],
    ['a<includeonly>b</includeonly>c', 'ac'],
    ['a<onlyinclude>b</onlyinclude>c', 'abc'],
    ['a<includeonly>b', 'a'],
    ['<noinclude>{{Greet}}</noinclude>', 'Hello, stranger!'],
  ])
})

describe('a template that calls itself', () => {
  test('shows a loop and puts the page into a category', () => {
    expect(expandOn('{{Loop}}', { pages: PAGES })).toMatchObject({
      wikitext: 'a <span class="error">Template loop detected: [[Template:Loop]]</span> b',
      categories: ['Pages with template loops'],
    })
  })

  test('shows where each of two begins anew', () => {
    const loop = (name: string): string =>
      `<span class="error">Template loop detected: [[Template:${name}]]</span>`
    expect(expandOn('{{Ping}}{{Pong}}', { pages: PAGES }).wikitext).toBe(loop('Ping') + loop('Pong'))
  })

  test('may be the page itself, once', () => {
    const pages = { 'Template:Self': 'x<noinclude>{{Self}}</noinclude>', 'Template:Loop': 'a {{Loop}} b' }
    expect(expandOn('x{{Self}}', { title: 'Template:Self', pages }).wikitext).toBe('xx')
    expect(expandOn('a {{Loop}} b', { title: 'Template:Loop', pages }).wikitext).toBe(
      'a a <span class="error">Template loop detected: [[Template:Loop]]</span> b b',
    )
  })
})

describe('reads', () => {
  const read = (text: string): string[] =>
    expandOn(text, { pages: PAGES }).report.pages.map(({ namespace, dbkey }) => `${namespace}:${dbkey}`)

  test.each([
    ['plain text', []],
    ['{{Greet}}', ['10:Greet']],
    ['{{Nest}}{{Greet}}', ['10:Nest', '10:Greet']],
    ['{{Redir}}', ['10:Redir', '10:Greet']],
    ['{{Missing}}', ['10:Missing']],
    ['{{#ifexist:Mars|a}}', ['0:Mars']],
    ['{{#if:|{{Greet}}}}', []],
    ['{{PAGESIZE:Main Page}}', ['0:Main_Page']],
    ['{{int:edit}}', ['8:Edit']],
    ['{{#invoke:Sums|f}}', ['828:Sums']],
  ])('%s', (text, titles) => {
    expect(read(text)).toEqual(titles)
  })

  test('name files too', () => {
    const { report } = expandOn('{{filepath:Moon.jpg}}{{#ifexist:Media:mars.jpg|a}}')
    expect(report.files).toEqual(['Moon.jpg', 'Mars.jpg'])
  })
})
