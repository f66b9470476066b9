/**
 * Runs a cluster on one machine, breaks it, and checks that nothing is lost. Exit status 1 on any fault. See
 * bench/README.md.
 *
 *     node bench/results/build/bench/cluster.js [--scenario NAME] [--quick] …
 */
import { loadavg } from 'node:os'
import { endFile } from '../test/support/cleanUp.js'
import { endOnSignal } from './cluster/endOnSignal.js'
import { MISSING_POSTGRES, startPostgresEngine } from './cluster/engines/postgres.js'
import { note } from './cluster/load.js'
import { type ClusterOptions, HELP, readClusterOptions } from './cluster/options.js'
import type { Report } from './cluster/report.js'
import { missingForNetwork } from './cluster/network.js'
import { runCut } from './cluster/scenarios/cut.js'
import { runFaults } from './cluster/scenarios/faults.js'
import { runOutage } from './cluster/scenarios/outage.js'
import { runRollback } from './cluster/scenarios/rollback.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { printTable } from './support/table.js'

const options = readClusterOptions()
const missing =
  options && (MISSING_POSTGRES ?? (options.scenario === 'cut' ? missingForNetwork() : undefined))
if (options === undefined) console.log(HELP)
else if (missing === undefined) await runScenario(options)
else {
  console.log(missing)
  process.exitCode = 1
}

async function runScenario(chosen: ClusterOptions): Promise<void> {
  const sandbox = new Sandbox()
  endOnSignal()
  try {
    const startLoad = loadavg()[0]!
    const report = await run(sandbox, chosen)
    show(chosen, report, startLoad)
  } finally {
    await sandbox.close()
    await endFile()
  }
}

async function run(sandbox: Sandbox, chosen: ClusterOptions): Promise<Report> {
  if (chosen.scenario === 'cut') return runCut(sandbox, chosen)
  const engine = await startPostgresEngine()
  note(`${engine.description} runs`)
  switch (chosen.scenario) {
    case 'faults':
      return runFaults(sandbox, engine, chosen)
    case 'outage':
      return runOutage(sandbox, engine, chosen)
    case 'rollback':
      return runRollback(sandbox, engine, chosen)
  }
}

function show(chosen: ClusterOptions, { rows, faults }: Report, startLoad: number): void {
  const load = `${startLoad.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after`
  printTable([chosen.scenario, ''], [...rows, ['load of the machine', load]])
  for (const fault of faults) console.log(`FAULT: ${fault}`)
  console.log(faults.length === 0 ? 'Nothing is lost.' : `${faults.length} faults.`)
  if (faults.length > 0) process.exitCode = 1
  const summary = Object.fromEntries(rows)
  writeResult(`cluster-${chosen.scenario}`, {
    setup: chosen,
    samples: [{ faults }],
    summary,
  })
}
