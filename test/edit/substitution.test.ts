import { describe, expect, test } from 'vitest'
import { substitute } from '../../src/edit/substitution.js'

const LIMIT = 2_097_152
const marked = (text: string) => substitute(text, (invocation) => `<${invocation}>`, LIMIT)

test.each([
  ['a template', '{{a}} {{b|c}}', '{{a}} {{b|c}}'],
  ['a substitution', 'x {{subst:a|b}} y', 'x <{{subst:a|b}}> y'],
  ['a safe one', '{{safesubst:a}}', '<{{safesubst:a}}>'],
  ['any case and blanks', '{{ SubSt:a}}{{\nSAFESUBST:a}}', '<{{ SubSt:a}}><{{\nSAFESUBST:a}}>'],
  ['blanks before the colon', '{{subst :a}}', '{{subst :a}}'],
  ['several', '{{subst:a}}{{subst:b}}', '<{{subst:a}}><{{subst:b}}>'],
  ['one in another', '{{subst:a|{{subst:b}}}}', '<{{subst:a|{{subst:b}}}}>'],
  ['one in a template', '{{a|b={{subst:c}}|d}}', '{{a|b=<{{subst:c}}>|d}}'],
  ['one in a link', '[[a|{{subst:b|[[c|d]]}}]]', '[[a|<{{subst:b|[[c|d]]}}>]]'],
  ['one in an argument', '{{{a|{{subst:b}}}}}', '{{{a|<{{subst:b}}>}}}'],
  ['an argument', '{{{subst:a}}}', '{{{subst:a}}}'],
  ['an open one', '{{subst:a', '{{subst:a'],
  ['nowiki', '<nowiki>{{subst:a}}</nowiki>', '<nowiki>{{subst:a}}</nowiki>'],
  ['pre', '<pre>{{subst:a}}</pre>', '<pre>{{subst:a}}</pre>'],
  ['a comment', '<!--{{subst:a}}-->', '<!--{{subst:a}}-->'],
  [
    'what is for other pages',
    '<includeonly>{{subst:a}}</includeonly>',
    '<includeonly>{{subst:a}}</includeonly>',
  ],
  [
    'the trick for templates',
    '{{<includeonly>subst:</includeonly>a}}',
    '{{<includeonly>subst:</includeonly>a}}',
  ],
  [
    'what is not for other pages',
    '<noinclude>{{subst:a}}</noinclude>',
    '<noinclude><{{subst:a}}></noinclude>',
  ],
  ['nowiki within one', '{{subst:a|<nowiki>}}</nowiki>}}', '<{{subst:a|<nowiki>}}</nowiki>}}>'],
])('%s', (_case, text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('a result that is too long ends the save', () => {
  expect(substitute('{{subst:a}}', () => 'x'.repeat(20), 20)).toBe('x'.repeat(20))
  expect(substitute('{{subst:a}}', () => 'x'.repeat(21), 20)).toBeUndefined()
})

describe('a hostile text of a million letters gets an answer', () => {
  test.each(['{{subst:', '{{{{subst:a}}', '{{subst:a}}', '{{subst:a|', '[[{{subst:', '{'])('%s', (unit) => {
    const units = Math.floor(1_000_000 / unit.length)
    const text = unit.repeat(units)
    const same = (invocation: string) => invocation
    expect(substitute(text, same, LIMIT)).toBe(text)
    expect(substitute(text + '}}'.repeat(units), same, 2 * LIMIT)).toBe(text + '}}'.repeat(units))
  })
})
