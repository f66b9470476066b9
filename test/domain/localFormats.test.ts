import { describe, expect, test } from 'vitest'
import { LocalFormats } from '../../src/domain/localFormats.js'
import { languageOf } from '../../src/language/language.js'
import { formatNumbers } from '../../src/render/preprocessor/functions/numberFormat.js'
import { formatTime } from '../../src/render/preprocessor/functions/timeFormat.js'

/** Saturday, 2 March 2024, 14:05 UTC. */
const TIME = Date.UTC(2024, 2, 2, 14, 5) / 1000

test.each([
  ['en', '2 March 2024, 14:05', '14:05', '2 March 2024', '1,234,567.8'],
  ['gd', '14:05, 2 dhen Mhàrt 2024', '14:05', '2 dhen Mhàrt 2024', '1,234,567.8'],
  ['ru', '14:05, 2 марта 2024', '14:05', '2 марта 2024', '1\u00a0234\u00a0567,8'],
  ['fa', '\u200f۲ مارس ۲۰۲۴، ساعت ۱۴:۰۵', '\u200f۱۴:۰۵', '\u200f۲ مارس ۲۰۲۴', '۱٬۲۳۴٬۵۶۷٫۸'],
  ['ja', '2024年3月2日 (土) 14:05', '14:05', '2024年3月2日 (土)', '1,234,567.8'],
  ['th', '14:05, 2 มีนาคม 2567', '14:05', '2 มีนาคม 2567', '1,234,567.8'],
  ['pt', '14h05min de 2 de março de 2024', '14h05min', '2 de março de 2024', '1\u00a0234\u00a0567,8'],
  ['hi', '१४:०५, २ मार्च २०२४', '१४:०५', '२ मार्च २०२४', '१२,३४,५६७.८'],
])('times and numbers of %s', (language, both, time, day, number) => {
  const formats = new LocalFormats({ language })
  expect([formats.time(TIME), formats.timeOfDay(TIME), formats.day(TIME)]).toEqual([both, time, day])
  expect([formats.number(1_234_567.8), formats.number(0).length]).toEqual([number, 1])
})

test('a wiki without local digits shows 0 to 9', () => {
  const formats = new LocalFormats({ language: 'ar', localDigits: false })
  expect([formats.timeOfDay(TIME), formats.number(-1234)]).toEqual(['14:05', '−1٬234'])
})

test('small numbers stay together where the language says so', () => {
  const formats = new LocalFormats({ language: 'es' })
  expect([formats.number(1234), formats.number(12_345)]).toEqual(['1234', '12\u00a0345'])
})

const CODES = 'ar be cs da de es fi fr gl he hr hu is ko lv my oc pl sr-ec sv uk ur vi yue zh'.split(' ')

describe('all is as the preprocessor writes it', () => {
  test.each(CODES)('%s', (code) => {
    const language = languageOf(code)
    const formats = new LocalFormats({ language: code })
    const format = language.dateFormats.get(`${language.defaultDateFormat} both`)!
    for (let month = 0; month < 12; month++) {
      const seconds = Date.UTC(2024, month, 7 + month, month, 5) / 1000
      const moment = { seconds, offset: 0, zoneName: 'UTC', language: code }
      expect(formats.time(seconds)).toBe(formatTime(format, moment).text)
    }
    for (const number of [0, 7, 999, 1234, 12_345, 1_234_567, 123_456_789])
      expect(formats.number(number)).toBe(formatNumbers(String(number), language.numbers, true))
  })
})
