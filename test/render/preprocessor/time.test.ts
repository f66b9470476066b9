import { describe, expect, test } from 'vitest'
import { expandOn } from './memoryWiki.js'

/** Tests at Saturday, 14 March 2026, 15:09:26 UTC. The wiki's time zone is two hours ahead. */
function rows(table: readonly (readonly [string, string])[]): void {
  test.each(table)('%s', (wikitext, expected) => {
    expect(expandOn(wikitext).wikitext).toBe(expected)
  })
}

describe('words for the present', () => {
  rows([
    ['{{CURRENTYEAR}}', '2026'],
    ['{{CURRENTMONTH}} {{CURRENTMONTH2}} {{CURRENTMONTH1}}', '03 03 3'],
    ['{{CURRENTMONTHNAME}} {{CURRENTMONTHNAMEGEN}} {{CURRENTMONTHABBREV}}', 'March March Mar'],
    ['{{CURRENTDAY}} {{CURRENTDAY2}} {{CURRENTDAYNAME}}', '14 14 Saturday'],
    ['{{CURRENTTIME}} {{CURRENTHOUR}}', '15:09 15'],
    ['{{CURRENTWEEK}} {{CURRENTDOW}}', '11 6'],
    ['{{CURRENTTIMESTAMP}}', '20260314150926'],
    ['{{LOCALTIME}} {{LOCALHOUR}} {{LOCALTIMESTAMP}}', '17:09 17 20260314170926'],
    ['{{LOCALYEAR}} {{LOCALMONTHNAME}} {{LOCALDAY}} {{LOCALDAYNAME}}', '2026 March 14 Saturday'],
    ['{{currentyear}}', '[[:Template:Currentyear]]'],
  ])
})

describe('#time formats', () => {
  rows([
    ['{{#time:Y-m-d|2004-02-29}}', '2004-02-29'],
    ['{{#time:y n j|2004-02-09}}', '04 2 9'],
    ['{{#time:D l N w|2004-02-29}}', 'Sun Sunday 7 0'],
    ['{{#time:F M xg|2004-09-09}}', 'September Sep September'],
    ['{{#time:z t L|2004-02-29}}', '59 29 1'],
    ['{{#time:L|1900-01-01}}', '0'],
    ['{{#time:W o|2005-01-01}}', '53 2004'],
    ['{{#time:W o|2026-12-31}}', '53 2026'],
    ['{{#time:a A g G h H i s|2004-02-29 01:02:03}}', 'am AM 1 1 01 01 02 03'],
    ['{{#time:a g H|2004-02-29 13:00}}', 'pm 1 13'],
    ['{{#time:g h|2004-02-29 00:00}}', '12 12'],
    ['{{#time:U|1970-01-02}}', '86400'],
    ['{{#time:c|2004-02-29 01:02:03}}', '2004-02-29T01:02:03+00:00'],
    ['{{#time:r|2004-02-29 01:02:03}}', 'Sun, 29 Feb 2004 01:02:03 +0000'],
    ['{{#time:e T Z O P|2004-02-29}}', 'UTC UTC 0 +0000 +00:00'],
    ['{{#time:"Year" Y|2004-02-29}}', 'Year 2004'],
    ['{{#time:\\Y Y|2004-02-29}}', 'Y 2004'],
    ['{{#time:xxY|2004-02-29}}', 'x2004'],
    ['{{#time:xrY|2004-02-29}}', 'MMIV'],
    ['{{#time:xnY xNY|2004-02-29}}', '2004 2004'],
    ['{{#time:xkY xoY|2004-02-29}}', '2547 93'],
    ['{{#time:xij xiF xiY|2004-03-20}}', '1 Farvardin 1383'],
    ['{{#time:xjj xjn xjY|2004-09-16}}', '1 1 5765'],
    ['{{#time:xmY|2004-02-29}}', '1425'],
    ['{{#time:xtY|2020-02-29}}', '令和2'],
    ['{{#time:d, q|2004-02-29}}', '29, q'],
    ['{{#time:|2004-02-29}}', ''],
    ['{{#time:j F Y|2004-02-29|de}}', '29 Februar 2004'],
    ['{{#time:j xg|2004-02-29|ru}}', '29 февраля'],
    ['{{#time:F|2004-02-29|no such language}}', 'February'],
    ['{{#timel:H:i T P|2026-07-01 12:00 UTC}}', '15:00 GMT+3 +03:00'],
    ['{{#timel:H:i P|2026-07-01 12:00}}', '12:00 +03:00'],
    ['{{#timel:H:i|@0}}', '03:00'],
    ['{{#timel:H:i P}}', '17:09 +02:00'],
    ['{{#time:H:i|2026-07-01 12:00 UTC||1}}', '15:00'],
  ])
})

describe('#time reads', () => {
  test.each([
    ['', '2026-03-14 15:09:26'],
    ['now', '2026-03-14 15:09:26'],
    ['today', '2026-03-14 00:00:00'],
    ['midnight', '2026-03-14 00:00:00'],
    ['noon', '2026-03-14 12:00:00'],
    ['tomorrow', '2026-03-15 00:00:00'],
    ['yesterday noon', '2026-03-13 12:00:00'],
    ['+1 day', '2026-03-15 15:09:26'],
    ['-1 day', '2026-03-13 15:09:26'],
    ['1 week ago', '2026-03-07 15:09:26'],
    ['+1 month', '2026-04-14 15:09:26'],
    ['+2 years -3 months', '2027-12-14 15:09:26'],
    ['next month', '2026-04-14 15:09:26'],
    ['last year', '2025-03-14 15:09:26'],
    ['next week', '2026-03-21 15:09:26'],
    ['+90 minutes', '2026-03-14 16:39:26'],
    ['Monday', '2026-03-16 00:00:00'],
    ['Saturday', '2026-03-14 00:00:00'],
    ['next Saturday', '2026-03-21 00:00:00'],
    ['last Saturday', '2026-03-07 00:00:00'],
    ['next Monday', '2026-03-16 00:00:00'],
    ['last Monday', '2026-03-09 00:00:00'],
    ['first day of next month', '2026-04-01 15:09:26'],
    ['last day of February 2024', '2024-02-29 00:00:00'],
    ['first Monday of January 2026', '2026-01-05 00:00:00'],
    ['third Friday of March 2026', '2026-03-20 00:00:00'],
    ['last Sunday of February 2024', '2024-02-25 00:00:00'],
    ['Monday next week', '2026-03-16 00:00:00'],
    ['Sunday this week', '2026-03-15 00:00:00'],
    ['last week Friday', '2026-03-06 00:00:00'],
    ['@86400', '1970-01-02 00:00:00'],
    ['2010-05-03', '2010-05-03 00:00:00'],
    ['2010-05', '2010-05-01 00:00:00'],
    ['2010/5/3', '2010-05-03 00:00:00'],
    ['5/3/2010', '2010-05-03 00:00:00'],
    ['3.5.2010', '2010-05-03 00:00:00'],
    ['3-5-2010', '2010-05-03 00:00:00'],
    ['20100503', '2010-05-03 00:00:00'],
    ['20100503121314', '2010-05-03 12:13:14'],
    ['2010-05-03T12:13:14Z', '2010-05-03 12:13:14'],
    ['2010-05-03T12:13:14+02:00', '2010-05-03 10:13:14'],
    ['2010-05-03 12:13:14.567', '2010-05-03 12:13:14'],
    ['2010-W18-1', '2010-05-03 00:00:00'],
    ['3 May 2010', '2010-05-03 00:00:00'],
    ['3 may 2010', '2010-05-03 00:00:00'],
    ['3rd May 2010', '2010-05-03 00:00:00'],
    ['May 3, 2010', '2010-05-03 00:00:00'],
    ['May 3rd 2010', '2010-05-03 00:00:00'],
    ['3-May-2010', '2010-05-03 00:00:00'],
    ['2010 May 3', '2010-05-03 00:00:00'],
    ['Mon, 3 May 2010', '2010-05-03 00:00:00'],
    ['May 2010', '2010-05-01 00:00:00'],
    ['Sept 2010', '2010-09-01 00:00:00'],
    ['3 May', '2026-05-03 00:00:00'],
    ['May 3', '2026-05-03 00:00:00'],
    ['May', '2026-05-14 00:00:00'],
    ['12:30', '2026-03-14 12:30:00'],
    ['12:30 pm', '2026-03-14 12:30:00'],
    ['12:30 am', '2026-03-14 00:30:00'],
    ['3pm', '2026-03-14 15:00:00'],
    ['3 May 2010 12:30', '2010-05-03 12:30:00'],
    ['12:30, 3 May 2010', '2010-05-03 12:30:00'],
    ['12:30, 3 May 2010 (UTC)', '2010-05-03 12:30:00'],
    ['3 May 2010 +2 days', '2010-05-05 00:00:00'],
    ['2010-05-03 +1 month -1 day', '2010-06-02 00:00:00'],
    ['31 Feb 2020', '2020-03-02 00:00:00'],
    ['2020-02-31', '2020-03-02 00:00:00'],
    ['1959', '1959-03-14 00:00:00'],
    ['195909', '2026-03-14 19:59:09'],
    ['0005-01-01', '0005-01-01 00:00:00'],
  ])('"%s"', (text, expected) => {
    expect(expandOn(`{{#time:Y-m-d H:i:s|${text}}}`).wikitext).toBe(expected)
  })

  test.each([
    'nonsense',
    '2010-13-01',
    '32 May 2010',
    '25:00',
    '196009',
    '13pm',
    '5 parsecs',
    '+3 weekdays',
    '3 May 2010 whatever',
    '(3 May 2010)',
    '+99999999999 days',
    '@99999999999999',
    'x'.repeat(300),
    '1 '.repeat(90),
  ])('"%s" as no time', (text) => {
    expect(expandOn(`{{#time:Y|${text}}}`).wikitext).toContain('<strong class="error">Error: ')
  })

  test('no years outside 0 to 9999', () => {
    const error = (text: string): string =>
      `<strong class="error">Error: #time only supports years ${text}.</strong>`
    expect(expandOn('{{#time:Y|2010-01-01 -3000 years}}').wikitext).toBe(error('from 0'))
    expect(expandOn('{{#time:Y|2010-01-01 +9000 years}}').wikitext).toBe(error('up to 9999'))
  })
})

describe('a result holds', () => {
  test.each([
    ['for ever without times', 'x {{PAGENAME}}', undefined],
    ['for ever with a given date', '{{#time:Y-m-d|2010-05-03}}', undefined],
    ['for ever with the time of the revision', '{{REVISIONDAY}}', undefined],
    ['to the end of the hour', '{{CURRENTHOUR}}', 50 * 60 + 34],
    ['to the end of the day', '{{CURRENTDAY}}', 8 * 3600 + 50 * 60 + 34],
    ['to the end of the wiki’s own day', '{{LOCALDAY}}', 6 * 3600 + 50 * 60 + 34],
    ['to the end of the month', '{{CURRENTMONTH}}', 17 * 86_400 + 8 * 3600 + 50 * 60 + 34],
    ['to the end of the year', '{{CURRENTYEAR}}', 292 * 86_400 + 8 * 3600 + 50 * 60 + 34],
    ['for the shortest of all', '{{CURRENTYEAR}}{{CURRENTDAY}}{{CURRENTHOUR}}', 50 * 60 + 34],
    ['for a minute at least', '{{CURRENTTIMESTAMP}}', 60],
    ['for a minute at least with #time', '{{#time:s}}', 60],
    ['to the end of the day in #time', '{{#time:d}}', 8 * 3600 + 50 * 60 + 34],
    ['to the end of the day in a sum', '{{#time:d|+3 days}}', 8 * 3600 + 50 * 60 + 34],
    ['for an hour with counts', '{{NUMBEROFPAGES}}', 3600],
    ['for ever where a branch is not taken', '{{#if:|{{CURRENTTIME}}}}', undefined],
  ])('%s', (_case, text, seconds) => {
    expect(expandOn(text).report.lifetimeSeconds).toBe(seconds)
  })
})
