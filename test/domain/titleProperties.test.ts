import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import type { TitleCase } from '../../src/domain/site.js'
import { parseTitle, prefixedKey, prefixedText, titleFromDump } from '../../src/domain/title.js'
import { randomNumbers } from '../support/random.js'

/** Letters and signs that rules are about, whole prefixes, and letters of many scripts. */
const PIECES = [
  ...'aZ09 _:/.~#%&;|[{<-\'"!éÉßŉǰΐᾳᾼǆǅiıſ\u0307\u0301\u0345\u0308東か\u3099가한\u11a8თ\u10ffаЯ',
  ...[
    '\u00a0',
    '\u2009',
    '\u2028',
    '\u200e',
    '\u202b',
    '\ufffd',
    '\ud800',
    '\udc00',
    '😀',
    '𐐨',
    '\0',
    '\u0085',
  ],
  ...['Talk:', 'user talk :', 'Image:', 'Special:', 'x:', '~~~', '%41', '&amp;', '&#65;', '/../', './', '..'],
]

function randomTexts(count: number, seed: number): string[] {
  const random = randomNumbers(seed)
  const piece = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
  return Array.from({ length: count }, () => {
    const length = 1 + Math.floor(random() * 8)
    return Array.from({ length }, piece).join('')
  })
}

const namespacesOf = (titleCase: TitleCase) =>
  new Namespaces({
    case: titleCase,
    namespaces: DEFAULT_SITE.namespaces.map((namespace) => ({ ...namespace, case: titleCase })),
  })

describe.each(['first-letter', 'case-sensitive'] as const)('titles of a %s wiki', (titleCase) => {
  const namespaces = namespacesOf(titleCase)

  test('are the same after writing and parsing again', () => {
    let valid = 0
    for (const text of randomTexts(20_000, 3)) {
      const first = parseTitle(text, namespaces)
      if (!first.ok) continue
      valid++
      const { title } = first
      expect(title.dbkey).toBe(title.dbkey.normalize('NFC'))
      expect(title.dbkey).not.toMatch(/^_|_$|__| /)
      expect(parseTitle(prefixedText(title, namespaces), namespaces)).toEqual({
        ok: true,
        title,
        fragment: '',
      })
      expect(parseTitle(prefixedKey(title, namespaces), namespaces)).toEqual({
        ok: true,
        title,
        fragment: '',
      })
    }
    expect(valid).toBeGreaterThan(3_000)
  })

  test('are the same when a dump gives them', () => {
    for (const text of randomTexts(10_000, 4)) {
      const parsed = parseTitle(text, namespaces)
      if (!parsed.ok) continue
      const { title } = parsed
      const full = prefixedText(title, namespaces)
      expect(titleFromDump(full, title.namespace, namespaces)).toEqual({ ok: true, title })
      expect(titleFromDump(full, undefined, namespaces)).toEqual({ ok: true, title })
    }
  })
})

test('the fast path agrees with the full rules', () => {
  const namespaces = namespacesOf('first-letter')
  const letters = [
    ..."AZaz09(),.!'-–’_À×ÖØÞßöøÿĀʰ˿ЀЯаѯҁҊӘӿḀẠỿぁゖがァヺー一鿿가힣ΆΈΊΌΏΐΑΡςΣΫάώԱՖաև",
    ...'\u05d0\u05ea\u0620\u0627\u064a\u0653\u0671\u06c1\u06d3\u0654\u0660\u06f9\u0966\u0985\u09af\u09bc\u09e6\u09c7\u09be\u0904\u0928\u0939\u093c\u093e\u094d\u10d0\u10ff\u200c',
    ...'\u0e01\u0e30\u0e31\u0e33\u0e37\u0e38\u0e40\u0e44\u0e48',
    '\u0301',
    '\u3099',
    '\u11a8',
    ' ',
  ]
  const random = randomNumbers(5)
  for (let i = 0; i < 40_000; i++) {
    const length = 1 + Math.floor(random() * 5)
    const text = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
    // a leading colon changes nothing but sends the text the long way
    expect(parseTitle(text, namespaces)).toEqual(parseTitle(`:${text}`, namespaces))
  }
})

describe('a hostile title of a million characters gets an answer', () => {
  const million = 1_000_000
  test.each([
    ['letters', 'a', 'too-long'],
    ['blanks', ' ', 'empty'],
    ['blanks and letters', ' a', 'too-long'],
    ['colons', ':', 'leading-colon'],
    ['prefixes', 'Talk:', 'talk-namespace'],
    ['ampersands', '&', 'too-long'],
    ['open references', '&a', 'too-long'],
    ['open numeric references', 'a&#1', undefined],
    ['fragments of marks in the wrong order', 'a#\u0301\u0323', undefined],
    ['percent signs', '%', 'too-long'],
    ['slashes and dots', '/.', 'relative-path'],
    ['slashes', '/', 'too-long'],
    ['direction marks', '\u200e', 'empty'],
    ['combining marks', '\u0301', 'too-long'],
    ['marks in the wrong order', '\u0301\u0323', 'too-long'],
    ['surrogates', '\ud800', 'too-long'],
    ['number signs', '#', 'fragment-only'],
  ])('%s', (_case, unit, error) => {
    const result = parseTitle(unit.repeat(million / unit.length), namespacesOf('first-letter'))
    expect(result.ok ? undefined : result.error).toBe(error)
  })
})
