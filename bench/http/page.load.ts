/**
 * Page source reads over random titles, on one core. Three servers take turns: Palimpsest, nginx with the same bytes as
 * static files, and a bare uWebSockets.js handler with a constant of the same size. See bench/README.md.
 */
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { findProgram } from '../support/machine.js'
import { startNginx } from '../support/nginx.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, fetchPages, pagePath, writePages } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber } from '../support/table.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const CONNECTIONS = 16
const SERVER = 'palimpsest'
const BARE = 'bare uWebSockets.js'
/** Rates to reach. */
const AIM = 'Aim: at least the rate of nginx, and 0.75 of that of bare uWebSockets.js.'

const { rounds = 5, seconds: secondsGiven = 3 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

await runLoadBench({ what: 'page reads', dump: DUMP, needsCpuTime: true }, measurePages)

async function measurePages(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const { serverCore, loadCore } = pinning
  const keys = await drawPageKeys(dumpPath, TITLES)
  const palimpsest = await startPalimpsest(sandbox, pinning, await cachedStore(sandbox, dumpPath))
  const bodies = await fetchPages(palimpsest.origin, keys)
  const meanBytes = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length)
  const nginx = await startPeer(sandbox, pinning, keys, bodies)
  const bare = await startBare(sandbox, pinning, meanBytes)
  const servers = [palimpsest, ...(nginx === undefined ? [] : [nginx]), bare]

  console.log(
    `${keys.length} titles, ${formatNumber(meanBytes, 0)} bytes on average, ${CONNECTIONS} connections, ` +
      `${rounds} rounds of ${seconds} s for each server`,
  )
  const script = writeLoadScript(sandbox.folder('load'), keys.map(pagePath))
  const load = { rounds, seconds, connections: CONNECTIONS, script }
  const samples = await loadInTurns(servers, loadGenerator(sandbox, pinning, wrkPath), load)
  const summaries = servers.map(({ name }) => summariseServer(samples, name))
  const ratios = servers.slice(1).map(({ name }) => summariseRatio(samples, SERVER, name))

  console.log()
  printServers(summaries)
  console.log()
  printRatios(ratios)
  console.log(AIM)
  if (summaries.some(({ errors }) => errors > 0)) {
    console.log('There were errors: these figures are not to be trusted.')
    process.exitCode = 1
  }
  const corpus = { file: basename(dumpPath), bytes: statSync(dumpPath).size, titles: keys.length, meanBytes }
  const setup = { corpus, rounds, seconds, connections: CONNECTIONS, serverCore, loadCore }
  writeResult('http-page', { setup, samples, summary: { servers: summaries, ratios } })
}

async function startPalimpsest(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  dataDir: string,
): Promise<LoadedServer> {
  const args = serveArguments(dataDir, '--log-level', 'warn')
  const { pid, greeting } = await sandbox.serve(
    ...pin(serverCore, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name: SERVER, group: pid, origin: greeting[1]! }
}

async function startBare(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  sizeBytes: number,
): Promise<LoadedServer> {
  const script = join(import.meta.dirname, '../support/bareServer.js')
  const { pid, greeting } = await sandbox.serve(
    ...pin(serverCore, process.execPath, [script, String(sizeBytes)]),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name: BARE, group: pid, origin: greeting[1]! }
}

/**
 * nginx with the bodies as files, after a comparison of each one. Undefined, with a message, if it is not installed.
 */
async function startPeer(
  sandbox: Sandbox,
  pinning: Pinning,
  keys: readonly string[],
  bodies: readonly Buffer[],
): Promise<LoadedServer | undefined> {
  const nginx = findProgram('nginx')
  if (nginx === undefined) {
    console.log('nginx is missing (Debian: apt install nginx-light): measured without it.')
    return undefined
  }
  const root = sandbox.folder('static')
  writePages(root, keys, bodies)
  const server = await startNginx(sandbox, pinning, nginx, root)
  const served = await fetchPages(server.origin, keys)
  const different = keys.filter((_key, n) => !served[n]!.equals(bodies[n]!))
  if (different.length > 0) {
    throw new Error(
      `nginx answers ${different.length} titles with other bytes: ${different.slice(0, 5).join(', ')}`,
    )
  }
  return server
}
