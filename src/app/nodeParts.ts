/** Parts that only the server of a cluster's node has. */
import type { Logger } from 'pino'
import { readSecret } from '../auth/settingFiles.js'
import { peersOf } from '../cluster/contents.js'
import { removeDeadCopies } from '../cluster/copies.js'
import { NodeContents } from '../cluster/nodeContents.js'
import { needsOperator } from '../cluster/nodeStatus.js'
import type { Peer } from '../cluster/peer.js'
import { type Config, SettingError } from '../config/config.js'
import type { AppContext } from '../context.js'
import type { Store } from '../storage/store.js'
import type { WriterOptions } from '../workers/writer/writer.js'

/** Throws a SettingError for peers that cannot be asked. */
function readPeers({ peers: addresses, clusterTokenFile }: Config): readonly Peer[] {
  if (addresses === '') return []
  if (clusterTokenFile === '') throw new SettingError('peers: give --cluster-token-file, too')
  const peers = peersOf(addresses, readSecret('clusterTokenFile', clusterTokenFile).toString())
  if (peers !== undefined) return peers
  throw new SettingError(`peers: "${addresses}" is no list of addresses such as http://node2:8080`)
}

/** Undefined unless the settings of a node name other ones. */
export function openContents({
  config,
  store,
  writer,
  clock,
  log,
}: Pick<AppContext, 'config' | 'store' | 'writer' | 'clock' | 'log'>): NodeContents | undefined {
  const peers = readPeers(config)
  if (peers.length === 0 || store.log.membership() === undefined) return undefined
  return new NodeContents({
    store,
    dataDir: config.dataDir,
    peers,
    noteUnused: (sha256) => writer.noteUnused(sha256),
    isApplying: () => writer.clusterStatus()?.isApplying ?? false,
    nowMs: () => clock.nowMs(),
    onPeerFault: (error) => log.warn({ err: error }, 'no contents of a file from another node'),
    onFault: (error) => log.error({ err: error }, 'contents of files could not be looked for'),
  })
}

const COPIES_CHECK_MS = 600_000

/** Removes copies of the store that killed servers have left, now and from time to time. Undefined: it sends none. */
export function watchCopies({
  config: { dataDir, clusterTokenFile },
  clock,
  log,
}: Pick<AppContext, 'config' | 'clock' | 'log'>): NodeJS.Timeout | undefined {
  if (clusterTokenFile === '') return undefined
  const look = (): void =>
    void removeDeadCopies(dataDir, clock.nowMs()).catch((error: unknown) =>
      log.error({ err: error }, 'left copies of the store could not be removed'),
    )
  look()
  return setInterval(look, COPIES_CHECK_MS).unref()
}

export function clusterOptions(
  logAddress: string,
  log: Logger,
): Pick<WriterOptions, 'logAddress' | 'onClusterChange' | 'onEngineWarning'> {
  return {
    logAddress,
    onEngineWarning: (warning) => log.warn(warning),
    onClusterChange: ({ state, reason, appendFault, lost, position, last }) => {
      if (appendFault !== undefined)
        log.warn({ appendFault, position, last }, 'edits wait for the log of the cluster')
      else if (state === 'same' && lost > 0)
        log.error(
          { lost, position, last },
          'the log of the cluster has lost entries that this node has: see "palimpsest cluster restore"',
        )
      else if (state === 'same') log.info({ position, last }, 'the log of the cluster is reached')
      else if (state !== 'connecting')
        log[needsOperator(state) ? 'error' : 'warn'](
          { state, reason, position, last },
          'the log of the cluster',
        )
    },
  }
}

/**
 * Closes the store, and throws a SettingError, unless a node of a cluster, and no other store, has a shared log, and
 * peers that can be asked.
 */
export async function requireLog(store: Store, config: Config): Promise<void> {
  try {
    requireSameKind(store, config)
    readPeers(config)
  } catch (error) {
    await store.close()
    throw error
  }
}

function requireSameKind(store: Store, { log, dataDir }: Config): void {
  const isNode = store.log.membership() !== undefined
  if (isNode === (log !== '')) return
  throw new SettingError(
    isNode
      ? `log: the store in ${dataDir} is a node of a cluster: give --log, or "palimpsest cluster leave"`
      : `log: the store in ${dataDir} is not a node of a cluster: "palimpsest cluster init" founds one, and "palimpsest cluster join" copies a node`,
  )
}
