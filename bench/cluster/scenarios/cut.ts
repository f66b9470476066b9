/** The cable of one machine is pulled for a while: its node saves nothing, the others go on, and nothing is lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { randomNumbers } from '../../support/random.js'
import type { Sandbox } from '../../support/sandbox.js'
import { checkCluster } from '../checks.js'
import { Cluster } from '../cluster.js'
import { create, read } from '../edits.js'
import { startReachablePostgres } from '../engines/postgres.js'
import { Ledger } from '../ledger.js'
import { hotTitles, Load, note } from '../load.js'
import { Network, SWITCH_ADDRESS } from '../network.js'
import type { Node } from '../node.js'
import type { ClusterOptions } from '../options.js'
import { inTurn } from '../proxy.js'
import { type Report, reportOf, type Row } from '../report.js'

const MACHINES = 3
/** Pause before a cut, and until answers to entries from before it have come. */
const BEFORE_MS = 5000
const UNDER_WAY_MS = 3000
/** Least edits that both other nodes save in the cut. */
const OTHERS_SAVE = 20
const BACK_MS = 60_000
/** A node notices within this time that its engine is out of reach. */
const NOTICE_MS = 30_000

/** Each machine has a node. PostgreSQL runs at the switch. */
export async function runCut(sandbox: Sandbox, options: ClusterOptions): Promise<Report> {
  const network = new Network(MACHINES)
  const engine = await startReachablePostgres(SWITCH_ADDRESS, '10.250.0.0/24')
  const titles = hotTitles(options.pages)
  const cluster = await Cluster.found(sandbox, {
    engine,
    nodes: MACHINES,
    processes: 2,
    titles,
    parts: options.clients,
    placeOf: (place, n) => ({ ...place, host: network.control(n + 1), under: network.under(n + 1) }),
  })
  note(`three machines on ${engine.description}; ${MACHINES} cuts of ${options.pauseSeconds} s follow`)
  const ledger = new Ledger()
  const load = new Load(cluster, inTurn(cluster.nodes), ledger, options)
  const rows: Row[] = []
  const faults: string[] = []
  for (const machine of drawAll(randomNumbers(options.seed))) {
    await delay(BEFORE_MS)
    const found = await cutOff(cluster, network, machine, options.pauseSeconds, ledger)
    rows.push(...found.rows)
    faults.push(...found.faults)
  }
  note(`all cuts are over; clients go on to ${options.operations} edits`)
  await load.finish(options.operations)
  note('comparing')
  const report = reportOf(ledger, await checkCluster(cluster, ledger), rows)
  return { rows: report.rows, faults: [...faults, ...report.faults] }
}

/** Every machine once, so that the leader is among them. */
function drawAll(random: () => number): number[] {
  return Array.from({ length: MACHINES }, (_, n) => ({ machine: n + 1, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ machine }) => machine)
}

async function cutOff(
  cluster: Cluster,
  network: Network,
  machine: number,
  seconds: number,
  ledger: Ledger,
): Promise<{ rows: Row[]; faults: string[] }> {
  const node = cluster.nodes[machine - 1]!
  const savedBefore = ledger.count('saved')
  network.pull(machine)
  note(`pulled the cable of ${node.name}`)
  const endMs = performance.now() + seconds * 1000
  const noticed = whenNoticed(node, endMs)
  await delay(UNDER_WAY_MS)
  const answers = new Set<string>()
  const faults: string[] = []
  let edits = 0
  do {
    const { status, errorKey } = await create(node.origin, `Cut ${node.name} ${edits++}`)
    answers.add(`${status} ${errorKey}`)
    if (status !== 503)
      faults.push(`${node.name} answered an edit with ${status} ${errorKey} while it was cut off`)
    const reading = await read(node.origin, 'Hot 0')
    if (reading !== 200) faults.push(`${node.name} answered a read with ${reading} while it was cut off`)
  } while (performance.now() < endMs)
  const noticedMs = await noticed
  if (noticedMs > NOTICE_MS && seconds * 1000 > NOTICE_MS)
    faults.push(`${node.name} has not noticed in time that it is cut off`)
  const saved = ledger.count('saved') - savedBefore
  if (saved < OTHERS_SAVE) faults.push(`the others saved ${saved} edits while ${node.name} was cut off`)
  network.plug(machine)
  const backMs = performance.now()
  note(`plugged ${node.name} in again`)
  await node.whenAt(0, BACK_MS)
  const back = (performance.now() - backMs).toFixed(0)
  note(`${node.name} follows the log again after ${back} ms`)
  const rows: Row[] = [
    [`${node.name} cut off`, `${edits} edits: ${[...answers].join(', ')}`],
    ['it noticed after, ms', noticedMs === Infinity ? 'not before the end' : noticedMs.toFixed(0)],
    ['saved by the others meanwhile', String(saved)],
    ['it follows the log again after, ms', back],
  ]
  return { rows, faults }
}

/** Milliseconds until a node notices. Infinity: not before the end. */
async function whenNoticed(node: Node, endMs: number): Promise<number> {
  const startMs = performance.now()
  while (performance.now() < endMs) {
    const status = await node.status().catch(() => undefined) // late, as on a busy machine
    if (status?.state === 'unreachable') return performance.now() - startMs
    await delay(100)
  }
  return Infinity
}
