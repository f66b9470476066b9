/** Every error of the table is reached by a request. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ErrorKey, ERRORS } from '../../src/http/reply/errors.js'
import { jsonBody } from '../../src/http/request/bodyFields.js'
import { oneOf } from '../../src/http/request/params.js'
import { json } from '../../src/http/reply/reply.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { HttpServer } from '../../src/http/socket/server.js'
import { writeMeta } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { originalPath } from '../../src/files/originals.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { UnwritableError } from '../../src/workers/writer/writeErrors.js'
import { LogUnavailableError, NoRoomError, WriteTimeoutError } from '../../src/workers/writer/writer.js'
import { MODULE_SITE } from '../support/moduleSite.js'
import { facts, fileEntry } from '../support/files.js'
import { Following } from '../support/upstream.js'
import { folderWith, page, revision, revisions } from './busyWiki.js'
import { create, update } from './editing.js'
import { change, createToken, createUser, folderForWriters, startWriters, type Writers } from './signedIn.js'
import { type Answer, send, startGarden, startServer, type TestServer } from './garden.js'
import { afterFile } from '../support/cleanUp.js'
import { stopClock } from '../support/clock.js'

let garden: TestServer
let plain: TestServer
let busy: TestServer
let hurried: TestServer
/** Open to anonymous edits. */
let open: TestServer
let closed: TestServer
let mirror: TestServer
/** Its search index is of another version. */
let unindexed: TestServer
let faulty: { port: number; logged: string[] }
let writers: Writers
let strict: Writers
let readersToken: string

const LARGE = 'All work and no play makes a large page. '.repeat(25_000).trimEnd()
/** Body limit of the faulty server: above the size from which a thread parses the body. */
const MAX_BODY_BYTES = 100_000
const MANY_PICTURES = Array.from({ length: 101 }, (_, n) => `[[File:${n}.png]]`).join('')
/** More than a thread and its queue take. */
const FLOOD = 150

beforeAll(async () => {
  garden = await startGarden()
  plain = await startGarden({ html: 'none', diff: false })
  const minor = () => ({ minor: true })
  const folder = await folderWith([
    page(1, 'Minor', revisions(1, 2001, minor)),
    page(2, 'Large', [revision(5001, LARGE), revision(5002, `${LARGE}!`)]),
    page(9, 'Deep', [revision(7900, '*'.repeat(500))]),
    page(
      3,
      'Board',
      [6001, 6002].map((id) => ({ ...revision(id, `board ${id}`), contentModel: 'flow-board' })),
    ),
    page(4, 'Pictures', [revision(7001, MANY_PICTURES)]),
  ])
  busy = await startServer(folder, { computeThreads: '1' })
  const broken = '0'.repeat(64)
  mkdirSync(dirname(originalPath(folder, broken)), { recursive: true })
  writeFileSync(originalPath(folder, broken), 'no picture')
  new Applier(busy.app.context.store).submit(fileEntry('Broken.png', facts({ sha256: broken })))
  hurried = await startGardenInAHurry()
  open = await startOpen()
  closed = await startGarden({ anonymousEdits: true, readOnly: true })
  mirror = await startGarden({ anonymousEdits: true })
  const { store } = mirror.app.context
  new Following(store, new Applier(store)).batch({})
  unindexed = await startUnindexed()
  faulty = await startFaulty()
  await startServersForWriters()
})

async function startUnindexed(): Promise<TestServer> {
  const folder = await folderWith([page(1, 'Any', [revision(1, 'a')])])
  const store = Store.open(folder)
  store.transact(() => writeMeta(store.tables, 'index', { encoder: 0, set: 'a' }))
  await store.close()
  return startServer(folder)
}

/** A server whose tasks have no time at all: its thread has not even started by then. */
async function startGardenInAHurry(): Promise<TestServer> {
  const folder = await folderWith([page(1, 'Large', [revision(1, LARGE), revision(2, `${LARGE}!`)])])
  return startServer(folder, { taskTimeoutMs: '1', renderTimeoutMs: '1' })
}

/** A wiki with a page whose content model has become another one, and a module outside of its namespace. */
async function startOpen(): Promise<TestServer> {
  const turned = { ...revision(8, '{}'), contentModel: 'json' }
  const strayed = { ...revision(9, 'return {}'), contentModel: 'Scribunto' }
  const pages = [
    page(1, 'Taken', [revision(6, 'x')]),
    page(2, 'Turned', [revision(7, 'x'), turned]),
    page(3, 'Strayed', [strayed]),
  ]
  const folder = await folderWith(pages, { site: MODULE_SITE })
  return startServer(folder, { anonymousEdits: true })
}

/** One server that lets everybody write, and one that lets nobody and waits for keys that never come. */
async function startServersForWriters(): Promise<void> {
  const folder = await folderForWriters((applier) => {
    const ann = createUser(applier, 'Ann')
    readersToken = createToken(applier, ann, ['read'])
  })
  writers = await startWriters(folder, { anonymousEdits: true })
  strict = await startWriters(await folderForWriters(), {
    readOnly: true,
    jwtIssuer: 'https://login.example',
    jwtAudience: 'wiki',
    jwtKeys: 'http://127.0.0.1:1/keys',
  })
}

/** A server with a route that fails and one that allows a single method. */
async function startFaulty(): Promise<{ port: number; logged: string[] }> {
  const logged: string[] = []
  const log = {
    error: (fields: { err: Error; requestId: string }) =>
      logged.push(`${fields.requestId} ${fields.err.message}`),
    warn: () => undefined,
  }
  const fails = defineRoute({
    method: 'GET',
    path: '/fails',
    handler: () => {
      throw new TypeError('the password is swordfish')
    },
  })
  const failsLater = defineRoute({
    method: 'GET',
    path: '/fails/later',
    handler: () => Promise.reject(new TypeError('the password is swordfish')),
  })
  const failures = {
    taken: new WriteTimeoutError(false),
    begun: new WriteTimeoutError(true),
    'cut-off': new LogUnavailableError('the log cannot be reached', false),
    full: new NoRoomError('the disk is full'),
    refused: new UnwritableError('the store cannot be written: i/o error'),
  }
  const write = defineRoute({
    method: 'GET',
    path: '/write/{failure}',
    params: { failure: oneOf(['taken', 'begun', 'cut-off', 'full', 'refused'], 'what goes wrong') },
    handler: ({ params }) => Promise.reject(failures[params.failure]),
  })
  const post = defineRoute({
    method: 'POST',
    path: '/note',
    body: jsonBody(['text'], (fields) => fields.requireText('text')),
    handler: ({ body }) => json({ noted: body }, { etag: undefined, lastModified: undefined }),
  })
  const config = { ...garden.app.context.config, maxBodyBytes: MAX_BODY_BYTES }
  const context = { ...garden.app.context, config, log: { ...garden.app.context.log, ...log } as never }
  const server = new HttpServer(context, [fails, failsLater, write, post])
  afterFile(() => server.close(50))
  return { port: await server.listen(), logged }
}

/** Asks for what takes a thread, each time by another URL, since answers to the same one are kept. */
const flood = (): Promise<Answer>[] =>
  Array.from({ length: FLOOD }, () => busy.send(`/v1/revision/5001?flood=${++floods}`))
let floods = 0

/** One of many answers at once with a status other than 200. */
async function turnedAway(): Promise<Answer> {
  const answers = await Promise.all(flood())
  return answers.find(({ status }) => status !== 200) ?? answers[0]!
}

const note = (
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answer> => send(faulty.port, '/v1/note', { method: 'POST', body, headers })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const writeAnonymously = (headers: Record<string, string>) => writers.write(headers, { token: '+\\' })

/** A write that comes after as many as the limit allows. */
async function writeTooOften(): Promise<Answer> {
  stopClock()
  const limited = await startWriters(await folderForWriters(), { anonymousEdits: true, editsPerMinute: '1' })
  await limited.write({}, { token: '+\\' })
  return limited.write({}, { token: '+\\' })
}

async function writeProtected(): Promise<Answer> {
  const folder = await folderForWriters((applier) => {
    const levels = { edit: 'user', create: 'none', expires: null } as const
    change(applier, { kind: 'protect', namespace: 0, dbkey: 'Moon', ...levels })
  })
  return (await startWriters(folder, { anonymousEdits: true })).write({}, { token: '+\\', title: 'Moon' })
}

/** A read that comes after as many as the limit allows: ten seconds' worth at once. */
async function readTooOften(): Promise<Answer> {
  stopClock()
  const limited = await startGarden({ readsPerSecond: '1' })
  for (let n = 0; n < 10; n++) await limited.send('/v1/page/Compost')
  return limited.send('/v1/page/Compost')
}

/** Asks until the rendering has had its time. One that got no processor meanwhile may be tried again at once. */
async function failRendering(): Promise<Answer> {
  for (;;) {
    const answer = await hurried.send('/v1/page/Large/html')
    if (answer.headers['retry-after'] !== '1') return answer
  }
}

/** A request to the old conversion interface of the garden wiki. */
const convert = (body: string, type = 'application/x-www-form-urlencoded'): Promise<Answer> =>
  garden.send('/gardenwiki/Any', { method: 'POST', body, headers: { 'content-type': type } })

const PROVOKED: Record<ErrorKey, () => Promise<Answer>> = {
  'rest-no-match': () => garden.send('/v1/nothing'),
  'rest-wrong-method': () => send(faulty.port, '/v1/note', { method: 'GET' }),
  'rest-wrong-method-several': () => garden.send('/v1/page/Compost', { method: 'DELETE' }),
  'rest-nul-in-path': () => garden.send('/v1/page/a%00'),
  'paramvalidator-missingparam': () => garden.send('/v1/page/'),
  'paramvalidator-badinteger': () => garden.send('/v1/revision/abc'),
  'paramvalidator-outofrange-minmax': () => garden.send('/v1/search/page?q=a&limit=0'),
  'paramvalidator-badvalue-enumnotmulti': () => garden.send('/v1/page/Compost/history?filter=abc'),
  'paramvalidator-badbool': () => garden.send('/v1/page/Compost/html?stash=abc'),
  'rest-no-content-type': () => note('{}', {}),
  'rest-unsupported-content-type': () => note('{}', { 'content-type': 'text/plain' }),
  'rest-body-too-large': () => note(JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES) })),
  'rest-json-body-parse-error': () => note('{"text": oops'),
  'rest-form-body-parse-error': () => convert('x', 'multipart/form-data'),
  'rest-bad-json-body': () => note('"text"'),
  'rest-missing-body-field': () => note('{}'),
  'rest-bad-body-field': () => note('{"text":1}'),
  'rest-invalid-token': () => writers.write(bearer('plmp_1')),
  'rest-insufficient-scope': () => writers.write(bearer(readersToken)),
  'rest-token-keys-unavailable': () =>
    strict.write(bearer(`${Buffer.from('{"alg":"RS256"}').toString('base64url')}.e30.AA`)),
  'rest-cross-origin-anon-write': () => writeAnonymously({ origin: 'https://other.example' }),
  actionthrottledtext: writeTooOften,
  'rest-rate-limit-exceeded': readTooOften,
  protectedpagetext: writeProtected,
  'rest-nonexistent-title': () => garden.send('/v1/page/Nowhere'),
  'rest-source-hidden': () => garden.send('/v1/page/Sealed_letter'),
  'rest-html-not-configured': () => plain.send('/v1/page/Compost/bare'),
  'rest-html-limit': () => busy.send('/v1/page/Deep/html'),
  'rest-html-failed': failRendering,
  'rest-conversion-limit': () => convert(`wt=${'*'.repeat(500)}`),
  'rest-conversion-version': () =>
    convert(`html=${encodeURIComponent('<meta property="mw:html:version" content="2.9.0"/>')}`),
  'rest-conversion-imported': () =>
    convert(`html=${encodeURIComponent('<section data-mw-imported="">x</section>')}`),
  'rest-conversion-no-input': () => convert('oldid=1'),
  'rest-pagehistory-incompatible-params': () =>
    garden.send('/v1/page/Compost/history?older_than=1&newer_than=1'),
  'rest-pagehistory-param-range-error': () => garden.send('/v1/page/Compost/history?older_than=0'),
  'rest-nonexistent-title-revision': () => garden.send('/v1/page/Compost/history?older_than=9999'),
  'rest-pagehistorycount-parameters-invalid': () =>
    garden.send('/v1/page/Compost/history/counts/bot?from=1&to=2'),
  'rest-pagehistorycount-too-many-revisions': () => busy.send('/v1/page/Minor/history/counts/minor'),
  'rest-nonexistent-revision': () => garden.send('/v1/revision/9999/bare'),
  'rest-permission-denied-revision': () => garden.send('/v1/revision/203'),
  'rest-compare-wikidiff2': () => plain.send('/v1/revision/101/compare/102'),
  'rest-compare-nonexistent': () => garden.send('/v1/revision/101/compare/9999'),
  'rest-compare-inaccessible': () => garden.send('/v1/revision/203/compare/204'),
  'rest-compare-page-mismatch': () => garden.send('/v1/revision/101/compare/201'),
  'rest-compare-wrong-content': () => busy.send('/v1/revision/6001/compare/6002'),
  'apierror-articleexists': () => create(open, 'Taken', 'x'),
  'rest-update-cannot-create-page': () => update(open, 'Taken', 'x'),
  'apierror-missingtitle': () => update(open, 'Absent', 'x', 1),
  'apierror-editconflict': () => update(open, 'Taken', 'y', 999_999),
  'apierror-readonly': () => create(closed, 'Any', 'x'),
  'rest-wiki-is-mirror': () => create(mirror, 'Any', 'x'),
  'apierror-permissiondenied': () => create(garden, 'Any', 'x'),
  'rest-badtoken': () => create(open, 'Any', 'x', { token: 'wrong' }),
  invalidtitle: () => create(open, 'a|b', 'x'),
  pagecannotexist: () => create(open, 'Special:Any', 'x'),
  'rest-bad-content-model': () => create(open, 'Any', 'x', { content_model: 'nope' }),
  cantchangecontentmodel: () => create(open, 'Any', 'x', { content_model: 'css' }),
  'contentmodel-mismatch': () => update(open, 'Turned', 'x', 7),
  'content-not-allowed-here': () => update(open, 'Strayed', 'return {1}', 9),
  'scribunto-lua-error-location': () => create(open, 'Module:Any', 'return ='),
  'scribunto-lua-error': () => create(open, 'Module:Any', 'return "a\\\nb\nc'),
  'invalid-json-data': () => update(open, 'Turned', '{', 8),
  contenttoobig: () => create(open, 'Any', 'x'.repeat(2 ** 21 + 1)),
  'protectednamespace-interface': () => create(open, 'MediaWiki:Any', 'x'),
  customcssprotected: () => create(open, 'User:Ann/a.css', 'x'),
  customjsonprotected: () => create(open, 'User:Ann/a.json', '{}'),
  customjsprotected: () => create(open, 'User:Ann/a.js', 'x'),
  mycustomcssprotected: () => create(open, 'User:127.0.0.1/a.css', 'x'),
  mycustomjsonprotected: () => create(open, 'User:127.0.0.1/a.json', '{}'),
  mycustomjsprotected: () => create(open, 'User:127.0.0.1/a.js', 'x'),
  'rest-cannot-load-file': () => busy.send('/v1/file/:Pictures'),
  'rest-thumbnail-failed': () => busy.send(`/media/${'0'.repeat(16)}/Broken.png/20px-Broken.png`),
  'rest-media-too-many-links': () => busy.send('/v1/page/Pictures/links/media'),
  'rest-search-error': () => unindexed.send('/v1/search/page?q=a'),
  'rest-server-busy': turnedAway,
  'rest-task-timeout': () => hurried.send('/v1/revision/1'),
  // Real locks and disks: test/workers/writeLock.test.ts and fullDisk.test.ts.
  'rest-write-timeout': () => send(faulty.port, '/v1/write/taken', {}),
  'rest-write-unknown': () => send(faulty.port, '/v1/write/begun', {}),
  'rest-log-unavailable': () => send(faulty.port, '/v1/write/cut-off', {}),
  'rest-storage-full': () => send(faulty.port, '/v1/write/full', {}),
  'rest-storage-unwritable': () => send(faulty.port, '/v1/write/refused', {}),
  'rest-internal-error': () => send(faulty.port, '/v1/fails', {}),
}

describe('an error of the table', () => {
  const isReached = async (key: ErrorKey): Promise<void> => {
    const { status, headers, body } = await PROVOKED[key]()
    expect(body).toMatchObject({ errorKey: key.replace('-several', ''), httpCode: ERRORS[key][0] })
    expect(status).toBe(ERRORS[key][0])
    expect(headers['content-type']).toBe('application/json')
    for (const name of ['etag', 'last-modified', 'cache-control']) expect(headers[name]).toBeUndefined()
  }
  // Reached by what takes a thread seconds.
  const ofLimits: readonly ErrorKey[] = ['rest-conversion-limit', 'rest-html-limit']
  const others = (Object.keys(ERRORS) as ErrorKey[]).filter((key) => !ofLimits.includes(key))
  test.each(others)('%s is reached, with its status', isReached)
  test.each(ofLimits)('%s is reached, with its status', { tags: ['hostile'] }, isReached)

  test('names one allowed method in the singular', async () => {
    const { headers, body } = await PROVOKED['rest-wrong-method']()
    expect(headers.allow).toBe('POST')
    expect(body).toMatchObject({
      messageTranslations: { en: 'The request method (GET) was not the allowed method for this path (POST)' },
    })
  })

  test.each(['rest-server-busy', 'rest-task-timeout'] as const)(
    '%s says when to come back',
    { tags: ['hostile'] },
    async (key) => {
      expect((await PROVOKED[key]()).headers['retry-after']).toBe('1')
    },
  )
})

describe('an unexpected fault', () => {
  test.each(['/v1/fails', '/v1/fails/later'])(
    'of %s stays in the log, under the id of the request',
    async (path) => {
      const { headers, body } = await send(faulty.port, path, {})
      expect(body).toEqual({
        message: 'Error: exception of type Error',
        errorKey: 'rest-internal-error',
        httpCode: 500,
        httpReason: 'Internal Server Error',
      })
      expect(faulty.logged).toContain(`${String(headers['x-request-id'])} the password is swordfish`)
    },
  )
})

describe('while the compute threads are flooded', () => {
  test(
    'pages are still answered, and so is what waits for a thread and finds room',
    { tags: ['hostile'] },
    async () => {
      const flooding = flood()
      const pages = await Promise.all(Array.from({ length: 20 }, () => busy.send('/v1/page/Minor')))
      expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      const statuses = new Set((await Promise.all(flooding)).map(({ status }) => status))
      expect([...statuses].sort()).toEqual([200, 503])
    },
  )

  test('a source from a thread is the one that was stored', async () => {
    const { body } = await busy.send('/v1/revision/5001')
    // A boolean, since a megabyte of text makes no good message.
    expect((body as { source: string }).source === LARGE).toBe(true)
  })
})
