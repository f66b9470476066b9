/** What the server knows of languages, from the files of `languages/`. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { languageOf } from '../../src/language/language.js'
import { pluralIndex, pluralRules } from '../../src/language/plural.js'
import { formatNumbers } from '../../src/render/preprocessor/functions/numberFormat.js'
import { packageFile } from '../../src/runtime/packageFiles.js'
import { describeShared, readRows } from '../support/shared.js'

describe('a language', () => {
  test('has names of namespaces, and those of users by gender', () => {
    const russian = languageOf('ru')
    expect(russian.namespaceNames.get(6)).toBe('Файл')
    expect(russian.genderNames.get(2)).toEqual({ male: 'Участник', female: 'Участница' })
    expect(new Map(russian.namespaceAliases).get('Участница')).toBe(2)
  })

  test('has words of its own before those of its base and of English', () => {
    expect(languageOf('ru').magicWords.get('notoc')?.words).toEqual([
      ...['__БЕЗ_ОГЛАВЛЕНИЯ__', '__БЕЗ_ОГЛ__', '__NOTOC__'],
    ])
    expect(languageOf('de-at').magicWords.get('img_thumbnail')?.words).toEqual([
      'mini',
      'miniatur',
      'thumb',
      'thumbnail',
    ])
  })

  test('is known by old codes of wikis, and in any case', () => {
    expect(languageOf('zh-yue').months[0]?.name).toBe(languageOf('yue').months[0]?.name)
    expect(languageOf('RU').name).toBe('русский')
  })

  test.each(['no such language', '../en', '', 'xx', 'a'.repeat(5000)])('%j is as English', (code) => {
    const language = languageOf(code)
    expect([language.code, language.name, language.months[0]?.name]).toEqual([code, 'English', 'January'])
  })

  test('raises and lowers first letters', () => {
    const letters = (code: string) => [languageOf(code).capital('i'), languageOf(code).smallLetter('I')]
    expect([letters('tr'), letters('az'), letters('en')]).toEqual([
      ['İ', 'ı'],
      ['İ', 'i'],
      ['I', 'i'],
    ])
  })

  test('knows its switches and options of pictures', () => {
    const { localSwitches, localOptions } = languageOf('ru')
    const text = 'a __БЕЗ_ОГЛАВЛЕНИЯ__ b __без_огл__ __NOTOC__ __скрытая_категория__'
    expect(localSwitches?.namesIn(text)).toEqual(['notoc', 'notoc'])
    expect(localSwitches?.without(text)).toBe('a  b  __NOTOC__ __скрытая_категория__')
    for (const option of ['слева', ' мини ', 'ссылка=Кот', '200пкс', '200 x 100пкс'])
      expect(localOptions?.test(option), option).toBe(true)
    expect(localOptions?.test('кот слева')).toBe(false)
    expect([languageOf('en').localSwitches, languageOf('en').localOptions]).toEqual([undefined, undefined])
  })
})

describe('plural rules', () => {
  const polish = pluralRules([
    'i = 1 and v = 0',
    'v = 0 and i % 10 = 2..4 and i % 100 != 12..14',
    'v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14',
  ])
  test.each([
    ['1', 0],
    ['22', 1],
    ['12', 2],
    ['0', 2],
    ['-3', 1],
    ['1.5', 3],
    ['1.0', 3],
  ])('choose for %s the form %i', (number, form) => {
    expect(pluralIndex(number, polish)).toBe(form)
  })

  test('of all languages can be read', () => {
    const codes = readdirSync(packageFile('languages'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
    expect(codes.length).toBeGreaterThan(400)
    for (const code of codes) {
      const forms = languageOf(code).pluralForms.length
      expect(languageOf(code).pluralIndex('1.5'), code).toBeLessThanOrEqual(forms)
    }
  })
})

describe('names of namespaces', () => {
  const names = new Map([...languageOf('ru').namespaceNames, [4, 'Вики']])
  const site = {
    ...DEFAULT_SITE,
    language: 'ru',
    namespaces: Array.from(names, ([id, name]) => ({ id, name, case: 'first-letter' as const })),
  }
  const namespaces = new Namespaces(site)

  test.each([
    ['Файл', 6],
    ['изображение', 6],
    ['File', 6],
    ['Image', 6],
    ['Участница', 2],
    ['обсуждение_участницы', 3],
    ['Bild', undefined],
  ])('%s is that of %s', (name, id) => {
    expect(namespaces.idByName(name)).toBe(id)
  })

  test('that the wiki gives win over those of its language', () => {
    const own = site.namespaces.map((each) => (each.id === 10 ? { ...each, name: 'Изображение' } : each))
    expect(new Namespaces({ ...site, namespaces: own }).idByName('Изображение')).toBe(10)
  })
})

interface Row {
  readonly code: string
  readonly autonym: string
  readonly dir: string
  readonly fallbacks: readonly string[]
  readonly namespaceNames: Readonly<Record<string, string>>
  readonly namespaceAliases: Readonly<Record<string, number>>
  readonly magicWords: Readonly<
    Record<string, { readonly caseSensitive: boolean; readonly words: readonly string[] }>
  >
  readonly specialPageAliases: Readonly<Record<string, readonly string[]>>
  readonly dateFormats: Readonly<Record<string, string>>
  readonly linkTrail: string
  readonly months: readonly (readonly string[])[]
  readonly weekdays: readonly (readonly string[])[]
  readonly ucfirst_i: string
  readonly variants: readonly string[]
  readonly sampleFormatNum: readonly string[]
}

const SAMPLES = [
  ...['1', '1234', '12345', '1234567.8', '-0.5', '1e6', '1.0E+15', '+5000'],
  ...['12345678', '007', 'abc', '1,234', 'INF', '-1234.50'],
]
const spaced = (name: string): string => name.replaceAll('_', ' ')

describeShared('the recorded facts', 'oracle/languages/languages.jsonl.gz', (path) => {
  const rows = readRows<Row>(path)

  test('are those of the files', () => {
    for (const row of rows) {
      const language = languageOf(row.code)
      const { name, direction, fallbacks, linkTrail, variants } = language
      expect([name, direction, fallbacks, linkTrail, variants], row.code).toEqual([
        ...[row.autonym, row.dir, row.fallbacks, row.linkTrail, row.variants],
      ])
      expect(language.months.map(Object.values), row.code).toEqual(row.months)
      expect(language.weekdays.map(Object.values), row.code).toEqual(row.weekdays)
      for (const [id, text] of Object.entries(row.namespaceNames))
        expect(language.namespaceNames.get(Number(id)), row.code).toBe(spaced(text))
      for (const [id, word] of Object.entries(row.magicWords))
        expect(language.magicWords.get(id)).toEqual(word)
      for (const [id, names] of Object.entries(row.specialPageAliases))
        expect(language.specialPages.get(id)).toEqual(names)
      for (const [id, format] of Object.entries(row.dateFormats))
        expect(language.dateFormats.get(id)).toBe(format)
      expect(language.capital('i') + 'z', row.code).toBe(row.ucfirst_i)
    }
  })

  test('of numbers are what the signs give', () => {
    const formatted = rows.map(({ code }) => {
      const { numbers } = languageOf(code)
      return [code, SAMPLES.map((text) => formatNumbers(text, numbers, true))]
    })
    expect(formatted).toEqual(rows.map(({ code, sampleFormatNum }) => [code, sampleFormatNum]))
  })
})
