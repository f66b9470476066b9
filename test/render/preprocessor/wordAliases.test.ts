import { describe, expect, test } from 'vitest'
import { wordAliases } from '../../../src/render/preprocessor/wordAliases.js'
import { expandOn, substituteOn } from './memoryWiki.js'

const WORDS = [
  { aliases: ['SEITENNAME', 'PAGENAME'], caseSensitive: true },
  { aliases: ['wenn', 'if'], caseSensitive: false },
  { aliases: ['KLEIN:', 'LC:'], caseSensitive: false },
  { aliases: ['#SPRACHE:', '#LANGUAGE:'], caseSensitive: false },
  { aliases: ['ERS:', 'SUBST:'], caseSensitive: false },
  { aliases: ['SERVER', 'LESERVEUR'], caseSensitive: false },
  { aliases: ['CURRENTMONTH', 'CURRENTMONTH2', 'JETZIGER_MONAT'], caseSensitive: true },
  { aliases: ['mini', 'thumb'], caseSensitive: true },
]

test('names that are known lead to themselves, and unknown words are left out', () => {
  expect(Object.fromEntries(wordAliases(WORDS))).toEqual({
    SEITENNAME: 'PAGENAME',
    '#wenn': '#if',
    klein: 'lc',
    '#sprache': '#language',
    ers: 'subst',
    leserveur: 'server',
    JETZIGER_MONAT: 'CURRENTMONTH',
  })
})

describe('local names', () => {
  const site = { wordAliases: wordAliases(WORDS) }

  test.each([
    ['{{SEITENNAME}}', 'Sample page'],
    ['{{SEITENNAME:Talk:X}}', 'X'],
    ['{{seitenname}}', '[[:Template:Seitenname]]'],
    ['{{#WENN:x|a|b}}', 'a'],
    ['{{klein:ABC}}', 'abc'],
    ['{{#Sprache:de}}', 'Deutsch'],
    ['{{LeServeur}}', 'https://wiki.example'],
    ['{{ers:klein:ABC}}', '&#123;&#123;ers:klein:ABC}}'],
  ])('%s', (wikitext, expected) => {
    expect(expandOn(wikitext, { site }).wikitext).toBe(expected)
  })

  test('of subst count in a text that is saved', () => {
    expect(substituteOn('{{ERS:lc:ABC}} {{lc:ABC}}', {}, site)).toBe('abc {{lc:ABC}}')
  })
})
