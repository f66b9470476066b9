import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { prefixedText } from '../../src/domain/title.js'
import { EXPANSION_LIMITS, templateExpander } from '../../src/edit/templateExpander.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const PAGE = { namespace: 2, dbkey: 'Ann' }

/** Expands on the page `User:Ann` of a wiki that has these pages. */
function expandWith(pages: Record<string, string>, limits = EXPANSION_LIMITS) {
  const read: string[] = []
  const byTitle = new Map(Object.entries(pages))
  const expand = templateExpander(
    PAGE,
    namespaces,
    (title) => {
      read.push(prefixedText(title, namespaces))
      return byTitle.get(prefixedText(title, namespaces))
    },
    limits,
  )
  return { expand, read }
}

test.each([
  ['the text', '{{subst:t}}', 'a', 'a'],
  ['an empty text', '{{subst:t}}', '', ''],
  ['a positional argument', '{{subst:t|x}}', 'a{{{1}}}b', 'axb'],
  ['its blanks', '{{subst:t| x }}', 'a{{{1}}}b', 'a x b'],
  ['a named argument, without its blanks', '{{subst:t| n = x\n}}', '[{{{n}}}]', '[x]'],
  ['a number as a name', '{{subst:t|2=x|y}}', '{{{1}}}{{{2}}}', 'yx'],
  ['the last of a name', '{{subst:t|n=x|n=y}}', '{{{n}}}', 'y'],
  ['an argument with a second sign', '{{subst:t|n=a=b}}', '{{{n}}}', 'a=b'],
  ['a default', '{{subst:t}}', '{{{1|none}}}', 'none'],
  ['an empty default', '{{subst:t}}', 'a{{{1|}}}b', 'ab'],
  ['an empty argument in place of the default', '{{subst:t|}}', 'a{{{1|none}}}b', 'ab'],
  ['a default of an argument', '{{subst:t|n=x}}', '{{{1|{{{n}}}}}}', 'x'],
  ['the first default alone', '{{subst:t}}', '{{{1|a|b}}}', 'a'],
  ['a missing argument as it is', '{{subst:t}}', '{{{1}}} {{{n}}}', '{{{1}}} {{{n}}}'],
  ['a name made of an argument', '{{subst:t|n|n=x}}', '{{{{{{1}}}}}}', 'x'],
  ['links in an argument', '{{subst:t|[[a|b]]}}', '<{{{1}}}>', '<[[a|b]]>'],
  ['a sign in a link', '{{subst:t|[[a=b]]}}', '{{{1}}}', '[[a=b]]'],
  ['templates in an argument as they are', '{{subst:t|{{u|v=w}}}}', '{{{1}}}', '{{u|v=w}}'],
  ['templates of its own as they are, with arguments put in', '{{subst:t|x}}', '{{u|{{{1}}}}}', '{{u|x}}'],
  ['what is not for other pages left out', '{{subst:t}}', 'a<noinclude>b</noinclude>', 'a'],
  ['what alone is for other pages', '{{subst:t}}', 'a<onlyinclude>b</onlyinclude>', 'b'],
  [
    'arguments in nowiki as they are',
    '{{subst:t|x}}',
    '<nowiki>{{{1}}}</nowiki>',
    '<nowiki>{{{1}}}</nowiki>',
  ],
  ['signatures for later', '{{subst:t}}', 'a ~~~~', 'a ~~~~'],
])('puts in %s', (_case, invocation, template, expected) => {
  expect(expandWith({ 'Template:T': template }).expand(invocation)).toBe(expected)
})

test.each([
  ['{{subst:Foo bar}}', 'Template:Foo bar'],
  ['{{subst:foo_bar}}', 'Template:Foo bar'],
  ['{{ subst: foo bar \n}}', 'Template:Foo bar'],
  ['{{subst:Template:Foo bar}}', 'Template:Foo bar'],
  ['{{subst::Moon}}', 'Moon'],
  ['{{subst:User:Bob}}', 'User:Bob'],
  ['{{subst:/box}}', 'User:Ann/box'],
  ['{{subst:a:b}}', 'Template:A:b'],
])('%s is read from %s', (invocation, title) => {
  const { expand, read } = expandWith({ [title]: 'found' })
  expect(expand(invocation)).toBe('found')
  expect(read).toEqual([title])
})

test.each([
  ['a template that does not exist', '{{subst:nope|a= b |{{c}}}}'],
  ['a bad title', '{{subst:a<b}}'],
  ['an empty title', '{{subst:}}'],
  ['a special page', '{{subst:Special:Version}}'],
  ['a parser function', '{{subst:#if:a|b|c}}'],
])('leaves %s as written', (_case, invocation) => {
  expect(expandWith({}).expand(invocation)).toBe(invocation)
})

test('what is inside an unknown template is put in all the same', () => {
  expect(expandWith({ 'Template:T': 'a' }).expand('{{subst:nope|{{subst:t}}}}')).toBe('{{subst:nope|a}}')
})

test('redirects are followed once', () => {
  const pages = {
    'Template:A': '#REDIRECT [[Template:B]]',
    'Template:B': '#REDIRECT [[Template:C]]',
    'Template:C': 'c',
  }
  expect(expandWith(pages).expand('{{subst:b}}')).toBe('c')
  expect(expandWith(pages).expand('{{subst:a}}')).toBe('#REDIRECT [[Template:C]]')
  expect(expandWith({ 'Template:A': '#REDIRECT [[Template:Nope]]' }).expand('{{subst:a}}')).toBe(
    '{{subst:a}}',
  )
})

test('substitutions in templates are carried out', () => {
  const pages = { 'Template:A': '{{{{{|safesubst:}}}b|{{{1}}}}} {{b|{{{1}}}}}', 'Template:B': '<{{{1}}}>' }
  expect(expandWith(pages).expand('{{subst:a|x}}')).toBe('<x> {{b|x}}')
  expect(
    expandWith({ ...pages, 'Template:A': '{{<includeonly>subst:</includeonly>b|y}}' }).expand('{{subst:a}}'),
  ).toBe('<y>')
})

test('a template is read once for a save', () => {
  const { expand, read } = expandWith({ 'Template:A': 'a' })
  expand('{{subst:a}}')
  expand('{{subst:a}}{{subst:a}}')
  expect(read).toEqual(['Template:A'])
})

describe('limits', () => {
  test('a template in itself stays as written', () => {
    expect(expandWith({ 'Template:A': 'x{{safesubst:a}}' }).expand('{{subst:a}}')).toBe('x{{safesubst:a}}')
    const ring = { 'Template:A': 'a{{safesubst:b}}', 'Template:B': 'b{{safesubst:a}}' }
    expect(expandWith(ring).expand('{{subst:a}}')).toBe('ab{{safesubst:a}}')
  })

  test('templates too deep in one another stay as written', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`Template:T${n}`, `{{safesubst:T${n + 1}}}`]),
    )
    const pages = { ...chain, 'Template:T60': 'end' }
    expect(expandWith(pages).expand('{{subst:T21}}')).toBe('end')
    expect(expandWith(pages).expand('{{subst:T20}}')).toBe('{{subst:T20}}')
  })

  test('more templates than allowed stay as written, others before them do not', () => {
    const { expand } = expandWith({ 'Template:A': 'a' }, { ...EXPANSION_LIMITS, inclusions: 3 })
    expect([1, 2, 3, 4].map(() => expand('{{subst:a}}'))).toEqual(['a', 'a', 'a', '{{subst:a}}'])
  })

  test('templates that double and double again stay as written', () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `Template:T${n}`,
        `{{safesubst:T${n + 1}|{{{1}}}{{{1}}}}}{{safesubst:T${n + 1}|{{{1}}}{{{1}}}}}`,
      ]),
    )
    expect(expandWith(pages).expand('{{subst:T0|lol}}')).toBe('{{subst:T0|lol}}')
  })

  test('brackets too deep, in templates too deep, stay as written', () => {
    const nested = (inner: string) => `${'{{a|'.repeat(90)}${inner}${'}}'.repeat(90)}`
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`Template:T${n}`, nested(`{{safesubst:T${n + 1}}}`)]),
    )
    expect(expandWith(pages).expand('{{subst:T0}}')).toBe('{{subst:T0}}')
    expect(expandWith({ 'Template:T0': nested('x') }).expand('{{subst:T0}}')).toBe(nested('x'))
  })

  test('a huge text stays as written', () => {
    const pages = { 'Template:A': 'x'.repeat(2_000_000) }
    const invocation = '{{subst:a|{{{1}}}}}'
    expect(expandWith(pages).expand(invocation)).toBe('x'.repeat(2_000_000))
    expect(expandWith({ 'Template:A': 'x'.repeat(2_100_000) }).expand(invocation)).toBe(invocation)
  })
})
