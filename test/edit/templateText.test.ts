import { expect, test } from 'vitest'
import { includedText } from '../../src/edit/templateText.js'

test.each([
  ['a text without tags', 'a<b>c</b>', 'a<b>c</b>'],
  ['what is not for other pages', 'a<noinclude>b</noinclude>c', 'ac'],
  ['what is only for other pages', 'a<includeonly>b</includeonly>c', 'abc'],
  ['what alone is for other pages', 'a<onlyinclude>b</onlyinclude>c<onlyinclude>d</onlyinclude>', 'bd'],
  ['not, within alone', '<onlyinclude>a<noinclude>b</noinclude>c</onlyinclude>d', 'ac'],
  ['alone, within not', '<noinclude><onlyinclude>a</onlyinclude></noinclude>b', 'b'],
  ['an open tag', 'a<noinclude>b', 'a'],
  ['tags in any case, with blanks', 'a<NoInclude >b</NOINCLUDE\n>c', 'ac'],
  ['an empty tag', 'a<noinclude/>b', 'ab'],
  [
    'tags in nowiki and comments',
    '<nowiki><noinclude></nowiki>a<!--<onlyinclude>-->',
    '<nowiki><noinclude></nowiki>a<!--<onlyinclude>-->',
  ],
  ['the trick for substitutions', '{{<includeonly>subst:</includeonly>X}}', '{{subst:X}}'],
])('%s', (_case, source, expected) => {
  expect(includedText(source)).toBe(expected)
})

test('a hostile text of a million letters gets an answer', () => {
  for (const unit of ['<noinclude>', '<onlyinclude>', '</noinclude ', '<includeonly/>']) {
    expect(includedText(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(1_000_000)
  }
})
