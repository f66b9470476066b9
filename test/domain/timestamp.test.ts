import { describe, expect, test } from 'vitest'
import {
  formatTimestamp,
  httpDate,
  parseHttpDate,
  parseTimestamp,
  timeDigits,
} from '../../src/domain/timestamp.js'
import { randomNumbers } from '../support/random.js'

const YEAR_0 = Date.UTC(2000, 0, 1) / 1000 - 2000 * 365.2425 * 86_400
const END_OF_9999 = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000

function isoOfDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

describe('ISO timestamps', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2001-01-15T13:15:00Z', 979_564_500],
    ['2000-02-29T23:59:59Z', 951_868_799],
    ['2026-11-20T21:48:07Z', 1_795_211_287],
    ['1969-12-31T23:59:59Z', -1],
    ['9999-12-31T23:59:59Z', END_OF_9999],
    ['0000-01-01T00:00:00Z', YEAR_0],
  ])('%s is read and written', (iso, seconds) => {
    expect(parseTimestamp(iso)).toBe(seconds)
    expect(formatTimestamp(seconds)).toBe(iso)
    expect(timeDigits(seconds)).toBe(iso.replace(/\D/g, ''))
  })

  test.each([
    ['empty', ''],
    ['without Z', '2001-01-15T13:15:00'],
    ['with an offset', '2001-01-15T13:15:00+00:00'],
    ['with a fraction', '2001-01-15T13:15:00.0Z'],
    ['with a blank for T', '2001-01-15 13:15:00Z'],
    ['in compact form', '20010115131500'],
    ['with blanks around', ' 2001-01-15T13:15:00Z'],
    ['with letters for digits', '2001-O1-15T13:15:00Z'],
    ['with a sign', '+001-01-15T13:15:00Z'],
    ['with digits of another script', '２００１-01-15T13:15:00Z'],
    ['with month 0', '2001-00-15T13:15:00Z'],
    ['with month 13', '2001-13-15T13:15:00Z'],
    ['with day 0', '2001-01-00T13:15:00Z'],
    ['with 31 April', '2001-04-31T13:15:00Z'],
    ['with 29 February of a common year', '2001-02-29T13:15:00Z'],
    ['with 29 February of 1900', '1900-02-29T13:15:00Z'],
    ['with hour 24', '2001-01-15T24:00:00Z'],
    ['with minute 60', '2001-01-15T13:60:00Z'],
    ['with second 60', '2001-01-15T13:15:60Z'],
  ])('%s are refused', (_case, iso) => {
    expect(parseTimestamp(iso)).toBeUndefined()
  })

  test('agree with Date at random times of all years', () => {
    const random = randomNumbers(1)
    for (let i = 0; i < 5_000; i++) {
      const seconds = Math.floor(YEAR_0 + random() * (END_OF_9999 - YEAR_0))
      const iso = isoOfDate(seconds)
      expect(formatTimestamp(seconds)).toBe(iso)
      expect(parseTimestamp(iso)).toBe(seconds)
    }
  })

  test('agree with Date on every day from 1900 to 2110', () => {
    for (
      let seconds = Date.UTC(1900, 0, 1) / 1000;
      seconds < Date.UTC(2110, 0, 1) / 1000;
      seconds += 86_400
    ) {
      const iso = isoOfDate(seconds)
      if (formatTimestamp(seconds) !== iso || parseTimestamp(iso) !== seconds) expect.fail(iso)
    }
  })

  test('drop fractions', () => {
    expect(formatTimestamp(1.9)).toBe('1970-01-01T00:00:01Z')
    expect(formatTimestamp(-0.5)).toBe('1969-12-31T23:59:59Z')
  })

  test.each([NaN, Infinity, END_OF_9999 + 1, YEAR_0 - 1])('%s has no timestamp', (seconds) => {
    expect(() => formatTimestamp(seconds)).toThrow(RangeError)
    expect(() => httpDate(seconds)).toThrow(RangeError)
  })
})

describe('HTTP dates', () => {
  test('are written as IMF-fixdate', () => {
    expect(httpDate(1_795_211_287)).toBe('Fri, 20 Nov 2026 21:48:07 GMT')
    expect(httpDate(0)).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  })

  test('agree with Date and are read back', () => {
    const random = randomNumbers(2)
    for (let i = 0; i < 5_000; i++) {
      const seconds = Math.floor(YEAR_0 + random() * (END_OF_9999 - YEAR_0))
      const text = httpDate(seconds)
      expect(text).toBe(new Date(seconds * 1000).toUTCString())
      expect(parseHttpDate(text)).toBe(seconds)
    }
  })

  test.each([
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777],
    ['asctime', 'Sun Nov  6 08:49:37 1994', 784_111_777],
    ['asctime with two digits of the day', 'Sat Jan 15 13:15:00 2000', 947_942_100],
    ['RFC 850 of this century', 'Friday, 20-Nov-26 21:48:07 GMT', 1_795_211_287],
    ['RFC 850 at the pivot', 'Thursday, 01-Jan-70 00:00:00 GMT', 0],
    ['a weekday that is not that of the date', 'Mon, 06 Nov 1994 08:49:37 GMT', 784_111_777],
  ])('are read in the form %s', (_case, text, seconds) => {
    expect(parseHttpDate(text)).toBe(seconds)
  })

  test.each([
    ['empty', ''],
    ['an ISO timestamp', '1994-11-06T08:49:37Z'],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 CET'],
    ['an unknown weekday', 'Son, 06 Nov 1994 08:49:37 GMT'],
    ['an unknown month', 'Sun, 06 Nvr 1994 08:49:37 GMT'],
    ['a day that does not exist', 'Sun, 31 Nov 1994 08:49:37 GMT'],
    ['an hour that does not exist', 'Sun, 06 Nov 1994 24:49:37 GMT'],
    ['a short day', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['text behind', 'Sun, 06 Nov 1994 08:49:37 GMT; length=1'],
  ])('are refused: %s', (_case, text) => {
    expect(parseHttpDate(text)).toBeUndefined()
  })
})
