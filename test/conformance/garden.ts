/** Servers for the conformance tables: a real store made by importing a dump of our own, real sockets. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { App } from '../../src/app/app.js'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { type Config, type GivenFlags, readSettings } from '../../src/config/config.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { afterFile, folderOfFile } from '../support/cleanUp.js'
import { PATIENT } from '../support/patience.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/garden.xml')
export const LICENSE = { url: 'https://garden.example/licence', title: 'Share what grows' }

/** An answer as read from the socket; header names are in lower case. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  /** Parsed JSON, or undefined when the body is none or compressed. */
  readonly body: unknown
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A folder with the garden wiki in it, removed when the tests of the file have ended. */
export async function gardenFolder(): Promise<string> {
  const dataDir = folderOfFile()
  const store = Store.open(dataDir, { create: true })
  const site = { bots: ['RakeBot'], license: LICENSE }
  new Applier(store).submit({ kind: 'settings', id: 'a'.repeat(32), time: 1_700_000_000, site })
  await store.close()
  await importDumps({ dataDir, paths: [FIXTURE] })
  return dataDir
}

/**
 * Settings for a test server: a free port, no log, a short drain, time limits out of reach. `flags` are those of the
 * command line. The environment names the HTTP library, so the same tests run on each.
 */
export function testConfig(dataDir: string, flags: GivenFlags = {}): Config {
  const http = process.env['PALIMPSEST_HTTP'] ?? 'net'
  const settings = { port: '0', logLevel: 'silent', drainTimeoutMs: '50', http, ...PATIENT }
  return readSettings({ dataDir, ...settings, ...wikisOfRun(dataDir), ...flags }, {})
}

/**
 * The environment may put the wiki of each test beside another one: at the host of the tests, or below a path, which
 * `send` then adds to requests and removes from answers.
 */
const PLACE = process.env['PALIMPSEST_TEST_WIKI']
const ROOT = PLACE === 'path' ? '/tested-wiki' : ''

function wikisOfRun(dataDir: string): GivenFlags {
  if (PLACE === undefined) return {}
  const beside = folderOfFile()
  const store = Store.open(beside, { create: true })
  afterFile(() => store.close())
  const name = PLACE === 'path' ? ROOT.slice(1) : '127.0.0.1'
  return { wiki: `${name}=${dataDir},beside=${beside}` }
}

function withoutRoot(text: string): string {
  return ROOT === '' ? text : text.replaceAll(ROOT, '')
}

/** Whether uWebSockets.js serves in this run. Each library has answers of its own to requests that it refuses. */
export const servesByUws = process.env['PALIMPSEST_HTTP'] === 'uws'

/** A server over a folder, closed when the tests of the file have ended. */
export async function startServer(dataDir: string, flags: GivenFlags = {}): Promise<TestServer> {
  const app = await App.open(testConfig(dataDir, flags))
  afterFile(() => app.close())
  if (process.env['PALIMPSEST_TEST_ROWS'] === 'cold') coolRows(app)
  return new TestServer(app.port, app)
}

/** From now on each row of the server's stores is touched by a thread before the first request reads it. */
export function coolRows({ contexts }: App): void {
  for (const { store } of contexts) store.coldReads.look(Number.MAX_SAFE_INTEGER, 1)
}

/** A server over the garden wiki. */
export async function startGarden(flags: GivenFlags = {}): Promise<TestServer> {
  return startServer(await gardenFolder(), flags)
}

export class TestServer {
  constructor(
    readonly port: number,
    readonly app: App,
  ) {}

  /** URL of the API as links in answers have it. */
  get base(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Sends a request with the path just as given. */
  send(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}): Promise<Answer> {
    return send(this.port, path, { method, headers, ...(body !== undefined && { body }) })
  }

  /**
   * Writes bytes to a new connection. Returns the received bytes once `isWhole` accepts them or the server closes it.
   */
  raw(sent: string | Buffer, isWhole: (received: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1')
      let received = ''
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => {
        received += chunk
        if (isWhole(received)) socket.destroy()
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
      socket.write(sent)
    })
  }
}

export function send(
  port: number,
  path: string,
  { method, headers = {}, body }: RequestOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: ROOT + path, method, headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const { 'content-type': type, 'content-encoding': coding } = incoming.headers
        const received = Buffer.concat(chunks)
        const isText = ROOT !== '' && coding === undefined && /json|text|xml|javascript/.test(type ?? '')
        const bytes = isText ? Buffer.from(withoutRoot(received.toString())) : received
        const headers = JSON.parse(withoutRoot(JSON.stringify(incoming.headers))) as Answer['headers']
        const isJson = type === 'application/json' && coding === undefined && bytes.length > 0
        const parsed: unknown = isJson ? JSON.parse(bytes.toString()) : undefined
        resolve({ status: incoming.statusCode ?? 0, headers, bytes, body: parsed })
      })
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A test that blocks longer than the server keeps an idle connection finds it closed.
      const isIdle = outgoing.reusedSocket && error.code === 'ECONNRESET' && method === 'GET'
      if (isIdle) resolve(send(port, path, { method, headers }))
      else reject(error)
    })
    outgoing.end(body)
  })
}

export { folderOfFile as temporaryFolder } from '../support/cleanUp.js'

/** The body of an error with a message. */
export function errorWith(status: number, errorKey: string, text: string, reason: string): object {
  return { errorKey, messageTranslations: { en: text }, httpCode: status, httpReason: reason }
}

export function noTitle(title: string): object {
  return errorWith(
    404,
    'rest-nonexistent-title',
    `The specified title (${title}) does not exist`,
    'Not Found',
  )
}

/** The body of a 400 for a parameter. */
export function badParameter(name: string, value: string | null, failureCode: string, text: string): object {
  return {
    error: 'parameter-validation-failed',
    name,
    value,
    failureCode,
    failureData: failureCode === 'badvalue' ? [] : null,
    errorKey: `paramvalidator-${failureCode === 'badvalue' ? 'badvalue-enumnotmulti' : failureCode}`,
    messageTranslations: { en: text },
    httpCode: 400,
    httpReason: 'Bad Request',
  }
}
