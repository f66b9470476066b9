/** The engine comes back with an older log. The nodes notice, and an operator puts the lost entries back. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox } from '../../support/sandbox.js'
import { checkCluster } from '../checks.js'
import { Cluster } from '../cluster.js'
import { create, read } from '../edits.js'
import type { Engine } from '../engines/engine.js'
import { Ledger } from '../ledger.js'
import { hotTitles, Load, note } from '../load.js'
import type { ClusterOptions } from '../options.js'
import { type Report, reportOf, type Row } from '../report.js'

/** Edits before and after the copy of the engine's folder, and at the end. */
const EDITS = 200
/** Nodes wait ten seconds for the end of a log: a leader that was just elected may lack it. */
const NOTICE_MS = 60_000

export async function runRollback(
  sandbox: Sandbox,
  engine: Engine,
  options: ClusterOptions,
): Promise<Report> {
  const titles = hotTitles(options.pages)
  const plan = { engine, nodes: 3, processes: 2, titles, parts: options.clients }
  const cluster = await Cluster.found(sandbox, plan)
  const proxy = await cluster.proxy()
  const ledger = new Ledger()
  await new Load(cluster, proxy, ledger, options).finish(EDITS)
  await engine.keepCopy()
  await new Load(cluster, proxy, ledger, { ...options, seed: options.seed + 1 }).finish(3 * EDITS)
  const position = await settled(cluster)
  note(`all nodes are at ${position}; the engine goes back`)
  await engine.putCopyBack()
  const noticed = await whenNoticed(cluster)
  const { rows, faults } = await refusals(cluster, titles[0]!)
  const said = await restore(cluster, engine)
  note(said)
  for (const node of cluster.nodes) await node.whenAt(position, NOTICE_MS)
  await new Load(cluster, proxy, ledger, { ...options, seed: options.seed + 2 }).finish(4 * EDITS)
  const report = reportOf(ledger, await checkCluster(cluster, ledger), [
    ['noticed by all nodes after, ms', noticed.toFixed(0)],
    ...rows,
    ['palimpsest cluster restore', said],
  ])
  return { rows: report.rows, faults: [...faults, ...report.faults] }
}

/** The position of all nodes once it stays the same. */
async function settled({ nodes }: Cluster): Promise<number> {
  for (;;) {
    const statuses = await Promise.all(nodes.map((node) => node.status()))
    const [first] = statuses
    if (statuses.every(({ position, last }) => position === first!.position && last === position))
      return first!.position
    await delay(100)
  }
}

async function whenNoticed({ nodes }: Cluster): Promise<number> {
  const startMs = performance.now()
  for (const node of nodes) {
    while ((await node.status()).state !== 'behind') {
      if (performance.now() - startMs > NOTICE_MS)
        throw new Error(`${node.name} has not noticed: ${JSON.stringify(await node.status())}`)
      await delay(100)
    }
    note(`${node.name} has noticed`)
  }
  return performance.now() - startMs
}

/** Each process of each node refuses edits, and answers reads. */
async function refusals({ nodes }: Cluster, title: string): Promise<{ rows: Row[]; faults: string[] }> {
  const faults: string[] = []
  const answers = new Set<string>()
  for (const { name, origin } of nodes) {
    for (let n = 0; n < 6; n++) {
      const { status, errorKey } = await create(origin, `Refused ${name} ${n}`)
      answers.add(`${status} ${errorKey}`)
      if (status !== 503 || errorKey !== 'rest-log-unavailable')
        faults.push(`${name} answered an edit with ${status} ${errorKey}`)
      const reading = await read(origin, title)
      if (reading !== 200) faults.push(`${name} answered a read with ${reading}`)
    }
  }
  return { rows: [['edits meanwhile', [...answers].join(', ')]], faults }
}

/** On the node that is furthest. All are, so any will do. */
async function restore(cluster: Cluster, { address }: Engine): Promise<string> {
  const { dataDir } = cluster.nodes[1]!.place
  const said = await cluster.command('cluster', 'restore', '--yes', '--data-dir', dataDir, '--log', address)
  return said.trim().split('\n').at(-1)!
}
