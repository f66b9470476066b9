/** `palimpsest cluster`: several machines with the same wiki. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, type Config, givenFlags, readSettings } from '../config/config.js'
import { addExamples } from './help.js'

export function addClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .summary('run the same wiki on several machines')
    .description(
      'Run the same wiki on several machines. They share the log of its changes, which PostgreSQL\n' +
        'carries. docs/cluster.md tells how to set one up.',
    )
  addInit(cluster)
  addJoin(cluster)
  addStatus(cluster)
  addInspect(cluster)
  addRestore(cluster)
  addUpgrade(cluster)
  addLeave(cluster)
}

const settings = (command: Command): Config => readSettings(givenFlags(command))

function addInit(cluster: Command): void {
  const init = cluster
    .command('init')
    .summary('found a cluster with this store')
    .description(
      'Make a shared log, and make this store the first node of its cluster. Import dumps before: entries of an import\n' +
        'are too large for a shared log.',
    )
  addSettings(init, 'cluster')
  addExamples(init, [
    ['on PostgreSQL', 'palimpsest cluster init --data-dir data --log postgres://wiki@db.example/wiki'],
  ])
  init.action(async () => {
    const { found } = await import('./cluster/membership.js')
    await found(settings(init))
  })
}

function addJoin(cluster: Command): void {
  const join = cluster
    .command('join')
    .summary('make a new node from a copy of another one')
    .description(
      'Copy the store and the files of a running node into a new data folder. Then serve it with --log.',
    )
    .requiredOption('--from <url>', 'address of a server of the cluster, such as http://node1:8080', parseUrl)
  addSettings(join, 'cluster')
  addExamples(join, [
    ['', 'palimpsest cluster join --data-dir data --from http://node1:8080 --cluster-token-file token.txt'],
  ])
  join.action(async ({ from }: { from: URL }) => {
    const { joinFrom } = await import('./cluster/joinFrom.js')
    await joinFrom(settings(join), from)
  })
}

function addStatus(cluster: Command): void {
  const status = cluster
    .command('status')
    .summary('compare this node with the shared log')
    .description(
      'Tell where this node and the shared log stand. The status is 1 unless the node follows the log.',
    )
    .option('--json', 'print one JSON object')
  addSettings(status, 'cluster')
  status.action(async ({ json }: { json?: true }) => {
    const { showStatus } = await import('./cluster/showStatus.js')
    await showStatus(settings(status), json ?? false)
  })
}

function addInspect(cluster: Command): void {
  const inspect = cluster
    .command('inspect')
    .summary('compare nodes with each other')
    .description(
      'Ask nodes where they stand, and tell whether each has applied the beginning of the same log. The status is 1 if\n' +
        'not, or if a node does not answer.',
    )
    .argument('<url...>', 'addresses of servers of the cluster')
  addSettings(inspect, 'cluster')
  addExamples(inspect, [
    ['', 'palimpsest cluster inspect http://node1:8080 http://node2:8080 --cluster-token-file token.txt'],
  ])
  inspect.action(async (urls: string[]) => {
    const { inspectNodes } = await import('./cluster/inspectNodes.js')
    await inspectNodes(settings(inspect), urls.map(parseUrl))
  })
}

function addRestore(cluster: Command): void {
  const restore = cluster
    .command('restore')
    .summary('put entries back that the shared log has lost')
    .description(
      'Append the entries of this node that the shared log no longer has, as after a restored disk. Run it on the node\n' +
        'that is furthest ("palimpsest cluster inspect"). It changes nothing if the log has gone on otherwise.',
    )
    .option('--yes', 'do not ask')
  addSettings(restore, 'cluster')
  restore.action(async ({ yes }: { yes?: true }) => {
    const { restoreLog } = await import('./cluster/restoreLog.js')
    await restoreLog(settings(restore), yes ?? false)
  })
}

function addUpgrade(cluster: Command): void {
  const upgrade = cluster
    .command('upgrade')
    .summary('use what all nodes have learnt')
    .description(
      'Raise the version of the log to that of this program. Do it once all nodes run this version: older ones stop\n' +
        'applying the log from then on.',
    )
  addSettings(upgrade, 'cluster').action(async () => {
    const { raiseVersion } = await import('./cluster/membership.js')
    await raiseVersion(settings(upgrade))
  })
}

function addLeave(cluster: Command): void {
  const leave = cluster
    .command('leave')
    .summary('give this store its own log again')
    .description('Give this store its own log again. The other nodes, and the shared log, stay as they are.')
    .option('--drop-log', 'also remove the shared log: for the last node')
  addSettings(leave, 'cluster')
  leave.action(async ({ dropLog }: { dropLog?: true }) => {
    const { leaveCluster } = await import('./cluster/membership.js')
    await leaveCluster(settings(leave), dropLog ?? false)
  })
}

function parseUrl(text: string): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text)
  throw new InvalidArgumentError('It must be the address of a server, such as http://node1:8080.')
}
