/** Everything breaks at random moments while clients edit. */
import { randomNumbers } from '../../support/random.js'
import type { Sandbox } from '../../support/sandbox.js'
import { checkCluster } from '../checks.js'
import { Cluster } from '../cluster.js'
import type { Engine } from '../engines/engine.js'
import { Faults } from '../faults.js'
import { Ledger } from '../ledger.js'
import { hotTitles, Load, note } from '../load.js'
import type { ClusterOptions } from '../options.js'
import { type Report, reportOf } from '../report.js'

export async function runFaults(sandbox: Sandbox, engine: Engine, options: ClusterOptions): Promise<Report> {
  const cluster = await Cluster.found(sandbox, {
    engine,
    nodes: 3,
    reserved: 1,
    processes: 2,
    titles: hotTitles(options.pages),
    parts: options.clients,
  })
  const proxy = await cluster.proxy()
  note(`three nodes of two processes on ${engine.description}; proxy: ${proxy.description}`)
  const ledger = new Ledger()
  const faults = new Faults(cluster, engine, options, randomNumbers(options.seed))
  const load = new Load(cluster, proxy, ledger, options)
  await faults.run()
  await load.finish(options.operations)
  note('all faults have happened; comparing')
  const checked = await checkCluster(cluster, ledger)
  const { servers, nodes, engine: engineKills } = faults.counts
  return reportOf(ledger, checked, [
    ['kills of server processes', String(servers)],
    ['kills of nodes', String(nodes)],
    ['kills of the engine', String(engineKills)],
    ['proxy', proxy.description],
  ])
}
