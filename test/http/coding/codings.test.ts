import { describe, expect, test } from 'vitest'
import {
  AcceptedCodings,
  encodedHeaders,
  parseAccepted,
  withoutCodings,
} from '../../../src/http/coding/codings.js'

describe('Accept-Encoding', () => {
  test.each([
    ['', []],
    ['gzip', ['gzip']],
    ['GZIP', ['gzip']],
    ['x-gzip', ['gzip']],
    ['br', ['br']],
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['gzip;q=1.0, br;q=0.5', ['gzip', 'br']],
    ['br ; q=0.1 ,gzip; q=0.2', ['gzip', 'br']],
    ['gzip;q=0, br', ['br']],
    ['gzip;q=0.000', []],
    ['identity', []],
    ['identity;q=0.5, gzip;q=0.4', []],
    ['identity;q=0.5, gzip;q=0.5', ['gzip']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['*;q=0, gzip', ['gzip']],
    ['br;q=0, *', ['gzip']],
    ['deflate, zstd', []],
    ['gzip;q=2', []],
    ['gzip;level=9', []],
    ['gzip;q=', []],
    [',,gzip,', ['gzip']],
    [`${'a,'.repeat(4000)}gzip`, ['gzip']],
  ])('%s', (header, codings) => {
    expect(parseAccepted(header).codings).toEqual(codings)
  })

  test('is remembered as one object for each combination', () => {
    const accepted = new AcceptedCodings()
    expect(accepted.read('gzip, br')).toBe(accepted.read('br, gzip, deflate'))
    for (let n = 0; n < 1000; n++) expect(accepted.read(`gzip, token-${n}`).codings).toEqual(['gzip'])
  })

  test('is read in time that grows with its length', () => {
    expect(parseAccepted(`gzip${' '.repeat(8000)};`).codings).toEqual([])
    expect(parseAccepted(`gzip;${'\t'.repeat(8000)}x`).codings).toEqual([])
  })
})

describe('entity tags', () => {
  test('name the coding', () => {
    const headers = '\r\nContent-Type: text/html\r\nETag: "12/ab/view/html"\r\nX: "y"'
    expect(encodedHeaders(headers, 'br')).toBe(
      '\r\nContent-Type: text/html\r\nETag: "12/ab/view/html.br"\r\nX: "y"\r\nContent-Encoding: br',
    )
    expect(encodedHeaders('\r\nX: y', 'gzip')).toBe('\r\nX: y\r\nContent-Encoding: gzip')
  })

  test.each([
    ['"ab.gzip"', '"ab"'],
    ['W/"ab.br", "cd.gzip", "ef"', 'W/"ab", "cd", "ef"'],
    ['"a.b"', '"a.b"'],
    ['*', '*'],
    ['', ''],
  ])('%s is compared without it', (tags, plain) => {
    expect(withoutCodings(tags)).toBe(plain)
  })
})
