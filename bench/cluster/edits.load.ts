/** Durable edits a second, by the log that carries them. See bench/README.md. */
import { endFile } from '../../test/support/cleanUp.js'
import { readOptions } from '../support/options.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summariseFigures } from '../support/statistics.js'
import { formatSummary, printTable } from '../support/table.js'
import { Cluster } from './cluster.js'
import { Editors, type EditorSample } from './editors.js'
import { endOnSignal } from './endOnSignal.js'
import { type Engine, MISSING_POSTGRES, startPostgresEngine, startPostgresPair } from './postgres.js'
import { hotTitles } from './load.js'
import type { Node } from './node.js'

const CLIENTS = [1, 24]
/** Parts of a page, which make it 2 kB long. */
const PARTS = 64
const { rounds = 3, seconds = 4 } = readOptions()

interface Log {
  readonly name: string
  readonly missing?: string | undefined
  /** Undefined: the store has its own log. */
  readonly start: () => Promise<Engine | undefined>
  readonly nodes: number
}

const LOGS: readonly Log[] = [
  { name: 'own log', start: () => Promise.resolve(undefined), nodes: 1 },
  { name: 'PostgreSQL', missing: MISSING_POSTGRES, start: startPostgresEngine, nodes: 1 },
  { name: 'PostgreSQL, synchronous standby', missing: MISSING_POSTGRES, start: startPostgresPair, nodes: 1 },
  { name: 'PostgreSQL, three nodes', missing: MISSING_POSTGRES, start: startPostgresEngine, nodes: 3 },
]

interface Sample extends EditorSample {
  readonly log: string
  readonly clients: number
  /** Entries of one transaction of the node that has applied most; NaN for an own log. */
  readonly entriesPerCommit: number
}

endOnSignal()
const samples: Sample[] = []
for (const log of LOGS) {
  if (log.missing === undefined) samples.push(...(await measure(log)))
  else console.log(`${log.name}: not measured, ${log.missing}`)
}
report(samples)

/** One log at a time: several clusters at once would not fit on a small machine. */
async function measure({ name, start, nodes }: Log): Promise<Sample[]> {
  const sandbox = new Sandbox()
  try {
    const engine = await start()
    const titles = hotTitles(Math.max(...CLIENTS))
    const plan = { engine, nodes, processes: 1, titles, parts: PARTS }
    const cluster = await Cluster.found(sandbox, plan)
    const editors = await Editors.open(cluster.nodes, titles)
    await editors.edit(Math.max(...CLIENTS), 2)
    const found: Sample[] = []
    for (let round = 0; round < rounds; round++) {
      for (const clients of CLIENTS) {
        const before = await applied(cluster.nodes[0]!)
        const sample = await editors.edit(clients, seconds)
        const after = await applied(cluster.nodes[0]!)
        const entriesPerCommit = (after.entries - before.entries) / (after.batches - before.batches)
        found.push({ log: name, clients, ...sample, entriesPerCommit })
      }
    }
    editors.close()
    return found
  } finally {
    await sandbox.close()
    await endFile()
  }
}

/** Counters of a node. */
async function applied({ origin }: Node): Promise<{ entries: number; batches: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const read = (name: string): number =>
    Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1] ?? NaN)
  return {
    entries: read('palimpsest_log_applied_entries_total'),
    batches: read('palimpsest_log_applied_batches_total'),
  }
}

function report(all: readonly Sample[]): void {
  const summary: Record<string, object> = {}
  const rows = LOGS.flatMap(({ name }) =>
    CLIENTS.flatMap((clients) => {
      const cell = all.filter((sample) => sample.log === name && sample.clients === clients)
      if (cell.length === 0) return []
      const figures = summariseFigures(cell, {
        rate: (sample) => sample.editsPerSecond,
        p50: (sample) => sample.p50Ms,
        p99: (sample) => sample.p99Ms,
        entries: (sample) => sample.entriesPerCommit,
      })
      summary[`${name}, ${clients}`] = figures
      const { rate, p50, p99, entries } = figures
      const numbers = [formatSummary(rate, 0), formatSummary(p50, 1), formatSummary(p99, 1)]
      return [[name, String(clients), ...numbers, formatSummary(entries, 1)]]
    }),
  )
  printTable(['log', 'clients', 'edits/s', 'p50 ms', 'p99 ms', 'entries a commit'], rows)
  writeResult('cluster-edits', { setup: { rounds, seconds, clients: CLIENTS }, samples: all, summary })
}
