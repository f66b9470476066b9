/** Processor time that reads and edits cost nodes, and a model of N nodes made of it. See bench/README.md. */
import { setTimeout as delay } from 'node:timers/promises'
import { endFile } from '../../test/support/cleanUp.js'
import { groupCpuTime } from '../support/cpuTime.js'
import { loadEdits } from '../support/editLoad.js'
import { readOptions } from '../support/options.js'
import { probeReads } from '../support/readProbe.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { type Summary, summarise } from '../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../support/table.js'
import { Cluster } from './cluster.js'
import { type Costs, predictNode } from './costModel.js'
import { endOnSignal } from './endOnSignal.js'
import { MISSING_POSTGRES, startPostgresEngine } from './engines/postgres.js'
import { hotTitles } from './load.js'
import type { Node } from './node.js'

const NODES = 3
/** Pages of each node, which its clients edit. */
const PAGES = 60
/** Parts of a page, which make it 2 kB long. */
const PARTS = 64
const READS_PER_SECOND = 300
/** Of all nodes. */
const EDITS_PER_SECOND = 60
const APPLIED_MS = 60_000
const { rounds = 3, seconds = 5 } = readOptions()

/** What the nodes did in a time, and the processor time of each, in ms. */
interface Sample {
  readonly nodes: number
  readonly seconds: number
  readonly reads: number
  readonly edits: number
  readonly cpuMs: readonly number[]
}

/** Which nodes get reads, and which edits. */
interface Load {
  readonly readers: readonly Node[]
  readonly editors: readonly Node[]
}

endOnSignal()
if (MISSING_POSTGRES === undefined) await measure()
else console.log(`not measured, ${MISSING_POSTGRES}`)

async function measure(): Promise<void> {
  const sandbox = new Sandbox()
  try {
    const engine = await startPostgresEngine()
    const titles = hotTitles(NODES * PAGES)
    const plan = { engine, nodes: 1, reserved: NODES - 1, processes: 1, titles, parts: PARTS }
    const cluster = await Cluster.found(sandbox, plan)
    console.log(`\n${engine.description}`)
    const { nodes } = cluster
    const [first] = nodes as [Node]
    const alone = {
      idle: { readers: [], editors: [] },
      read: { readers: [first], editors: [] },
      take: { readers: [], editors: [first] },
    }
    const samples: Record<string, Sample[]> = {}
    const take = async (kind: string, load: Load): Promise<void> => {
      ;(samples[kind] ??= []).push(await sampleOf(nodes, load))
    }
    for (let count = 1; count <= NODES; count++) {
      if (count > 1) await cluster.join()
      const all = { readers: nodes, editors: nodes }
      await sampleOf(nodes, all) // until the newest node has compiled its code
      for (let round = 0; round < rounds; round++) {
        if (count === 1) for (const [kind, load] of Object.entries(alone)) await take(kind, load)
        if (count === 2) await take('apply', { readers: [], editors: [nodes[1]!] })
        await take(`${count} nodes`, all)
      }
    }
    report(samples)
  } finally {
    await sandbox.close()
    await endFile()
  }
}

/** Loads nodes for some seconds, and waits until all have applied all edits. */
async function sampleOf(nodes: readonly Node[], { readers, editors }: Load): Promise<Sample> {
  const before = nodes.map(cpuOf)
  const startMs = performance.now()
  const reading = readers.map((node) =>
    probeReads({
      origin: node.origin,
      paths: pathsOf(nodes, node),
      readsPerSecond: READS_PER_SECOND,
      seconds,
    }),
  )
  const editsPerSecond = EDITS_PER_SECOND / editors.length
  const editing = editors.map((node) =>
    loadEdits({ origin: node.origin, paths: pathsOf(nodes, node), editsPerSecond, seconds }),
  )
  const [read, edited] = await Promise.all([
    Promise.all(reading),
    Promise.all(editing),
    delay(1000 * seconds),
  ])
  const errors = read.reduce((sum, { errors: failed }) => sum + failed, 0)
  if (errors > 0) throw new Error(`${errors} reads failed`)
  const { position } = await (editors[0] ?? nodes[0]!).status()
  for (const node of nodes) await node.whenAt(position, APPLIED_MS)
  return {
    nodes: nodes.length,
    seconds: (performance.now() - startMs) / 1000,
    reads: read.reduce((sum, { reads }) => sum + reads, 0),
    edits: edited.reduce((sum, { saved }) => sum + saved, 0),
    cpuMs: nodes.map((node, n) => cpuOf(node) - before[n]!),
  }
}

/** Each node has pages of its own, so that no edit has to be merged. */
function pathsOf(nodes: readonly Node[], node: Node): string[] {
  const from = nodes.indexOf(node) * PAGES
  return hotTitles(NODES * PAGES)
    .slice(from, from + PAGES)
    .map((title) => `/v1/page/${title.replaceAll(' ', '_')}`)
}

function cpuOf({ pid }: Node): number {
  const { userMs, systemMs } = groupCpuTime(pid)
  return userMs + systemMs
}

/** Costs of the first node. */
function costsOf(samples: Readonly<Record<string, readonly Sample[]>>): Record<keyof Costs, Summary> {
  const idle = summarise(samples['idle']!.map((sample) => sample.cpuMs[0]! / sample.seconds))
  const each = (kind: string, of: 'reads' | 'edits'): Summary =>
    summarise(samples[kind]!.map((sample) => (sample.cpuMs[0]! - idle.median * sample.seconds) / sample[of]))
  return { idle, read: each('read', 'reads'), take: each('take', 'edits'), apply: each('apply', 'edits') }
}

function report(samples: Readonly<Record<string, readonly Sample[]>>): void {
  const costs = costsOf(samples)
  const { idle, read, take, apply } = costs
  printTable(
    ['processor time of a node', 'ms'],
    [
      ['an idle second', formatSummary(idle, 1)],
      ['a page read', formatSummary(read, 3)],
      ['an edit that it takes', formatSummary(take, 2)],
      ['an edit that it applies', formatSummary(apply, 2)],
    ],
  )
  const medians = { idle: idle.median, read: read.median, take: take.median, apply: apply.median }
  const checked = Array.from({ length: NODES }, (_, n) =>
    checkModel(medians, n + 1, samples[`${n + 1} nodes`]!),
  )
  const rows = checked.map(({ nodes, measured, predicted }) => [
    String(nodes),
    formatSummary(measured, 0),
    formatNumber(predicted, 0),
    formatNumber(measured.median / predicted, 2),
  ])
  console.log(`\n${READS_PER_SECOND} reads a second of each node, ${EDITS_PER_SECOND} edits a second of all:`)
  printTable(['nodes', 'measured, ms a second and node', 'predicted', 'ratio'], rows)
  const setup = { rounds, seconds, readsPerSecond: READS_PER_SECOND, editsPerSecond: EDITS_PER_SECOND }
  writeResult('cluster-costs', {
    setup,
    samples: Object.values(samples).flat(),
    summary: { costs, checked },
  })
}

/** Processor time of a node in a second, measured beside that of the model. */
function checkModel(
  costs: Costs,
  nodes: number,
  samples: readonly Sample[],
): { readonly nodes: number; readonly measured: Summary; readonly predicted: number } {
  const measured = samples.map(
    ({ cpuMs, seconds: took }) => cpuMs.reduce((sum, ms) => sum + ms, 0) / nodes / took,
  )
  const predicted = samples.map((sample) => predictNode(costs, sample) / sample.seconds)
  return { nodes, measured: summarise(measured), predicted: summarise(predicted).median }
}
