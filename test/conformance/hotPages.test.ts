/** Page reads while another process writes: never an answer from before what was committed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { encodeEntry } from '../../src/storage/entries.js'
import { Store } from '../../src/storage/store.js'
import { randomNumbers } from '../support/random.js'
import type { TestServer } from './garden.js'
import { gardenFolder, startGarden } from './garden.js'

const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')

let store: Store
let applier: Applier
let servers: { process: ChildProcess; base: string }[]

beforeAll(async () => {
  const dataDir = await gardenFolder()
  servers = await Promise.all([serve(dataDir), serve(dataDir)])
  store = Store.open(dataDir)
  applier = new Applier(store)
})

afterAll(async () => {
  for (const { process: server } of servers) server.kill('SIGKILL')
  await store.close()
})

/** A server in a process of its own. */
async function serve(dataDir: string): Promise<{ process: ChildProcess; base: string }> {
  const flags = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error']
  const child = spawn(process.execPath, [COMMAND, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [greeting] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, base: /http:\S+\/v1/.exec(greeting.toString())![0] }
}

let entries = 0
const change = () => ({
  id: (++entries).toString(16).padStart(32, '0'),
  time: 1_800_000_000 + entries,
  editor: { id: 1, name: 'Ann' },
  comment: '',
  minor: false,
  contentModel: 'wikitext',
})

function edit(pageId: number, text: string): void {
  const baseRevisionId = store.getPageById(pageId)!.latestId
  const verdict = applier.apply(encodeEntry({ kind: 'edit', ...change(), pageId, baseRevisionId, text }))
  expect(verdict.result).toBe('saved')
}

interface Source {
  source: string
  latest: { id: number }
  license: { title: string }
}

async function read(base: string, key: string): Promise<Source> {
  const response = await fetch(`${base}/page/${key}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Source
}

describe('page reads beside a writer in another process', () => {
  test('show every edit as soon as it is committed, on every server', async () => {
    const random = randomNumbers(9)
    const pages = ['Hot_A', 'Hot_B', 'Hot_C'].map((dbkey) => {
      const verdict = applier.apply(
        encodeEntry({ kind: 'create', ...change(), namespace: 0, dbkey, text: 'first' }),
      )
      return { dbkey, pageId: verdict.result === 'saved' ? verdict.pageId : 0, text: 'first' }
    })
    for (let n = 0; n < 150; n++) {
      const edited = pages[Math.floor(random() * pages.length)]!
      edited.text = `edit ${n} ${'x'.repeat(Math.floor(random() * 3000))}`
      edit(edited.pageId, edited.text)
      for (const { base } of servers) {
        for (const { dbkey, text } of pages) expect((await read(base, dbkey)).source).toBe(text)
      }
    }
  })

  test('show a rename and the page that comes in the place', async () => {
    const page = (id: number, dbkey: string, revisionId: number, text: string) => ({
      id,
      namespace: 0,
      dbkey,
      redirectTarget: undefined,
      revisions: [
        {
          id: revisionId,
          parentId: undefined,
          timestamp: 1_900_000_000,
          editor: { id: 1, name: 'Ann' },
          comment: '',
        },
      ].map((revision) => ({
        ...revision,
        minor: false,
        contentModel: 'wikitext',
        text,
        statedSizeBytes: undefined,
        statedSha1: undefined,
      })),
    })
    const { base } = servers[0]!
    applier.importPages('d', [page(9001, 'Before', 9001, 'text')])
    expect((await read(base, 'Before')).source).toBe('text')
    applier.importPages('d', [page(9001, 'After', 9001, 'text')])
    expect((await fetch(`${base}/page/Before`)).status).toBe(404)
    expect((await read(base, 'After')).source).toBe('text')
    applier.importPages('d', [page(9002, 'Before', 9002, 'another')])
    expect((await read(base, 'Before')).source).toBe('another')
  })
})

describe('ready answers', () => {
  let garden: TestServer
  beforeAll(async () => {
    garden = await startGarden()
  })

  test('are the same bytes and headers as those made anew, but for the request id', async () => {
    const [fresh, ready, again] = [1, 2, 3].map(() => garden.send('/v1/page/Compost'))
    const answers = await Promise.all([fresh!, ready!, again!])
    const comparable = answers.map(({ status, headers, bytes }) => ({
      status,
      bytes: bytes.toString(),
      headers: { ...headers, 'x-request-id': undefined, date: undefined },
    }))
    expect(comparable[1]).toEqual(comparable[0])
    expect(comparable[2]).toEqual(comparable[0])
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3)
  })

  test.each([
    ['the same tag', (etag: string) => ({ 'If-None-Match': etag }), 304],
    ['another tag', () => ({ 'If-None-Match': '"x"' }), 200],
    ['a tag that must match', () => ({ 'If-Match': '"x"' }), 412],
    ['a time after the edit', () => ({ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }), 304],
    ['a time before the edit', () => ({ 'If-Unmodified-Since': 'Fri, 01 Jan 1999 00:00:00 GMT' }), 412],
  ])('obey %s', async (_case, headers, status) => {
    const { headers: first } = await garden.send('/v1/page/Compost')
    expect((await garden.send('/v1/page/Compost', { headers: headers(String(first['etag'])) })).status).toBe(
      status,
    )
  })

  test('follow the licence when it changes', async () => {
    await garden.send('/v1/page/Compost')
    const site = { license: { url: 'https://garden.example/new', title: 'New licence' } }
    const { store: own } = garden.app.context
    new Applier(own).apply(encodeEntry({ kind: 'settings', id: 'f'.repeat(32), time: 1_800_000_000, site }))
    own.reloadSite()
    const { body } = await garden.send('/v1/page/Compost')
    expect((body as Source).license.title).toBe('New licence')
  })
})
