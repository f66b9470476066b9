/**
 * Page reads beside other work: idle, then while the server is full of searches, comparisons, renderings, pictures to
 * scale or edits. Measured with a core for the event loop alone, and with cores shared by all threads. See
 * bench/README.md.
 */
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Store } from '../../src/storage/store.js'
import { runFirst, separateEventLoops } from '../support/eventLoopCore.js'
import { loadEdits } from '../support/editLoad.js'
import { frequentWords } from '../support/frequentWords.js'
import { addHistories, comparisonPaths, type HistoryShape, type LargestIds } from '../support/historyStore.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { writePictures } from '../support/pictures.js'
import { choosePinning, NOTHING_PINNED, type Pinning } from '../support/pinning.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { type Summary, summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { type LoadCounts, type LoadGenerator, loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const READS_PER_SECOND = 500
const HISTORIES: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 20_000, edits: 5 }
const PICTURES = 12
const RENDERED_PAGES = 500
/** Enough that every thread always finds its next task, and few enough that the server refuses hardly any. */
const SEARCH_CONNECTIONS = 32
const COMPARISON_CONNECTIONS = 32
const RENDER_CONNECTIONS = 12
const PICTURE_CONNECTIONS = 6
/** Number of pages with an edit under way at a time. The load offers more edits than can be saved. */
const EDITED_PAGES = 16
const EDITS_OFFERED_PER_SECOND = 2000
const LEAD_MS = 1000
/** Most that p99 beside a load may be, as a multiple of p99 idle, if the event loop has its own core. */
const AIM = 2
/** Answers from threads are not kept, so each one is made. */
const NOTHING_KEPT = [
  '--comparisons-bytes',
  '0',
  '--html-cache-bytes',
  '0',
  '--thumbnail-cache-bytes',
  '1048576',
]

const { rounds = 3, seconds: secondsGiven = 4 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

/** Loads a server for some seconds. Returns its answers per second, and the number of refusals. */
type Load = (origin: string, seconds: number) => Promise<{ readonly done: number; readonly refused: number }>

/** Cores on which threads run. */
type Placement = 'own core' | 'shared cores'
const PLACEMENTS: Readonly<Record<Placement, string>> = {
  'own core': 'The event loop has a core of its own; threads, load and the other server share another.',
  'shared cores': 'Event loop, threads, load and the other server share the cores.',
}

interface Sample {
  readonly load: string
  readonly placement: Placement
  /** Counted from 1. */
  readonly round: number
  readonly idle: ProbeSample
  /** Reads from the loaded server, and from an idle server on the same machine. */
  readonly beside: ProbeSample
  readonly elsewhere: ProbeSample
  readonly donePerSecond: number
  readonly refused: number
}

/** Two copies of a wiki to serve, and the paths to request. */
interface Wiki {
  readonly dataDir: string
  readonly otherDir: string
  readonly paths: readonly string[]
  readonly pictures: readonly string[]
  readonly words: readonly string[]
  readonly ids: LargestIds
}

await runLoadBench({ what: 'isolation', dump: DUMP, needsCpuTime: false }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const folder = sandbox.folder('isolation')
  const dataDir = join(folder, 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const words = await commonWords(dataDir)
  const ids = await addHistories(dataDir, HISTORIES)
  const pictures = await addPictures(sandbox, dataDir)
  const otherDir = join(folder, 'other')
  cpSync(dataDir, otherDir, { recursive: true })

  const paths = (await drawPageKeys(dumpPath, TITLES)).map(pagePath)
  const wiki: Wiki = { dataDir, otherDir, paths, pictures, words, ids }
  const samples = await measurePlacement(sandbox, wrkPath, wiki, NOTHING_PINNED)
  const pinning = choosePinning()
  if (pinning !== NOTHING_PINNED) samples.push(...(await measurePlacement(sandbox, wrkPath, wiki, pinning)))
  report(samples, basename(dumpPath))
}

/** All loads in turns, on servers that `pinning` places. */
async function measurePlacement(
  sandbox: Sandbox,
  wrkPath: string,
  wiki: Wiki,
  pinning: Pinning,
): Promise<Sample[]> {
  const loads = makeLoads(loadGenerator(sandbox, pinning, wrkPath), sandbox, wiki)
  const { origin, pid } = await startServer(sandbox, pinning, wiki.dataDir)
  const { origin: otherOrigin, pid: otherPid } = await startServer(sandbox, pinning, wiki.otherDir)
  const { serverCore, loadCore } = pinning
  const cores =
    serverCore !== undefined && loadCore !== undefined
      ? { loopCore: serverCore, otherCore: loadCore }
      : undefined
  // This thread sends the reads from the core of the event loop. Its little work has priority there.
  if (cores && !runFirst()) console.log('no right to run first (chrt): the reads include waits of their own.')
  const stopSeparating = cores && (await separateEventLoops([pid, process.pid], cores))
  const read = (): Promise<ProbeSample> =>
    probeReads({ origin, paths: wiki.paths, readsPerSecond: READS_PER_SECOND, seconds })
  await read()
  const samples: Sample[] = []
  const placement = cores ? 'own core' : 'shared cores'
  for (let round = 1; round <= rounds; round++) {
    for (const [load, run] of Object.entries(loads)) {
      const idle = await read()
      const { reads: beside, ...work } = await readBeside(read, run, origin)
      const { reads: elsewhere } = await readBeside(read, run, otherOrigin)
      samples.push({ load, placement, round, idle, beside, elsewhere, ...work })
    }
    console.log(`${placement}: round ${round} of ${rounds}`)
  }
  stopSeparating?.()
  await Promise.all([pid, otherPid].map((server) => sandbox.stop(server)))
  return samples
}

/** Reads that start after the load has begun, and end before it does. */
async function readBeside(
  read: () => Promise<ProbeSample>,
  load: Load,
  origin: string,
): Promise<{ reads: ProbeSample; donePerSecond: number; refused: number }> {
  const lengthSeconds = seconds + (2 * LEAD_MS) / 1000
  const loading = load(origin, lengthSeconds)
  await delay(LEAD_MS)
  const reads = await read()
  const { done, refused } = await loading
  return { reads, donePerSecond: done / lengthSeconds, refused }
}

function makeLoads(generate: LoadGenerator, sandbox: Sandbox, wiki: Wiki): Readonly<Record<string, Load>> {
  const ofPaths = (paths: readonly string[], connections: number): Load => {
    const script = writeLoadScript(sandbox.folder('load'), paths, { neverTwice: true })
    return async (origin, length) =>
      countDone(await generate(origin, { seconds: length, connections, script }))
  }
  const searches = wiki.words.map((word, n) => {
    const other = wiki.words[(n + 1) % wiki.words.length]!
    return `/v1/search/page?limit=10&q=${encodeURIComponent(`${word} ${other}`)}`
  })
  const edited = wiki.paths.slice(0, EDITED_PAGES)
  return {
    'full-text search': ofPaths(searches, SEARCH_CONNECTIONS),
    comparisons: ofPaths(comparisonPaths(HISTORIES, wiki.ids), COMPARISON_CONNECTIONS),
    renderings: ofPaths(
      wiki.paths.slice(0, RENDERED_PAGES).map((path) => `${path}/html`),
      RENDER_CONNECTIONS,
    ),
    'scaled pictures': ofPaths(wiki.pictures, PICTURE_CONNECTIONS),
    edits: async (origin, length) => {
      const options = { origin, paths: edited, editsPerSecond: EDITS_OFFERED_PER_SECOND, seconds: length }
      return { done: (await loadEdits(options)).saved, refused: 0 }
    },
  }
}

function countDone({ requests, errors }: LoadCounts): { done: number; refused: number } {
  return { done: requests - errors, refused: errors }
}

async function commonWords(dataDir: string): Promise<string[]> {
  const store = Store.open(dataDir)
  try {
    return frequentWords(store, 40)
  } finally {
    await store.close()
  }
}

async function addPictures(sandbox: Sandbox, dataDir: string): Promise<string[]> {
  const folder = sandbox.folder('pictures')
  const paths = await writePictures(folder, PICTURES)
  const args = ['files', 'import', '--data-dir', dataDir, '--user', 'Bench', folder]
  const { status } = await sandbox.run(PALIMPSEST, args)
  if (status !== 0) throw new Error('the import of pictures failed')
  return paths
}

/** Starts a server. Its threads start on the core of the load, if there is one. */
async function startServer(
  sandbox: Sandbox,
  { pin, loadCore }: Pinning,
  dataDir: string,
): Promise<{ readonly origin: string; readonly pid: number }> {
  const args = ['serve', '--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0', '--anonymous-edits']
  const { greeting, pid } = await sandbox.serve(
    ...pin(loadCore, PALIMPSEST, [...args, '--log-level', 'error', ...NOTHING_KEPT]),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { origin: greeting[1]!, pid }
}

type LoadSummary = Pick<Sample, 'load'> &
  Readonly<
    Record<
      | 'idleP50Ms'
      | 'idleP99Ms'
      | 'p50Ms'
      | 'p99Ms'
      | 'elsewhereP99Ms'
      | 'toIdle'
      | 'toElsewhere'
      | 'donePerSecond',
      Summary
    >
  >

function summariseLoads(samples: readonly Sample[]): LoadSummary[] {
  return [...new Set(samples.map(({ load }) => load))].map((load) => {
    const own = samples.filter((sample) => sample.load === load)
    return {
      load,
      ...summariseFigures(own, {
        idleP50Ms: ({ idle }) => idle.p50Ms,
        idleP99Ms: ({ idle }) => idle.p99Ms,
        p50Ms: ({ beside }) => beside.p50Ms,
        p99Ms: ({ beside }) => beside.p99Ms,
        elsewhereP99Ms: ({ elsewhere }) => elsewhere.p99Ms,
        toIdle: ({ beside, idle }) => beside.p99Ms / idle.p99Ms,
        toElsewhere: ({ beside, elsewhere }) => beside.p99Ms / elsewhere.p99Ms,
        donePerSecond: ({ donePerSecond }) => donePerSecond,
      }),
    }
  })
}

function report(samples: readonly Sample[], corpus: string): void {
  const placements = [...new Set(samples.map(({ placement }) => placement))]
  const summary = placements.map((placement) => {
    const own = samples.filter((sample) => sample.placement === placement)
    const idle = summariseFigures(own, { p50: (one) => one.idle.p50Ms, p99: (one) => one.idle.p99Ms })
    return { placement, idle, loads: summariseLoads(own) }
  })
  for (const { placement, idle, loads } of summary) {
    console.log(`\n${PLACEMENTS[placement]}`)
    printTable(
      [
        'page reads beside',
        'p50 ms',
        'p99 ms',
        'p99 on another server',
        'p99 to idle',
        'to other server',
        'load/s',
      ],
      [
        ['nothing', formatSummary(idle.p50, 2), formatSummary(idle.p99, 2)],
        ...loads.map((row) => [
          row.load,
          formatSummary(row.p50Ms, 2),
          formatSummary(row.p99Ms, 2),
          formatSummary(row.elsewhereP99Ms, 2),
          formatSummary(row.toIdle, 2),
          formatSummary(row.toElsewhere, 2),
          formatSummary(row.donePerSecond, 0),
        ]),
      ],
    )
  }
  console.log(`Aim: p99 at most ${AIM} times that of idle, where the event loop has a core of its own.`)
  const failed = samples.reduce(
    (sum, { idle: a, beside: b, elsewhere: c }) => sum + a.errors + b.errors + c.errors,
    0,
  )
  if (failed > 0) {
    console.log(`${failed} page reads failed: these figures are not to be trusted.`)
    process.exitCode = 1
  }
  const setup = {
    corpus,
    rounds,
    seconds,
    titles: TITLES,
    readsPerSecond: READS_PER_SECOND,
    histories: HISTORIES,
  }
  writeResult('http-isolation', { setup, samples, summary })
}
