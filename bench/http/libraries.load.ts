/**
 * The HTTP libraries beside each other: page sources of four sizes, idle connections, and clients that do not read. See
 * bench/README.md.
 */
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runLoadBench } from '../support/loadBench.js'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning } from '../support/pinning.js'
import { readMemory } from '../support/processMemory.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { startServer } from '../support/serveArguments.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber, printTable } from '../support/table.js'
import { loadGenerator, type LoadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const CONNECTIONS = 16

// One second is enough: the differences are about a microsecond, and machines drift over longer times.
const { rounds = 15, seconds: secondsGiven = 1 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

const LIBRARIES = ['net', 'uws'] as const
/** Texts of pages that a library is asked for, besides the random ones. JSON doubles quotes. */
const LONG_PAGES = {
  '180 kB': 'a'.repeat(180_000),
  '550 kB': 'a'.repeat(550_000),
  '4 MB': '"'.repeat(2_000_000),
}
/** More than the system takes for a client that does not read. */
const LONGEST = '4 MB'
const IDLE_CONNECTIONS = 10_000
const SLOW_READERS = 500
/** The time in which a server reads what was sent to it. */
const SETTLE_MS = 3000

await runLoadBench({ what: 'libraries', dump: DUMP, needsCpuTime: true }, measure)

/** Both libraries in turns, over a copy of the store with long pages. */
async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const script = writeLoadScript(sandbox.folder('load'), (await drawPageKeys(dumpPath, TITLES)).map(pagePath))
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const dataDir = join(sandbox.folder('wiki'), 'store')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  // Slow readers are to be held, not refused.
  const flags = ['--anonymous-edits', '--slow-answers-bytes', '1000000000']
  const servers: LoadedServer[] = []
  for (const library of LIBRARIES) {
    const place = { ...pinning, core: pinning.serverCore }
    servers.push({
      ...(await startServer(sandbox, place, dataDir, [...flags, '--http', library])),
      name: library,
    })
  }
  const scripts = { '2 kB': script, ...(await addLongPages(sandbox, servers[0]!.origin)) }
  const loads: Record<string, LoadSummary> = {}
  for (const [size, path] of Object.entries(scripts)) {
    console.log(`\nbodies of ${size}`)
    loads[size] = await compareLibraries(servers, generate, path)
  }
  const memory = []
  for (const { name, group, origin } of servers) {
    const idle = await memoryBeside(group!, origin, IDLE_CONNECTIONS, '')
    const request = `GET ${longPath(LONGEST)} HTTP/1.1\r\nHost: x\r\n\r\n`
    memory.push({ library: name, idle, slow: await memoryBeside(group!, origin, SLOW_READERS, request) })
  }
  console.log()
  const megabytes = ({ before, beside }: Memory): string =>
    `${formatNumber(before / 1e6, 0)} → ${formatNumber(beside / 1e6, 0)}`
  printTable(
    ['private MB', `${IDLE_CONNECTIONS} idle connections`, `${SLOW_READERS} slow readers`],
    memory.map(({ library, idle, slow }) => [library, megabytes(idle), megabytes(slow)]),
  )
  const setup = {
    dump: DUMP,
    titles: TITLES,
    rounds,
    seconds,
    connections: CONNECTIONS,
    node: process.version,
  }
  writeResult('http-libraries', { setup, samples: [], summary: { loads, memory } })
}

function longPath(size: string): string {
  return pagePath(`Page_of_${size.replace(' ', '_')}`)
}

/** Adds the long pages, and returns a script for each. */
async function addLongPages(sandbox: Sandbox, origin: string): Promise<Record<string, string>> {
  const scripts: Record<string, string> = {}
  for (const [size, source] of Object.entries(LONG_PAGES)) {
    const body = JSON.stringify({ source, comment: '', token: '+\\' })
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await fetch(origin + longPath(size), { method: 'PUT', headers, body })
    if (status !== 201) throw new Error(`the page of ${size} could not be made: ${status}`)
    scripts[size] = writeLoadScript(sandbox.folder('load'), [longPath(size)])
  }
  return scripts
}

type LoadSummary = Readonly<Record<'servers' | 'ratios', unknown>>

async function compareLibraries(
  servers: readonly LoadedServer[],
  generate: LoadGenerator,
  script: string,
): Promise<LoadSummary> {
  const samples = await loadInTurns(servers, generate, { rounds, seconds, connections: CONNECTIONS, script })
  const summaries = servers.map(({ name }) => summariseServer(samples, name))
  const ratios = [summariseRatio(samples, ...LIBRARIES)]
  printServers(summaries)
  printRatios(ratios)
  return { servers: summaries, ratios }
}

interface Memory {
  readonly before: number
  readonly beside: number
}

/** Private memory of a server, without and with connections whose clients send a request, or nothing, and do not read. */
async function memoryBeside(pid: number, origin: string, count: number, request: string): Promise<Memory> {
  const before = readMemory(pid)!.privateBytes
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (request !== '') socket.pause().write(request)
    sockets.push(socket)
  }
  await delay(SETTLE_MS)
  const beside = readMemory(pid)!.privateBytes
  const open = sockets.filter(({ readyState }) => readyState === 'open').length
  if (open < count) console.log(`only ${open} of ${count} connections are open`)
  for (const socket of sockets) socket.destroy()
  await delay(SETTLE_MS)
  return { before, beside }
}
