import { describe, expect, test } from 'vitest'
import {
  changesContentModel,
  chooseContentModel,
  formatForModel,
  isKnownContentModel,
} from '../../src/edit/contentModels.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { MODULE_SITE } from '../support/moduleSite.js'

const MAIN = { namespace: 0, dbkey: 'Moon' }
const CONFIG = { namespace: 8, dbkey: 'Gadgets.json' }
const MODULE = { namespace: 828, dbkey: 'Sums' }
const namespaces = new Namespaces(MODULE_SITE)
const none = { namespaces, stated: undefined, current: undefined, base: undefined, mayChange: false }
const mismatch = (...args: string[]) => ({ key: 'contentmodel-mismatch', args })
const misplaced = (title: string) => ({
  key: 'content-not-allowed-here',
  args: ['Scribunto module', title, 'main'],
})
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
    'refused: a model of an unknown extension',
    MAIN,
    { current: 'flow-board' },
    { key: 'rest-bad-content-model', args: ['flow-board'] },
  ],
  ['of the title for a new module', MODULE, {}, 'Scribunto'],
  ['wikitext for the documentation of a module', { ...MODULE, dbkey: 'Sums/doc' }, {}, 'wikitext'],
  ['another for a module, with the right', MODULE, { stated: 'wikitext', mayChange: true }, 'wikitext'],
  ['refused: wikitext for a module, without the right', MODULE, { stated: 'wikitext' }, refused],
  ['refused: a module elsewhere, without the right', MAIN, { stated: 'Scribunto' }, refused],
  ['refused: a module elsewhere', MAIN, { stated: 'Scribunto', mayChange: true }, misplaced('Moon')],
  [
    'refused: an edit of a module that is elsewhere',
    CONFIG,
    { current: 'Scribunto' },
    misplaced('MediaWiki:Gadgets.json'),
  ],
])('the model is %s', (_case, title, choice, expected) => {
  expect(chooseContentModel({ ...none, ...choice, title })).toEqual(expected)
})

test('knows its models', () => {
  const models = ['wikitext', 'css', 'javascript', 'json', 'text', 'Scribunto', 'sanitized-css']
  expect(models.every(isKnownContentModel)).toBe(true)
  expect(isKnownContentModel('scribunto')).toBe(false)
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

  test('of a module stays when it can be parsed', () => {
    expect(formatForModel('return {}', 'Scribunto', () => undefined)).toBe('return {}')
  })

  test.each([
    [
      { text: "'=' expected", place: { name: 'Module:My_page', line: 7 } },
      { key: 'scribunto-lua-error-location', args: ['in Module:My_page at line 7', "'=' expected"] },
    ],
    [
      { text: 'not enough memory', place: undefined },
      { key: 'scribunto-lua-error', args: ['', 'not enough memory'] },
    ],
    [
      { text: 'x'.repeat(501), place: undefined },
      { key: 'scribunto-lua-error', args: ['', `${'x'.repeat(497)}...`] },
    ],
  ])('of a module is refused for the fault %j', (fault, error) => {
    expect(formatForModel('x', 'Scribunto', () => fault)).toEqual(error)
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
