/** Imports of snapshots of rendered pages: what they bring, leave out and leave alone, and how they end. */
// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lacksSomething } from '../../src/cli/import/summary.js'
import { replayLog } from '../../src/import/replayLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { runHosted } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { Following, present } from '../support/upstream.js'
import { wordsIn } from '../support/rawFile.js'
import { emptyWiki, type Wiki } from '../support/tableWiki.js'
import {
  documentOf,
  type SnapshotPage,
  snapshotLines,
  snapshotRow,
  snapshotTar,
} from '../support/snapshots.js'
import {
  history,
  importInto,
  openFolder,
  problems,
  revision,
  source,
  temporaryFolder,
} from '../support/store.js'
import { describeShared } from '../support/shared.js'

const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')
const KILLS = rounds(12, 2)

const ROSE: SnapshotPage = { id: 1, title: 'Rose', revision: 11, text: 'red', redirects: ['Roses', 'A rose'] }
const TULIP: SnapshotPage = { id: 2, title: 'Tulip', revision: 12, text: 'yellow' }
const BOX: SnapshotPage = {
  id: 3,
  title: 'Template:Box',
  revision: 13,
  text: 'box',
  more: { namespace: { identifier: 10 } },
}
const DUMP = dumpXml([
  {
    id: 1,
    title: 'Rose',
    revisions: [
      { id: 10, text: 'bud' },
      { id: 11, text: 'red' },
    ],
  },
  { id: 2, title: 'Tulip', revisions: [{ id: 99, text: 'white' }] },
  { id: 4, title: 'No source', revisions: [{ id: 400, text: 'x' }] },
])

async function imported(pages: readonly SnapshotPage[], wiki = emptyWiki(), name = 'pages.ndjson') {
  const result = await importInto(wiki.dataDir, [wiki.write(name, snapshotLines(pages))])
  return { ...wiki, ...result }
}

/** Titles of the main namespace with their latest revisions. */
const pagesOf = (store: Store): Record<string, number> =>
  Object.fromEntries(
    ['Rose', 'Roses', 'A_rose', 'Tulip', 'No_source'].flatMap((dbkey) => {
      const page = store.getPage(0, dbkey)
      return page === undefined ? [] : [[dbkey, page.latestId]]
    }),
  )

describe('a snapshot in an empty store', () => {
  test('brings pages with their sources, facts, redirects and HTML', async () => {
    const { read, results, error } = await imported([ROSE, TULIP])
    expect(error).toBeUndefined()
    expect(results[0]!.counts).toMatchObject({ pages: 2, newPages: 2, newRevisions: 2, warnings: 0 })
    expect(results[0]!.html).toEqual({ kept: 2, known: 0, unused: 0, skipped: 0 })
    expect(lacksSomething(results[0]!)).toBe(false)
    await read((store) => {
      expect(source(store, 'Rose')).toBe('red')
      expect(history(store, 1)).toEqual([
        {
          id: 11,
          timestamp: '2026-03-02T10:01:00Z',
          minor: false,
          size: 3,
          comment: 'edit 11',
          user: { id: 1, name: 'Ann' },
          delta: null,
        },
      ])
      expect(source(store, 'Roses')).toBe('#REDIRECT [[Rose]]')
      expect(store.getPageById(store.getPage(0, 'A_rose')!.pageId)?.redirectTarget).toBe('Rose')
      expect(store.counters()).toMatchObject({ pages: 4, revisions: 4, redirects: 2 })
      expect(store.html.getImported(11)?.html).toContain('<p id="mwAg">red</p>')
      expect(store.site()).toMatchObject({
        wikiId: 'testwiki',
        language: 'en',
        base: 'https://wiki.example/wiki/',
      })
      expect(store.runningImport()).toBeUndefined()
      expect(store.search.countQueued()).toBe(0)
    })
  })

  test('that comes again changes nothing, and takes no entry in the log', async () => {
    const wiki = await imported([ROSE, TULIP])
    const before = await wiki.read((store) => ({ digest: digestStore(store), totals: store.html.totals() }))
    const { results } = await imported([ROSE, TULIP], wiki)
    expect(results[0]!.html).toEqual({ kept: 0, known: 2, unused: 0, skipped: 0 })
    expect(await wiki.read((store) => ({ digest: digestStore(store), totals: store.html.totals() }))).toEqual(
      before,
    )
  })

  test('may be followed by others: newer pages, other namespaces', async () => {
    const wiki = await imported([ROSE, TULIP])
    await imported(
      [BOX, { ...ROSE, revision: 21, text: 'dark red', redirects: ['Roses'] }],
      wiki,
      'newer.ndjson',
    )
    await wiki.read((store) => {
      expect(source(store, 'Rose')).toBe('dark red')
      expect(source(store, 'Box', 10)).toBe('box')
      expect(history(store, 1).map(({ id }) => id)).toEqual([11, 21])
      expect([11, 21, 12, 13].map((id) => store.html.getImported(id) !== undefined)).toEqual([
        false,
        true,
        true,
        true,
      ])
      expect(store.counters().redirects).toBe(2)
    })
  })

  test.each([
    ['before', [{ ...ROSE, revision: 21, text: 'new', body: '<p>new' }, ROSE], [21]],
    ['after', [ROSE, { ...ROSE, revision: 21, text: 'new', body: '<p>new' }], [11, 21]],
  ])('shows the newest row of a page that comes %s an older one', async (_order, pages, ids) => {
    for (const batchBytes of [1, 2 ** 20]) {
      const wiki = emptyWiki()
      const path = wiki.write('pages.ndjson', snapshotLines(pages))
      const { results } = await importInto(wiki.dataDir, [path], { batchBytes })
      expect(results[0]!.html).toMatchObject({ kept: 1, unused: 1, skipped: 0 })
      await wiki.read((store) => {
        expect(source(store, 'Rose')).toBe('new')
        expect(history(store, 1).map(({ id }) => id)).toEqual(ids)
        expect(store.html.getImported(21)?.html).toContain('<p>new')
      })
    }
  })

  test('makes no redirect of a title that has a page, and gives the title to a page that comes later', async () => {
    const real = { id: 5, title: 'Roses', revision: 51, text: 'a page', redirects: [] }
    for (const pages of [
      [real, ROSE],
      [ROSE, real],
    ]) {
      const { read } = await imported(pages)
      await read((store) => {
        expect(source(store, 'Roses')).toBe('a page')
        expect(source(store, 'A_rose')).toBe('#REDIRECT [[Rose]]')
      })
    }
  })

  test('gives redirects ids that no other wiki gives', async () => {
    const { read } = await imported([ROSE])
    await read((store) => {
      const { pageId, latestId } = store.getPage(0, 'Roses')!
      expect(Math.min(pageId, latestId)).toBeGreaterThan(4_000_000_000)
    })
  })

  test('leaves out what cannot be read, and names it', async () => {
    const wiki = emptyWiki()
    const path = wiki.write(
      'pages.ndjson',
      `${snapshotRow(ROSE)}\n{"name":\n${snapshotRow({ ...TULIP, text: null })}\n${snapshotRow({ ...BOX, more: { ...BOX.more, article_body: { html: '<p>', wikitext: 'box' } } })}\n`,
    )
    const reportPath = `${path}.report`
    const { results } = await importInto(wiki.dataDir, [path], { reportPath })
    expect(lacksSomething(results[0]!)).toBe(true)
    expect(results[0]!.counts.warnings).toBe(3)
    const report = readFileSync(reportPath, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    const facts = { file: 'pages.ndjson', title: null, pageId: null, revisionId: null }
    expect(report).toEqual([
      {
        ...facts,
        line: 2,
        kind: 'snapshot-line',
        leftOut: 'line',
        reason: expect.stringMatching(/^it is not JSON/) as string,
      },
      {
        ...facts,
        line: 4,
        title: 'Template:Box',
        pageId: 3,
        revisionId: 13,
        kind: 'snapshot-html',
        leftOut: 'html',
        reason: 'it does not state its version (mw:htmlVersion)',
      },
      {
        ...facts,
        line: 3,
        title: 'Tulip',
        pageId: 2,
        revisionId: 12,
        kind: 'snapshot-source',
        leftOut: 'page',
        reason: 'it has no wikitext, and the store does not have it',
      },
    ])
    await wiki.read((store) => {
      expect(source(store, 'Box', 10)).toBe('box')
      expect(pagesOf(store)).toMatchObject({ Rose: 11 })
    })
  })

  test('counts and names lines without a name, and bodies that are no object or empty', () => {
    const wiki = emptyWiki()
    const lines = [
      snapshotRow({ ...ROSE, more: { name: 5 } }),
      snapshotRow({ ...TULIP, more: { article_body: documentOf('Tulip', 12, '<p>t') } }),
      snapshotRow({ ...BOX, more: { ...BOX.more, article_body: 'box' } }),
      snapshotRow({ ...ROSE, more: { article_body: {} } }),
      snapshotRow({ ...ROSE, body: null }),
    ]
    const path = wiki.write('pages.ndjson', lines.map((line) => `${line}\n`).join(''))
    const { status, out, err } = runHosted(['import', '--data-dir', wiki.dataDir, path])
    expect(status).toBe(1)
    expect(err.split('\n').filter((line) => line.startsWith('pages.ndjson'))).toEqual([
      'pages.ndjson: line 1: the line is left out: its "name" is no text',
      'pages.ndjson: line 3, page "Template:Box": the line is left out: its "article_body" is a text, and no HTML document',
      'pages.ndjson: line 4, page "Rose": the page is left out: it has neither wikitext nor HTML',
      'pages.ndjson: line 2, page "Tulip": the page is left out: it has no wikitext, and the store does not have it',
    ])
    expect(out).toContain('1 pages and 1 revisions read, 1 pages and 1 revisions added')
    expect(out).toContain('left out: 2 lines of snapshots that cannot be read')
    expect(out).toContain('left out: 2 pages of snapshots without wikitext')
  })

  test('keeps what came before a cut', async () => {
    const wiki = emptyWiki()
    const pages = Array.from({ length: 300 }, (_, n) => ({
      ...TULIP,
      id: n + 1,
      revision: n + 1,
      title: `Page ${n}`,
      text: `${Math.sin(n)}`,
    }))
    const whole = snapshotTar({ 'a.ndjson': pages })
    const { error } = await importInto(wiki.dataDir, [
      wiki.write('cut.json.tar.gz', whole.subarray(0, whole.length / 2)),
    ])
    const count = await wiki.read((store) => store.counters().pages)
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThan(200)
    expect(error?.message).toContain(
      `cut off (line ${count + 1}); ${count} pages were read, and HTML of ${count} is in the store`,
    )
    await importInto(wiki.dataDir, [wiki.write('cut.json.tar.gz', whole)])
    expect(await wiki.read((store) => [store.counters().pages, store.html.totals().imported])).toEqual([
      300, 300,
    ])
  })

  test('declares namespaces by the titles that it has', async () => {
    const german = (title: string, id: number, namespace: number): SnapshotPage => ({
      id,
      title,
      revision: id,
      text: title,
      more: {
        namespace: { identifier: namespace },
        in_language: { identifier: 'de' },
        categories: [{ name: 'Kategorie:A' }],
      },
    })
    const pages = [
      german('Rose', 1, 0),
      ...Array.from({ length: 120 }, (_, n) => german(`Rose ${n}`, n + 10, 0)),
      german('Wikipedia:Hilfe', 500, 4),
      german('Kategorie:A', 501, 14),
    ]
    const { read, results } = await imported(pages)
    expect(results[0]!.counts.skippedPages).toBe(0)
    await read((store) => {
      expect(source(store, 'Hilfe', 4)).toBe('Wikipedia:Hilfe')
      expect(store.namespaces().nameOf(14)).toBe('Kategorie')
      expect(store.html.getImported(500) !== undefined).toBe(true)
    })
  })
})

describe('a snapshot in a store of a dump', () => {
  test('brings the HTML of the very same revisions, and no entry in the log', async () => {
    const wiki = emptyWiki()
    await importInto(wiki.dataDir, [wiki.write('dump.xml', DUMP)])
    const before = await wiki.read((store) => ({ digest: digestStore(store), site: store.site() }))
    const { results } = await imported(
      [
        ROSE,
        TULIP,
        { ...TULIP, id: 4, title: 'No source', revision: 400, text: null, body: '<p>h' },
        { ...TULIP, id: 7, title: 'Weed', revision: 70 },
        { ...ROSE, body: null },
      ],
      wiki,
    )
    expect(results[0]!.html).toEqual({ kept: 2, known: 0, unused: 3, skipped: 0 })
    expect(results[0]!.counts).toMatchObject({ pages: 5, newPages: 0, newRevisions: 0, warnings: 0 })
    expect(lacksSomething(results[0]!)).toBe(false)
    await wiki.read((store) => {
      expect(pagesOf(store)).toEqual({ Rose: 11, Tulip: 99, No_source: 400 })
      expect([11, 12, 99, 400].map((id) => store.html.getImported(id) !== undefined)).toEqual([
        true,
        false,
        false,
        true,
      ])
    })
    expect(await wiki.read((store) => ({ digest: digestStore(store), site: store.site() }))).toEqual(before)
  })

  test('of another wiki is refused', async () => {
    const wiki = emptyWiki()
    await importInto(wiki.dataDir, [wiki.write('dump.xml', DUMP)])
    const other = { ...ROSE, more: { is_part_of: { identifier: 'otherwiki' } } }
    const { error } = await imported([other], wiki)
    expect(error?.message).toContain('the store holds the wiki "testwiki", but the dump is of "otherwiki"')
    expect(await wiki.read((store) => store.html.totals().imported)).toBe(0)
  })

  test('comes after the dumps of the same command', async () => {
    const wiki = emptyWiki()
    const paths = [wiki.write('pages.ndjson', snapshotLines([ROSE])), wiki.write('dump.xml', DUMP)]
    const { results } = await importInto(wiki.dataDir, paths)
    expect(results.map(({ name }) => name)).toEqual(['dump.xml', 'pages.ndjson'])
    expect(await wiki.read(pagesOf)).toEqual({ Rose: 11, Tulip: 99, No_source: 400 })
  })
})

test('a snapshot in a store that follows a wiki brings HTML alone', async () => {
  const wiki = await imported([ROSE])
  const store = Store.open(wiki.dataDir)
  new Following(store, new Applier(store)).pages(present(2, 'Tulip', { add: [revision(12, 'yellow')] }))
  await store.close()
  const before = await wiki.read(digestStore)
  const { results, error } = await imported([TULIP, BOX], wiki)
  expect(error).toBeUndefined()
  expect(results[0]!.html).toEqual({ kept: 1, known: 0, unused: 1, skipped: 0 })
  expect(await wiki.read(digestStore)).toBe(before)
})

describe('erasing', () => {
  const words = ['Kryptonnebel', 'Nachtgestalt']
  const erasable = [
    { ...ROSE, text: words[0]!, body: `<p>${words[0]}</p>`, redirects: [] },
    { ...TULIP, body: `<p>${words[1]}</p>`, templates: ['Template:Box'] },
    { ...BOX, text: words[1]! },
  ]

  test.each([
    ['a page takes its HTML with it', 'Rose', words[0], 12],
    ['a template takes the HTML that shows it with it', 'Template:Box', words[1], 11],
  ])('%s', async (_case, page, word, left) => {
    const wiki = await imported(erasable)
    rmSync(join(wiki.dataDir, '../pages.ndjson'))
    expect(wordsIn(wiki.dataDir, words)).toEqual(words)
    const run = runHosted(['erase', '--data-dir', wiki.dataDir, '--yes', '--page', page])
    expect(run).toMatchObject({ status: 0 })
    expect(wordsIn(wiki.dataDir, words)).toEqual(words.filter((each) => each !== word))
    await wiki.read((store) =>
      expect([11, 12].filter((id) => store.html.getImported(id) !== undefined)).toEqual([left]),
    )
  })
})

describe('a dump after a snapshot', () => {
  test('describes the wiki, and brings what the snapshot lacks', async () => {
    const wiki = await imported([{ ...ROSE, templates: ['Template:Box'] }])
    await importInto(wiki.dataDir, [wiki.write('dump.xml', DUMP)])
    await wiki.read((store) => {
      expect(store.site()).toMatchObject({ name: 'Test wiki', base: 'http://wiki.example/wiki/Main_Page' })
      expect(history(store, 1).map(({ id }) => id)).toEqual([10, 11])
      expect(pagesOf(store)).toMatchObject({ Rose: 11, Tulip: 99, No_source: 400 })
    })
    const { results } = await imported([{ ...TULIP, id: 7, title: 'Weed', revision: 70 }], wiki)
    expect(results[0]!.html).toMatchObject({ kept: 0, unused: 1 })
  })
})

describe('import --html', () => {
  test('refuses other files', async () => {
    const wiki = emptyWiki()
    const { error } = await importInto(wiki.dataDir, [wiki.write('dump.xml', DUMP)], { onlyHtml: true })
    expect(error?.message).toContain('dump.xml: is no snapshot of rendered pages')
    expect(await wiki.read((store) => store.counters().pages)).toBe(0)
  })

  test('reads standard input, packed or not', async () => {
    for (const contents of [
      Buffer.from(snapshotLines([ROSE])),
      snapshotTar({ 'a.ndjson': [ROSE] }),
      gzipSync(snapshotLines([ROSE])),
    ]) {
      const wiki = emptyWiki()
      const child = spawn(
        process.execPath,
        [COMMAND, 'import', '--html', '--quiet', '--data-dir', wiki.dataDir, '-'],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      )
      let output = ''
      child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
      child.stdin.end(contents)
      expect(await once(child, 'close')).toEqual([0, null])
      expect(output).toContain('1 pages and 1 revisions added, HTML of 1 pages taken')
      expect(await wiki.read(pagesOf)).toMatchObject({ Rose: 11, Roses: expect.any(Number) as number })
    }
  })
})

describe('the log of a snapshot', () => {
  const pages = [
    ROSE,
    { ...ROSE, revision: 9, text: 'older' },
    TULIP,
    { ...TULIP, id: 8, title: 'No source', revision: 80, text: null },
    BOX,
  ]

  async function replayed(
    wiki: Wiki,
    dumps: readonly string[],
  ): Promise<{ digest: string; imported: number }> {
    const from = openFolder(wiki.dataDir)
    const into = join(temporaryFolder(), 'replayed')
    const store = openFolder(into, { create: true })
    await replayLog({
      from,
      into: store,
      applier: new Applier(store),
      dumps,
    })
    expect(problems(store)).toEqual([])
    return { digest: digestStore(store), imported: store.html.totals().imported }
  }

  test.each([1, 2 ** 20])(
    'gives the same pages again, in batches of %i bytes, without HTML',
    async (batchBytes) => {
      const wiki = emptyWiki()
      const path = wiki.write(
        'pages.json.tar.gz',
        snapshotTar({ 'a.ndjson': pages.slice(0, 2), 'b.ndjson': pages.slice(2) }),
      )
      await importInto(wiki.dataDir, [path], { batchBytes })
      const digest = await wiki.read(digestStore)
      expect(await replayed(wiki, [path])).toEqual({ digest, imported: 0 })
    },
  )

  test('with edits made between two snapshots', async () => {
    const wiki = await imported([ROSE], emptyWiki(), 'first.ndjson')
    const store = Store.open(wiki.dataDir)
    const text = { comment: '', minor: false, contentModel: 'wikitext', text: 'mine' }
    const facts = { id: 'a'.repeat(32), time: 1_800_000_000, namespace: 0, dbkey: 'Mine' }
    new Applier(store).submit({ kind: 'create', ...facts, ...text, editor: { id: null, name: '::1' } })
    await store.close()
    await imported([ROSE, TULIP], wiki, 'second.ndjson')
    const paths = ['first.ndjson', 'second.ndjson'].map((name) => join(wiki.dataDir, '..', name))
    const digest = await wiki.read(digestStore)
    expect((await replayed(wiki, paths)).digest).toBe(digest)
  })
})

test(`an import that is killed and begun again ends like an undisturbed one (${KILLS} times)`, async () => {
  const random = randomNumbers(7)
  const pages = Array.from({ length: 3000 }, (_, n) => ({
    ...TULIP,
    id: n + 1,
    revision: n + 1,
    title: `Page ${n}`,
    text: `text ${n} `.repeat(20),
    redirects: n % 5 === 0 ? [`Other ${n}`] : [],
  }))
  const state = (store: Store) => ({ digest: digestStore(store), imported: store.html.totals().imported })
  const undisturbed = emptyWiki()
  const path = undisturbed.write('pages.ndjson', snapshotLines(pages))
  await importInto(undisturbed.dataDir, [path], { batchBytes: 20_000 })
  const expected = await undisturbed.read(state)
  for (let n = 0; n < KILLS; n++) {
    const wiki = emptyWiki()
    const begun = join(wiki.dataDir, 'store/data.mdb')
    const args = [COMMAND, 'import', '--quiet', '--batch-bytes', '20000', '--data-dir', wiki.dataDir, path]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    const ended = once(child, 'close')
    const steps = Math.floor(random() * 40_000)
    // LMDB makes the file before it writes to it.
    const hasBegun = (): boolean => (statSync(begun, { throwIfNoEntry: false })?.size ?? 0) > 0
    for (let step = 0; step < steps || !hasBegun(); step++) {
      if (child.exitCode !== null) break
      await new Promise(setImmediate)
    }
    child.kill('SIGKILL')
    await ended
    const again = await importInto(wiki.dataDir, [path], { batchBytes: 20_000 })
    expect(again.error).toBeUndefined()
    expect(await wiki.read(state)).toEqual(expected)
  }
})

describeShared('made samples', 'oracle/html-snapshots', (folder) => {
  const sample = async (name: string, dump?: string) => {
    const wiki = emptyWiki()
    if (dump !== undefined) await importInto(wiki.dataDir, [wiki.write('dump.xml', dump)])
    return { ...wiki, ...(await importInto(wiki.dataDir, [join(folder, name)])) }
  }
  const latest = (store: Store) => {
    const ids = ['Blackbird', 'Black_bird', 'Robin_&_Wren', 'Zaunkönig_𓅪', 'No_source', 'Hidden_editor']
    return ids.map((dbkey) => store.getPage(0, dbkey)?.latestId)
  }

  test.each(['good.json.tar.gz', 'plain.ndjson'])('%s', async (name) => {
    const { read, notes } = await sample(name)
    expect(notes).toEqual([
      expect.stringMatching(/page "No source": the page is left out: it has no wikitext/),
    ])
    await read((store) => {
      expect(latest(store)).toEqual([101, expect.any(Number), 205, 300, undefined, 500])
      expect(source(store, 'Black_bird')).toBe('#REDIRECT [[Blackbird]]')
      expect(history(store, 11).map(({ id }) => id)).toEqual([205])
      expect(history(store, 14)).toMatchObject([{ user: null, comment: null }])
      expect([101, 205, 203, 300, 400, 500].map((id) => store.html.getImported(id) !== undefined)).toEqual([
        true,
        true,
        false,
        true,
        false,
        true,
      ])
    })
  })

  test('plain.ndjson, with the page that it has only HTML of', async () => {
    const { read, notes } = await sample(
      'plain.ndjson',
      dumpXml([{ id: 13, title: 'No source', revisions: [{ id: 400, text: 'x' }] }], 'examplewiki'),
    )
    expect(notes).toEqual([])
    await read((store) => expect(store.html.getImported(400)?.html).toContain('Only HTML.'))
  })

  test('bad-line.json.tar.gz', async () => {
    const { read, notes, results } = await sample('bad-line.json.tar.gz')
    expect(notes).toHaveLength(4)
    for (const [n, line] of [2, 4, 5, 6].entries())
      expect(notes[n]).toContain(`bad-line.json.tar.gz: examplewiki_0.ndjson, line ${line}`)
    expect(lacksSomething(results[0]!)).toBe(true)
    await read((store) =>
      expect(latest(store)).toEqual([101, expect.any(Number), undefined, 300, undefined, undefined]),
    )
  })

  test('cut-off.json.tar.gz', async () => {
    expect((await sample('cut-off.json.tar.gz')).error?.message).toContain('the file is cut off')
  })

  test('other-wiki.json.tar.gz', async () => {
    const { error, read } = await sample(
      'other-wiki.json.tar.gz',
      dumpXml([{ id: 10, title: 'Blackbird', revisions: [{ id: 101, text: 'x' }] }], 'examplewiki'),
    )
    expect(error?.message).toContain('the dump is of "otherwiki"')
    await read((store) => expect(store.html.totals().imported).toBe(0))
  })

  test('hostile.json.tar.gz', async () => {
    const { read, notes, dataDir } = await sample('hostile.json.tar.gz')
    expect(notes.filter((note) => note.includes('expected a number up to 4000000000'))).toHaveLength(2)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(readdirSync(join(dataDir, '..'))).toEqual(['data'])
    await read((store) =>
      expect(source(store, 'Proto') ?? source(store, '__proto__') ?? source(store, 'proto')).toBeDefined(),
    )
  })
})
