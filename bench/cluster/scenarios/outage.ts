/** The engine is gone for a while. Reads keep their speed, edits get an answer in time, and nodes recover by themselves. */
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../../support/machine.js'
import { NOTHING_PINNED } from '../../support/pinning.js'
import type { Sandbox } from '../../support/sandbox.js'
import { type LoadCounts, loadGenerator, writeLoadScript } from '../../support/wrk.js'
import { checkCluster } from '../checks.js'
import { Cluster } from '../cluster.js'
import { create } from '../edits.js'
import type { Engine } from '../engines/engine.js'
import { Ledger } from '../ledger.js'
import { hotTitles, Load, note } from '../load.js'
import type { ClusterOptions } from '../options.js'
import { type Report, reportOf, type Row } from '../report.js'

const READ_SECONDS = 8
const CONNECTIONS = 16
/** Least rate of reads without the engine, as a share of that before. */
const AIM = 0.95
/** Limit of edits, and how much later an answer may come on a busy machine. */
const WRITE_MS = 10_000
const SLACK_MS = 3000
/** Time until a node writes again after the engine is back. */
const BACK_MS = 15_000

export async function runOutage(sandbox: Sandbox, engine: Engine, options: ClusterOptions): Promise<Report> {
  const titles = hotTitles(options.pages)
  const plan = { engine, nodes: 3, processes: 1, titles, parts: options.clients }
  const cluster = await Cluster.found(sandbox, plan)
  const read = readerOf(sandbox, cluster, titles)
  await read()
  const before = await read()
  note(`reads of one node: ${rate(before)}/s`)
  await engine.killAll()
  note('the engine is gone')
  const endMs = performance.now() + options.pauseSeconds * 1000
  await delay(2000)
  const without = await read()
  note(`reads of one node without the engine: ${rate(without)}/s`)
  const { rows, faults } = await editWithout(cluster, endMs)
  await engine.start()
  const backMs = await whenWritten(cluster)
  note(`edits are saved ${backMs.toFixed(0)} ms after the engine is back`)
  const after = await read()
  const ledger = new Ledger()
  const load = new Load(cluster, await cluster.proxy(), ledger, options)
  await load.finish(Math.min(options.operations, 1000))
  const report = reportOf(ledger, await checkCluster(cluster, ledger), [
    ['reads a second before', String(rate(before))],
    ['reads a second without the engine', String(rate(without))],
    ['reads a second after', String(rate(after))],
    ['without to before', `${(rate(without) / rate(before)).toFixed(2)} (aim: ${AIM})`],
    ['failed reads', String(before.errors + without.errors + after.errors)],
    ...rows,
    ['first edit after the engine is back, ms', backMs.toFixed(0)],
  ])
  if (before.errors + without.errors + after.errors > 0) faults.push('reads failed')
  if (rate(without) < AIM * rate(before)) faults.push('reads were slower without the engine')
  return { rows: report.rows, faults: [...faults, ...report.faults] }
}

const rate = ({ requests, durationMs }: LoadCounts): number => Math.round((1000 * requests) / durationMs)

/** Reads of pages from the first node, all of them with wrk. */
function readerOf(
  sandbox: Sandbox,
  { nodes, folder }: Cluster,
  titles: readonly string[],
): () => Promise<LoadCounts> {
  const wrk = findProgram('wrk')
  if (wrk === undefined) throw new Error('wrk is missing (Debian: apt install wrk)')
  const paths = titles.map((title) => `/v1/page/${title.replaceAll(' ', '_')}`)
  const script = writeLoadScript(folder, paths)
  const generate = loadGenerator(sandbox, NOTHING_PINNED, wrk)
  return () => generate(nodes[0]!.origin, { seconds: READ_SECONDS, connections: CONNECTIONS, script })
}

/** Sends edits one after another until the outage ends. Each must be refused in time. */
async function editWithout({ nodes }: Cluster, endMs: number): Promise<{ rows: Row[]; faults: string[] }> {
  const faults: string[] = []
  const times: number[] = []
  const answers = new Set<string>()
  while (performance.now() < endMs || times.length === 0) {
    for (const { name, origin } of nodes) {
      const startMs = performance.now()
      const { status, errorKey } = await create(origin, `Outage ${name} ${times.length}`)
      const tookMs = performance.now() - startMs
      times.push(tookMs)
      answers.add(`${status} ${errorKey}`)
      if (status !== 503) faults.push(`an edit without the engine was answered with ${status} ${errorKey}`)
      if (tookMs > WRITE_MS + SLACK_MS) faults.push(`an edit was answered after ${tookMs.toFixed(0)} ms`)
    }
  }
  const rows: Row[] = [
    ['edits without the engine', `${times.length}, answered with ${[...answers].join(', ')}`],
    ['the slowest of these, ms', `${Math.max(...times).toFixed(0)} (limit ${WRITE_MS})`],
  ]
  return { rows, faults }
}

/** Time until every node saves edits again. */
async function whenWritten({ nodes }: Cluster): Promise<number> {
  const startMs = performance.now()
  for (const { name, origin } of nodes) {
    for (let n = 0; (await create(origin, `Back ${name} ${n}`)).status !== 201; n++) {
      if (performance.now() - startMs > BACK_MS) throw new Error(`${name} saves no edits after the outage`)
      await delay(50)
    }
  }
  return performance.now() - startMs
}
