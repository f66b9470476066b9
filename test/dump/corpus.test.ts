// @module-tag slow
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDump, type OpenDumpOptions } from '../../src/dump/openDump.js'
import type { DumpPage, DumpSite } from '../../src/dump/types.js'
import { pagesOf, readAll } from './dumpText.js'
import { describeShared, sharedPath } from '../support/shared.js'

interface Reading {
  readonly site: DumpSite | undefined
  readonly pages: readonly DumpPage[]
  readonly warnings: readonly (string | undefined)[]
  readonly error: string | undefined
}

async function read(file: string, options?: OpenDumpOptions): Promise<Reading> {
  const source = await openDump(join(sharedPath('corpus'), file), options)
  const { events, error } = await readAll(source)
  await source.close()
  return {
    site: events.flatMap((event) => (event.type === 'site' ? [event.site] : []))[0],
    pages: pagesOf(events),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.title] : [])),
    error: error?.reason,
  }
}

function sha1Base36(text: string): string {
  const digest = createHash('sha1').update(text).digest('hex')
  return BigInt(`0x${digest}`).toString(36).padStart(31, '0')
}

/** Visible texts with a stated SHA-1, and how many of them differ from it. */
function checkSums(pages: readonly DumpPage[]): { stated: number; wrong: number } {
  const sums = { stated: 0, wrong: 0 }
  for (const { text, statedSha1 } of pages.flatMap(({ revisions }) => revisions)) {
    if (text === undefined || statedSha1 === undefined) continue
    sums.stated++
    if (sha1Base36(text) !== statedSha1) sums.wrong++
  }
  return sums
}

function texts(reading: Reading): (string | undefined)[] {
  return reading.pages.flatMap(({ revisions }) => revisions.map(({ text }) => text))
}

describeShared('real dumps', 'corpus', () => {
  test.each([
    ['aawiki-20260101-pages-meta-history.xml.bz2', 507, 1307, 1307],
    ['demo-wikipedia-sample.xml.bz2', 1362, 1362, 1362],
    ['electowiki-pages-meta-history.xml.bz2', 496, 3113, 3113],
    ['enwiki-pages-articles1-shortened.xml.bz2', 206, 206, 206],
    ['gdwiki-pages-articles.xml.gz', 10_785, 10_785, 10_785],
    ['real-small/enwiki-pair-0.10.xml', 2, 4, 4],
    ['real-small/enwiki-pear-history-0.3.xml', 1, 4, 0],
    ['real-small/simplewiki-history-sample-0.11.xml', 2, 33, 29],
  ])('%s: %i pages, %i revisions, %i right checksums', async (file, pages, revisions, stated) => {
    const reading = await read(file)
    expect(reading).toMatchObject({ warnings: [], error: undefined })
    expect(reading.pages.filter(({ last }) => last)).toHaveLength(pages)
    expect(texts(reading)).toHaveLength(revisions)
    expect(checkSums(reading.pages)).toEqual({ stated, wrong: 0 })
  })
})

describeShared('odd dumps', 'corpus/odd', () => {
  test('truncated: every page that arrived whole, then an error', async () => {
    const { pages, error } = await read('odd/truncated.xml.gz')
    expect(pages.map(({ title }) => title)).toEqual(pages.map((_, n) => `Plain page ${n + 1}`))
    expect(pages).toHaveLength(237)
    expect(checkSums(pages)).toEqual({ stated: 237, wrong: 0 })
    expect(error).toContain('cut off')
  })

  test.each([
    ['the default program', {}],
    ['the library', { bzip2Decoder: 'library' }],
  ] as const)('multistream by %s: all 300 pages', async (_case, options) => {
    const { pages, error } = await read('odd/multistream.xml.bz2', options)
    expect(error).toBeUndefined()
    expect(checkSums(pages)).toEqual({ stated: 300, wrong: 0 })
  })

  test.each([
    ['multistream-index.txt', 'is not a MediaWiki XML export'],
    ['not-a-dump.xml', 'is not a MediaWiki XML export'],
    ['empty.xml', 'is empty'],
  ])('%s is refused', async (file, reason) => {
    const { site, pages, error } = await read(`odd/${file}`)
    expect(site).toBeUndefined()
    expect(pages).toEqual([])
    expect(error).toContain(reason)
  })

  test('siteinfo only: no pages, no error', async () => {
    expect(await read('odd/siteinfo-only.xml')).toMatchObject({
      site: { name: 'Oddwiki' },
      pages: [],
      error: undefined,
    })
  })

  test('invalid control characters: replaced, with a warning for their page', async () => {
    const reading = await read('odd/invalid-control-chars.xml')
    expect(reading.pages).toHaveLength(3)
    expect(reading.warnings).toEqual([reading.pages[1]?.title])
    expect(texts(reading)[1]?.match(/\ufffd/g)).toHaveLength(4)
    expect(checkSums(reading.pages)).toEqual({ stated: 3, wrong: 1 })
  })

  test('deleted text: hidden, with its size', async () => {
    const { pages } = await read('odd/deleted-text.xml')
    const revisions = pages.flatMap((page) => page.revisions)
    expect(pages).toHaveLength(3)
    expect(revisions.map(({ text }) => text)).toEqual([
      'first',
      undefined,
      'third',
      'visible',
      undefined,
      'text',
    ])
    expect(revisions[1]).toMatchObject({ statedSizeBytes: 123, statedSha1: undefined })
    expect(revisions.map(({ comment }) => comment).at(-1)).toBeUndefined()
  })

  test('addresses: names without an id, beside one user; two minor edits', async () => {
    const [page] = (await read('odd/anonymous-ip.xml')).pages
    expect(page?.revisions.map(({ editor }) => editor?.id)).toEqual([null, null, null, null, 7])
    expect(page?.revisions.map(({ editor }) => editor?.name)).toContain('203.0.113.xxx')
    expect(page?.revisions.filter(({ minor }) => minor).map(({ id }) => id)).toEqual([11, 14])
  })

  test('huge page: three whole texts', async () => {
    const { pages, error } = await read('odd/huge-page.xml.bz2')
    expect(error).toBeUndefined()
    expect(pages.map(({ revisions }) => revisions.length)).toEqual([2, 1])
    expect(checkSums(pages)).toEqual({ stated: 3, wrong: 0 })
  })

  test('unknown namespaces: numbers and titles as written', async () => {
    const { pages } = await read('odd/unknown-namespace.xml')
    expect(pages.map(({ namespace }) => namespace)).toEqual(expect.arrayContaining([2300, 3001, 0]))
    expect(pages).toContainEqual(expect.objectContaining({ title: 'Main: not a namespace', namespace: 0 }))
    expect(pages).toHaveLength(4)
  })

  test('long titles: whole', async () => {
    const { pages } = await read('odd/title-255-bytes.xml')
    expect(pages.map(({ title }) => Buffer.byteLength(title))).toEqual([255, 255, 260])
  })

  test.each([
    ['0.3', undefined, undefined],
    ['0.5', undefined, undefined],
    ['0.7', 0, 'Main Page'],
    ['0.9', 0, 'Main Page'],
    ['0.10', 0, 'Main Page'],
  ])('schema %s: the same four pages', async (schema, namespace, redirectTarget) => {
    const { site, pages, error } = await read(`odd/schema-${schema}.xml`)
    expect(error).toBeUndefined()
    expect(site?.schema).toBe(schema)
    expect(pages.map(({ title }) => title)).toEqual(['Main Page', 'Home', 'Talk:Main Page', 'Template:Box'])
    expect(pages.map(({ revisions }) => revisions.length)).toEqual([2, 1, 1, 1])
    expect(pages[1]).toMatchObject({ namespace, redirectTarget })
  })

  test('white space: byte for byte', async () => {
    const reading = await read('odd/whitespace.xml')
    expect(checkSums(reading.pages)).toEqual({ stated: 3, wrong: 0 })
    expect(reading.pages[0]?.revisions.find(({ id }) => id === 12)?.text).toBe('')
  })

  test('entities: resolved once', async () => {
    const reading = await read('odd/entities.xml')
    expect(reading.pages[0]?.title).toBe('AT&T <b> "quoted" \'single\'')
    expect(texts(reading)[0]).toMatch(/^<nowiki>&lt;b&gt; &amp;amp; &nbsp; \]\]><\/nowiki>/)
    expect(texts(reading)[1]).toBe('<b>raw & raw</b> tail AB😀')
    expect(checkSums(reading.pages).wrong).toBe(0)
  })

  test('redirects: six targets on eight pages', async () => {
    const { pages } = await read('odd/redirects.xml')
    expect(pages).toHaveLength(8)
    expect(pages.filter(({ redirectTarget }) => typeof redirectTarget === 'string')).toHaveLength(6)
  })
})
