/** Index and pages agree: whatever came in whichever way, and after kills. */
// @module-tag slow
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import type { Store } from '../../../src/storage/store.js'
import { writeMeta } from '../../../src/storage/tables/meta.js'
import type { IndexSet } from '../../../src/storage/tables/tables.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { type DumpPage, dumpXml } from '../../support/dump.js'
import { randomNumbers } from '../../support/random.js'
import { wikiWith } from '../../support/searchWiki.js'
import {
  importInto,
  openFolder,
  page,
  problems,
  revision,
  temporaryFolder,
  temporaryStore,
} from '../../support/store.js'

const WORDS = 'apple banana cherry damson elder fig grape hazel iris jasmine kiwi lemon mango'.split(' ')
const COMMAND = join(import.meta.dirname, '../../../bin/palimpsest')

function randomText(random: () => number, redirects = 0.1): string {
  const pick = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)]!
  const words = Array.from({ length: 5 + Math.floor(random() * 60) }, pick)
  return random() < redirects ? `#REDIRECT [[${pick()} ${pick()}]]` : words.join(' ')
}

/** Hashes of the answers to some searches, to compare. */
function found(store: Store): string[] {
  const queries = [...WORDS, 'apple banana', 'fig -apple', '"apple banana"', 'le', 'page 1']
  return queries.map((text) => {
    const request = { text, limit: 100, namespaces: [0] }
    const answers = [store.search.answer(store.search.parse(request), 100), store.search.complete(request)]
    return [text, ...answers.map((answer) => createHash('sha256').update(answer).digest('hex'))].join(' ')
  })
}

describe('the index agrees with the pages', () => {
  test('after many edits, and when it is made anew', async () => {
    const random = randomNumbers(3)
    const wiki = wikiWith({})
    for (let n = 0; n < 300; n++) wiki.write(`Page ${Math.floor(random() * 60)}`, randomText(random))
    expect(problems(wiki.store)).toEqual([])
    const before = found(wiki.store)
    const digest = digestStore(wiki.store)
    expect(await reindex(wiki.store, { dataDir: wiki.dataDir, threads: 1, missing: false })).toBe(60)
    expect(problems(wiki.store)).toEqual([])
    expect(found(wiki.store)).toEqual(before)
    expect(digestStore(wiki.store)).toBe(digest)
  })

  test('after an import by threads, as when each page was written by itself', async () => {
    const random = randomNumbers(5)
    const dump = Array.from({ length: 700 }, (_, n): DumpPage => {
      return { id: n + 1, title: `Page ${n}`, revisions: [{ id: n + 1, text: randomText(random, 0) }] }
    })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'dump.xml'), dumpXml(dump))
    await importInto(join(folder, 'wiki'), [join(folder, 'dump.xml')], { indexThreads: 2 })
    const imported = openFolder(join(folder, 'wiki'))
    expect(problems(imported)).toEqual([])
    const edited = wikiWith(
      Object.fromEntries(dump.map(({ title, revisions }) => [title, revisions[0]!.text])),
    )
    expect(found(imported)).toEqual(found(edited.store))
  })

  test('after renames, lost titles, hidden texts and other models', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const take = async (pages: Parameters<typeof applier.importPages>[1]): Promise<void> => {
      applier.importPages('d', pages)
      await reindex(store, { dataDir, threads: 1, missing: true })
      expect(problems(store)).toEqual([])
    }
    const titles = (text: string): string[] => {
      const query = store.search.parse({ text, limit: 10, namespaces: [0] })
      const { pages } = JSON.parse(store.search.answer(query, 10).toString()) as {
        pages: { title: string }[]
      }
      return pages.map(({ title }) => title)
    }
    await take([page(1, 'Moon', [revision(1, 'white')]), page(2, 'Sun', [revision(2, 'yellow')])])
    expect(titles('white')).toEqual(['Moon'])
    await take([page(1, 'Luna', [])])
    expect([titles('white'), titles('moon')]).toEqual([['Luna'], []])
    await take([page(3, 'Sun', [revision(3, 'bright')])])
    expect([titles('yellow'), titles('bright')]).toEqual([[], ['Sun']])
    await take([page(1, 'Luna', [revision(1, undefined)])])
    expect([titles('white'), titles('luna')]).toEqual([[], ['Luna']])
    await take([page(4, 'Code.json', [revision(4, '{"colour": "[[green]]"}', { contentModel: 'json' })])])
    expect(titles('green')).toEqual(['Code.json'])
  })

  test('and verify tells when it does not', async () => {
    const wiki = wikiWith({ Moon: 'white and round', Sun: 'yellow and round', Luna: '#REDIRECT [[Moon]]' })
    const { store } = wiki
    const damage = async (act: () => void, told: RegExp): Promise<void> => {
      store.transact(act)
      expect(problems(store).join('\n')).toMatch(told)
      await reindex(store, { dataDir: wiki.dataDir, threads: 1, missing: false })
      expect(problems(store)).toEqual([])
    }
    const index = (): IndexSet => store.search.inForce()
    await damage(() => index().bodyPostings.removeSync([0, 'white', 0]), /"white" lacks 1 pages/)
    await damage(() => index().titlePostings.removeSync([0, 'sun', 0]), /titlePostings: "sun" lacks/)
    const round = index().bodyPostings.getBinary([0, 'round', 0])!
    await damage(
      () => index().bodyPostings.putSync([0, 'square', 0], round),
      /bodyPostings: \d+ postings, but/,
    )
    await damage(() => index().indexed.removeSync(1), /page 1 is not indexed/)
    await damage(() => index().indexed.putSync(9, index().indexed.getBinary(1)!), /indexed: 4 rows/)
    await damage(
      () => index().completion.removeSync([0, 'luna', 1, 3]),
      /page 3 is not found by the beginning/,
    )
    await damage(
      () => writeMeta(store.tables, 'index', { encoder: 0, set: 'a' }),
      /cannot be used \(outdated\)/,
    )
  })

  test('after edits while it could not be used', async () => {
    const wiki = wikiWith({ Moon: 'white' })
    const { store, dataDir } = wiki
    store.transact(() => writeMeta(store.tables, 'index', { encoder: 0, set: 'a' }))
    wiki.write('Moon', 'grey')
    wiki.write('Sun', 'yellow')
    await expect(reindex(store, { dataDir, threads: 1, missing: true })).rejects.toThrow(/without --missing/)
    await reindex(store, { dataDir, threads: 1, missing: false })
    expect(problems(store)).toEqual([])
  })
})

test('a server that is killed during edits leaves index and pages in agreement', async () => {
  const random = randomNumbers(8)
  const dataDir = temporaryFolder()
  openFolder(dataDir, { create: true })
  for (let round = 0; round < 6; round++) {
    const written = await editUntilKilled(dataDir, round, 1 + Math.floor(random() * 100))
    const store = openFolder(dataDir)
    store.refresh()
    expect(problems(store)).toEqual([])
    expect(written).toBeGreaterThan(0)
  }
})

/** Edits over HTTP until `edits` are acknowledged, then kills the server. Returns the number of acknowledged edits. */
async function editUntilKilled(dataDir: string, round: number, edits: number): Promise<number> {
  const args = [
    'serve',
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--anonymous-edits',
    '--log-level',
    'silent',
    '--no-html',
    '--write-timeout-ms',
    '3600000',
  ]
  const server = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const port = await new Promise<string>((resolve) => {
    server.stdout.on('data', (text: Buffer) => {
      const match = /127\.0\.0\.1:(\d+)/.exec(text.toString())
      if (match !== null) resolve(match[1]!)
    })
  })
  let written = 0
  const writeOn = async (client: number): Promise<void> => {
    const random = randomNumbers(100 * round + client)
    for (let n = 0; ; n++) {
      const body = {
        title: `Page ${round} ${client} ${n}`,
        source: randomText(random),
        comment: '',
        token: '+\\',
      }
      const answer = await fetch(`http://127.0.0.1:${port}/v1/page`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(201)
      if (++written === edits) server.kill('SIGKILL')
    }
  }
  // Every client ends with the connection that the kill breaks.
  await Promise.allSettled([0, 1, 2].map(writeOn))
  await ended
  return written
}
