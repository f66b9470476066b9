import { describe, expect, test } from 'vitest'
import { parsePageSource } from '../../sample/pageSource.mjs'

describe('a page file', () => {
  const first = 'title: T\n\n@@@ 2025-01-01T00:00:00Z | Ada | | one\nred\ngreen\n'
  const next = (flags: string, body: string) =>
    `${first}\n@@@ 2025-01-01T00:00:01Z | Ada | ${flags} | two\n${body}`

  test.each([
    ['a whole text', next('', '\nblue\n'), 'blue'],
    ['a text to append', next('', '++++\nblue\n'), 'red\ngreen\nblue'],
    ['a replacement', next('', '<<<<\nred\n====\npink\n>>>>\n'), 'pink\ngreen'],
    ['two replacements', next('', '<<<<\nred\n====\n$&\n>>>>\n<<<<\ngreen\n====\n>>>>\n'), '$&\n'],
    ['nothing, which blanks the page', next('', ''), ''],
    ['an earlier revision to restore', next('restore 1', ''), 'red\ngreen'],
  ])('gives a revision as %s', (_what, source, text) => {
    expect(parsePageSource(source, 't.wiki').revisions.at(-1)).toMatchObject({ text, comment: 'two' })
  })

  test.each([
    ['no title', '@@@ 2025-01-01T00:00:00Z | Ada | | one\nred', /t\.wiki: there is no title/],
    ['no revision', 'title: T\n', /there is no revision/],
    ['a stray line before the first revision', 'title: T\nhello\n', /unexpected line .* hello/],
    [
      'too few parts in a revision line',
      'title: T\n@@@ 2025-01-01T00:00:00Z | Ada | \nred',
      /revision 1: .*four parts/,
    ],
    ['an unknown flag', next('tiny', 'red'), /revision 2: unknown flag "tiny"/],
    ['a text to replace that is not there', next('', '<<<<\nblue\n====\nx\n>>>>'), /exactly once: blue/],
    ['a text to replace that is there twice', next('', '<<<<\nr\n====\nx\n>>>>'), /exactly once: r/],
    ['a replacement without an end', next('', '<<<<\nred\n====\nx\n'), /not well formed/],
    ['a revision to restore that comes later', next('restore 2', ''), /no earlier revision 2/],
    ['a restored revision with a text', next('restore 1', 'red'), /no body of its own/],
    [
      'a first revision that appends',
      'title: T\n@@@ 2025-01-01T00:00:00Z | Ada | | x\n++++\nred',
      /needs a full text/,
    ],
  ])('is refused with %s', (_what, source, message) => {
    expect(() => parsePageSource(source, 't.wiki')).toThrow(message)
  })
})
