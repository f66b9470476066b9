/** Costs of the access log, the limit of reads, real-time priority and the HTTP library for a ready read. See bench/README.md. */
import { readOptions } from '../support/options.js'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { runLoadBench } from '../support/loadBench.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { cachedStore } from '../support/storeCache.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const CONNECTIONS = 16
const PLAIN = 'plain'
/** More than wrk can send, so that nothing is refused. */
const LIMIT = ['--reads-per-second', '1000000']
const AIM = 'Aim: at most 1.3 of the processor time with the access log, 1.1 with the limit of reads.'

// One second is enough: the differences are about a microsecond, and machines drift over longer times.
const { rounds = 15, seconds: secondsGiven = 1 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

await runLoadBench({ what: 'settings', dump: DUMP, needsCpuTime: true }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const keys = await drawPageKeys(dumpPath, TITLES)
  const dataDir = await cachedStore(sandbox, dumpPath)
  const log = (format: string): string[] => {
    return ['--access-log', format, '--access-log-file', `${sandbox.folder('log')}/access.log`]
  }
  const variants: Readonly<Record<string, readonly string[]>> = {
    [PLAIN]: [],
    'access log, JSON': log('json'),
    'access log, combined': log('combined'),
    'limit of reads': LIMIT,
    'limit of reads and access log, JSON': [...LIMIT, ...log('json')],
    'real-time priority': ['--real-time'],
    uWebSockets: ['--http', 'uws'],
  }
  const servers: LoadedServer[] = []
  for (const [name, flags] of Object.entries(variants)) {
    servers.push(await start(sandbox, pinning, name, ['--data-dir', dataDir, ...flags]))
  }
  const script = writeLoadScript(sandbox.folder('load'), keys.map(pagePath))
  const load = { rounds, seconds, connections: CONNECTIONS, script }
  const samples = await loadInTurns(servers, loadGenerator(sandbox, pinning, wrkPath), load)
  const summaries = servers.map(({ name }) => summariseServer(samples, name))
  const ratios = servers.slice(1).map(({ name }) => summariseRatio(samples, name, PLAIN))
  printServers(summaries)
  console.log()
  printRatios(ratios)
  console.log(AIM)
  const setup = { dump: DUMP, titles: TITLES, rounds, seconds, connections: CONNECTIONS }
  writeResult('http-settings', { setup, samples, summary: { servers: summaries, ratios } })
}

async function start(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  name: string,
  flags: readonly string[],
): Promise<LoadedServer> {
  const args = ['serve', '--port', '0', '--log-level', 'error', ...flags]
  const { pid, greeting } = await sandbox.serve(
    ...pin(serverCore, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name, group: pid, origin: greeting[1]! }
}
