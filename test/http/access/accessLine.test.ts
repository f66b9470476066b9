import { describe, expect, test } from 'vitest'
import {
  AccessLines,
  type LineFormat,
  type Visit,
  withoutSecrets,
} from '../../../src/http/access/accessLine.js'

function accessLine(format: LineFormat, visit: Visit): string {
  const lines = new AccessLines(format)
  const target = Buffer.alloc(20_000)
  const end = lines.write(target, 7, visit, lines.served(visit))
  return target.toString('latin1', 7, end)
}

const VISIT: Visit = {
  timeMs: Date.UTC(2026, 2, 4, 5, 6, 7, 89),
  requestId: 'abc',
  client: '192.0.2.7',
  method: 'GET',
  url: '/v1/page/Moon?x=1',
  status: 200,
  bytes: 1234,
  ms: 1.23456,
  referer: 'https://wiki.example/a',
  userAgent: 'curl/8.0',
}

describe('a line', () => {
  test('as JSON has all that is known', () => {
    expect(JSON.parse(accessLine('json', VISIT))).toEqual({
      time: '2026-03-04T05:06:07.089Z',
      requestId: 'abc',
      client: '192.0.2.7',
      method: 'GET',
      url: '/v1/page/Moon?x=1',
      status: 200,
      bytes: 1234,
      ms: 1.235,
      referer: 'https://wiki.example/a',
      userAgent: 'curl/8.0',
    })
  })

  test('names the wiki of a server with several', () => {
    const visit = { ...VISIT, wiki: 'en' }
    expect(JSON.parse(accessLine('json', visit))).toMatchObject({
      client: '192.0.2.7',
      wiki: 'en',
      method: 'GET',
    })
    expect(accessLine('combined', visit)).toMatch(/^192\.0\.2\.7 en - \[04\/Mar/)
  })

  test('in the combined format is what Apache and nginx write', () => {
    expect(accessLine('combined', VISIT)).toBe(
      '192.0.2.7 - - [04/Mar/2026:05:06:07 +0000] "GET /v1/page/Moon?x=1 HTTP/1.1" 200 1234 "https://wiki.example/a" "curl/8.0"\n',
    )
    expect(accessLine('combined', { ...VISIT, referer: '', userAgent: '' })).toMatch(/ 1234 "-" "-"\n$/)
  })
})

const HOSTILE = [
  'two\nlines',
  'a\r\n192.0.2.9 - - "GET / HTTP/1.1"',
  '\x1b[2J\x1b]0;title\x07',
  'quote " and \\ backslash',
  'Ünïcödé \u2028 \u{1f600} \x85 \x9b31m \x7f',
  '\0',
]

describe.each(HOSTILE)('what a client sends as %j', (text) => {
  const visit: Visit = { ...VISIT, url: `/${text}`, referer: text, userAgent: text, method: text }

  test('stays within one line of printable ASCII', () => {
    for (const format of ['json', 'combined'] as const) {
      expect(accessLine(format, visit)).toMatch(/^[\x20-\x7e]+\n$/)
    }
  })

  test('can be read again out of the JSON', () => {
    const read = JSON.parse(accessLine('json', visit)) as Visit
    expect([read.url, read.referer, read.userAgent]).toEqual([`/${text}`, text, text])
  })

  test('ends no field of the combined format', () => {
    const fields = accessLine('combined', visit).match(/"[^"]*"/g)
    expect(fields).toHaveLength(3)
  })
})

test('a long value is cut, so that a line stays below what a pipe takes whole', () => {
  const long = '\x1b'.repeat(5000)
  for (const format of ['json', 'combined'] as const) {
    const plain = { ...VISIT, url: 'u'.repeat(5000), referer: 'r'.repeat(5000), userAgent: 'a'.repeat(5000) }
    expect(accessLine(format, plain).length).toBeLessThan(4096)
    expect(accessLine(format, { ...VISIT, userAgent: long }).length).toBeLessThan(4096)
  }
})

describe('secrets in a URL', () => {
  test.each([
    [
      '/api.php?action=login&lgname=Ann&lgpassword=swordfish',
      '/api.php?action=login&lgname=Ann&lgpassword=***',
    ],
    ['/api.php?lgtoken=a%2B&format=json', '/api.php?lgtoken=***&format=json'],
    ['/api.php?lg%74oken=a', '/api.php?lg%74oken=***'],
    ['/x?ACCESS_TOKEN=a=b&api_key=c', '/x?ACCESS_TOKEN=***&api_key=***'],
    ['https://ann:swordfish@wiki.example/a?token=x', 'https://wiki.example/a?token=***'],
  ])('are hidden: %s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown)
    expect(accessLine('json', { ...VISIT, url, referer: url })).not.toMatch(/swordfish|=a|=x/)
  })

  test.each([
    '/v1/page/User:a@b',
    '/v1/search/page?q=token&limit=5',
    '/api.php?meta=tokens&type=csrf',
    '/a?',
    '/a?b',
  ])('are not seen where there are none: %s', (url) => {
    expect(withoutSecrets(url)).toBe(url)
  })
})
