import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTimestamp } from '../../src/domain/timestamp.js'
import { sign, signatureName, signatureTime } from '../../src/edit/signatures.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const german = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: DEFAULT_SITE.namespaces.map((namespace) => {
    const name = new Map([
      [-1, 'Spezial'],
      [2, 'Benutzer'],
      [3, 'Benutzer Diskussion'],
    ]).get(namespace.id)
    return name === undefined ? namespace : { ...namespace, name }
  }),
})
const ANN = { name: 'Ann', anonymous: false }
const IP = { name: '127.0.0.1', anonymous: true }
const TIME = parseTimestamp('2026-11-20T21:48:07Z') ?? 0
const NAME = '[[User:Ann|Ann]] ([[User talk:Ann|talk]])'
const DATE = '21:48, 20 November 2026 (UTC)'
const LIMIT = 2_097_152
const signed = (text: string, signer = ANN) => sign(text, signer, TIME, namespaces, LIMIT)

test.each([
  ['two tildes stay', 'a ~~ b', 'a ~~ b'],
  ['three are the name', 'a ~~~ b', `a ${NAME} b`],
  ['four are name and time', 'a ~~~~ b', `a ${NAME} ${DATE} b`],
  ['five are the time', 'a ~~~~~ b', `a ${DATE} b`],
  ['six are the time and one', '~~~~~~', `${DATE}~`],
  ['seven are the time and two', '~~~~~~~', `${DATE}~~`],
  ['eight are the time and the name', '~~~~~~~~', `${DATE}${NAME}`],
  ['ten are the time twice', '~~~~~~~~~~', DATE + DATE],
  ['several are all replaced', '~~~\n~~~~', `${NAME}\n${NAME} ${DATE}`],
  ['in nowiki they stay', '<nowiki>~~~~</nowiki> ~~~~~', `<nowiki>~~~~</nowiki> ${DATE}`],
  ['in pre they stay', '<pre>~~~~</pre>', '<pre>~~~~</pre>'],
  ['in comments they stay', '<!-- ~~~~ -->', '<!-- ~~~~ -->'],
  ['in ref they stay', '<ref>~~~~</ref>', '<ref>~~~~</ref>'],
  [
    'in highlighted source they stay',
    '<syntaxhighlight lang="c">~~~~</syntaxhighlight>',
    '<syntaxhighlight lang="c">~~~~</syntaxhighlight>',
  ],
  [
    'in what is for other pages they are replaced',
    '<includeonly>~~~~~</includeonly>',
    `<includeonly>${DATE}</includeonly>`,
  ],
  ['in templates they are replaced', '{{unsigned|~~~}}', `{{unsigned|${NAME}}}`],
  ['in an open nowiki they are replaced', '<nowiki>~~~~~', `<nowiki>${DATE}`],
])('%s', (_case, text, expected) => {
  expect(signed(text)).toBe(expected)
})

test('the anonymous sign with a link to their contributions', () => {
  expect(signed('~~~~', IP)).toBe(`[[Special:Contributions/127.0.0.1|127.0.0.1]] ${DATE}`)
})

test('names of namespaces are those of the wiki', () => {
  expect(signatureName(ANN, german)).toBe('[[Benutzer:Ann|Ann]] ([[Benutzer Diskussion:Ann|talk]])')
  expect(signatureName(IP, german)).toBe('[[Spezial:Contributions/127.0.0.1|127.0.0.1]]')
})

test('signs of wikitext in a name are references in the label', () => {
  expect(signatureName({ name: "D''Arc", anonymous: false }, namespaces)).toBe(
    "[[User:D''Arc|D&#39;&#39;Arc]] ([[User talk:D''Arc|talk]])",
  )
})

test.each([
  ['2026-01-01T00:00:00Z', '00:00, 1 January 2026 (UTC)'],
  ['2024-02-29T09:05:59Z', '09:05, 29 February 2024 (UTC)'],
  ['1999-12-31T23:59:59Z', '23:59, 31 December 1999 (UTC)'],
])('%s is written %s', (iso, expected) => {
  expect(signatureTime(parseTimestamp(iso) ?? 0)).toBe(expected)
})

describe('a hostile text of two million tildes', () => {
  test.each([
    ['in one run', '~'.repeat(2_000_000)],
    ['in runs of three', '~~~ '.repeat(500_000)],
    ['in runs of four', '~~~~\n'.repeat(400_000)],
  ])('%s is too long once signed', (_case, text) => {
    expect(signed(text)).toBeUndefined()
  })

  test('in literal parts stays', () => {
    const text = '<nowiki>~~~</nowiki>'.repeat(100_000)
    expect(signed(text)).toBe(text)
  })
})
