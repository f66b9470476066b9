import { describe, expect, test } from 'vitest'
import {
  changesContentModel,
  chooseContentModel,
  formatForModel,
  isKnownContentModel,
} from '../../src/edit/contentModels.js'

const MAIN = { namespace: 0, dbkey: 'Moon' }
const CONFIG = { namespace: 8, dbkey: 'Gadgets.json' }
const none = { stated: undefined, current: undefined, base: undefined, mayChange: false }
const mismatch = (...args: string[]) => ({ key: 'contentmodel-mismatch', args })
const refused = { key: 'cantchangecontentmodel', args: [] }

test.each([
  ['of the title for a new page', MAIN, {}, 'wikitext'],
  ['of the title for a new page of JSON', CONFIG, {}, 'json'],
  ['as stated, if it is that of the title', MAIN, { stated: 'wikitext' }, 'wikitext'],
  ['of the title, if an empty one is stated', CONFIG, { stated: '' }, 'json'],
  ['of the page', MAIN, { current: 'json', base: 'json' }, 'json'],
  ['of the page, if no base is given', MAIN, { current: 'json' }, 'json'],
  ['as stated, if it is that of the page', MAIN, { stated: 'json', current: 'json' }, 'json'],
  ['as stated, whatever the base had', MAIN, { stated: 'json', current: 'json', base: 'wikitext' }, 'json'],
  [
    'as stated, with the right to change it',
    MAIN,
    { stated: 'css', current: 'json', mayChange: true },
    'css',
  ],
  ['as stated for a new page, with the right', MAIN, { stated: 'json', mayChange: true }, 'json'],
  ['refused: unknown', MAIN, { stated: 'nope' }, { key: 'rest-bad-content-model', args: ['nope'] }],
  [
    'refused: unknown, whatever the rights',
    MAIN,
    { stated: 'toString', mayChange: true },
    { key: 'rest-bad-content-model', args: ['toString'] },
  ],
  ['refused: another than the title has, without the right', MAIN, { stated: 'json' }, refused],
  ['refused: wikitext for a page of JSON', CONFIG, { stated: 'wikitext' }, refused],
  ['refused: another than the page has', MAIN, { stated: 'json', current: 'wikitext' }, refused],
  [
    'refused: the page has left the base behind',
    MAIN,
    { current: 'json', base: 'wikitext' },
    mismatch('wikitext', 'json'),
  ],
  [
    'refused: also with the right',
    MAIN,
    { current: 'json', base: 'wikitext', mayChange: true },
    mismatch('wikitext', 'json'),
  ],
  [
    'refused: a model of an extension',
    MAIN,
    { current: 'Scribunto' },
    { key: 'rest-bad-content-model', args: ['Scribunto'] },
  ],
])('the model is %s', (_case, title, choice, expected) => {
  expect(chooseContentModel({ ...none, ...choice, title })).toEqual(expected)
})

test('knows its models', () => {
  expect(['wikitext', 'css', 'javascript', 'json', 'text'].every(isKnownContentModel)).toBe(true)
  expect(isKnownContentModel('Wikitext')).toBe(false)
  expect(changesContentModel('json', 'json')).toBe(false)
  expect(changesContentModel('json', 'text')).toBe(true)
})

describe('a text', () => {
  test.each(['wikitext', 'css', 'javascript', 'text'] as const)('of the model %s stays', (model) => {
    expect(formatForModel('{"a":1} ~~~~', model)).toBe('{"a":1} ~~~~')
  })

  test('of the model json is laid out with tabs', () => {
    expect(formatForModel('{"a":1}', 'json')).toBe('{\n\t"a": 1\n}')
  })

  test.each([
    ['empty', '', 'invalid-json-data', 'Syntax error'],
    ['not JSON', '{oops', 'invalid-json-data', 'Syntax error'],
    ['too deep', '['.repeat(600) + ']'.repeat(600), 'invalid-json-data', 'Maximum stack depth exceeded'],
    [
      'too long with its tabs',
      `${'['.repeat(400)}1${',1'.repeat(900_000)}${']'.repeat(400)}`,
      'contenttoobig',
      '2048',
    ],
  ])('of the model json is refused: %s', (_case, text, key, argument) => {
    expect(formatForModel(text, 'json')).toEqual({ key, args: [argument] })
  })
})
