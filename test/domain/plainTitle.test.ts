import { expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { isPlain, plainEnd } from '../../src/domain/plainTitle.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTitle } from '../../src/domain/title.js'

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
const FIRST_UNITS = UNITS.filter(isPlain)
const ALL_UNITS = UNITS.filter((unit) => isPlain(`A${unit}`))
/** Before and after a mark that has a place in an order, another mark moves. */
const [LOW_MARK, HIGH_MARK] = ['\u0334', '\u0345']

test('titles in many scripts are plain', () => {
  const titles = 'Haus_L’Isle Škola Ærø Đại Дом Ғылым 標題・ジェーン·月 হার்ট'
    .split(' ')
    .concat([
      'স্কটল্যান্ড ১৪৫৭',
      '୪୩୧ ମାସ',
      'பகுமுறை வடிவவியல்',
      'చొక్కా',
      'ದಕ್ಷಿಣ ಆಫ್ರಿಕಾ',
      'സ്ഥിതിഗണിതം',
      'संख्याशास्त्र',
      'እ.ኤ.አ.',
      'زبان\u200cهای',
    ])
  for (const title of titles) {
    expect([title, isPlain(title)]).toEqual([title, true])
    expect(plainEnd(Buffer.from(`${title}]]`), 0)).toBe(Buffer.byteLength(title))
  }
})

test('a letter that may begin a plain title is the same in a page title', () => {
  const namespaces = new Namespaces(DEFAULT_SITE)
  for (const unit of FIRST_UNITS) {
    // A leading colon changes nothing but sends the text the long way.
    const parsed = parseTitle(`:${unit}`, namespaces)
    expect([unit, parsed.ok && parsed.title.dbkey]).toEqual([unit, unit])
  }
})

test('no letter of a plain title changes with its neighbours', () => {
  const composed = UNITS.flatMap((unit) => [...unit.normalize('NFD')].slice(1))
  const seconds = new Set([...composed, ...UNITS.slice(0x1100, 0x1200)])
  const isStill = (text: string): boolean => text.normalize('NFC') === text
  const isMark = (unit: string): boolean => !isStill(unit + LOW_MARK) || !isStill(HIGH_MARK + unit)
  const marks = ALL_UNITS.filter(isMark)
  const active = [...marks, ...ALL_UNITS.filter((unit) => seconds.has(unit))]
  expect(marks).toContain('\u094d')
  expect(active).toContain('\u09be')
  expect(ALL_UNITS.filter((unit) => !isStill(unit))).toEqual([])
  expect(active.flatMap((second) => ALL_UNITS.filter((first) => !isStill(first + second)))).toEqual([])
  expect(marks.flatMap((second) => marks.filter((third) => !isStill(`A${second}${third}`)))).toEqual([])
})
