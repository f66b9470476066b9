import { describe, expect, test } from 'vitest'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTimestamp } from '../../src/domain/timestamp.js'
import { isQuickToPrepare, prepareEdit, type EditRequest } from '../../src/edit/prepareEdit.js'
import { substituteOn } from '../render/preprocessor/memoryWiki.js'
import { randomNumbers } from '../support/random.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const TEMPLATES = {
  'Template:Hello': 'Hello {{{1|world}}}, signed ~~~~',
  'Template:Mark': '\u0301',
  'Template:Long': 'x'.repeat(1_500_000),
}
const surroundings = {
  namespaces,
  interwiki: interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES),
  substitute: (text: string) => substituteOn(text, TEMPLATES),
  checkModule: (source: string) =>
    source.startsWith('return') ? undefined : { text: 'no', place: { name: 'Module:X', line: 3 } },
}
const NAME = '[[User:Ann|Ann]] ([[User talk:Ann|talk]])'
const DATE = '21:48, 20 November 2026 (UTC)'
const MEBIBYTES_2 = 2 * 1024 * 1024

const request = (change: Partial<EditRequest>): EditRequest => ({
  title: { namespace: 0, dbkey: 'Moon' },
  source: 'text',
  comment: 'why',
  editor: { name: 'Ann', anonymous: false },
  mayChangeContentModel: false,
  time: parseTimestamp('2026-11-20T21:48:07Z') ?? 0,
  ...change,
})
const prepare = (change: Partial<EditRequest>) => prepareEdit(request(change), surroundings)
const edit = (change: Partial<EditRequest>) => {
  const result = prepare(change)
  if (!result.ok) throw new Error(result.error.key)
  return result.edit
}
const refusal = (change: Partial<EditRequest>) => {
  const result = prepare(change)
  return result.ok ? undefined : result.error
}

test('gives text, comment and content model', () => {
  expect(edit({ source: 'Hello [[World]]\r\n== H ==\nx \n', comment: ' made ' })).toEqual({
    text: 'Hello [[World]]\n== H ==\nx',
    comment: 'made',
    contentModel: 'wikitext',
  })
})

describe('a wikitext', () => {
  test.each([
    ['is signed', '~~~~', `${NAME} ${DATE}`],
    [
      'gets templates put in, and their signatures',
      '{{subst:hello|you}}',
      `Hello you, signed ${NAME} ${DATE}`,
    ],
    ['gets labels', '[[Help:Foo (bar)|]] {{hello}}', '[[Help:Foo (bar)|Foo]] {{hello}}'],
    ['is in NFC after a template was put in', 'e{{subst:mark}}', 'é'],
    [
      'loses blanks behind what was put in',
      'a {{subst:hello|}} <!-- ~~~~ -->',
      `a Hello , signed ${NAME} ${DATE} <!-- ~~~~ -->`,
    ],
    [
      'keeps what is literal',
      '<nowiki>{{subst:hello}} ~~~~ [[a|]]</nowiki>',
      '<nowiki>{{subst:hello}} ~~~~ [[a|]]</nowiki>',
    ],
    ['may be empty', '', ''],
  ])('%s', (_case, source, expected) => {
    expect(edit({ source }).text).toBe(expected)
  })
})

test.each(['css', 'javascript', 'text'])('a page of the model %s is not transformed', (contentModel) => {
  const source = '{{subst:hello}} ~~~~ [[a|]]'
  const latest = { text: '', contentModel }
  expect(edit({ source, latest })).toMatchObject({ text: source, contentModel })
})

test('a page of JSON is laid out', () => {
  const title = { namespace: 8, dbkey: 'Gadgets.json' }
  expect(edit({ title, source: '{"a": "~~~~"}\r\n' })).toMatchObject({
    text: '{\n\t"a": "~~~~"\n}',
    contentModel: 'json',
  })
  expect(refusal({ title, source: '{oops' })).toEqual({ key: 'invalid-json-data', args: ['Syntax error'] })
})

describe('the comment', () => {
  const latest = { text: 'text', contentModel: 'wikitext' }
  test.each([
    ['null', { comment: null }, 'Created page with "text"'],
    ['empty', { comment: '' }, 'Created page with "text"'],
    ['blank', { comment: ' \n' }, 'Created page with "text"'],
    ['empty, on blanking', { comment: '', latest, source: ' ' }, 'Blanked the page'],
    ['empty, on another edit', { comment: '', latest, source: 'other' }, ''],
    [
      'empty, for a new redirect',
      { comment: '', latest, source: '#REDIRECT [[Sun]]' },
      'Redirected page to [[Sun]]',
    ],
    [
      'empty, for a substitution',
      { comment: '', source: '{{subst:mark}}a' },
      'Created page with "{{subst:mark}}a"',
    ],
    ['long', { comment: 'x'.repeat(600) }, `${'x'.repeat(497)}...`],
  ])('%s', (_case, change, expected) => {
    expect(edit(change).comment).toBe(expected)
  })

  test('made by the server has at most 500 letters', () => {
    const target = (letter: string) => `#REDIRECT [[${letter.repeat(250)}]]`
    const before = { text: target('a'), contentModel: 'wikitext' }
    expect(edit({ comment: '', latest: before, source: target('b') }).comment).toHaveLength(500)
  })
})

describe('the size', () => {
  test('of exactly 2 MiB is allowed', () => {
    expect(edit({ source: 'x'.repeat(MEBIBYTES_2) }).text).toHaveLength(MEBIBYTES_2)
    expect(edit({ source: 'é'.repeat(MEBIBYTES_2 / 2) }).text).toHaveLength(MEBIBYTES_2 / 2)
    expect(edit({ source: `${'x'.repeat(MEBIBYTES_2)}\n\n` }).text).toHaveLength(MEBIBYTES_2)
  })

  test.each([
    ['one byte more', 'x'.repeat(MEBIBYTES_2 + 1)],
    ['one byte more in letters of two', `é${'x'.repeat(MEBIBYTES_2 - 1)}`],
    ['more after signing', `~~~~${'x'.repeat(MEBIBYTES_2 - 4)}`],
    ['more in letters of two after signing', `~~~~${'é'.repeat(MEBIBYTES_2 / 2 - 2)}`],
    ['more after substitution', `{{subst:long}}${'x'.repeat(700_000)}`],
    ['more after labels were set', '[[Moon|]]'.repeat(200_000)],
  ])('of %s is refused', (_case, source) => {
    expect(refusal({ source })).toEqual({ key: 'contenttoobig', args: ['2048'] })
  })
})

test.each([
  ['an unknown model', { contentModel: 'nope' }, 'rest-bad-content-model'],
  ['another model for a new page', { contentModel: 'json' }, 'cantchangecontentmodel'],
  [
    'another model',
    { contentModel: 'json', latest: { text: '', contentModel: 'text' } },
    'cantchangecontentmodel',
  ],
  [
    'a base of another model',
    { baseContentModel: 'wikitext', latest: { text: '', contentModel: 'json' } },
    'contentmodel-mismatch',
  ],
])('refuses %s, before it looks at the text', (_case, change, key) => {
  expect(refusal({ source: 'x'.repeat(MEBIBYTES_2 + 1), ...change })?.key).toBe(key)
})

test('with the right, a page becomes another model, and its text with it', () => {
  const latest = { text: 'a', contentModel: 'wikitext' }
  expect(edit({ source: '[1]', contentModel: 'json', latest, mayChangeContentModel: true })).toMatchObject({
    text: '[\n\t1\n]',
    contentModel: 'json',
  })
})

test('what was prepared is prepared already', () => {
  const PIECES = [
    ...[
      '~~~~',
      '~~~',
      '~',
      ' ',
      '\n',
      '\r\n',
      'a',
      'é',
      '\u0301',
      '[[Help:A (b)|]]',
      '[[|c]]',
      '{{subst:mark}}',
      '|',
      '{{',
      '}}',
    ],
    ...[
      '{{subst:nope}}',
      '<nowiki>',
      '</nowiki>',
      '<!--',
      '-->',
      '[[',
      ']]',
      '<includeonly>',
      '</includeonly>',
      '\0',
      '\ud800',
    ],
  ]
  const random = randomNumbers(31)
  for (let i = 0; i < 5000; i++) {
    const length = Math.floor(random() * 12)
    const source = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
    const first = edit({ source })
    expect(edit({ source: first.text, comment: first.comment }), JSON.stringify(source)).toEqual(first)
  }
})

test.each([
  ['a short text', 'text ~~~~', 'wikitext', true],
  ['a text of 20,000 letters', 'x'.repeat(20_000), 'wikitext', true],
  ['a longer text', 'x'.repeat(20_001), 'wikitext', false],
  ['a text with a substitution', '{{SUBST:x}}', 'wikitext', false],
  ['a text with a template', '{{x|subst}}', 'wikitext', true],
  ['JSON', '{}', 'json', true],
  ['a module', 'return {}', 'Scribunto', false],
])('tells whether %s is quick to prepare', (_case, source, model, quick) => {
  expect(isQuickToPrepare(source, model, namespaces.language)).toBe(quick)
})
