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
})

describe('damage', () => {
  test.each([
    ['an unknown entity', page('Bad', 2, revision(2, '<text>&nbsp;</text>')), 'undefined entity'],
    ['a broken tag', '<page><title>Bad</title><id>2</id></page x', 'disallowed character in closing tag'],
    ['too deep a nesting', `<page><title>Bad</title>${'<x>'.repeat(70)}`, 'more than 64 elements'],
  ])('by %s ends the reading after all whole pages', async (_case, bad, reason) => {
    const outcome = await readAll(sourceOf(dump(GOOD + bad + page('After', 3, revision(3)))))
    expect(titles(outcome)).toEqual(['Good'])
    expect(outcome.error?.reason).toContain(reason)
    expect(outcome.error?.title).toBe('Bad')
  })

  test('is told with line, byte and title', async () => {
    const xml = dump(`${GOOD}\n<page><title>Bäd</title><id>2</id>\n<revision>\né&nbsp;`)
    const { error } = await readAll(sourceOf(xml))
    const before = xml.slice(0, xml.indexOf('é&nbsp;') + 'é&nbsp;'.length)
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

describe('a missing tag', () => {
  const first = page('First', 2, revision(2) + revision(3))
  const withUpload = page(
    'First',
    2,
    `${revision(2)}<upload><timestamp>2024-01-31T12:00:00Z</timestamp></upload>`,
  )
  const last = page('Last', 4, revision(4) + revision(5))

  test.each<[string, string, readonly unknown[], readonly object[]]>([
    [
      'of a page',
      first.replace('</page>', ''),
      [[4, 4, 5]],
      [{ kind: 'page-end', leftOut: 'page', title: 'First', pageId: 2, reason: 'its </page> is missing' }],
    ],
    [
      'of a page and its revision',
      first.replace('</revision></page>', ''),
      [[4, 4, 5]],
      [{ kind: 'page-end', title: 'First', reason: 'its </page> is missing' }],
    ],
    [
      'of a revision at the end',
      first.replace('</revision></page>', '</page>'),
      [
        [2, 2],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', leftOut: 'revision', revisionId: 3, reason: 'its </revision> is missing' }],
    ],
    [
      'of a revision before another',
      first.replace('</revision>', ''),
      [
        [2, 3],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', leftOut: 'revision', revisionId: 2 }],
    ],
    [
      'of a text',
      first.replace('</text>', ''),
      [
        [2, 3],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', leftOut: 'revision', revisionId: 2, reason: 'its </text> is missing' }],
    ],
    [
      'of a text and its revision',
      first.replace('</text></revision></page>', '</page>'),
      [
        [2, 2],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', leftOut: 'revision', revisionId: 3, reason: 'its </revision> is missing' }],
    ],
    ['of a title', first.replace('</title>', ''), [[4, 4, 5]], [{ kind: 'page-title', leftOut: 'page' }]],
    ['of an id', first.replace('</id>', ''), [[4, 4, 5]], [{ kind: 'page-id', leftOut: 'page' }]],
    [
      'of an unknown element',
      first.replace('</page>', '<new><newer></newer></page>'),
      [[4, 4, 5]],
      [{ kind: 'page-end', reason: 'its </new> is missing' }],
    ],
    [
      'of an editor',
      first.replace('<text>', '<contributor><ip>::1</ip><text>'),
      [
        [2, 3],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', reason: 'its </contributor> is missing' }],
    ],
    [
      'of an upload',
      withUpload.replace('</upload>', ''),
      [
        [2, 2],
        [4, 4, 5],
      ],
      [{ kind: 'file', leftOut: 'file', reason: 'its </upload> is missing' }],
    ],
  ])('that closes, %s, costs only this one', async (_case, bad, expected, warnings) => {
    for (const chunkBytes of [7, 65_536]) {
      const { events, error } = await readAll(sourceOf(dump(`${GOOD}\n${bad}\n${last}`), chunkBytes))
      expect(error).toBeUndefined()
      const read = pagesOf(events).map(({ id, revisions }) => [id, ...revisions.map((each) => each.id)])
      expect(read).toEqual([[1, 1], ...expected])
      expect(warningsOf(events)).toMatchObject(warnings)
    }
  })

  test.each<[string, string, readonly unknown[], readonly object[]]>([
    [
      'a page',
      first.replace('<page>', ''),
      [[4, 4, 5]],
      [
        { kind: 'element' },
        { kind: 'element' },
        { kind: 'element' },
        { kind: 'revision-misplaced' },
        { kind: 'revision-misplaced' },
        { kind: 'page-misplaced', leftOut: 'page', reason: 'it has no <page>' },
      ],
    ],
    [
      'a revision',
      first.replace('<revision>', ''),
      [[4, 4, 5]],
      [{ kind: 'page-id', reason: 'it has two <id>' }],
    ],
    [
      'a text',
      first.replace('<text>', ''),
      [
        [2, 3],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', revisionId: 2, reason: 'it has </text> without an opening tag' }],
    ],
    [
      'an element in a text',
      first.replace('some text', 'a</b>c'),
      [
        [2, 3],
        [4, 4, 5],
      ],
      [{ kind: 'revision-end', revisionId: 2, reason: 'it has </b> without an opening tag' }],
    ],
    [
      'a title',
      first.replace('<title>', ''),
      [[4, 4, 5]],
      [{ kind: 'page-end', leftOut: 'page', reason: 'it has </title> without an opening tag' }],
    ],
  ])('that opens %s costs only this one', async (_case, bad, expected, warnings) => {
    for (const chunkBytes of [7, 65_536]) {
      const { events, error } = await readAll(sourceOf(dump(`${GOOD}\n${bad}\n${last}`), chunkBytes))
      expect(error).toBeUndefined()
      const read = pagesOf(events).map(({ id, revisions }) => [id, ...revisions.map((each) => each.id)])
      expect(read).toEqual([[1, 1], ...expected])
      expect(warningsOf(events)).toMatchObject(warnings)
    }
  })

  test('or one too many, whichever of a page it is, costs at most this page, and is named', async () => {
    const editor = '<contributor><username>A</username><id>3</id></contributor><comment>c</comment>'
    const slot = '<content><role>x</role><text>a</text></content>'
    const upload =
      '<upload><timestamp>2024-01-31T12:00:00Z</timestamp><contents encoding="base64">QUJD</contents></upload>'
    const pages = [10, 20, 30].map((id) =>
      page(
        `P${id}`,
        id,
        revision(id, `${editor}<text>a</text>`) + revision(id + 1, `<text>b</text>${slot}`) + upload,
      ),
    )
    const xml = dump(pages.join(''))
    const read = async (text: string) => {
      const { events, error } = await readAll(sourceOf(text, 97))
      expect(error).toBeUndefined()
      const found = pagesOf(events).map(({ id, revisions }) =>
        JSON.stringify([id, ...revisions.map((each) => each.text)]),
      )
      return { found, warnings: warningsOf(events) }
    }
    const whole = (await read(xml)).found
    const [start, end] = [xml.indexOf('<page>'), xml.lastIndexOf('</page>') + '</page>'.length]
    for (const { 0: tag, index } of xml.matchAll(/<\/?[a-z]\w*[^>]*>/g)) {
      if (index < start || index >= end) continue
      for (const rest of [xml.slice(index + tag.length), tag + xml.slice(index)]) {
        const { found, warnings } = await read(xml.slice(0, index) + rest)
        const sound = whole.filter((each) => found.includes(each)).length
        expect(sound, tag).toBeGreaterThanOrEqual(whole.length - 1)
        if (sound < whole.length) expect(warnings.length, tag).toBeGreaterThan(0)
      }
    }
  })

  test('of the last page costs only this one', async () => {
    const { events, error } = await readAll(sourceOf(dump(GOOD + last.replace('</page>', ''))))
    expect(error).toBeUndefined()
    expect(titles({ events, error })).toEqual(['Good'])
    expect(warningsOf(events)).toMatchObject([
      { kind: 'page-end', title: 'Last', reason: 'its </page> is missing' },
    ])
  })

  test('of a hundred pages costs only these', async () => {
    const bad = Array.from({ length: 100 }, (_, n) =>
      page(`Bad ${n}`, n + 10, revision(n + 10)).replace('</page>', ''),
    )
    const { events, error } = await readAll(sourceOf(dump(GOOD + bad.join('') + last)))
    expect(error).toBeUndefined()
    expect(titles({ events, error })).toEqual(['Good', 'Last'])
    expect(warningsOf(events)).toHaveLength(100)
  })

  test('of a long history keeps the parts that were handed over', async () => {
    const long = page('Long', 2, revision(6) + revision(7) + revision(8)).replace('</page>', '')
    const { events } = await readAll(sourceOf(dump(long + last)), { maxPartRevisions: 1 })
    expect(pagesOf(events).map(({ id, part }) => [id, part])).toEqual([
      [2, 0],
      [2, 1],
      [4, 0],
      [4, 1],
    ])
    expect(warningsOf(events)).toMatchObject([{ kind: 'page-end', leftOut: 'rest', title: 'Long' }])
  })

  test('of the site costs nothing but what is missing there', async () => {
    const { events, error } = await readAll(sourceOf(dump(GOOD).replace('</namespaces>\n</siteinfo>', '')))
    expect(error).toBeUndefined()
    expect(titles({ events, error })).toEqual(['Good'])
    expect(events.find((event) => event.type === 'site')).toMatchObject({ site: { name: 'Testwiki' } })
    expect(warningsOf(events)).toMatchObject([{ kind: 'site' }])
  })

  test('of an unknown element between pages ends the reading', async () => {
    const { error } = await readAll(sourceOf(dump(`${GOOD}<other>${last}`)))
    expect(error?.reason).toContain('</other> expected')
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

describe('a page that cannot be read', () => {
  const twice = (name: string, value: string) => `<${name}>${value}</${name}>`.repeat(2)

  test.each([
    ['has no title', `<page><id>2</id>${revision(2)}</page>`, 'page-title', 'it has no <title>'],
    ['has an empty title', page('', 2, revision(2)), 'page-title', 'it has no <title>'],
    ['has a blank title', page(' \n', 2, revision(2)), 'page-title', 'it has no <title>'],
    ['has two titles', page('B</title><title>C', 2, revision(2)), 'page-title', 'it has two <title>'],
    [
      'has markup in its title',
      page('B<i>C</i>', 2, revision(2)),
      'page-title',
      'its <title> holds <i>: markup',
    ],
    ['has no id', `<page><title>B</title>${revision(2)}</page>`, 'page-id', 'it has no <id>'],
    ['has the id 0', page('B', 0, revision(2)), 'page-id', 'its <id> is "0", expected a number from 1'],
    ['has a negative id', page('B', -1, revision(2)), 'page-id', 'its <id> is "-1"'],
    ['has an id that is no number', page('B', 2, '').replace('2', '1e3'), 'page-id', 'its <id> is "1e3"'],
    [
      'has an empty id',
      page('B', 2, revision(2)).replace('2', ''),
      'page-id',
      'it has no <id>, and other pages',
    ],
    ['has two ids', `<page><title>B</title>${twice('id', '2')}</page>`, 'page-id', 'it has two <id>'],
    [
      'has an odd namespace',
      page('B', 2, '').replace('<ns>0', '<ns>Talk'),
      'page-namespace',
      'its <ns> is "Talk"',
    ],
    ['has two namespaces', page('B', 2, '<ns>1</ns>'), 'page-namespace', 'it has two <ns>'],
    [
      'has two redirects',
      page('B', 2, '<redirect/><redirect title="X"/>'),
      'page-redirect',
      'it has two <redirect>',
    ],
    ['has no revision', page('B', 2, ''), 'page-empty', 'it has no <revision>'],
  ])('since it %s is left out, and the next is read', async (_case, bad, kind, reason) => {
    const xml = dump(`${GOOD}\n${bad}\n${page('After', 3, revision(3))}`)
    const { events, error } = await readAll(sourceOf(xml))
    expect(error).toBeUndefined()
    expect(titles({ events, error })).toEqual(['Good', 'After'])
    const warnings = warningsOf(events)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({ kind, leftOut: 'page' })
    expect(warnings[0]?.reason).toContain(reason)
    expect(warnings[0]?.line).toBeGreaterThanOrEqual(lineOf(xml, bad))
    expect(warnings[0]?.line).toBeLessThan(lineOf(xml, '<title>After'))
  })

  test('since another page is in it is left out, and that one is read', async () => {
    const inner = page('Inner', 3, revision(3))
    const { events } = await readAll(
      sourceOf(dump(page('Outer', 2, `${revision(2)}\n${inner}${revision(4)}`))),
    )
    expect(pagesOf(events)).toMatchObject([{ title: 'Inner', revisions: [{ id: 3 }] }])
    expect(warningsOf(events)).toMatchObject([
      { kind: 'page-end', leftOut: 'page', reason: 'its </page> is missing', title: 'Outer', pageId: 2 },
      { kind: 'revision-misplaced', leftOut: 'revision', reason: 'it is in no page' },
    ])
  })

  test('in another export is left out, and says so', async () => {
    const { events } = await readAll(sourceOf(dump(GOOD + dump(page('Inner', 3, revision(3))))))
    expect(pagesOf(events).map(({ title }) => title)).toEqual(['Good'])
    expect(warningsOf(events)).toMatchObject([{ kind: 'page-misplaced', leftOut: 'page' }])
  })

  test('after a part of it was handed over keeps that part', async () => {
    const long = page('Long', 2, `${revision(1)}${revision(2)}${revision(3)}<id>9</id>${revision(4)}`)
    const { events } = await readAll(sourceOf(dump(long + page('After', 3, revision(5)))), {
      maxPartRevisions: 2,
    })
    expect(pagesOf(events)).toMatchObject([
      { title: 'Long', part: 0, last: false, revisions: [{ id: 1 }, { id: 2 }] },
      { title: 'After' },
    ])
    expect(warningsOf(events)).toMatchObject([{ kind: 'page-id', leftOut: 'rest', pageId: 2 }])
  })

  test('since its id comes after a full part is left out from there on', async () => {
    const late = `<page><title>Late</title>${revision(1)}${revision(2)}${revision(3)}<id>2</id></page>`
    const { events } = await readAll(sourceOf(dump(late + GOOD)), { maxPartRevisions: 2 })
    expect(pagesOf(events)).toMatchObject([{ title: 'Late', id: 0, last: false }, { title: 'Good' }])
    expect(warningsOf(events)).toMatchObject([
      { kind: 'page-without-id', leftOut: undefined, title: 'Late', pageId: undefined },
      { kind: 'page-id', leftOut: 'rest', title: 'Late', reason: 'its <id> comes after its revisions' },
    ])
  })
})

describe('a revision that cannot be read', () => {
  const text = '<text>x</text>'
  const by = (inner: string) => revision(2, `<contributor>${inner}</contributor>${text}`)
  const at = (time: string) => revision(2).replace('2024-01-31T12:00:00Z', time)

  test.each([
    ['a negative id', revision(-2), 'revision-id', 'its <id> is "-2"'],
    ['a fractional id', revision(2.5), 'revision-id', 'its <id> is "2.5"'],
    ['the id 0', revision(0), 'revision-id', 'its <id> is "0"'],
    [
      'no id',
      `<revision><timestamp>2024-01-31T12:00:00Z</timestamp>${text}</revision>`,
      'revision-id',
      'no <id>',
    ],
    ['two ids', revision(2, `<id>3</id>${text}`), 'revision-id', 'it has two <id>'],
    [
      'an odd parent',
      revision(2, `<parentid>x</parentid>${text}`),
      'revision-parent',
      'its <parentid> is "x"',
    ],
    ['no time', `<revision><id>2</id>${text}</revision>`, 'revision-time', 'it has no <timestamp>'],
    ['an empty time', at(''), 'revision-time', 'its <timestamp> is ""'],
    [
      'two times',
      revision(2, `<timestamp>2024-01-31T12:00:00Z</timestamp>${text}`),
      'revision-time',
      'two <timestamp>',
    ],
    ['a broken time', at('2024-01-31T25:00:00Z'), 'revision-time', 'its <timestamp> is'],
    ['a day that never was', at('2024-02-30T12:00:00Z'), 'revision-time', 'its <timestamp> is'],
    ['a time of 13 digits', at('2024013112000'), 'revision-time', 'its <timestamp> is'],
    ['a month that never was in 14 digits', at('20241331120000'), 'revision-time', 'its <timestamp> is'],
    ['an offset of more than a day', at('2024-01-31T12:00:00+24:00'), 'revision-time', 'its <timestamp> is'],
    [
      'a time that its offset moves before 1970',
      at('1970-01-01T00:30:00+01:00'),
      'revision-time',
      'its <timestamp> is',
    ],
    ['no text', revision(2, ''), 'revision-text', 'it has no <text>'],
    ['two texts', revision(2, text + text), 'revision-text', 'it has two <text>'],
    [
      'markup in its text',
      revision(2, '<text>a<br/>b</text>'),
      'revision-text',
      'its <text> holds <br>: markup',
    ],
    [
      'markup in its comment',
      revision(2, `<comment>a<b>c</b></comment>${text}`),
      'revision-comment',
      'holds <b>',
    ],
    [
      'two comments',
      revision(2, `<comment/><comment>a</comment>${text}`),
      'revision-comment',
      'two <comment>',
    ],
    ['two models', revision(2, `<model>a</model><model>b</model>${text}`), 'revision-model', 'two <model>'],
    ['two hashes', revision(2, `${text}<sha1>a</sha1><sha1>b</sha1>`), 'revision-sha1', 'two <sha1>'],
    [
      'two editors',
      revision(2, `${'<contributor><ip>a</ip></contributor>'.repeat(2)}${text}`),
      'revision-editor',
      'two',
    ],
    [
      'an odd user id',
      by('<username>A</username><id>-1</id>'),
      'revision-editor',
      `its contributor's <id> is "-1"`,
    ],
    [
      'an editor of two names',
      by('<username>A</username><ip>b</ip>'),
      'revision-editor',
      'contributor has two names',
    ],
    ['an editor of two ids', by('<id>1</id><id>2</id>'), 'revision-editor', 'contributor has two ids'],
    ['markup in a name', by('<username>a<i/></username>'), 'revision-editor', 'its <username> holds <i>'],
  ])('since it has %s is left out of its page', async (_case, bad, kind, reason) => {
    const xml = dump(page('B', 2, `${revision(1)}\n${bad}\n${revision(5)}`) + GOOD)
    const { events, error } = await readAll(sourceOf(xml))
    expect(error).toBeUndefined()
    expect(pagesOf(events).map(({ revisions }) => revisions.map(({ id }) => id))).toEqual([[1, 5], [1]])
    const warnings = warningsOf(events)
    expect(warnings).toMatchObject([
      { kind, leftOut: 'revision', title: 'B', pageId: 2, line: lineOf(xml, '<title>B<') + 1 },
    ])
    expect(warnings[0]?.reason).toContain(reason)
  })

  test('leaves out a page that has no other, and says so of both', async () => {
    const { events } = await readAll(sourceOf(dump(page('B', 2, at('never')) + GOOD)))
    expect(pagesOf(events).map(({ title }) => title)).toEqual(['Good'])
    expect(warningsOf(events)).toMatchObject([
      { kind: 'revision-time', leftOut: 'revision', revisionId: 2, title: 'B' },
      { kind: 'page-empty', leftOut: 'page', reason: 'none of its revisions can be read', title: 'B' },
    ])
  })

  test.each([
    [
      'since another revision is in it',
      page('B', 2, revision(2, `${text}${revision(1)}`)),
      { kind: 'revision-end', reason: 'its </revision> is missing', revisionId: 2 },
    ],
    [
      'outside of pages',
      page('B', 2, revision(1)) + revision(2),
      { kind: 'revision-misplaced', reason: 'it is in no page' },
    ],
  ])('%s is left out', async (_case, body, warning) => {
    const { events, error } = await readAll(sourceOf(dump(body)))
    expect(error).toBeUndefined()
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 1 }] }])
    expect(warningsOf(events)).toMatchObject([{ ...warning, leftOut: 'revision' }])
  })

  test('has elements with the names of an object’s own properties without harm', async () => {
    const odd = '<constructor/><constructor/><toString>x</toString><toString/><__proto__/>'
    const { events } = await readAll(sourceOf(dump(page('B', 2, odd + revision(1, `${odd}${text}`)))))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 1, text: 'x' }] }])
    expect(warningsOf(events)).toEqual([])
  })

  test('is not one with unknown attributes, an unknown element or another size than stated', async () => {
    const odd =
      '<strange a="b"><deep/></strange><text bytes="99" future="x" xml:space="default">x</text><minor/><minor/>'
    const { events } = await readAll(sourceOf(pageWith(odd)))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 10, text: 'x', minor: true }] }])
    expect(warningsOf(events)).toEqual([])
  })
})

describe('an upload that cannot be read', () => {
  const upload = (parts: string) => `<upload><timestamp>2024-01-31T12:00:00Z</timestamp>${parts}</upload>`
  const contents = (base64: string) => upload(`<contents encoding="base64">${base64}</contents>`)

  test.each([
    ['no time', '<upload></upload>', 'it has no <timestamp>'],
    ['a broken time', '<upload><timestamp>now</timestamp></upload>', 'its <timestamp> is "now"'],
    ['two times', upload('<timestamp>2024-01-31T12:00:00Z</timestamp>'), 'it has two <timestamp>'],
    ['contents that are no base64', contents('QUJD!'), 'its contents are no base64'],
    ['contents that are cut off', contents('QUJDQ'), 'its contents are no base64: they end early'],
    ['contents that go on after their end', contents('QQ==QUJD'), 'its contents are no base64'],
    [
      'contents in another encoding',
      upload('<contents encoding="hex">41</contents>'),
      'are encoded as "hex"',
    ],
    ['contents in no encoding', upload('<contents>QUJD</contents>'), 'its contents state no encoding'],
    ['two contents', contents('QUJD</contents><contents encoding="base64">QUJD'), 'it has two <contents>'],
    ['markup in its contents', contents('QU<i/>JD'), 'its <contents> holds <i>'],
  ])('since it has %s is left out, and its page is read', async (_case, bad, reason) => {
    const { events } = await readAll(sourceOf(dump(page('B', 2, revision(1) + bad))))
    expect(pagesOf(events)).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'upload')).toEqual([])
    const warnings = warningsOf(events)
    expect(warnings).toMatchObject([{ kind: 'file', leftOut: 'file', title: 'B' }])
    expect(warnings[0]?.reason).toContain(reason)
  })
})

test('an odd namespace key is left out of the site', async () => {
  const siteinfo = '<siteinfo><namespaces><namespace key="x">T</namespace></namespaces></siteinfo>'
  const { events } = await readAll(sourceOf(dump(GOOD, { siteinfo })))
  expect(pagesOf(events)).toHaveLength(1)
  expect(warningsOf(events)).toMatchObject([
    {
      kind: 'site',
      reason: expect.stringContaining('the namespace "T" is left out: its key is "x"') as string,
    },
  ])
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
        kind: element === 'id' ? 'page-id' : 'page-namespace',
        reason: expect.stringMatching(`^its <${element}> is ".*", expected a number`) as string,
        line: lineOf(xml, 'Bad'),
        title: 'Bad',
        pageId: undefined,
        revisionId: undefined,
        leftOut: 'page',
      },
    ])
  })

  test.each([
    ['an id near the end of 32 bits', revision(4_000_000_001), undefined, 'its <id>'],
    ['an endless id', revision(2).replace('2', '9'.repeat(400)), undefined, 'its <id>'],
    ['a parent over 32 bits', revision(2, `<parentid>4294967296</parentid>${text}`), 2, 'its <parentid>'],
    [
      'a time before 1970',
      revision(2).replace('2024-01-31T12:00:00Z', '1969-12-31T23:59:59Z'),
      2,
      'its <timestamp>',
    ],
    [
      'a time after 32 bits',
      revision(2).replace('2024-01-31T12:00:00Z', '2106-02-07T06:28:15Z'),
      2,
      'its <timestamp>',
    ],
    [
      'a user id near the end of 32 bits',
      revision(2, `<contributor><username>X</username><id>4000000001</id></contributor>${text}`),
      2,
      "its contributor's <id>",
    ],
  ])('such as %s leave out their revision', async (_case, bad, revisionId, what) => {
    const redirect = '<redirect title="Z" />'
    const xml = dump(`${GOOD}\n${page('B', 2, `${redirect}${revision(1)}\n${bad}${revision(5)}`)}`)
    const { events, error } = await readAll(sourceOf(xml))
    expect(error).toBeUndefined()
    const read = pagesOf(events)[1]
    expect(read?.revisions.map(({ id }) => id)).toEqual([1, 5])
    // It may have been the latest one that the target was stated for.
    expect(read?.redirectTarget).toBeUndefined()
    expect(warningsOf(events)).toMatchObject([
      {
        type: 'warning',
        reason: expect.stringContaining(`${what} is "`) as string,
        line: lineOf(xml, '<title>B<') + 1,
        title: 'B',
        pageId: 2,
        revisionId,
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
    ['4294967295', undefined, [/^the size of its hidden text is not taken over: 4294967295 bytes$/]],
    ['4294967296', undefined, [/4294967296 bytes$/]],
  ])('such as a size of %s bytes of a hidden text is unknown', async (bytes, statedSizeBytes, messages) => {
    const { events } = await readAll(sourceOf(pageWith(`<text bytes="${bytes}" deleted="deleted" />`)))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 10, statedSizeBytes }] }])
    const said = warningsOf(events).map(({ reason }) => reason)
    expect(said).toEqual(messages.map((pattern) => expect.stringMatching(pattern) as string))
  })

  test('such as the key of a namespace leave it out', async () => {
    const siteinfo =
      '<siteinfo><namespaces><namespace key="70000">Far</namespace><namespace key="1">Talk</namespace></namespaces></siteinfo>'
    const { events } = await readAll(sourceOf(dump(GOOD, { siteinfo })))
    expect(events[1]).toMatchObject({ type: 'site', site: { namespaces: [{ id: 1 }] } })
    expect(warningsOf(events)).toMatchObject([
      { reason: expect.stringContaining('the namespace "Far" is left out') as string, line: 2 },
    ])
  })
})

describe('a stub dump', () => {
  test('is not suspected when another revision had a text: that one is left out', async () => {
    const stub = revision(2, '<text id="5" bytes="12" />')
    const { events, error } = await readAll(sourceOf(dump(GOOD + page('B', 2, stub + revision(3)))))
    expect(error).toBeUndefined()
    expect(pagesOf(events)[1]).toMatchObject({ title: 'B', revisions: [{ id: 3 }] })
    expect(warningsOf(events)).toMatchObject([{ kind: 'revision-text', leftOut: 'revision', revisionId: 2 }])
  })

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
    ['a text', pageWith(`<text>${long(20_000)}</text>`)],
    ['a title', dump(`<page><title>${long(20_000)}</title></page>`)],
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
    ['a text', revision(2, `<text>${long(5001)}</text>`), 5000],
    ['a text in pieces', revision(2, `<text>${`${long(1000)}<![CDATA[]]>`.repeat(6)}</text>`), 5000],
    ['a comment', revision(2, `<comment>${long(1001)}</comment><text />`), 1000],
    ['a name', revision(2, `<contributor><ip>${long(1001)}</ip></contributor><text />`), 1000],
  ])('of %s leave out their revision', async (_case, bad, most) => {
    const { events, error } = await readAll(sourceOf(dump(page('B', 2, bad + revision(3))), 500), limits)
    expect(error).toBeUndefined()
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ id: 3 }] }])
    expect(warningsOf(events)).toMatchObject([
      { leftOut: 'revision', reason: expect.stringContaining(`has more than ${most} characters`) as string },
    ])
  })

  test('of a title leave out its page', async () => {
    const xml = dump(page(long(1001), 2, revision(2)) + GOOD)
    const { events } = await readAll(sourceOf(xml, 500), limits)
    expect(pagesOf(events).map(({ title }) => title)).toEqual(['Good'])
    expect(warningsOf(events)).toMatchObject([{ kind: 'page-title', leftOut: 'page' }])
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
