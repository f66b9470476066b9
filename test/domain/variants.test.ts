import { describe, expect, test } from 'vitest'
import { readMarkup, resolveMarkup, writeMarkup } from '../../src/domain/variantMarkup.js'
import { acceptedVariant, variantName, variantsOf, variantTag } from '../../src/domain/variants.js'

describe('the variants of a language', () => {
  test('are those of its wikis, itself first', () => {
    expect(variantsOf('sr')).toEqual(['sr', 'sr-ec', 'sr-el'])
    expect(variantsOf('en')).toEqual([])
    expect(variantsOf('zh-tw')).toEqual([])
  })

  test('have tags and names', () => {
    expect(['zh-tw', 'sr-el', 'kk-cyrl', 'kk-cn', 'ban-x-pku', 'zh'].map(variantTag)).toEqual([
      ...['zh-Hant-TW', 'sr-Latn', 'kk-Cyrl', 'kk-CN', 'ban-x-pku', 'zh'],
    ])
    expect(variantName('sr-ec')).toBe('српски (ћирилица)')
    expect(variantName('zh-hant')).toBe('繁體')
  })

  test.each([
    ['zh-TW', 'zh', 'zh-tw'],
    ['en-US,en;q=0.9,zh-HK;q=0.8,zh;q=0.7', 'zh', 'zh-hk'],
    ['zh-Hant-TW', 'zh', 'zh-tw'],
    ['zh-Hans-SG-x-a, zh', 'zh', 'zh-sg'],
    ['zh-CN;q=0, zh-TW;q=0.1', 'zh', 'zh-tw'],
    ['sr-Latn-RS, sr', 'sr', 'sr-el'],
    ['de, en;q=0.5', 'zh', 'zh'],
    ['*', 'zh', 'zh'],
    [';;;q=,zh-', 'zh', 'zh'],
    ['', 'zh', 'zh'],
  ])('are chosen by the languages of a reader: %s', (header, language, expected) => {
    expect(acceptedVariant(header, language)).toBe(expected)
  })
})

describe('markup of variants in plain text', () => {
  test.each([
    ['raw', { disabled: { t: 'raw' } }],
    ['R|a:b', { disabled: { t: 'a:b' } }],
    [
      'zh-hans:a;b;zh-hant:c',
      {
        twoway: [
          { l: 'zh-hans', t: 'a;b' },
          { l: 'zh-hant', t: 'c' },
        ],
      },
    ],
    ['a=>zh-hans:b;', { oneway: [{ f: 'a', l: 'zh-hans', t: 'b' }] }],
    ['H|zh-hans:a', { add: true, isHidden: true, twoway: [{ l: 'zh-hans', t: 'a' }] }],
    ['A|zh-hans:a', { add: true, twoway: [{ l: 'zh-hans', t: 'a' }] }],
    ['N|zh-hans', { name: { t: 'zh-hans' } }],
    ['zh-hans;zh-hant|a', { filter: { l: ['zh-hans', 'zh-hant'], t: 'a' } }],
    ['T|zh-hans:a', { title: true, isHidden: true, twoway: [{ l: 'zh-hans', t: 'a' }] }],
    ['zzz:a', { disabled: { t: 'zzz:a' } }],
  ])('%s is read', (inside, expected) => {
    expect(readMarkup(inside, 'zh')).toEqual(expected)
  })

  test('is written as it is read', () => {
    for (const inside of ['R|raw', 'A|zh-hans:a;zh-hant:b;', 'a=>zh-hans:b;', 'N|zh-cn', 'zh-hans|a'])
      expect(writeMarkup(readMarkup(inside, 'zh'))).toBe(`-{${inside}}-`)
  })

  test('becomes the text for readers without a choice', () => {
    const text = 'a -{zh-hant:乙;zh-hans:甲}- -{H|zh-hans:丙}-b -{-{zh-hans:x}- y}- -{{t}}- -{open'
    expect(resolveMarkup(text, 'zh')).toEqual({ text: 'a 甲 b x y -{{t}}- -{open', others: ['乙', '丙'] })
  })
})
