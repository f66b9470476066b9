/** A node that applies edits of others: its page reads meanwhile, and its catch-up after a stop. See bench/README.md. */
import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { endFile } from '../../test/support/cleanUp.js'
import { mainThreadWaitMs } from '../support/cpuTime.js'
import { loadEdits } from '../support/editLoad.js'
import { chooseLoopCores, reserveLoopCore } from '../support/eventLoopCore.js'
import { readOptions } from '../support/options.js'
import { probeReads } from '../support/readProbe.js'
import { type ReadsBeside, reportReadsBeside } from '../support/readsBeside.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise } from '../support/statistics.js'
import { formatNumber, formatSummary } from '../support/table.js'
import { Cluster } from './cluster.js'
import { Editors } from './editors.js'
import { endOnSignal } from './endOnSignal.js'
import { MISSING_POSTGRES, startPostgresEngine } from './postgres.js'
import { hotTitles } from './load.js'
import type { Node } from './node.js'

const PAGES = 200
const PARTS = 64
const READS_PER_SECOND = 500
const EDITS_PER_SECOND = 200
const EDITORS = 24
/** Entries that a node misses. */
const MISSED = 20_000
const { rounds = 3, seconds = 5 } = readOptions()

interface Round extends ReadsBeside {
  readonly saved: number
  /** Time for which the event loop waited for a processor while edits arrived: the machine was busy. */
  readonly waitedMs: number
}

endOnSignal()
if (MISSING_POSTGRES === undefined) await measure()
else console.log(`not measured, ${MISSING_POSTGRES}`)

async function measure(): Promise<void> {
  const sandbox = new Sandbox()
  try {
    const engine = await startPostgresEngine()
    const titles = hotTitles(PAGES)
    const cluster = await Cluster.found(sandbox, { engine, nodes: 2, processes: 1, titles, parts: PARTS })
    const [first, second] = cluster.nodes as [Node, Node]
    console.log(`\n${engine.description}`)
    const cores = chooseLoopCores()
    const stopSeparating = cores && (await reserveLoopCore(first.pid, cores))
    const samples = await readBeside(first, second, titles)
    stopSeparating?.()
    // Programs that start from here on may use all cores again.
    if (cores) {
      const list = `${cores.loopCore},${cores.otherCore}`
      spawnSync('taskset', ['--cpu-list', '--pid', list, String(process.pid)])
    }
    const ratio = reportReads(samples)
    const entriesPerSecond = await catchUp(first, second, titles)
    console.log(
      `A node that missed ${formatNumber(MISSED, 0)} entries applied ${formatNumber(entriesPerSecond, 0)} a second.`,
    )
    const setup = {
      rounds,
      seconds,
      readsPerSecond: READS_PER_SECOND,
      editsPerSecond: EDITS_PER_SECOND,
      missed: MISSED,
    }
    writeResult('cluster-nodes', { setup, samples, summary: { ratio, entriesPerSecond } })
  } finally {
    await sandbox.close()
    await endFile()
  }
}

/** Reads of one node, alone and while edits arrive at the other. */
async function readBeside(first: Node, second: Node, titles: readonly string[]): Promise<Round[]> {
  const paths = titles.map((title) => `/v1/page/${title.replaceAll(' ', '_')}`)
  const reads = { origin: first.origin, paths, readsPerSecond: READS_PER_SECOND, seconds }
  const edits = { origin: second.origin, paths, editsPerSecond: EDITS_PER_SECOND, seconds }
  await Promise.all([probeReads(reads), loadEdits(edits)])
  const samples: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const idle = await probeReads(reads)
    const waitedMs = mainThreadWaitMs(first.pid)
    const [beside, { saved }] = await Promise.all([probeReads(reads), loadEdits(edits)])
    samples.push({ idle, beside, saved, waitedMs: mainThreadWaitMs(first.pid) - waitedMs })
  }
  return samples
}

function reportReads(samples: readonly Round[]): object {
  const { ratio, errors } = reportReadsBeside(samples, 'edits of another node')
  const saved = summarise(samples.map((round) => round.saved / seconds))
  console.log(`Edits saved a second, of ${EDITS_PER_SECOND} offered: ${formatSummary(saved, 0)}.`)
  const waited = summarise(samples.map(({ waitedMs }) => waitedMs / seconds))
  console.log(`The event loop waited ${formatSummary(waited, 0)} ms of each second for a processor.`)
  if (errors > 0) {
    console.log(`${errors} reads failed: these figures are not to be trusted.`)
    process.exitCode = 1
  }
  return ratio
}

/** Entries a second of a node that starts again after it has missed some. */
async function catchUp(first: Node, second: Node, titles: readonly string[]): Promise<number> {
  const { position } = await second.status()
  await second.stop()
  const editors = await Editors.open([first], titles.slice(0, EDITORS))
  await editors.edit(EDITORS, 600, MISSED)
  editors.close()
  const end = (await first.status()).position
  const running = second.start()
  const from = await whenBeyond(second, position)
  const to = await whenBeyond(second, end - 1)
  await running
  return (1000 * (to.position - from.position)) / (to.atMs - from.atMs)
}

/** The first position after one that a node tells. A node that starts does not answer yet. */
async function whenBeyond(node: Node, position: number): Promise<{ position: number; atMs: number }> {
  for (;;) {
    const status = await node.status().catch(() => undefined)
    if (status !== undefined && status.position > position)
      return { position: status.position, atMs: performance.now() }
    await delay(5)
  }
}
