import { expect, test } from 'vitest'
import { maySubstitute } from '../../src/edit/prepareEdit.js'
import { languageOf } from '../../src/language/language.js'

test.each([
  ['a plain text', 'a subst: b', false],
  ['a template', '{{a|b}}', false],
  ['a substitution', '{{subst:a}}', true],
  ['a safe one in any case', '{{ SafeSubst:a}}', true],
  ['one that is made of an argument', '{{{{{|safesubst:}}}a}}', true],
  ['the trick for templates', '{{<includeonly>subst:</includeonly>a}}', true],
  ['other words that end so', '{{a|b=users:c}}', false],
])('tells whether %s may hold a substitution', (_case, text, expected) => {
  expect(maySubstitute(text, languageOf('en'))).toBe(expected)
})

test.each([
  ['de', '{{ers:a}}', true],
  ['ru', '{{ПОДСТАНОВКА:a}}', true],
  ['ru', '{{подст:a}}', true],
  ['ko', '{{풀기:a}}', true],
  ['ru', '{{subst:a}}', true],
  ['en', '{{ers:a}}', false],
])('in %s, %s holds one: %s', (language, text, expected) => {
  expect(maySubstitute(text, languageOf(language))).toBe(expected)
})
