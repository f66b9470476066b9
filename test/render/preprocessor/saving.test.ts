import { describe, expect, test } from 'vitest'
import { expandOn, substituteOn } from './memoryWiki.js'

const PAGES = {
  'Template:Greet': 'Hello, {{{1|stranger}}}!',
  'Template:Docs': 'body<noinclude> documentation</noinclude><includeonly> included</includeonly>',
  'Template:Comment': 'a<!-- kept -->b',
  'Template:Nest': '{{Greet|{{{1}}}}} {{subst:Greet|{{{1}}}}} {{safesubst:Greet|{{{1}}}}}',
  'Template:Choice': '{{<includeonly>safesubst:</includeonly>#if:{{{1|}}}|yes|no}}',
  'Template:Optional': '{{{{{|safesubst:}}}#if:{{{1|}}}|yes|no}}',
  'Template:List': '* one',
  'Template:Loop': 'a {{subst:Loop}}',
}

describe('a text that is saved', () => {
  test.each([
    ['plain text [[a|b]] <b>c</b>', 'plain text [[a|b]] <b>c</b>'],
    ['{{Greet}}', '{{Greet}}'],
    ['{{ Greet | 1 = a }}', '{{ Greet | 1 = a }}'],
    ['{{subst:Greet}}', 'Hello, stranger!'],
    ['{{SUBST: Greet |Bob}}', 'Hello, Bob!'],
    ['{{safesubst:Greet|Bob}}', 'Hello, Bob!'],
    ['{{Greet|{{subst:Greet}}}}', '{{Greet|Hello, stranger!}}'],
    ['{{Greet|x={{subst:Greet}}<!-- c -->}}', '{{Greet|x=Hello, stranger!<!-- c -->}}'],
    ['{{subst:Nest|Bob}}', '{{Greet|Bob}} Hello, Bob! Hello, Bob!'],
    ['{{subst:Choice|x}} {{subst:Choice}}', 'yes no'],
    ['{{Choice|x}}', '{{Choice|x}}'],
    ['{{subst:Optional|x}}', 'yes'],
    ['{{subst:#if:x|{{Greet}}|b}}', '{{Greet}}'],
    ['{{subst:#expr:1+1}}', '2'],
    ['{{subst:PAGENAME}} {{PAGENAME}}', 'Sample page {{PAGENAME}}'],
    ['{{subst:CURRENTYEAR}}', '2026'],
    ['{{subst:lc:A<nowiki>B</nowiki>}}', 'a<nowiki>B</nowiki>'],
    ['{{subst:lc:A\x7fB}}<nowiki>\x7f</nowiki>\x7f', 'a\x7fb<nowiki>\x7f</nowiki>\x7f'],
    ['{{subst:Missing}}', '{{subst:Missing}}'],
    ['{{subst:Missing| a |b={{subst:Greet}}}}', '{{subst:Missing| a |b=Hello, stranger!}}'],
    ['{{subst:<bad>}}', '{{subst:<bad>}}'],
    ['{{subst:Docs}}', 'body included'],
    ['{{subst:Comment}}', 'a<!-- kept -->b'],
    ['<!-- {{subst:Greet}} -->', '<!-- {{subst:Greet}} -->'],
    ['a\n<!-- c -->\nb', 'a\n<!-- c -->\nb'],
    ['<nowiki>{{subst:Greet}}</nowiki>', '<nowiki>{{subst:Greet}}</nowiki>'],
    ['<ref>{{subst:Greet}}</ref>', '<ref>{{subst:Greet}}</ref>'],
    ['<includeonly>{{subst:Greet}}</includeonly>', '<includeonly>{{subst:Greet}}</includeonly>'],
    ['<noinclude>{{subst:Greet}}</noinclude>', '<noinclude>Hello, stranger!</noinclude>'],
    ['<onlyinclude>{{subst:Greet}}</onlyinclude>', '<onlyinclude>Hello, stranger!</onlyinclude>'],
    ['{{{1|{{subst:Greet}}}}}', '{{{1|Hello, stranger!}}}'],
    ['{{{1}}} {{{a b|}}}', '{{{1}}} {{{a b|}}}'],
    ['{{unclosed|{{subst:Greet}}', '{{unclosed|Hello, stranger!'],
    ['x{{subst:List}}', 'x\n* one'],
    ['{{subst:Gre<!-- c -->et}}', 'Hello, stranger!'],
    ['~~~~ __NOTOC__ [[a|]]', '~~~~ __NOTOC__ [[a|]]'],
    ['{{subst:Loop}}', 'a <span class="error">Template loop detected: [[Template:Loop]]</span>'],
    ['== {{subst:Greet}} ==\n', '== Hello, stranger! ==\n'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(substituteOn(text, PAGES)).toBe(expected)
  })

  test('stays as it is where nothing is substituted, whatever it holds', () => {
    const text =
      'a {{b|c=<!-- d -->{{e}}|\n== f ==\n}} {{{g|{{h}}}}} [[i|{{j}}]] <pre>{{k}}</pre> {| l\n|}\n<noinclude/>{{'
    expect(substituteOn(text)).toBe(text)
  })
})

test('a template with a conditional safesubst can be put in too', () => {
  expect(expandOn('{{Choice|x}}{{Optional}}', { pages: PAGES }).wikitext).toBe('yesno')
})
