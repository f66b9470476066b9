/** The two HTTP libraries: the choice between them, and the operator's messages about it. */
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADDRESS, portOf, run, runProgram } from '../support/command.js'
import { gardenFolder, send, startServer, temporaryFolder, type TestServer } from './garden.js'

const ROOT = join(import.meta.dirname, '../..')
const PATHS = [
  '/v1/page/Compost',
  '/v1/page/Compost/history',
  '/v1/revision/101/compare/102',
  '/v1/search/page?q=compost&limit=5',
  '/v1/page/Nowhere',
  '/v1/nothing',
]

const MISSING = `uWebSockets.js has no binary that loads in Node ${process.version} on ${process.platform} ${process.arch}`

let dataDir: string
let withoutBinary: string
beforeAll(async () => {
  dataDir = await gardenFolder()
  withoutBinary = installWithoutBinary()
})

/** Copies the product without the binary of uWebSockets.js, as in a newer Node. Returns the file that starts it. */
function installWithoutBinary(): string {
  const installed = temporaryFolder()
  cpSync(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true })
  for (const name of ['package.json', 'languages']) symlinkSync(join(ROOT, name), join(installed, name))
  const modules = join(installed, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const from = join(ROOT, 'node_modules', name)
    if (name === 'uws-pack') continue
    if (name !== 'uWebSockets.js') symlinkSync(from, join(modules, name))
    else cpSync(from, join(modules, name), { recursive: true, filter: (path) => !path.endsWith('.node') })
  }
  return join(installed, 'dist/cli/start.js')
}

const serveWithoutBinary = (...flags: string[]) =>
  runProgram(process.execPath, withoutBinary, 'serve', '--data-dir', dataDir, '--port', '0', ...flags)

async function stop(server: ReturnType<typeof run>): Promise<string[]> {
  server.child.kill('SIGTERM')
  expect(await server.exit, server.output.stderr).toBe(0)
  const lines = server.output.stderr.trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
}

describe('where uWebSockets.js has no binary', () => {
  test('--http auto serves by node:net, and says so once', async () => {
    const server = serveWithoutBinary('--http', 'auto')
    const port = portOf(await server.printed(ADDRESS))
    expect((await send(port, '/v1/page/Compost', {})).status).toBe(200)
    const [line, ...others] = await stop(server)
    expect(line).toBe(`node:net serves: ${MISSING}`)
    expect(others).toEqual(['stopping', 'stopped'])
  })

  test('--http net serves', async () => {
    const server = serveWithoutBinary('--http', 'net')
    const port = portOf(await server.printed(ADDRESS))
    expect((await send(port, '/v1/page/Compost', {})).status).toBe(200)
    expect(await stop(server)).toEqual(['node:net serves: as --http says', 'stopping', 'stopped'])
  })

  test('--http uws ends with one line that says what helps', async () => {
    const server = serveWithoutBinary('--http', 'uws')
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toBe(`palimpsest: ${MISSING}: use --http net\n`)
  })
})

test('several processes share a port by node:net from Node 22.12 on; before, the message says what helps', async () => {
  const flags = ['--port', '0', '--processes', '2', '--http', 'net']
  const server = run('serve', '--data-dir', dataDir, ...flags)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 12)) {
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toMatch(
      /^palimpsest: .* need Node 22\.12 or later, .*: give --processes 1, or --http uws\n$/,
    )
    return
  }
  const port = portOf(await server.printed(ADDRESS))
  const processes = new Set<string>()
  for (let n = 0; n < 200 && processes.size < 2; n++) {
    const { headers } = await send(port, '/v1/page/Compost', { headers: { Connection: 'close' } })
    processes.add(String(headers['x-request-id']).slice(0, 12))
  }
  expect(processes.size).toBe(2)
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
})

/** Whether a binary of uWebSockets.js loads here, and answers a request whose first line comes in two segments. */
const [hasUws, isSound] = await import('../../src/http/socket/uws/uwsDriver.js').then(
  async (uws) => [true, await uws.answersCutRequest()],
  () => [false, false],
)

describe.skipIf(!hasUws || isSound)(
  'where the binary of uWebSockets.js answers 505 to a request in two segments',
  () => {
    const start = async (...flags: string[]) => {
      const server = run('serve', '--data-dir', dataDir, '--port', '0', ...flags)
      return { server, port: portOf(await server.printed(ADDRESS)) }
    }

    test('--http auto serves by node:net, and answers such a request wherever it is cut', async () => {
      const { server, port } = await start()
      const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      const answers = await Promise.all(
        Array.from({ length: request.length - 1 }, (_, n) => sendCut(port, request, n + 1)),
      )
      expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 200 OK\r\n'))).toEqual([])
      const [line] = await stop(server)
      expect(line).toBe(
        'node:net serves: uWebSockets.js is here, but its binary answers 505 when the first line of a request comes in two segments',
      )
    })

    test('--http uws serves by it, with a warning', async () => {
      const { server } = await start('--http', 'uws')
      expect((await stop(server))[0]).toMatch(/^uWebSockets\.js serves: although its binary answers 505/)
    })
  },
)

/** Sends a request in two segments, and reads to the end of the connection. */
async function sendCut(port: number, request: string, at: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(request.slice(0, at))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.write(request.slice(at))
  return text(socket)
}

describe.skipIf(!hasUws)('answers by node:net and by uWebSockets.js are the same', () => {
  let servers: TestServer[]
  beforeAll(async () => {
    const publicUrl = 'https://garden.example'
    servers = await Promise.all(['uws', 'net'].map((http) => startServer(dataDir, { http, publicUrl })))
  })

  test.each(PATHS)('%s', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const [first, second] = await Promise.all(servers.map((server) => server.send(path, { method })))
      const comparable = ({ status, headers, bytes }: typeof first & object) => ({
        status,
        bytes: bytes.toString(),
        headers: { ...headers, date: typeof headers['date'], 'x-request-id': '', uwebsockets: undefined },
      })
      expect(comparable(second!)).toEqual(comparable(first!))
    }
  })
})

test('lines of a header that is sent twice are joined', async () => {
  const server = await startServer(dataDir, { http: 'net' })
  const { headers } = await server.send('/v1/page/Compost')
  const tag = String(headers['etag'])
  const lines = [
    'GET /v1/page/Compost HTTP/1.1',
    'Host: x',
    `If-None-Match: ${tag}`,
    'If-None-Match: "x"',
    '',
    '',
  ]
  const answer = await server.raw(lines.join('\r\n'), (received) => received.includes('\r\n\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 304 /)
})
