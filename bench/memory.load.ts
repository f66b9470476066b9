/** Memory of a server over ten million reads of all pages of a wiki. See bench/README.md. */
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { printQuarters, summariseQuarters } from './soak/quarters.js'
import { type MemorySample, sampleServer } from './soak/samples.js'
import { runLoadBench } from './support/loadBench.js'
import { readOptions } from './support/options.js'
import { drawPageKeys, pagePath } from './support/pageSample.js'
import { NOTHING_PINNED } from './support/pinning.js'
import { PALIMPSEST } from './support/repository.js'
import { serveArguments } from './support/serveArguments.js'
import { writeResult } from './support/results.js'
import type { Sandbox } from './support/sandbox.js'
import { cachedStore } from './support/storeCache.js'
import { formatNumber } from './support/table.js'
import { type LoadGenerator, loadGenerator, writeLoadScript } from './support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const CONNECTIONS = 16
const PROCESSES = 2
/** Memory is read after each part of the load, which the server then rests from. */
const PART_SECONDS = 5
/** Less than the pages need: ready answers come and go all the time. */
const HOT_ANSWERS_BYTES = 16 * 2 ** 20
const PROGRESS_EVERY = 1_000_000

const { rounds = 3, requests: most = 10_000_000 } = readOptions()

await runLoadBench({ what: 'memory', dump: DUMP, needsCpuTime: false }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const store = await cachedStore(sandbox, dumpPath)
  const pages = (await drawPageKeys(dumpPath, Infinity)).map(pagePath)
  const paths = pages.flatMap((page) => [page, `${page}/bare`, `${page}/history`])
  const generate = loadGenerator(sandbox, NOTHING_PINNED, wrkPath)
  const script = writeLoadScript(sandbox.folder('memory'), paths)
  const runs = []
  for (let round = 1; round <= rounds; round++) {
    const dataDir = join(sandbox.folder('memory'), 'wiki')
    cpSync(store, dataDir, { recursive: true })
    const { samples, done, errors } = await read(sandbox, dataDir, (origin) =>
      generate(origin, { seconds: PART_SECONDS, connections: CONNECTIONS, script }),
    )
    const quarters = summariseQuarters(samples, done)
    console.log(`\nRun ${round} of ${rounds}: ${formatNumber(done, 0)} requests, ${errors} errors`)
    printQuarters(quarters)
    if (errors > 0) process.exitCode = 1
    runs.push({ round, requests: done, errors, quarters, samples })
  }
  const setup = { corpus: basename(dumpPath), paths: paths.length, CONNECTIONS, PROCESSES, HOT_ANSWERS_BYTES }
  const summary = runs.map(({ round, requests, errors, quarters }) => ({ round, requests, errors, quarters }))
  writeResult('memory', { setup, samples: runs, summary })
}

/** Loads a new server in parts, and samples its processes after each. */
async function read(
  sandbox: Sandbox,
  dataDir: string,
  load: (origin: string) => ReturnType<LoadGenerator>,
): Promise<{ samples: MemorySample[]; done: number; errors: number }> {
  const settings = ['--processes', String(PROCESSES), '--hot-answers-bytes', String(HOT_ANSWERS_BYTES)]
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    serveArguments(dataDir, '--log-level', 'warn', ...settings),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  const origin = greeting[1]!
  const samples: MemorySample[] = []
  let done = 0
  let errors = 0
  while (done < most) {
    const counts = await load(origin)
    const before = done
    done += counts.requests
    errors += counts.errors
    const latest = await sampleServer(pid, origin, done)
    samples.push(...latest)
    if (Math.floor(done / PROGRESS_EVERY) > Math.floor(before / PROGRESS_EVERY)) {
      const memory = latest.map(({ figures }) => formatNumber(figures['privateBytes']! / 1e6, 0))
      console.log(`${formatNumber(done, 0)} requests; private MB ${memory.join(', ')}`)
    }
  }
  await sandbox.stop(pid)
  return { samples, done, errors }
}
