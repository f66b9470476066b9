/** Broken and strange dumps: what goes in, what is said, and that the store stays sound. */
// @module-tag slow
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DumpError } from '../../src/dump/dumpError.js'
import { readStats } from '../../src/storage/stats.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'
import { describeShared } from '../support/shared.js'

describeShared('odd dumps', 'corpus/odd', (folder) => {
  const importOdd = async (name: string) => {
    const dataDir = temporaryFolder()
    const result = await importInto(dataDir, [join(folder, name)])
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    const { pages, revisions, redirects } = readStats(store)
    return { ...result, dataDir, store, pages, revisions, redirects }
  }

  test.each([
    ['multistream.xml.bz2', 300, 300],
    ['deleted-text.xml', 3, 6],
    ['anonymous-ip.xml', 1, 5],
    ['huge-page.xml.bz2', 2, 3],
    ['unknown-namespace.xml', 4, 4],
    ['title-255-bytes.xml', 3, 3],
    ['schema-0.3.xml', 4, 5],
    ['schema-0.5.xml', 4, 5],
    ['schema-0.7.xml', 4, 5],
    ['schema-0.9.xml', 4, 5],
    ['schema-0.10.xml', 4, 5],
    ['whitespace.xml', 1, 3],
    ['entities.xml', 2, 2],
    ['siteinfo-only.xml', 0, 0],
    ['redirects.xml', 8, 8],
    ['invalid-control-chars.xml', 3, 3],
  ])('%s gives %i pages and %i revisions', async (name, pages, revisions) => {
    expect(await importOdd(name)).toMatchObject({ error: undefined, pages, revisions })
  })

  test.each([
    ['not-a-dump.xml', /not a MediaWiki XML export/],
    ['empty.xml', /empty/],
    ['multistream-index.txt', /not a MediaWiki XML export/],
  ])('%s is refused and nothing goes in', async (name, message) => {
    const { error, pages, dataDir } = await importOdd(name)
    expect(error).toBeInstanceOf(DumpError)
    expect(error?.message).toMatch(message)
    expect(pages).toBe(0)
    expect((await importInto(dataDir, [join(folder, 'redirects.xml')])).error).toBeUndefined()
  })

  test('a truncated dump keeps every page that arrived whole, says so, and is completed by a sound one', async () => {
    const { error, pages, store, dataDir } = await importOdd('truncated.xml.gz')
    expect(error).toBeInstanceOf(DumpError)
    expect(error?.message).toContain(`${pages} and ${pages} of them were new and are in the store`)
    expect(pages).toBeGreaterThan(100)
    const titles = Array.from({ length: pages }, (_, n) => `Plain_page_${n + 1}`)
    expect(titles.filter((title) => source(store, title) === undefined)).toEqual([])
    expect(source(store, `Plain_page_${pages + 1}`)).toBeUndefined()
    await store.close()
    expect((await importInto(dataDir, [join(folder, 'multistream.xml.bz2')])).error).toBeUndefined()
  })

  test('control characters become replacement characters, with a warning that names the page', async () => {
    const { notes, store } = await importOdd('invalid-control-chars.xml')
    expect(notes.join('\n')).toMatch(/line \d+, page ".*": /)
    const texts = [1, 2, 3].map((id) => store.getPageById(id)?.dbkey)
    expect(texts).not.toContain(undefined)
    expect(source(store, store.getPageById(2)!.dbkey)).toContain('\ufffd')
  })

  test('suppressed parts stay hidden in the history', async () => {
    const { store } = await importOdd('deleted-text.xml')
    expect(history(store, 1)).toMatchObject([
      { id: 10 },
      { id: 11, size: 123, delta: 118 },
      { id: 12, delta: -118 },
    ])
    expect([10, 11, 12].map((id) => store.getText(id))).toEqual(['first', undefined, 'third'])
    expect(store.getPage(0, 'Latest_text_suppressed')?.textHidden).toBe(true)
    expect(history(store, 3)).toMatchObject([{ comment: null, user: { name: 'Odd Editor' } }])
  })

  test('anonymous editors have no id, and minor marks are kept', async () => {
    const { store } = await importOdd('anonymous-ip.xml')
    const revisions = history(store, 1)
    expect(revisions.map(({ user }) => (user as { id: null }).id)).toEqual([null, null, null, null, 7])
    expect(revisions.filter(({ minor }) => minor).map(({ id }) => id)).toEqual([11, 14])
    expect(store.pageCounts(1)).toMatchObject({ anonymous: 4, editors: 5, minor: 2 })
  })

  test('undeclared namespaces are named after the titles in them', async () => {
    const { store } = await importOdd('unknown-namespace.xml')
    const titles = [1, 2, 3, 4].map((id) => store.getPageById(id))
    expect(titles.map((page) => page?.namespace)).toEqual(expect.arrayContaining([0, 2300, 3001]))
    expect(source(store, 'Main:_not_a_namespace')).toBeDefined()
  })

  test('texts are kept to the byte', async () => {
    const { store } = await importOdd('entities.xml')
    expect(store.getText(20)).toBe('<b>raw & raw</b> tail AB\u{1f600}')
    const huge = await importOdd('huge-page.xml.bz2')
    const revisions = history(huge.store, 1)
    expect(revisions).toHaveLength(2)
    for (const { id, size } of revisions) {
      expect(size).toBeGreaterThanOrEqual(5_242_880)
      expect(Buffer.byteLength(huge.store.getText(id)!)).toBe(size)
      expect(createHash('sha1').update(huge.store.getText(id)!).digest()).toEqual(
        huge.store.getRevision(id)?.sha1,
      )
    }
  })

  test.each(['0.3', '0.5', '0.7', '0.9', '0.10'])(
    'schema %s knows namespaces and redirects',
    async (schema) => {
      const { store, redirects } = await importOdd(`schema-${schema}.xml`)
      const pages = [1, 2, 3, 4].map((id) => store.getPageById(id)!)
      expect(pages.map(({ namespace }) => namespace)).toEqual([0, 0, 1, 10])
      expect(redirects).toBe(1)
      expect(store.getPage(0, 'Home')?.redirect).toBe(true)
      expect(pages[1]?.redirectTarget).toBe('Main Page')
    },
  )
})
