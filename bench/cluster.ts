/**
 * Runs a cluster on one machine, breaks it, and checks that nothing is lost. Exit status 1 on any fault. See
 * bench/README.md.
 *
 *     node bench/results/build/bench/cluster.js [--quick] …
 */
import { loadavg } from 'node:os'
import { endFile } from '../test/support/cleanUp.js'
import { endOnSignal } from './cluster/endOnSignal.js'
import { MISSING_POSTGRES, startPostgresEngine } from './cluster/postgres.js'
import { note } from './cluster/load.js'
import { type ClusterOptions, HELP, readClusterOptions } from './cluster/options.js'
import type { Report } from './cluster/report.js'
import { runFaults } from './cluster/faults.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { printTable } from './support/table.js'

const options = readClusterOptions()
if (options === undefined) console.log(HELP)
else if (MISSING_POSTGRES === undefined) await run(options)
else {
  console.log(MISSING_POSTGRES)
  process.exitCode = 1
}

async function run(chosen: ClusterOptions): Promise<void> {
  const sandbox = new Sandbox()
  endOnSignal()
  try {
    const startLoad = loadavg()[0]!
    const engine = await startPostgresEngine()
    note(`${engine.description} runs`)
    const report = await runFaults(sandbox, engine, chosen)
    show(chosen, report, startLoad)
  } finally {
    await sandbox.close()
    await endFile()
  }
}

function show(chosen: ClusterOptions, { rows, faults }: Report, startLoad: number): void {
  const load = `${startLoad.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after`
  printTable(['faults', ''], [...rows, ['load of the machine', load]])
  for (const fault of faults) console.log(`FAULT: ${fault}`)
  console.log(faults.length === 0 ? 'Nothing is lost.' : `${faults.length} faults.`)
  if (faults.length > 0) process.exitCode = 1
  const summary = Object.fromEntries(rows)
  writeResult('cluster-faults', {
    setup: chosen,
    samples: [{ faults }],
    summary,
  })
}
