import { describe, expect, test } from 'vitest'
import { findLiteralParts, replaceOutside } from '../../src/edit/literalParts.js'

const literal = (text: string) => findLiteralParts(text).map(({ start, end }) => text.slice(start, end))

test.each([
  ['a plain text', 'a < b > c', []],
  ['a comment', 'a<!-- b -->c', ['<!-- b -->']],
  ['a comment without an end', 'a<!-- b', ['<!-- b']],
  ['nowiki', 'a<nowiki>~~~~</nowiki>b', ['<nowiki>~~~~</nowiki>']],
  ['tags in any case, with blanks', '<NoWiki >x</NOWIKI\n>', ['<NoWiki >x</NOWIKI\n>']],
  ['tags with attributes', '<ref name="a">x</ref>', ['<ref name="a">x</ref>']],
  ['an empty tag', '<ref name=a />~~~~</ref>', ['<ref name=a />']],
  [
    'pre and a highlighted source',
    '<pre>a</pre><syntaxhighlight lang=c>b</syntaxhighlight>',
    ['<pre>a</pre>', '<syntaxhighlight lang=c>b</syntaxhighlight>'],
  ],
  ['references, not ref with a tail', '<references>a</references>', ['<references>a</references>']],
  ['a tag within another', '<pre><nowiki>a</pre>b</nowiki>', ['<pre><nowiki>a</pre>']],
  ['a tag within a comment', '<!-- <pre> -->x</pre>', ['<!-- <pre> -->']],
  ['a comment within a tag', '<pre><!--</pre>-->', ['<pre><!--</pre>']],
  ['a tag without an end', '<nowiki>a', []],
  ['a tag without a bracket', '<nowiki a', []],
  ['other tags', '<b>a</b><span>b</span><prefix>c</prefix><noinclude>d</noinclude>', []],
  ['what is for other pages', '<includeonly>a</includeonly>', []],
])('finds the literal parts of %s', (_case, text, expected) => {
  expect(literal(text)).toEqual(expected)
})

describe('a hostile text of a million letters gets an answer', () => {
  test.each([
    ['open tags', '<nowiki>', 0],
    ['open tags of two kinds', '<pre><nowiki>', 0],
    ['tags without brackets', '<pre ', 0],
    ['open comments', '<!--', 1],
    ['closing tags', '</nowiki>', 0],
    ['closing tags without brackets', '<pre></pre ', 0],
    ['closing tags with blanks', `<pre></pre${' '.repeat(1000)}`, 0],
    ['empty tags', '<ref/>', 166_666],
    ['closed tags', '<pre></pre>', 90_909],
  ])('%s', (_case, unit, count) => {
    expect(findLiteralParts(unit.repeat(1_000_000 / unit.length))).toHaveLength(count)
  })
})

test('replaces outside the literal parts alone', () => {
  const text = 'x<nowiki>x</nowiki>xx<!--x-->x'
  const replaced = replaceOutside(text, findLiteralParts(text), /x/g, () => 'yy', 100)
  expect(replaced).toBe('yy<nowiki>x</nowiki>yyyy<!--x-->yy')
  expect(replaceOutside('xx', [], /x/g, () => 'yy', 4)).toBe('yyyy')
  expect(replaceOutside('xx', [], /x/g, () => 'yy', 3)).toBeUndefined()
})
