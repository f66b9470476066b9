/** Several server processes under a supervisor, as its operator sees them. */
// @module-tag slow
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gardenFolder, startServer } from '../conformance/garden.js'
import { temporaryFolder } from '../support/store.js'
import { ADDRESS, NO_HTML, portOf, type Run, run, runProgram, runUnder } from '../support/command.js'
import { childrenOf, isRunning } from '../support/processes.js'
import { Readers } from './readers.js'

interface LogLine {
  readonly msg: string
  readonly process?: number
  readonly serverPid?: number
}

let dataDir: string
beforeAll(async () => {
  dataDir = await gardenFolder()
})

async function startServers(
  count: number,
  ...flags: string[]
): Promise<{ servers: Run; port: number; url: string }> {
  const processes = ['--processes', String(count)]
  const servers = run('serve', '--data-dir', dataDir, '--port', '0', ...processes, ...flags)
  const port = portOf(await servers.printed(ADDRESS))
  // The log is written behind.
  await servers.printed(new RegExp(`(a server process serves[^]*){${count}}`))
  return { servers, port, url: `http://127.0.0.1:${port}/v1/page/Compost` }
}

const logOf = ({ output }: Run): LogLine[] =>
  output.stderr
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine)

const startedPids = (servers: Run): number[] =>
  logOf(servers).flatMap(({ msg, serverPid }) =>
    msg === 'a server process serves' && serverPid !== undefined ? [serverPid] : [],
  )

/** Reads on a connection of its own; the request id tells which process answered. */
async function processThatAnswers(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { connection: 'close' } })
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
  return answer.headers.get('x-request-id')!.slice(0, 12)
}

/** Copies the compiled product, and changes it. Returns the file that starts it. */
function installProduct(change: (dist: string) => void): string {
  const installed = temporaryFolder()
  const product = join(import.meta.dirname, '../..')
  const dist = join(installed, 'dist')
  cpSync(join(product, 'dist'), dist, { recursive: true })
  for (const name of ['languages', 'node_modules', 'package.json'])
    symlinkSync(join(product, name), join(installed, name))
  change(dist)
  return join(dist, 'cli/start.js')
}

/** The bundled file that holds a module of src. */
function bundleOf(module: string, dist: string): string {
  const shared = join(dist, 'shared')
  const files = readdirSync(shared).map((name) => join(shared, name))
  return files.find((file) => readFileSync(file, 'utf8').includes(`\n// src/${module}\n`))!
}

describe('palimpsest serve --processes 2', () => {
  test('answers from both processes, and ends all in order at SIGTERM', async () => {
    const { servers, url } = await startServers(2)
    const processes = new Set<string>()
    for (let n = 0; n < 200 && processes.size < 2; n++) processes.add(await processThatAnswers(url))
    expect(processes.size).toBe(2)
    servers.child.kill('SIGTERM')
    expect(await servers.exit, servers.output.stderr).toBe(0)
    const stopped = logOf(servers).filter(({ msg }) => msg === 'stopped')
    expect(stopped.map((line) => line.process).toSorted()).toEqual([1, 2])
  })

  test('tells the figures of both processes, whichever is asked', async () => {
    const { servers, port, url } = await startServers(2, NO_HTML)
    for (let n = 0; n < 50; n++) await processThatAnswers(url)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counts = [1, 2].map((process) => {
      const name = 'palimpsest_http_requests_total{method="GET",route="/page/{title}",status="200"'
      return Number(text.split(`${name},process="${process}"} `)[1]?.split('\n')[0])
    })
    expect(counts[0]! + counts[1]!).toBe(50)
    expect(text).toContain('palimpsest_processes 2\n')
    expect(text).toContain('palimpsest_process_restarts_total{process="1"} 0\n')
    expect(text.match(/^palimpsest_store_size_bytes /gm)).toHaveLength(1)
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('starts a process again that was killed', async () => {
    const { servers, url } = await startServers(2, NO_HTML)
    const [victim] = startedPids(servers)
    process.kill(victim!, 'SIGKILL')
    await servers.printed(/"signal":"SIGKILL","msg":"a server process has ended by itself"/)
    await servers.printed(/ended by itself"\}\n(.*\n)*.*a server process serves"/)
    expect(startedPids(servers)).toHaveLength(3)
    for (let n = 0; n < 20; n++) await processThatAnswers(url)
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('renews all processes at SIGHUP without a failed read', async () => {
    const { servers, url } = await startServers(2, NO_HTML)
    const before = new Readers([url], 8)
    servers.child.kill('SIGHUP')
    await servers.printed(/"msg":"all processes are renewed"/)
    await before.stop()
    expect(before.failures).toEqual([])
    expect(before.answers).toBeGreaterThan(100)
    expect(before.processes.size).toBeGreaterThan(2)
    const [first, second, ...renewed] = startedPids(servers)
    expect([first, second].map((pid) => isRunning(pid!))).toEqual([false, false])
    expect(renewed.map(isRunning)).toEqual([true, true])
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('ends at once at a second signal, and no process stays', async () => {
    const { servers, url } = await startServers(2)
    const readers = new Readers([url], 1)
    servers.child.kill('SIGINT')
    await servers.printed(/"msg":"stopping"/)
    servers.child.kill('SIGINT')
    expect([0, 1]).toContain(await servers.exit)
    await readers.stop()
    expect(startedPids(servers).map(isRunning)).toEqual([false, false])
  })

  test('leaves no process behind when the supervisor itself is killed', async () => {
    const { servers } = await startServers(2, NO_HTML)
    servers.child.kill('SIGKILL')
    // Closed when the last process that writes to them has ended.
    expect(await servers.exit).toBeNull()
    // They have closed them before the system has taken them away.
    await expect.poll(() => startedPids(servers).map(isRunning)).toEqual([false, false])
  })

  test.each(['1', '2'])('makes a new store for --anonymous-edits, with --processes %s', async (count) => {
    const empty = temporaryFolder()
    const flags = ['--data-dir', empty, '--port', '0', '--anonymous-edits', '--processes', count, NO_HTML]
    const servers = run('serve', ...flags)
    const url = `http://127.0.0.1:${portOf(await servers.printed(ADDRESS))}/v1/page`
    const save = async (): Promise<number> => {
      const body = JSON.stringify({ source: 'any', title: 'First', comment: '', token: '+\\' })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    await expect.poll(save).toBe(201)
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('starts a process again that dies while the others start', async () => {
    const servers = run('serve', '--data-dir', dataDir, '--port', '0', '--processes', '2', NO_HTML)
    const children = (): number[] => childrenOf(servers.child.pid!)
    await expect.poll(children, { interval: 5 }).toHaveLength(2)
    process.kill(children()[0]!, 'SIGKILL')
    const port = portOf(await servers.printed(ADDRESS))
    await servers.printed(
      /"process":1,"msg":"a server process ended at its start \(SIGKILL\): it is started again"/,
    )
    await processThatAnswers(`http://127.0.0.1:${port}/v1/page/Compost`)
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('gives up when processes die over and over before one serves', async () => {
    const start = installProduct((dist) => {
      writeFileSync(bundleOf('supervisor/serverProgram.ts', dist), 'process.exit(3)')
    })
    const flags = ['--data-dir', dataDir, '--port', '0', '--processes', '2', NO_HTML]
    const server = runProgram(process.execPath, start, 'serve', ...flags)
    expect(await server.exit).toBe(1)
    expect(server.output.stderr.match(/it is started again/g)!.length).toBeGreaterThanOrEqual(4)
    const [last] = server.output.stderr.trim().split('\n').slice(-1)
    expect(last).toBe('palimpsest: a server process ended at its start (status 3)')
  })

  test('leaves no process behind that waits for a file when the supervisor is killed', async () => {
    const secretFile = join(temporaryFolder(), 'secret')
    execFileSync('mkfifo', [secretFile])
    const jwt = ['--jwt-issuer', 'a', '--jwt-audience', 'b', '--jwt-secret-file', secretFile]
    const servers = run('serve', '--data-dir', dataDir, '--port', '0', '--processes', '2', ...jwt)
    // Opened when the first process opens it too, which then waits for what is in it.
    const pipe = await open(secretFile, 'w')
    servers.child.kill('SIGKILL')
    // Closed when the last process that writes to them has ended.
    expect(await servers.exit).toBeNull()
    await pipe.close()
  })

  test('ends with one line and status 1 when the port is in use, shared or not', async () => {
    const single = await startServer(dataDir)
    const { port, servers: pair } = await startServers(2, NO_HTML)
    for (const [taken, processes] of [
      [single.port, 2],
      [port, 2],
      [port, 1],
    ]) {
      const flags = ['--port', String(taken), '--processes', String(processes), NO_HTML]
      const server = run('serve', '--data-dir', dataDir, ...flags)
      expect(await server.exit).toBe(1)
      expect(server.output.stderr).toBe(
        `palimpsest: cannot listen on 127.0.0.1:${taken}: the port is in use, or the address is not one of this machine\n`,
      )
    }
    pair.child.kill('SIGTERM')
    expect(await pair.exit).toBe(0)
  })

  test('ends with one line and status 1 where settings do not fit together', async () => {
    const server = run('serve', '--data-dir', dataDir, '--port', '0', '--processes', '2', '--jwt-issuer', 'x')
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toMatch(/^palimpsest: jwtIssuer, .* belong together: .*\n$/)
  })

  test('ends with one line and status 1 where there is no wiki', async () => {
    const server = run('serve', '--data-dir', '/nowhere/at/all', '--processes', '2')
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toMatch(/^palimpsest: there is no wiki in \/nowhere\/at\/all: .*\n$/)
  })
})

describe('SIGHUP', () => {
  /** The number of a processor that this process may use. */
  const processor = (): string =>
    /^Cpus_allowed_list:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]!

  test('renews the one process of --processes auto on one processor', async () => {
    const flags = ['--data-dir', dataDir, '--port', '0', '--processes', 'auto', NO_HTML]
    const server = runUnder(['taskset', '-c', processor()], 'serve', ...flags)
    const port = portOf(await server.printed(ADDRESS))
    await server.printed(/a server process serves/)
    server.child.kill('SIGHUP')
    await server.printed(/"msg":"all processes are renewed"/)
    await processThatAnswers(`http://127.0.0.1:${port}/v1/page/Compost`)
    expect(startedPids(server).map(isRunning)).toEqual([false, true])
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  test('is remembered when it comes before the processes serve', async () => {
    // A process waits for its secret until the test gives it.
    const secretFile = join(temporaryFolder(), 'secret')
    const secret = 's'.repeat(32)
    execFileSync('mkfifo', [secretFile])
    const jwt = ['--jwt-issuer', 'a', '--jwt-audience', 'b', '--jwt-secret-file', secretFile]
    const flags = ['--data-dir', dataDir, '--port', '0', '--processes', 'auto', NO_HTML, ...jwt]
    const server = runUnder(['taskset', '-c', processor()], 'serve', ...flags)
    const pipe = await open(secretFile, 'w')
    server.child.kill('SIGHUP')
    writeFileSync(`${secretFile}.new`, secret)
    renameSync(`${secretFile}.new`, secretFile)
    await pipe.writeFile(secret)
    await pipe.close()
    await server.printed(/"msg":"all processes are renewed"/)
    expect(startedPids(server).map(isRunning)).toEqual([false, true])
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  test('starts processes of the version that has been installed meanwhile, with its settings', async () => {
    let dist = ''
    const start = installProduct((folder) => (dist = folder))
    const flags = ['--data-dir', dataDir, '--port', '0', '--processes', '2', NO_HTML]
    const servers = runProgram(process.execPath, start, 'serve', ...flags)
    const url = `http://127.0.0.1:${portOf(await servers.printed(ADDRESS))}`
    await processThatAnswers(`${url}/v1/page/Compost`)

    // Its default of --base-path is another one.
    const settings = bundleOf('config/settings.ts', dist)
    const before = readFileSync(settings, 'utf8')
    const after = before.replace(/(kind: "basePath",\s+default: )""/, '$1"/new"')
    expect(after).not.toBe(before)
    writeFileSync(settings, after)
    servers.child.kill('SIGHUP')
    await servers.printed(/"msg":"all processes are renewed"/)
    await processThatAnswers(`${url}/new/v1/page/Compost`)
    servers.child.kill('SIGTERM')
    expect(await servers.exit).toBe(0)
  })

  test('leaves a process that is alone as it is, and the log says so', async () => {
    const server = run('serve', '--data-dir', dataDir, '--port', '0', '--processes', '1', NO_HTML)
    const port = portOf(await server.printed(ADDRESS))
    server.child.kill('SIGHUP')
    await server.printed(/"msg":"SIGHUP renews processes only under/)
    await processThatAnswers(`http://127.0.0.1:${port}/v1/page/Compost`)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })
})
