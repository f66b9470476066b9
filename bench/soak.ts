/**
 * A long run of mixed requests and edits against two server processes. It shows if their memory stays flat, and what
 * makes the store's file grow. See bench/README.md.
 *
 *     node bench/results/build/bench/soak.js [--requests N] [--minutes M] [--rate R] [--connections C] [--processes P]
 */
import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Drive } from './soak/drive.js'
import { printQuarters, summariseQuarters } from './soak/quarters.js'
import { type MemorySample, sampleServer } from './soak/samples.js'
import { surveyWiki } from './soak/wiki.js'
import { drawPageKeys } from './support/pageSample.js'
import { randomNumbers } from './support/random.js'
import { findDump, PALIMPSEST, REPOSITORY } from './support/repository.js'
import { serveArguments } from './support/serveArguments.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { cachedStore } from './support/storeCache.js'
import { printTable } from './support/table.js'
import { readStoreSizes, type StoreSizes } from './support/tableSizes.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const SAMPLE_MS = 5000
/** Prints a line of progress each time after this many samples. */
const SAMPLES_PER_LINE = 24
const SEED = 10_000_000
/**
 * Small caches, which are full within the first quarter. Default caches fill over millions of requests, which would
 * look like a leak.
 */
const COMPARISONS_BYTES = 4 * 2 ** 20
const HOT_ANSWERS_BYTES = 16 * 2 ** 20
const MB = 1e6
/** Most characters to show of a report by `verify`. */
const MAX_SHOWN = 2000

const options = readSoakOptions()
const dump = findDump(DUMP)
if (dump !== undefined) {
  const sandbox = new Sandbox()
  try {
    await soak(sandbox, dump)
  } finally {
    await sandbox.close()
  }
}

async function soak(sandbox: Sandbox, dumpPath: string): Promise<void> {
  const dataDir = join(sandbox.folder('soak'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const user = ['--user', 'Soak']
  const files = join(REPOSITORY, 'sample/files')
  await command(sandbox, 'files', 'import', '--data-dir', dataDir, ...user, files)
  const server = await startServer(sandbox, dataDir)
  const random = randomNumbers(SEED)
  const wiki = await surveyWiki(server.port, await drawPageKeys(dumpPath, Infinity), random)
  const before = await readStoreSizes(dataDir)
  console.log(`${wiki.paths.length} pages, ${wiki.edited.length} of them edited; ${describeOptions()}`)

  const startMs = performance.now()
  const drive = new Drive({
    port: server.port,
    wiki,
    requests: options.requests,
    deadlineMs: startMs + options.minutes * 60_000,
    rate: options.rate,
    connections: options.connections,
  })
  const { samples, sizes } = await sampleDuring(drive, server, join(dataDir, 'store'))
  const seconds = (performance.now() - startMs) / 1000
  const after = await readStoreSizes(dataDir)
  const quarters = summariseQuarters(samples, drive.sent)
  console.log(`\n${drive.sent} requests in ${Math.round(seconds)} s`)
  printCounts(drive)
  printQuarters(quarters)
  printGrowth(before, after)
  const { status, stdout: problems } = await sandbox.run(PALIMPSEST, ['verify', '--data-dir', dataDir])
  const isSound = status === 0
  console.log(isSound ? '\nThe store is sound.' : `\nThe store is damaged:\n${problems.slice(0, MAX_SHOWN)}`)
  if (drive.faultCount > 0) {
    console.log(`${drive.faultCount} answers were wrong, such as\n${drive.faults.join('\n')}`)
  }
  if (!isSound || drive.faultCount > 0) process.exitCode = 1
  const counts = Object.fromEntries([...drive.counts].map(([kind, one]) => [kind, Object.fromEntries(one)]))
  writeResult('soak', {
    setup: { ...options, corpus: DUMP, sampleMs: SAMPLE_MS },
    samples: [{ memory: samples, sizes }],
    summary: { requests: drive.sent, seconds, counts, faults: drive.faults, quarters, before, after },
  })
}

interface SoakServer {
  readonly pid: number
  readonly port: number
  readonly origin: string
}

async function startServer(sandbox: Sandbox, dataDir: string): Promise<SoakServer> {
  const settings = [
    '--processes',
    String(options.processes),
    '--comparisons-bytes',
    String(COMPARISONS_BYTES),
    '--hot-answers-bytes',
    String(HOT_ANSWERS_BYTES),
  ]
  const flags = [...settings, '--anonymous-edits', '--log-level', 'warn']
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    serveArguments(dataDir, ...flags),
    /(http:\/\/127\.0\.0\.1:(\d+))\//,
  )
  return { pid, origin: greeting[1]!, port: Number(greeting[2]) }
}

async function command(sandbox: Sandbox, ...args: string[]): Promise<number | undefined> {
  return (await sandbox.run(PALIMPSEST, args)).status
}

interface SizeSample {
  readonly requests: number
  readonly fileBytes: number
}

/** Runs the load to its end, and samples the server's processes and file meanwhile. */
async function sampleDuring(
  drive: Drive,
  { pid, origin }: SoakServer,
  storeFolder: string,
): Promise<{ samples: MemorySample[]; sizes: SizeSample[] }> {
  const samples: MemorySample[] = []
  const sizes: SizeSample[] = []
  const end = new AbortController()
  const running = drive.run().finally(() => end.abort())
  for (let n = 1; !end.signal.aborted; n++) {
    await delay(SAMPLE_MS, undefined, { signal: end.signal }).catch(() => undefined)
    samples.push(...(await sampleServer(pid, origin, drive.sent)))
    sizes.push({ requests: drive.sent, fileBytes: statSync(join(storeFolder, 'data.mdb')).size })
    if (n % SAMPLES_PER_LINE === 0) console.log(describeMoment(drive, samples, sizes))
  }
  await running
  return { samples, sizes }
}

function describeMoment(
  drive: Drive,
  samples: readonly MemorySample[],
  sizes: readonly SizeSample[],
): string {
  const latest = samples.filter(({ atMs }) => atMs === samples.at(-1)?.atMs)
  const memory = latest.map(
    ({ process, figures }) =>
      `${process} ${mb(figures['residentBytes'])} MB (${mb(figures['privateBytes'])} private)`,
  )
  return `${drive.sent} requests, ${drive.faultCount} faults, file ${mb(sizes.at(-1)?.fileBytes)} MB: ${memory.join(', ')}`
}

function printCounts({ counts, sent }: Drive): void {
  console.log()
  printTable(
    ['kind', 'requests', 'share', 'answers by status'],
    [...counts].map(([kind, statuses]) => {
      const all = [...statuses.values()].reduce((sum, count) => sum + count, 0)
      const share = `${((100 * all) / sent).toFixed(1)} %`
      const list = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
      return [kind, String(all), share, list.join(', ')]
    }),
  )
}

/** Prints the growth of each table, and the bytes for one edit. */
function printGrowth(before: StoreSizes, after: StoreSizes): void {
  const edits = after.revisions - before.revisions
  const growth = Object.entries(after.tables)
    .map(([table, { rows, bytes }]) => {
      const old = before.tables[table] ?? { rows: 0, bytes: 0 }
      return { table, rows: rows - old.rows, bytes: bytes - old.bytes }
    })
    .filter(({ rows, bytes }) => rows !== 0 || bytes !== 0)
    .toSorted((a, b) => b.bytes - a.bytes)
  const inTables = growth.reduce((sum, { bytes }) => sum + bytes, 0)
  const row = (name: string, rows: number | undefined, bytes: number): string[] => [
    name,
    rows === undefined ? '' : String(rows),
    (bytes / MB).toFixed(2),
    edits === 0 ? '-' : (bytes / edits).toFixed(0),
  ]
  console.log(`\nThe store's file: ${mb(before.fileBytes)} MB before, ${mb(after.fileBytes)} MB after.`)
  printTable(
    [`growth over ${edits} edits`, 'rows', 'MB', 'bytes for each edit'],
    [
      ...growth.map(({ table, rows, bytes }) => row(`table ${table}`, rows, bytes)),
      row('all tables', undefined, inTables),
      row('pages that are free to be used again', undefined, after.usedBytes - before.usedBytes - inTables),
      row('the file', undefined, after.fileBytes - before.fileBytes),
    ],
  )
}

function mb(bytes: number | undefined): string {
  return bytes === undefined ? '-' : (bytes / MB).toFixed(1)
}

function describeOptions(): string {
  const { requests, minutes, rate, connections, processes } = options
  const pace = rate === undefined ? 'as fast as it goes' : `at most ${rate} a second`
  return `${requests} requests within ${minutes} minutes, ${pace}, ${connections} connections, ${processes} processes`
}

function readSoakOptions(): {
  readonly requests: number
  readonly minutes: number
  readonly rate: number | undefined
  readonly connections: number
  readonly processes: number
} {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    options: { requests: number, minutes: number, rate: number, connections: number, processes: number },
  })
  const read = (name: keyof typeof values): number | undefined => {
    const text = values[name]
    if (text !== undefined && !(Number(text) > 0)) throw new Error(`--${name} takes a number above 0`)
    return text === undefined ? undefined : Number(text)
  }
  return {
    requests: read('requests') ?? 10_000_000,
    minutes: read('minutes') ?? 24 * 60,
    rate: read('rate'),
    connections: read('connections') ?? 16,
    processes: read('processes') ?? 2,
  }
}
