import { describe, expect, test } from 'vitest'
import { dump, page, pageWith, readAll, revision, sourceOf, type Outcome } from './dumpText.js'

const VARIED = Buffer.concat([
  Buffer.from('\ufeff'),
  Buffer.from(
    dump(
      page(
        'Ä "漢字" 𝒳',
        1,
        `<redirect title="A &amp; b"/>\r\n${revision(1, '<text>a\r\nb\r&#x1F600;é😀</text>')}`,
      ) +
        page(
          'Repairs',
          2,
          revision(2, '<comment>\u0001</comment><text>&#1;<![CDATA[]]]]>\ufffe\n\u000b|</text>'),
        ),
    ).replace('|', ''),
  ),
])
const [BEFORE, AFTER] = pageWith('<text>a|b</text>').split('|') as [string, string]
const MALFORMED = [
  0x80, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xef, 0xbf, 0xbd, 0xf5, 0xe2,
]

function describeOutcome({ events, error }: Outcome): unknown {
  return { events, error: error?.message }
}

describe('the cut of chunks makes no difference to', () => {
  test.each<[string, string | Buffer]>([
    ['a varied dump', VARIED],
    ['malformed UTF-8', Buffer.concat([Buffer.from(BEFORE), Buffer.from(MALFORMED), Buffer.from(AFTER)])],
    [
      'UTF-8 that is cut off at the end',
      Buffer.concat([Buffer.from(pageWith('<text />')), Buffer.from([0xe2])]),
    ],
    [
      'a foreign closing tag',
      dump(`${page('A', 1, revision(1))}<page><title>é</title><id>2</id></mediawiki>`),
    ],
    ['an early end', BEFORE],
    ['an impossible value', pageWith('<parentid>x</parentid><text />')],
    ['another document', '<html><body>x</body></html>'],
  ])('%s', async (_case, input) => {
    const whole = describeOutcome(await readAll(sourceOf(input)))
    for (const chunkBytes of [1, 2, 3, 7, 64]) {
      expect(describeOutcome(await readAll(sourceOf(input, chunkBytes)))).toEqual(whole)
    }
  })
})
