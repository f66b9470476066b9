import { describe, expect, test } from 'vitest'
import type { DumpEvent, DumpWarning } from '../../src/dump/types.js'
import { dump, page, pagesOf, pageWith, readAll, revision, sourceOf, type Outcome } from './dumpText.js'

const GOOD = page('Good', 1, revision(1))

function titles({ events }: Outcome): string[] {
  return pagesOf(events).map(({ title }) => title)
}

function warningsOf(events: readonly DumpEvent[]): DumpWarning[] {
  return events.filter((event) => event.type === 'warning')
}

const lineOf = (xml: string, part: string): number => xml.slice(0, xml.indexOf(part)).split('\n').length

describe('input that is no export', () => {
  test.each([
    [
      'an HTML page',
      '<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found<br></body></html>',
    ],
    ['an HTML page with a bare attribute', '<html lang=en><body></body></html>'],
    ['the index of a multistream dump', '616:1:Plain page 1\n616:2:Plain page 2\n'],
    ['another XML document', '<?xml version="1.0"?><feed><page/></feed>'],
    ['JSON', '{"query": {}}'],
    ['blanks', '\n\n'],
    ['a byte order mark alone', '\ufeff'],
    ['bytes', Buffer.from([0, 1, 2, 255, 254])],
  ])('is %s', async (_case, input) => {
    const { events, error } = await readAll(sourceOf(input))
    expect(events).toEqual([])
    expect(error).toMatchObject({ dumpName: 'test.xml', line: 1, byteOffset: 0 })
    expect(error?.message).toContain('test.xml: is not a MediaWiki XML export')
  })

  test('is empty', async () => {
    const { events, error } = await readAll(sourceOf(''))
    expect(events).toEqual([])
    expect(error?.reason).toBe('is empty')
  })

  test('is in another encoding', async () => {
    const { error } = await readAll(sourceOf(`<?xml version="1.0" encoding="ISO-8859-1"?>${dump('')}`))
    expect(error?.reason).toContain('ISO-8859-1')
  })
})

describe('damage', () => {
  test.each([
    ['a foreign closing tag', '<page><title>Bad</title><id>2</id></mediawiki>', '</page> expected'],
    ['a missing closing tag', '<page><title>Bad</title><id>2</page>', '</id> expected'],
    ['an unknown entity', page('Bad', 2, revision(2, '<text>&nbsp;</text>')), 'undefined entity'],
    ['a broken tag', '<page><title>Bad</title><id>2</id></page x', 'disallowed character in closing tag'],
    ['markup in a text', page('Bad', 2, revision(2, '<text>a<br/>b</text>')), '<br> inside'],
    ['too deep a nesting', `<page><title>Bad</title>${'<x>'.repeat(70)}`, 'more than 64 elements'],
  ])('by %s ends the reading after all whole pages', async (_case, bad, reason) => {
    const outcome = await readAll(sourceOf(dump(GOOD + bad + page('After', 3, revision(3)))))
    expect(titles(outcome)).toEqual(['Good'])
    expect(outcome.error?.reason).toContain(reason)
    expect(outcome.error?.title).toBe('Bad')
  })

  test('is told with line, byte and title', async () => {
    const xml = dump(`${GOOD}\n<page><title>Bäd</title><id>2</id>\n<revision>\né</page>`)
    const { error } = await readAll(sourceOf(xml))
    const before = xml.slice(0, xml.indexOf('é</page>') + 'é</page>'.length)
    expect(error).toMatchObject({
      name: 'DumpError',
      dumpName: 'test.xml',
      line: before.split('\n').length,
      byteOffset: Buffer.byteLength(before),
      title: 'Bäd',
    })
    expect(error?.message).toBe(
      `test.xml: ${error?.reason} (line ${error?.line}, byte ${error?.byteOffset} of the XML, page "Bäd")`,
    )
  })

  test('between pages has no title', async () => {
    const { error } = await readAll(sourceOf(dump(`${GOOD}</oops>`)))
    expect(error).toMatchObject({ title: undefined })
  })
})

describe('a dump that ends early', () => {
  const xml = dump(GOOD + page('Cut', 2, revision(2)))

  test.each([
    ['in a text', 'some text</text></revision></page>\n\n', '</text> expected', 'Cut'],
    ['in a tag', '/revision></page>', '</revision> expected', 'Cut'],
    ['between pages', '\n</mediawiki>', '</mediawiki> expected', undefined],
  ])('%s never yields half a page', async (_case, from, reason, title) => {
    const cut = xml.slice(0, xml.lastIndexOf(from) + 1)
    const outcome = await readAll(sourceOf(cut))
    expect(titles(outcome)).toEqual(title === undefined ? ['Good', 'Cut'] : ['Good'])
    expect(outcome.error).toMatchObject({ title, byteOffset: cut.length })
    expect(outcome.error?.reason).toContain(reason)
  })

  test('has yielded the parts of a long history that were whole', async () => {
    const history = dump(page('Long', 1, revision(1) + revision(2) + revision(3)))
    const cut = history.slice(0, history.indexOf('<id>3</id>'))
    const { events, error } = await readAll(sourceOf(cut), { maxPartRevisions: 1 })
    expect(pagesOf(events).map(({ part, last }) => [part, last])).toEqual([
      [0, false],
      [1, false],
    ])
    expect(error?.title).toBe('Long')
  })

  test('at any byte yields no page but those that closed', async () => {
    for (let length = 1; length < xml.length - '/mediawiki>\n'.length; length += 7) {
      const cut = xml.slice(0, length)
      const outcome = await readAll(sourceOf(cut))
      expect(titles(outcome)).toHaveLength(cut.split('</page>').length - 1)
      expect(outcome.error).toBeDefined()
    }
  })
})

describe('values that cannot be', () => {
  test.each([
    ['a page without title', `<page><id>2</id>${revision(2)}</page>`, '<title>'],
    ['a page with an empty title', `<page><title /><id>2</id>${revision(2)}</page>`, '<title>'],
    ['a page without id', `<page><title>B</title>${revision(2)}</page>`, '<id>'],
    ['a page id of 0', page('B', 0, revision(2)), "a page's <id>"],
    ['a page id that is no number', '<page><title>B</title><id>1e3</id></page>', "a page's <id>"],
    ['a negative revision id', page('B', 2, revision(-2)), "a revision's <id>"],
    ['a fractional revision id', page('B', 2, revision(2.5)), "a revision's <id>"],
    [
      'an odd user id',
      page('B', 2, revision(2, '<contributor><id>-1</id></contributor>')),
      "contributor's <id>",
    ],
    ['an odd namespace', '<page><title>B</title><ns>Talk</ns></page>', "a page's <ns>"],
    ['a revision without id', page('B', 2, '<revision><text /></revision>'), '<id>'],
    ['a revision without time', page('B', 2, '<revision><id>2</id><text/></revision>'), '<timestamp>'],
    ['a revision without text', page('B', 2, revision(2, '')), '<text>'],
    ['a broken time', page('B', 2, revision(2).replace('12:00', '25:00')), "a revision's <timestamp>"],
    ['a day that never was', page('B', 2, revision(2).replace('01-31', '02-30')), "a revision's <timestamp>"],
  ])('such as %s are errors', async (_case, bad, reason) => {
    const outcome = await readAll(sourceOf(dump(GOOD + bad)))
    expect(titles(outcome)).toEqual(['Good'])
    expect(outcome.error?.reason).toContain(reason)
  })

  test('such as an odd namespace key are errors', async () => {
    const siteinfo = '<siteinfo><namespaces><namespace key="x">T</namespace></namespaces></siteinfo>'
    expect((await readAll(sourceOf(dump(GOOD, { siteinfo })))).error?.reason).toContain("namespace's key")
  })
})

describe('values that the store cannot hold', () => {
  const text = '<text />'

  test.each([
    ['a page id near the end of 32 bits', page('Bad', 4_000_000_001, revision(2)), 'id'],
    ['a page id over 32 bits', page('Bad', 4_294_967_296, revision(2)), 'id'],
    ['a high namespace', page('Bad', 2, revision(2)).replace('<ns>0', '<ns>32768'), 'ns'],
    ['a low namespace', page('Bad', 2, revision(2)).replace('<ns>0', '<ns>-32768'), 'ns'],
    ['an endless namespace', page('Bad', 2, revision(2)).replace('<ns>0', `<ns>${'9'.repeat(400)}`), 'ns'],
  ])('such as %s leave out their page', async (_case, bad, element) => {
    const xml = dump(`${GOOD}\n${bad}${page('After', 3, revision(3))}`)
    const { events, error } = await readAll(sourceOf(xml))
    expect(error).toBeUndefined()
    expect(titles({ events, error })).toEqual(['Good', 'After'])
    expect(warningsOf(events)).toEqual([
      {
        type: 'warning',
        message: expect.stringMatching(
          `^the page is left out: a page's <${element}> is ".*", expected a number`,
        ) as string,
        line: lineOf(xml, 'Bad'),
        title: 'Bad',
        leftOut: 'page',
      },
    ])
  })

  test.each([
    ['an id near the end of 32 bits', revision(4_000_000_001), 'a revision', "a revision's <id>"],
    ['an endless id', revision(2).replace('2', '9'.repeat(400)), 'a revision', "a revision's <id>"],
    [
      'a parent over 32 bits',
      revision(2, `<parentid>4294967296</parentid>${text}`),
      'revision 2',
      "a revision's <parentid>",
    ],
    [
      'a time before 1970',
      revision(2).replace('2024-01-31T12:00:00Z', '1969-12-31T23:59:59Z'),
      'revision 2',
      "a revision's <timestamp>",
    ],
    [
      'a time after 32 bits',
      revision(2).replace('2024-01-31T12:00:00Z', '2106-02-07T06:28:15Z'),
      'revision 2',
      "a revision's <timestamp>",
    ],
    [
      'a user id near the end of 32 bits',
      revision(2, `<contributor><username>X</username><id>4000000001</id></contributor>${text}`),
      'revision 2',
      "a contributor's <id>",
    ],
  ])('such as %s leave out their revision', async (_case, bad, name, what) => {
    const redirect = '<redirect title="Z" />'
    const xml = dump(`${GOOD}\n${page('B', 2, `${redirect}${revision(1)}\n${bad}${revision(5)}`)}`)
    const { events, error } = await readAll(sourceOf(xml))
    expect(error).toBeUndefined()
    const read = pagesOf(events)[1]
    expect(read?.revisions.map(({ id }) => id)).toEqual([1, 5])
    // It may have been the latest one that the target was stated for.
    expect(read?.redirectTarget).toBeUndefined()
    expect(warningsOf(events)).toEqual([
      {
        type: 'warning',
        message: expect.stringContaining(`${name} is left out: ${what} is "`) as string,
        line: lineOf(xml, '<title>B<') + 1,
        title: 'B',
        leftOut: 'revision',
      },
    ])
  })

  test('such as the last ones that it can hold are read', async () => {
    const times = ['1970-01-01T00:00:00Z', '2106-02-07T06:28:14Z']
    const revisions = times.map((time, n) =>
      revision(4_000_000_000 - n).replace('2024-01-31T12:00:00Z', time),
    )
    const last = page('Last', 4_000_000_000, revisions.join('')).replace('<ns>0', '<ns>32767')
    const { events } = await readAll(sourceOf(dump(last)))
    expect(pagesOf(events)).toMatchObject([
      { id: 4e9, namespace: 32_767, revisions: [{ timestamp: 0 }, { timestamp: 4_294_967_294 }] },
    ])
    expect(warningsOf(events)).toEqual([])
  })

  test.each([
    ['4294967294', 4_294_967_294, []],
    [
      '4294967295',
      undefined,
      [/^revision 10: the size of its hidden text is not taken over: 4294967295 bytes$/],
    ],
    ['4294967296', undefined, [/4294967296 bytes$/]],
  ])('such as a size of %s bytes of a hidden text is unknown', async (bytes, statedSizeBytes, messages) => {
    const { events } = await readAll(sourceOf(pageWith(`<text bytes="${bytes}" deleted="deleted" />`)))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 10, statedSizeBytes }] }])
    const said = warningsOf(events).map(({ message }) => message)
    expect(said).toEqual(messages.map((pattern) => expect.stringMatching(pattern) as string))
  })

  test('such as the key of a namespace leave it out', async () => {
    const siteinfo =
      '<siteinfo><namespaces><namespace key="70000">Far</namespace><namespace key="1">Talk</namespace></namespaces></siteinfo>'
    const { events } = await readAll(sourceOf(dump(GOOD, { siteinfo })))
    expect(events[1]).toMatchObject({ type: 'site', site: { namespaces: [{ id: 1 }] } })
    expect(warningsOf(events)).toMatchObject([
      { message: expect.stringContaining('the namespace "Far" is left out') as string, line: 2 },
    ])
  })
})

describe('a stub dump', () => {
  test.each([
    ['a size', '<text id="5" bytes="12" />'],
    ['a size, in another place', '<text bytes="12" sha1="" location="tt:5" />'],
    ['a SHA-1 beside the text', '<text id="5" sha1="ddzqr4ehunhqi2wgv1w4i4iq0n8c39n" />'],
    ['a SHA-1 of the revision', '<text id="5" /><sha1>ddzqr4ehunhqi2wgv1w4i4iq0n8c39n</sha1>'],
  ])('is known by %s without a text', async (_case, parts) => {
    const { error } = await readAll(sourceOf(pageWith(parts)))
    expect(error?.reason).toContain('stub dump')
  })

  test.each([
    ['an empty text with an id', '<text id="5" bytes="0" sha1="phoiac9h4m842xq45sp7s6u21eteeq1" />'],
    ['a hidden text', '<text id="5" bytes="12" deleted="deleted" />'],
    ['a wrong size', '<text bytes="12" />'],
    ['a text with an id', '<text id="5" bytes="1">a</text>'],
  ])('is not suspected for %s', async (_case, parts) => {
    expect((await readAll(sourceOf(pageWith(parts)))).error).toBeUndefined()
  })
})

describe('hostile lengths', () => {
  const limits = { maxTextLength: 5000, maxFieldLength: 1000 }
  const long = (length: number) => 'x'.repeat(length)

  test.each([
    ['a text', pageWith(`<text>${long(5001)}</text>`)],
    ['a text in pieces', pageWith(`<text>${`${long(1000)}<![CDATA[]]>`.repeat(6)}</text>`)],
    ['a title', dump(`<page><title>${long(1001)}</title></page>`)],
    ['a comment', pageWith(`<comment>${long(1001)}</comment><text />`)],
    ['an attribute', pageWith(`<text x="${long(20_000)}" />`)],
    ['a tag', dump(`<${long(20_000)} />`)],
    ['white space', dump(' '.repeat(20_000))],
    ['an XML comment', dump(`<!--${long(20_000)}-->`)],
    ['a skipped element', dump(`<logitem>${long(20_000)}</logitem>`)],
    ['a doctype', `<!DOCTYPE mediawiki [${long(20_000)}]>${dump('')}`],
  ])('of %s are refused', async (_case, xml) => {
    const { error } = await readAll(sourceOf(xml, 500), limits)
    expect(error?.reason).toMatch(/more than [15]000 characters/)
  })

  test.each([
    ['a text', pageWith(`<text>${long(5000)}</text>`)],
    ['a comment', pageWith(`<comment>${long(1000)}</comment><text />`)],
    ['many elements', dump(page('A', 1, revision(1)).repeat(100))],
    ['many comments', dump(`<!--${long(900)}-->`.repeat(20))],
  ])('are not found in %s within the limit', async (_case, xml) => {
    expect((await readAll(sourceOf(xml, 500), limits)).error).toBeUndefined()
  })
})
