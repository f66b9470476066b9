import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ImportRefused } from '../../src/import/importer.js'
import { ImportInterrupted } from '../../src/cli/import/importDumps.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { decodeEntry } from '../../src/storage/entries/entries.js'
import { logKey } from '../../src/storage/entries/logReader.js'
import { readStats } from '../../src/storage/stats.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { history, importInto, openFolder, problems, source, temporaryFolder } from '../support/store.js'

const moon = (texts: string[], firstId = 1): DumpPage => ({
  id: 1,
  title: 'Moon',
  revisions: texts.map((text, n) => ({ id: firstId + n, text })),
})

function writeDump(folder: string, name: string, pages: readonly DumpPage[], wikiId?: string): string {
  const path = join(folder, name)
  writeFileSync(path, dumpXml(pages, wikiId))
  return path
}

describe('an import', () => {
  test('adds only what is new when a newer dump comes', async () => {
    const folder = temporaryFolder()
    const old = writeDump(folder, 'old.xml', [moon(['a', 'b'])])
    const newer = writeDump(folder, 'new.xml', [
      moon(['a', 'b', 'c']),
      { id: 2, title: 'Sea', revisions: [{ id: 9, text: 's' }] },
    ])
    await importInto(folder, [old])
    const { results } = await importInto(folder, [newer])
    expect(results[0]?.counts).toMatchObject({ pages: 2, revisions: 4, newPages: 1, newRevisions: 2 })
    const store = openFolder(folder)
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 2, 3])
    expect(problems(store)).toEqual([])
  })

  test('leaves nothing to be indexed, whether anybody listens or not', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [writeDump(folder, 'dump.xml', [moon(['a'])])])
    const { search } = openFolder(folder)
    expect([search.countQueued(), search.countIndexed()]).toEqual([0, 1])
  })

  test('of the same dump twice changes nothing', async () => {
    const folder = temporaryFolder()
    const dump = writeDump(folder, 'dump.xml', [moon(['a', 'b'])])
    const digest = async (): Promise<string> => {
      await importInto(folder, [dump])
      const store = openFolder(folder)
      const found = digestStore(store)
      await store.close()
      return found
    }
    expect(await digest()).toBe(await digest())
  })

  test('is in the log by its site, the places of its pages, and its name, hash and counts', async () => {
    const folder = temporaryFolder()
    const dump = writeDump(folder, 'dump.xml', [moon(['a', 'b'])])
    const { createHash } = await import('node:crypto')
    await importInto(folder, [dump])
    const store = openFolder(folder)
    const entries = [1, 2, 3].map((n) => decodeEntry(store.tables.log.getBinary(logKey(n))!))
    const time = Date.UTC(2020, 0, 1) / 1000 + 120
    const id = expect.stringMatching(/^[0-9a-f]{32}$/) as string
    expect(entries).toEqual([
      { kind: 'site', id, time: 0, site: store.site() },
      { kind: 'pages', id, time, dump: 'dump.xml', firstPart: 0, parts: 1 },
      {
        kind: 'import',
        id,
        time,
        name: 'dump.xml',
        sha256: createHash('sha256').update(readFileSync(dump)).digest('hex'),
        pages: 1,
        revisions: 2,
      },
    ])
    expect(readStats(store)).toMatchObject({ logEntries: 3, unfinishedImport: null })
  })

  test('of a damaged dump is logged without a hash once another dump is imported', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'damaged.xml')
    writeFileSync(path, dumpXml([moon(['a', 'b'])]).replace('</mediawiki>', '<page><title>Cut'))
    expect((await importInto(folder, [path])).error?.message).toMatch(
      /damaged\.xml: .*1 pages and 2 revisions were read/,
    )
    const before = openFolder(folder)
    expect(readStats(before)).toMatchObject({ pages: 1, logEntries: 2, unfinishedImport: 'damaged.xml' })
    await before.close()
    await importInto(folder, [
      writeDump(folder, 'other.xml', [{ id: 2, title: 'Sea', revisions: [{ id: 9, text: 's' }] }]),
    ])
    const store = openFolder(folder)
    const entries = [3, 4, 5].map((n) => decodeEntry(store.tables.log.getBinary(logKey(n))!))
    expect(entries).toMatchObject([
      { kind: 'import', name: 'damaged.xml', sha256: null },
      { kind: 'pages', dump: 'other.xml' },
      { kind: 'import', name: 'other.xml', pages: 1 },
    ])
    expect(problems(store)).toEqual([])
  })

  test('of another wiki is refused', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [writeDump(folder, 'one.xml', [moon(['a'])], 'onewiki')])
    const { error } = await importInto(folder, [writeDump(folder, 'two.xml', [moon(['x'], 7)], 'twowiki')])
    expect(error).toBeInstanceOf(ImportRefused)
    expect(error?.message).toContain('the store holds the wiki "onewiki", but the dump is of "twowiki"')
    expect(source(openFolder(folder), 'Moon')).toBe('a')
  })

  test('stops between two pages when it is told to, and goes on later', async () => {
    const folder = temporaryFolder()
    const pages = Array.from({ length: 20 }, (_, n) => ({
      id: n + 1,
      title: `Page ${n}`,
      revisions: [{ id: n + 1, text: `text ${n}` }],
    }))
    const dump = writeDump(folder, 'dump.xml', pages)
    const stop = new AbortController()
    stop.abort(new ImportInterrupted())
    const { error } = await importInto(folder, [dump], { signal: stop.signal })
    expect(error).toBeInstanceOf(ImportInterrupted)
    expect((await importInto(folder, [dump])).error).toBeUndefined()
    expect(readStats(openFolder(folder))).toMatchObject({ pages: 20, unfinishedImport: null })
  })

  test.each([
    ['texts', { text: 'x'.repeat(1000) }],
    ['comments', { text: '', comment: 'x'.repeat(1000) }],
    ['names', { text: '', editor: { id: 7, name: 'x'.repeat(1000) } }],
  ])('writes a batch when its %s are as long as it says', async (_case, parts) => {
    const folder = temporaryFolder()
    const pages = Array.from({ length: 10 }, (_, n) => ({
      id: n + 1,
      title: `Page ${n}`,
      revisions: [{ id: n + 1, ...parts }],
    }))
    const dump = writeDump(folder, 'dump.xml', pages)
    const transactions = async (batchBytes: number): Promise<number> => {
      const dataDir = temporaryFolder()
      await importInto(dataDir, [dump], { batchBytes })
      return openFolder(dataDir).refresh()
    }
    expect((await transactions(1000)) - (await transactions(100_000))).toBe(9)
  })

  test('keeps pages whose titles no request can name, readable by their revisions', async () => {
    const folder = temporaryFolder()
    const bad = [
      { id: 2, title: 'A[b', revisions: [{ id: 9, text: 'bracket' }] },
      { id: 3, title: 'Talk:Moon', revisions: [{ id: 10, text: 'no talk page' }] },
    ]
    const { results, notes } = await importInto(folder, [
      writeDump(folder, 'dump.xml', [moon(['a']), ...bad]),
    ])
    expect(results[0]?.counts).toMatchObject({ pages: 3, newPages: 3, skippedPages: 0, warnings: 2 })
    expect(notes).toEqual([
      expect.stringMatching(
        /line \d+, page "A\[b": it can be read by its revisions only: its title is not valid/,
      ),
      expect.stringMatching(
        /line \d+, page "Talk:Moon": it can be read by its revisions only: its title is not valid/,
      ),
    ])
    const store = openFolder(folder)
    expect([9, 10].map((id) => store.getText(id))).toEqual(['bracket', 'no talk page'])
    expect(problems(store)).toEqual([])
  })

  test('leaves out a page whose title is longer than any title, and says which', async () => {
    const folder = temporaryFolder()
    const bad = { id: 2, title: 'x'.repeat(256), revisions: [{ id: 9, text: 's' }] }
    const { results, notes } = await importInto(folder, [writeDump(folder, 'dump.xml', [moon(['a']), bad])])
    expect(results[0]?.counts).toMatchObject({ pages: 2, newPages: 1, skippedPages: 1, warnings: 1 })
    expect(notes).toEqual([
      expect.stringMatching(/line \d+, page "x+": the page is left out: its title is not valid \(too-long\)/),
    ])
  })

  test('finds pages under their full titles when the prefix is not the name of their namespace', async () => {
    const folder = temporaryFolder()
    const foreign = ['Bestand:A.png', 'Bestand:B.png'].map((title, n) => ({
      id: 5 + n,
      title,
      namespace: 6,
      revisions: [{ id: 20 + n, text: title }],
    }))
    const { notes } = await importInto(folder, [writeDump(folder, 'dump.xml', foreign)])
    const reason = 'its namespace 6 has another name, so it goes into the main namespace'
    expect(notes).toEqual(
      ['A', 'B'].map((name) => expect.stringContaining(`page "Bestand:${name}.png": ${reason}`) as string),
    )
    expect(source(openFolder(folder), 'Bestand:A.png')).toBe('Bestand:A.png')
  })

  test('keeps a text whose SHA-1 is stated wrongly, and says so', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'dump.xml')
    writeFileSync(path, dumpXml([moon(['a'])]).replace('>a</text>', '>b</text>'))
    const { notes } = await importInto(folder, [path])
    expect(notes).toEqual([expect.stringContaining('revision 1: its SHA-1 differs from the one in the dump')])
    const store = openFolder(folder)
    expect(source(store, 'Moon')).toBe('b')
    expect(problems(store)).toEqual([])
  })

  test('counts edits of the bots that were named before it', async () => {
    const folder = temporaryFolder()
    const before = openFolder(folder, { create: true })
    const site = { bots: ['TidyBot'] }
    new Applier(before).submit({ kind: 'settings', id: 'a'.repeat(32), time: 1, site })
    await before.close()
    const revisions = [
      { id: 1, text: 'a', editor: { id: 3, name: 'TidyBot' } },
      { id: 2, text: 'b' },
    ]
    await importInto(folder, [writeDump(folder, 'dump.xml', [{ id: 1, title: 'Moon', revisions }])])
    const store = openFolder(folder)
    expect(store.site()).toMatchObject({ name: 'Test wiki', wikiId: 'testwiki', bots: ['TidyBot'] })
    expect(store.pageCounts(1).bot).toBe(1)
    expect(problems(store)).toEqual([])
  })
})
