import { describe, expect, test } from 'vitest'
import { sections } from '../../src/diff/sections.js'

const levels = (text: string): string[] => sections(text).map(({ level, heading }) => `${level} ${heading}`)

describe('sections', () => {
  test('have level, heading line and byte offset', () => {
    expect(sections('intro é\n== A ==\ntext\n=== B é ===\nx\n== C ==')).toEqual([
      { level: 2, heading: '== A ==', offset: 9 },
      { level: 3, heading: '=== B é ===', offset: 22 },
      { level: 2, heading: '== C ==', offset: 37 },
    ])
  })

  test.each([
    ['a heading at the very start', '= A =\nx', ['1 = A =']],
    ['an empty heading', '== ==', ['2 == ==']],
    ['uneven marks', '=== A ==\n== B ===', ['2 === A ==', '2 == B ===']],
    ['more marks than levels', '======= A =======', ['6 ======= A =======']],
    ['marks alone', '=\n==\n===\n=====', ['1 ===', '2 =====']],
    ['blanks and comments behind', '== A ==  \n== B == <!-- x -->', ['2 == A ==  ', '2 == B == <!-- x -->']],
    ['text behind', '== A == x', []],
    ['a blank before', ' == A ==', []],
    ['HTML headings', '<h2>A</h2>', []],
    ['comments', '<!--\n== A ==\n-->\n== B ==', ['2 == B ==']],
    ['nowiki', '<nowiki>\n== A ==\n</nowiki>\n== B ==', ['2 == B ==']],
    ['pre, in capitals', '<PRE class="x">\n== A ==\n</pre >\n== B ==', ['2 == B ==']],
    ['a closed nowiki', '<nowiki/>\n== A ==', ['2 == A ==']],
    ['an open comment', '== A ==\n<!-- x\n== B ==', ['2 == A ==']],
    ['an open nowiki', '<nowiki>\n== A ==', []],
    ['no headings', 'a = b\nc', []],
    ['an empty text', '', []],
  ])('of %s', (_case, text, found) => {
    expect(levels(text)).toEqual(found)
  })

  test.each(['<!--', '<nowiki>', '<pre ', '\n=', '\n= =', '<!-- --'])(
    'of a million characters of %j come back',
    (unit) => {
      expect(() => sections(`== A ==\n${unit.repeat(1_000_000 / unit.length)}`)).not.toThrow()
    },
  )
})
