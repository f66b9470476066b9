/** Tags and dates that clients have from before revisions were hidden, shown, or put in: no 304 for what has changed. */
// @module-tag slow
import { writeFileSync } from 'node:fs'
import { DumpApplier } from '../support/store.js'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeStore } from '../support/administration.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import { runHosted } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { folderWith, page } from './busyWiki.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const TIMES = { 10: '2021-01-01T00:00:10Z', 11: '2021-01-01T00:00:11Z', 12: '2021-01-01T00:00:12Z' } as const
const EDITOR = { id: 5, name: 'Wanda' }
const COMMENT = 'a remark'

function revision(id: keyof typeof TIMES): IncomingRevision {
  return {
    id,
    parentId: id === 10 ? undefined : id - 1,
    timestamp: Date.parse(TIMES[id]) / 1000,
    editor: EDITOR,
    comment: COMMENT,
    minor: true,
    contentModel: 'wikitext',
    text: `text ${'x'.repeat(id)}`,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
}

/** A served wiki, and ways to change it. */
interface Changing {
  readonly server: TestServer
  readonly dataDir: string
}

/** Processes that change the store: its server, or another one. */
const WRITERS = {
  'the process that serves': {
    set: ({ server }: Changing, revisionId: number, part: 'text' | 'user' | 'comment', hidden: boolean) => {
      changeStore(server.app.context.store, { kind: 'hide', revisionId, [part]: hidden })
    },
    importAll: ({ server }: Changing) => {
      const applier = new DumpApplier(server.app.context.store)
      applier.importPages('whole history', [
        page(
          1,
          'Rose',
          [10, 11, 12].map((id) => revision(id as 10)),
        ),
      ])
      applier.finishImport(null)
    },
  },
  'another process': {
    set: ({ dataDir }: Changing, revisionId: number, part: 'text' | 'user' | 'comment', hidden: boolean) => {
      const verb = hidden ? 'hide' : 'show'
      succeed(['revision', verb, String(revisionId), `--${part}`, '--data-dir', dataDir])
    },
    importAll: ({ dataDir }: Changing) => {
      const file = join(dataDir, 'whole-history.xml')
      const revisions = [10, 11, 12].map((id) => ({
        id,
        ...(id > 10 && { parentId: id - 1 }),
        text: `text ${'x'.repeat(id)}`,
        time: TIMES[id as 10],
        editor: EDITOR,
        comment: COMMENT,
        minor: true,
      }))
      writeFileSync(file, dumpXml([{ id: 1, title: 'Rose', revisions }]))
      succeed(['import', '--data-dir', dataDir, file])
    },
  },
}

function succeed(parts: readonly string[]): void {
  const { status, err } = runHosted(parts)
  expect(status, err).toBe(0)
}

async function serve(ids: readonly (keyof typeof TIMES)[], flags = {}): Promise<Changing> {
  const dataDir = await folderWith([page(1, 'Rose', ids.map(revision))])
  return { server: await startServer(dataDir, flags), dataDir }
}

/** An answer as clients and caches keep it, and as the server keeps it ready from the third time on. */
async function keep({ server }: Changing, path: string): Promise<Answer> {
  for (let n = 0; n < 2; n++) await server.send(path)
  const answer = await server.send(path)
  expect(answer.status, answer.bytes.toString()).toBe(200)
  return answer
}

const keepAll = (wiki: Changing, paths: readonly string[]): Promise<Answer[]> =>
  Promise.all(paths.map((path) => keep(wiki, path)))

const byTag = ({ headers }: Answer) => ({ 'If-None-Match': String(headers['etag']) })
const byDate = ({ headers }: Answer) => ({ 'If-Modified-Since': String(headers['last-modified']) })

/** What a client that has `known` is answered. */
async function askAgain({ server }: Changing, path: string, known: Answer) {
  const tagged = await server.send(path, { headers: byTag(known) })
  const dated =
    known.headers['last-modified'] === undefined
      ? undefined
      : await server.send(path, { headers: byDate(known) })
  return { path, tagged: tagged.status, dated: dated?.status ?? 200, answer: tagged }
}

const SHOWING_USER = [
  '/v1/revision/11',
  '/v1/revision/11/bare',
  '/v1/revision/11/with_html',
  '/v1/page/Rose/history',
  '/v1/page/Rose/history?filter=minor',
  '/v1/page/Rose/history?older_than=12',
]

describe.each(Object.entries(WRITERS))('after %s has hidden parts of a revision', (_who, { set }) => {
  /** One that keeps answers ready; tests leave all of the revision shown. */
  let ready: Changing
  beforeAll(async () => {
    ready = await serve([10, 11, 12])
  })

  test.each([
    ['user', EDITOR.name, { hotAnswersBytes: undefined }],
    ['comment', COMMENT, { hotAnswersBytes: undefined }],
    ['user', EDITOR.name, { hotAnswersBytes: '0' }],
  ] as const)('the %s is not confirmed to whoever knows it: %s %j', async (part, shown, flags) => {
    const wiki = flags.hotAnswersBytes === undefined ? ready : await serve([10, 11, 12], flags)
    const before = await keepAll(wiki, SHOWING_USER)
    set(wiki, 11, part, true)
    const hidden = await keepAll(wiki, SHOWING_USER)
    for (const [n, path] of SHOWING_USER.entries()) {
      const { answer, ...statuses } = await askAgain(wiki, path, before[n]!)
      expect(statuses).toEqual({ path, tagged: 200, dated: 200 })
      expect(occurrences(answer, shown)).toBe(occurrences(before[n]!, shown) - 1)
      expect((await askAgain(wiki, path, hidden[n]!)).tagged).toBe(304)
    }
    set(wiki, 11, part, false)
    for (const [n, path] of SHOWING_USER.entries()) {
      const { answer, ...statuses } = await askAgain(wiki, path, hidden[n]!)
      expect(statuses).toEqual({ path, tagged: 200, dated: 200 })
      expect(occurrences(answer, shown)).toBe(occurrences(before[n]!, shown))
      expect((await askAgain(wiki, path, before[n]!)).tagged).toBe(304)
    }
  })

  test('the user is in no HTML that names the user of the revision, nor of the page, whoever keeps it', async () => {
    const dataDir = await folderWith([
      page(1, 'Rose', [revision(10), { ...revision(11), text: 'by {{REVISIONUSER}}' }]),
      page(2, 'Other', [
        { ...revision(12), editor: { id: 6, name: 'Xaver' }, text: 'by {{REVISIONUSER:Rose}}' },
      ]),
    ])
    const wiki = { server: await startServer(dataDir), dataDir }
    const paths = ['/v1/page/Rose/html', '/v1/revision/11/with_html', '/v1/page/Other/html']
    const before = await keepAll(wiki, paths)
    for (const answer of before) expect(answer.bytes.toString()).toContain(EDITOR.name)
    set(wiki, 11, 'user', true)
    const hidden = await keepAll(wiki, paths)
    for (const [n, path] of paths.entries()) {
      expect(hidden[n]!.bytes.toString()).not.toContain(EDITOR.name)
      expect((await askAgain(wiki, path, before[n]!)).tagged).toBe(200)
    }
    set(wiki, 11, 'user', false)
    for (const answer of await keepAll(wiki, paths)) expect(answer.bytes.toString()).toContain(EDITOR.name)
  })

  test('counts and histories without the text are told', async () => {
    const paths = ['/v1/page/Rose/history/counts/edits', '/v1/page/Rose/history/counts/edits?from=10&to=12']
    const wiki = ready
    const before = await keepAll(wiki, paths)
    expect(before.map(({ body }) => (body as { count: number }).count)).toEqual([3, 1])
    set(wiki, 11, 'text', true)
    const hidden = await keepAll(wiki, paths)
    for (const [n, path] of paths.entries()) {
      const { answer, ...statuses } = await askAgain(wiki, path, before[n]!)
      expect(statuses).toEqual({ path, tagged: 200, dated: 200 })
      expect(answer.body).toMatchObject({ count: [2, 0][n] })
    }
    set(wiki, 11, 'text', false)
    for (const [n, path] of paths.entries()) {
      const { answer, ...statuses } = await askAgain(wiki, path, hidden[n]!)
      expect(statuses).toEqual({ path, tagged: 200, dated: 200 })
      expect(answer.body).toMatchObject({ count: [3, 1][n] })
    }
  })

  test('the page, which shows neither user nor comment, is still confirmed', async () => {
    const wiki = ready
    const paths = ['/v1/page/Rose', '/v1/page/Rose/bare', '/v1/page/Rose/with_html', '/v1/revision/12']
    const before = await keepAll(wiki, paths)
    set(wiki, 11, 'user', true)
    for (const [n, path] of paths.entries()) expect((await askAgain(wiki, path, before[n]!)).tagged).toBe(304)
    set(wiki, 11, 'user', false)
  })
})

test.each(Object.entries(WRITERS))(
  'after %s has put older revisions into a page, no tag or date of before is confirmed',
  async (_who, { importAll }) => {
    const paths = [
      '/v1/page/Rose/history',
      '/v1/page/Rose/history?filter=minor',
      '/v1/page/Rose/history/counts/edits',
      '/v1/page/Rose/history/counts/minor',
      '/v1/revision/12',
      '/v1/revision/12/bare',
      '/v1/revision/12/with_html',
    ]
    const wiki = await serve([12])
    const before = await keepAll(wiki, paths)
    importAll(wiki)
    for (const [n, path] of paths.entries()) {
      const { answer, ...statuses } = await askAgain(wiki, path, before[n]!)
      expect(statuses).toEqual({ path, tagged: 200, dated: 200 })
      expect(answer.bytes.equals(before[n]!.bytes)).toBe(false)
      expect((await askAgain(wiki, path, answer)).tagged).toBe(304)
    }
  },
)

describe('a tag', () => {
  let wiki: Changing
  beforeAll(async () => {
    wiki = await serve([10, 11, 12])
  })

  test('of a count is equal while the count is', async () => {
    const [edits, minor] = await keepAll(
      wiki,
      ['edits', 'minor'].map((type) => `/v1/page/Rose/history/counts/${type}`),
    )
    expect(edits!.headers['etag']).toBe('"3"')
    expect(minor!.headers['etag']).toBe('"3"')
  })

  test('of a revision of which all is shown ends with zeros', async () => {
    const { headers } = await wiki.server.send('/v1/revision/12')
    expect(headers['etag']).toMatch(/^"[0-9a-f]{24}0000000c00000000"$/)
  })
})

const occurrences = ({ bytes }: Answer, text: string): number => bytes.toString().split(text).length - 1
