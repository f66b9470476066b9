import { expect, test } from 'vitest'
import { LOCAL_WORDS, maySubstitute } from '../../src/edit/substitution.js'
import { packagedSiteinfo } from '../../src/render/parsoid/loadPackage.js'

const LANGUAGES = ['ar', 'be-tarask', 'cs', 'de', 'en', 'es', 'fa', 'fi', 'fr', 'kaa', 'nl', 'sr', 'tr', 'zh']

test.each([
  ['a plain text', 'a subst: b', false],
  ['a template', '{{a|b}}', false],
  ['a substitution', '{{subst:a}}', true],
  ['a safe one in any case', '{{ SafeSubst:a}}', true],
  ['one that is made of an argument', '{{{{{|safesubst:}}}a}}', true],
  ['the trick for templates', '{{<includeonly>subst:</includeonly>a}}', true],
  ['one in German', '{{ers:a}}', true],
  ['other words that end so', '{{a|b=users:c}}', false],
])('tells whether %s may hold a substitution', (_case, text, expected) => {
  expect(maySubstitute(text)).toBe(expected)
})

test('knows the words of all languages that come with the engine', () => {
  const words = LANGUAGES.flatMap((language) => {
    const { magicwords } = packagedSiteinfo(`${language}wiki`) as {
      magicwords: { name: string; aliases: string[] }[]
    }
    return magicwords.filter(({ name }) => /^(?:safe)?subst$/.test(name)).flatMap(({ aliases }) => aliases)
  })
  const others = words.map((word) => word.replace(/:$/, '')).filter((word) => !/^(?:SAFE)?SUBST$/.test(word))
  expect([...LOCAL_WORDS].sort()).toEqual(others.sort())
})
