/**
 * Page reads beside other work: idle, then while the server is full of searches, comparisons, renderings, pictures to
 * scale or edits. Measured with a core for the event loop alone, with cores shared by all threads, and with
 * real-time priority on shared cores. See bench/README.md.
 */
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chooseLoopCores, reserveLoopCore } from '../support/eventLoopCore.js'
import { runLoadBench } from '../support/loadBench.js'
import { readOptions } from '../support/options.js'
import { choosePinning, NOTHING_PINNED, type Pinning } from '../support/pinning.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { READER_PRIORITY, runFirst } from '../support/realTime.js'
import type { Sandbox } from '../support/sandbox.js'
import { startServer } from '../support/serveArguments.js'
import { loadGenerator } from '../support/wrk.js'
import { HISTORIES, type Load, type LoadedWiki, makeLoads, makeWiki, TITLES } from './isolation/loads.js'
import { describeSample, type Placement, report, type Sample, WARM_UP } from './isolation/report.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const READS_PER_SECOND = 500
const LEAD_MS = 1000
/** Answers from threads are not kept, so each one is made. */
const NOTHING_KEPT = [
  ['--comparisons-bytes', '0'],
  ['--html-cache-bytes', '0'],
  ['--thumbnail-cache-bytes', '1048576'],
].flat()

const { rounds = 3, seconds: secondsGiven = 4, only } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

await runLoadBench({ what: 'isolation', dump: DUMP, needsCpuTime: false }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const wiki = await makeWiki(sandbox, dumpPath)
  const measureWith = (placement: Placement, pinning: Pinning): Promise<Sample[]> => {
    const all = makeLoads(loadGenerator(sandbox, pinning, wrkPath), sandbox, wiki)
    const loads = Object.entries(all).filter(([name]) => name.includes(only ?? ''))
    if (loads.length === 0) throw new Error(`there is no such work; there is ${Object.keys(all).join(', ')}`)
    return measurePlacement(sandbox, wiki, { placement, pinning, loads })
  }
  const samples = await measureWith('shared cores', NOTHING_PINNED)
  const pinning = choosePinning()
  if (pinning !== NOTHING_PINNED) samples.push(...(await measureWith('own core', pinning)))
  if (await runFirst(process.pid, READER_PRIORITY))
    samples.push(...(await measureWith('real time', NOTHING_PINNED)))
  else console.log('no right to real-time priority (chrt): not measured with it.')
  const setup = { rounds, seconds, titles: TITLES, readsPerSecond: READS_PER_SECOND, histories: HISTORIES }
  report(samples, { corpus: basename(dumpPath), ...setup })
}

interface Turns {
  readonly placement: Placement
  readonly pinning: Pinning
  readonly loads: readonly (readonly [name: string, load: Load])[]
}

/** All loads in turns, on servers in one placement. */
async function measurePlacement(
  sandbox: Sandbox,
  wiki: LoadedWiki,
  { placement, pinning, loads }: Turns,
): Promise<Sample[]> {
  const flags = [...NOTHING_KEPT, '--anonymous-edits', ...(placement === 'real time' ? ['--real-time'] : [])]
  // The server's threads start on the core of the load, if there is one.
  const place = { pin: pinning.pin, core: pinning.loadCore }
  const { origin, group } = await startServer(sandbox, place, wiki.dataDir, flags)
  const other = await startServer(sandbox, place, wiki.otherDir, flags)
  const cores = placement === 'own core' ? chooseLoopCores() : undefined
  const stopSeparating = cores && (await reserveLoopCore(group, cores))
  const read = (): Promise<ProbeSample> =>
    probeReads({ origin, paths: wiki.paths, readsPerSecond: READS_PER_SECOND, seconds })
  await read()
  const samples: Sample[] = []
  for (let round = WARM_UP; round <= rounds; round++) {
    for (const [load, run] of loads) {
      const idle = await read()
      const { reads: beside, ...done } = await readBeside(read, run, origin)
      const { reads: elsewhere } = await readBeside(read, run, other.origin)
      const sample = { load, placement, round, idle, beside, elsewhere, ...done }
      console.log(describeSample(sample))
      if (round !== WARM_UP) samples.push(sample)
    }
  }
  stopSeparating?.()
  await Promise.all([group, other.group].map((server) => sandbox.stop(server)))
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
