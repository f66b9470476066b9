import { describe, expect, test } from 'vitest'
import type { DumpEvent, DumpPage, DumpSite, DumpUpload } from '../../src/dump/types.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import { dump, eventsOf, page, pagesOf, pageWith, readAll, revision, SITEINFO, sourceOf } from './dumpText.js'

async function siteOf(xml: string): Promise<DumpSite> {
  const [first] = await eventsOf(xml)
  if (first?.type !== 'site') throw new Error('the first event is no site')
  return first.site
}

async function onlyPage(xml: string): Promise<DumpPage> {
  const pages = pagesOf(await eventsOf(xml))
  expect(pages).toHaveLength(1)
  return pages[0] as DumpPage
}

/** The revision with `parts` behind its timestamp. */
async function revisionWith(parts: string): Promise<IncomingRevision> {
  const { revisions } = await onlyPage(pageWith(parts))
  expect(revisions).toHaveLength(1)
  return revisions[0] as IncomingRevision
}

function warningsOf(events: readonly DumpEvent[]): DumpEvent[] {
  return events.filter((event) => event.type === 'warning')
}

describe('the site', () => {
  test('is read from siteinfo', async () => {
    expect(await siteOf(dump(''))).toEqual({
      schema: '0.11',
      language: 'en',
      name: 'Testwiki',
      wikiId: 'testwiki',
      base: 'https://test.example.org/wiki/Main_Page',
      generator: 'by hand',
      case: 'first-letter',
      namespaces: [
        { id: 0, name: '', case: 'first-letter' },
        { id: 2, name: 'User', case: 'first-letter' },
        { id: 8, name: 'MediaWiki', case: 'case-sensitive' },
      ],
    })
  })

  test('comes once, before the first page', async () => {
    const events = await eventsOf(dump(page('A', 1, revision(1)) + page('B', 2, revision(2))))
    expect(events.map((event) => event.type)).toEqual(['site', 'page', 'page'])
  })

  test.each([
    ['with pages', page('A', 1, revision(1))],
    ['without pages', ''],
  ])('has no namespaces in a dump without siteinfo, %s', async (_case, body) => {
    const site = await siteOf(dump(body, { siteinfo: '' }))
    expect(site).toMatchObject({ name: undefined, wikiId: undefined, case: 'first-letter', namespaces: [] })
  })

  test('gives its case to namespaces that state none', async () => {
    const siteinfo =
      '<siteinfo><case>case-sensitive</case><namespaces><namespace key="1">Talk</namespace></namespaces></siteinfo>'
    const site = await siteOf(dump('', { schema: '0.3', siteinfo }))
    expect(site.namespaces).toEqual([{ id: 1, name: 'Talk', case: 'case-sensitive' }])
  })

  test('is that of the export alone: later siteinfo is left out', async () => {
    expect(await eventsOf(dump(SITEINFO))).toHaveLength(1)
  })
})

describe('the export format', () => {
  test.each(['0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '0.10', '0.11'])(
    '%s is known',
    async (schema) => {
      const events = await eventsOf(dump(page('A', 1, revision(1)), { schema }))
      expect(events.map((event) => event.type)).toEqual(['site', 'page'])
      expect(events[0]).toMatchObject({ site: { schema } })
    },
  )

  test.each(['0.12', '1.0'])('%s is newer: a warning, and the pages are read', async (schema) => {
    const events = await eventsOf(dump(page('A', 1, revision(1)), { schema }))
    expect(events.map((event) => event.type)).toEqual(['warning', 'site', 'page'])
    expect(events[0]).toMatchObject({
      kind: 'format',
      reason: expect.stringContaining(schema) as string,
      line: 1,
    })
  })

  test('is taken from the namespace when there is no version', async () => {
    const site = await siteOf('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.6/"></mediawiki>')
    expect(site.schema).toBe('0.6')
  })
})

describe('a page', () => {
  test('has its title, namespace, id and line as written', async () => {
    const inner = `<title>Talk:A_b  c</title><ns>-3001</ns><id>4000000000</id>${revision(1)}`
    const xml = dump(`<page>${inner}</page>`)
    expect(await onlyPage(xml)).toEqual({
      title: 'Talk:A_b  c',
      namespace: -3001,
      id: 4_000_000_000,
      redirectTarget: null,
      revisions: [expect.objectContaining({ id: 1 })],
      part: 0,
      last: true,
      line: xml.slice(0, xml.indexOf('<page>')).split('\n').length,
    })
  })

  test.each([
    ['0.3', '', undefined],
    ['0.5', '', undefined],
    ['0.5', '<redirect />', undefined],
    ['0.6', '', null],
    ['0.11', '', null],
    ['0.11', '<redirect title="Talk:B &amp; c" />', 'Talk:B & c'],
    ['0.11', '<redirect title="" />', undefined],
  ])('in schema %s with "%s" has the redirect target %j', async (schema, redirect, redirectTarget) => {
    const xml = dump(`<page><title>A</title><id>1</id>${redirect}${revision(1)}</page>`, { schema })
    expect(await onlyPage(xml)).toMatchObject({ redirectTarget })
  })

  test('keeps its own parts from unknown and skipped elements, nested ones too', async () => {
    const foreign = `<restrictions>edit=sysop</restrictions>
      <upload><timestamp>1999-01-01T00:00:00Z</timestamp><contributor><username>X</username><id>99</id></contributor>
        <comment>file</comment><filename>A.png</filename><contents encoding="base64">QUFB</contents>
      </upload>
      <discussionthreadinginfo><ThreadID>5</ThreadID><id>6</id></discussionthreadinginfo>
      <newthing><title>Wrong</title><id>55</id>
        <revision><id>77</id></revision><page><title>inner</title></page></newthing>`
    const body = `<logitem><id>3</id><page><title>x</title></page></logitem>${page('A', 1, revision(1) + foreign)}`
    const read = await onlyPage(dump(body))
    expect(read).toMatchObject({ title: 'A', id: 1, revisions: [{ id: 1, editor: undefined, comment: '' }] })
    expect(read.revisions).toHaveLength(1)
  })
})

describe('a revision', () => {
  test('has all that the dump states', async () => {
    expect(
      await revisionWith(
        `<parentid>9</parentid><contributor><username>Ann</username><id>7</id></contributor><minor/>
         <comment>a &lt;b&gt;</comment><origin>10</origin><model>json</model><format>application/json</format>
         <text bytes="2" sha1="phoiac9h4m842xq45sp7s6u21eteeq2" xml:space="preserve">{}</text>
         <sha1>phoiac9h4m842xq45sp7s6u21eteeq3</sha1>`,
      ),
    ).toEqual({
      id: 10,
      parentId: 9,
      timestamp: 1_706_702_400,
      editor: { id: 7, name: 'Ann' },
      comment: 'a <b>',
      minor: true,
      contentModel: 'json',
      text: '{}',
      statedSizeBytes: 2,
      statedSha1: 'phoiac9h4m842xq45sp7s6u21eteeq2',
      line: 11,
    })
  })

  test.each([
    ['a fraction', '2024-01-31T12:00:00.987Z', 0],
    ['a fraction after a comma', '2024-01-31T12:00:00,5Z', 0],
    ['an offset', '2024-01-31T12:00:00+02:00', -7200],
    ['an offset without a colon', '2024-01-31T12:00:00-0530', 19_800],
    ['an offset of hours', '2024-01-31T12:00:00+05', -18_000],
    ['a fraction and an offset', '2024-01-31T12:00:00.123456+05:45', -20_700],
    ['14 digits', ' 20240131120000\n', 0],
    ['a blank in the middle', '2024-01-31 12:00:00', 0],
    ['no offset', '2024-01-31T12:00:00', 0],
  ])('may have a time with %s', async (_case, written, seconds) => {
    const time = '2024-01-31T12:00:00Z'
    const { revisions } = await onlyPage(pageWith('<text />').replace(time, written))
    expect(revisions[0]?.timestamp).toBe(1_706_702_400 + seconds)
    const upload = `<upload><timestamp>${written}</timestamp><size>1</size></upload>`
    const events = await eventsOf(
      pageWith(`<text /></revision>${upload}<revision><id>11</id><timestamp>${time}</timestamp><text />`),
    )
    expect(events).toContainEqual({
      type: 'upload',
      upload: expect.objectContaining({ timestamp: 1_706_702_400 + seconds }) as DumpUpload,
    })
  })

  test('lacks what the dump does not state', async () => {
    expect(await revisionWith('<text />')).toEqual({
      id: 10,
      parentId: undefined,
      timestamp: 1_706_702_400,
      editor: undefined,
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      text: '',
      statedSizeBytes: undefined,
      statedSha1: undefined,
      line: 11,
    })
  })

  test('takes nothing over from the one before', async () => {
    const full = revision(
      1,
      `<parentid>5</parentid><contributor><ip>192.0.2.1</ip></contributor><minor/><comment>c</comment>
       <model>css</model><text bytes="3" sha1="phoiac9h4m842xq45sp7s6u21eteeq1">abc</text>`,
    )
    const { revisions } = await onlyPage(dump(page('A', 1, full + revision(10, '<text />'))))
    expect(revisions[1]).toEqual({ ...(await revisionWith('<text />')), line: revisions[1]?.line })
    expect(revisions[1]?.line).toBe(revisions[0]!.line + 1)
  })

  test.each([
    ['a user', '<contributor><username>Ann</username><id>7</id></contributor>', { id: 7, name: 'Ann' }],
    [
      'a name with id 0',
      '<contributor><username>a</username><id>0</id></contributor>',
      { id: null, name: 'a' },
    ],
    ['a name without id', '<contributor><username>a</username></contributor>', { id: null, name: 'a' }],
    ['an IPv6 address', '<contributor><ip>2001:DB8::1</ip></contributor>', { id: null, name: '2001:DB8::1' }],
    [
      'a host name',
      '<contributor><ip>user.example.net</ip></contributor>',
      { id: null, name: 'user.example.net' },
    ],
    ['a hidden editor', '<contributor deleted="deleted" />', undefined],
    ['an empty contributor', '<contributor />', undefined],
    ['an empty name', '<contributor><username /></contributor>', undefined],
    ['no contributor', '', undefined],
  ])('by %s', async (_case, contributor, editor) => {
    expect((await revisionWith(`${contributor}<text />`)).editor).toEqual(editor)
  })

  test.each([
    ['<comment />', ''],
    ['<comment></comment>', ''],
    ['<comment> a\n</comment>', ' a\n'],
    ['<comment deleted="deleted" />', undefined],
  ])('with %j has the comment %j', async (comment, expected) => {
    expect((await revisionWith(`${comment}<text />`)).comment).toBe(expected)
  })

  test.each([
    ['a text', '<text bytes="5">x</text>', 'x', 5],
    ['an empty text', '<text xml:space="preserve"></text>', '', undefined],
    ['a hidden text', '<text bytes="123" deleted="deleted" />', undefined, 123],
    ['a hidden text of unknown size', '<text bytes="-1" deleted="deleted" />', undefined, undefined],
    ['an unreadable size', '<text bytes="many">x</text>', 'x', undefined],
  ])('with %s', async (_case, element, text, statedSizeBytes) => {
    expect(await revisionWith(element)).toMatchObject({ text, statedSizeBytes })
  })

  test.each([
    ['beside the text', '<text sha1="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">x</text>', 'a'.repeat(31)],
    ['as an element', '<text>x</text><sha1>bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb</sha1>', 'b'.repeat(31)],
    ['with too few digits', '<text>x</text><sha1>abc</sha1>', 'abc'.padStart(31, '0')],
    ['empty', '<text sha1="">x</text><sha1 />', undefined],
    [
      'of the empty text that stands for a hidden one',
      '<text sha1="phoiac" deleted="deleted" /><sha1/>',
      undefined,
    ],
  ])('with a SHA-1 %s', async (_case, parts, statedSha1) => {
    expect((await revisionWith(parts)).statedSha1).toBe(statedSha1)
  })

  test('shows its main slot only', async () => {
    const slots = `<model>wikitext</model><text>main</text>
      <content><role>mediainfo</role><origin>9</origin><model>wikibase-mediainfo</model><text>{}</text></content>`
    expect(await revisionWith(slots)).toMatchObject({ contentModel: 'wikitext', text: 'main' })
  })

  test('takes the main slot from a content element too', async () => {
    const slots = `<content><role>main</role><model>text</model><text bytes="4">main</text></content>
      <content><role>other</role><model>json</model><text bytes="2">{}</text></content>`
    expect(await revisionWith(slots)).toMatchObject({
      contentModel: 'text',
      text: 'main',
      statedSizeBytes: 4,
    })
  })

  test.each([
    ['MediaWiki:Common.css', 8, 'css'],
    ['User:Ann/x.js', 2, 'javascript'],
    ['User:Ann.js', 2, 'wikitext'],
    ['Alpha.js', 0, 'wikitext'],
  ])('of "%s" without a model gets the default of its title', async (title, namespace, contentModel) => {
    const xml = dump(`<page><title>${title}</title><ns>${namespace}</ns><id>1</id>${revision(1)}</page>`)
    expect(await onlyPage(xml)).toMatchObject({ revisions: [{ contentModel }] })
  })

  test.each([
    ['Alpha', 'Scribunto'],
    ['Alpha/doc', 'wikitext'],
  ])('of the module "%s" without a model gets its default too', async (name, contentModel) => {
    const siteinfo = SITEINFO.replace('</namespaces>', '<namespace key="828">Module</namespace></namespaces>')
    const page = `<page><title>Module:${name}</title><ns>828</ns><id>1</id>${revision(1)}</page>`
    expect(await onlyPage(dump(page, { siteinfo }))).toMatchObject({ revisions: [{ contentModel }] })
  })

  test('without a model is judged by the title prefix in schemas without namespace numbers', async () => {
    const xml = dump(`<page><title>MediaWiki:A.js</title><id>1</id>${revision(1)}</page>`, {
      schema: '0.3',
      siteinfo: '',
    })
    expect(await onlyPage(xml)).toMatchObject({ revisions: [{ contentModel: 'javascript' }] })
  })
})

describe('text', () => {
  test.each([
    ['white space', ' \n\ta\u00a0\u2028 \n', ' \n\ta\u00a0\u2028 \n'],
    ['line ends as XML reads them', 'a\r\nb\rc&#13;d', 'a\nb\nc\rd'],
    ['entities, once', '&amp;lt; &lt;b&gt; &quot;&apos; &#65;&#x1F600;', '&lt; <b> "\' A😀'],
    ['CDATA', 'a<![CDATA[<b> &amp; ]]]]>&gt;', 'a<b> &amp; ]]>'],
    ['around comments and instructions', 'a<!-- b -->c<?php d ?>e', 'ace'],
    ['letters beyond the basic plane', '𝒳é漢', '𝒳é漢'],
    ['replacement characters of its own', 'a\ufffdb', 'a\ufffdb'],
  ])('keeps %s', async (_case, inner, text) => {
    const events = await eventsOf(pageWith(`<text>${inner}</text>`))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ text }] }])
    expect(warningsOf(events)).toEqual([])
  })

  test('is found after a byte order mark, an XML declaration, comments and a doctype', async () => {
    const before = '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><!DOCTYPE mediawiki>\n'
    expect(await onlyPage(before + pageWith('<text>x</text>'))).toMatchObject({ revisions: [{ text: 'x' }] })
  })
})

describe('what XML does not allow', () => {
  test('becomes U+FFFD with one warning for the page', async () => {
    const bad = dump(
      page('Good', 1, revision(1)) +
        page(
          'B\u0002d',
          2,
          `<redirect title="\u0007x"/>\n${revision(2, '<text>a\u0001b&#1;c&#x1F;\ufffe</text>')}`,
        ) +
        page('Fine', 3, revision(3)),
    )
    const events = await eventsOf(bad)
    expect(pagesOf(events)).toMatchObject([
      { title: 'Good' },
      { title: 'B\ufffdd', redirectTarget: '\ufffdx', revisions: [{ text: 'a\ufffdb\ufffdc\ufffd\ufffd' }] },
      { title: 'Fine' },
    ])
    const line = bad.slice(0, bad.indexOf('\u0002')).split('\n').length
    const reason = 'replaced by U+FFFD: 6 characters or bytes that XML does not allow'
    expect(warningsOf(events)).toMatchObject([{ kind: 'characters', reason, line, title: 'B\ufffdd' }])
  })

  test.each(['&#0;', '&#xD800;', '&#xFFFF;', '&#x110000;', '&#99999999999999999999;'])(
    'is %s as a reference, too',
    async (reference) => {
      const events = await eventsOf(pageWith(`<text>${reference}&amp;#1;</text>`))
      expect(pagesOf(events)).toMatchObject([{ revisions: [{ text: '\ufffd&#1;' }] }])
      expect(warningsOf(events)).toHaveLength(1)
    },
  )

  test('stays when it is only written in CDATA', async () => {
    const events = await eventsOf(pageWith('<text><![CDATA[&#1;]]></text>'))
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ text: '&#1;' }] }])
    expect(warningsOf(events)).toEqual([])
  })

  test('is a byte outside UTF-8', async () => {
    const [before, after] = pageWith('<text>x|y\ufffd</text>').split('|') as [string, string]
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xe9, 0x80, 0x41, 0xff]),
      Buffer.from(after),
    ])
    const events = await eventsOf(bytes)
    expect(pagesOf(events)).toMatchObject([{ revisions: [{ text: 'x\ufffdA\ufffdy\ufffd' }] }])
    expect(warningsOf(events)).toMatchObject([{ reason: expect.stringContaining(': 2 ') as string }])
  })

  test('is told of outside pages without a title', async () => {
    const siteinfo = '<siteinfo><sitename>a\u0001</sitename></siteinfo>'
    const events = await eventsOf(dump(page('A', 1, revision(1)) + '\u0003', { siteinfo }))
    expect(events).toMatchObject([
      { type: 'site', site: { name: 'a\ufffd' } },
      { type: 'warning', title: undefined },
      { type: 'page' },
      { type: 'warning', title: undefined },
    ])
  })
})

describe('a long history', () => {
  const revisions = [1, 2, 3, 4, 5].map((id) => revision(id, '<text>ten bytes.</text>'))
  const xml = dump(page('Long', 1, revisions.join('')) + page('Short', 2, revision(6)))
  const shape = (events: DumpEvent[]) =>
    pagesOf(events).map(({ title, part, last, revisions: some }) => [
      title,
      part,
      last,
      some.map(({ id }) => id),
    ])

  test('comes in parts of so many revisions', async () => {
    expect(shape(await eventsOf(xml, { maxPartRevisions: 2 }))).toEqual([
      ['Long', 0, false, [1, 2]],
      ['Long', 1, false, [3, 4]],
      ['Long', 2, true, [5]],
      ['Short', 0, true, [6]],
    ])
  })

  test('comes in parts of so many bytes', async () => {
    const bytes = 3 * 'ten bytes.wikitext'.length
    expect(shape(await eventsOf(xml, { maxPartBytes: bytes }))).toEqual([
      ['Long', 0, false, [1, 2, 3]],
      ['Long', 1, true, [4, 5]],
      ['Short', 0, true, [6]],
    ])
  })

  test.each([
    ['comments', '<comment>ten bytes.</comment><text />'],
    ['names', '<contributor><ip>ten bytes.</ip></contributor><text />'],
    ['content models', '<model>ten bytes.</model><text />'],
  ])('comes in parts by its %s too', async (_case, parts) => {
    const long = [1, 2, 3, 4, 5].map((id) => revision(id, parts)).join('')
    const events = await eventsOf(dump(page('Long', 1, long)), { maxPartBytes: 30 })
    const sizes = pagesOf(events).map(({ revisions: some }) => some.length)
    expect(sizes[0]).toBeLessThanOrEqual(3)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5)
  })

  test('has no empty last part', async () => {
    expect(shape(await eventsOf(xml, { maxPartRevisions: 5 }))).toEqual([
      ['Long', 0, true, [1, 2, 3, 4, 5]],
      ['Short', 0, true, [6]],
    ])
  })

  test('keeps title, redirect and line in every part, and warns in the last', async () => {
    const damaged = dump(
      page(
        'Long',
        1,
        `<redirect title="B"/>${revision(1, '<text>\u0001</text>')}${revisions.slice(1).join('')}`,
      ),
    )
    const events = await eventsOf(damaged, { maxPartRevisions: 3 })
    expect(events.map((event) => event.type)).toEqual(['site', 'page', 'warning', 'page'])
    const [first, second] = pagesOf(events)
    expect(second).toMatchObject({ title: 'Long', id: 1, redirectTarget: 'B', line: first?.line })
  })
})

test('the reader comes to the end of the source', async () => {
  const source = sourceOf(dump('') + ' '.repeat(300), 100)
  expect((await readAll(source)).error).toBeUndefined()
  expect(await source.stream[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined })
})
