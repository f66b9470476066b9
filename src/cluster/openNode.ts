/** Opens the node of a store: the only way in for servers and commands. */
import { openEngine } from '../log/openEngine.js'
import { SharedLog } from '../log/sharedLog.js'
import type { Applier } from '../storage/apply/applier.js'
import type { Store } from '../storage/store.js'
import { ClusterNode, type NodeOptions } from './node.js'

export interface OpenNodeOptions extends Pick<NodeOptions, 'onChange'> {
  readonly store: Store
  readonly applier: Applier
  /** Of the shared log: see `openEngine`. */
  readonly address: string
  /** Receives what an operator should change about the engine. */
  readonly onWarning?: (warning: string) => void
}

/** The store must be that of a node. The engine need not be there yet. */
export function openNode({ store, address, onWarning, ...options }: OpenNodeOptions): ClusterNode {
  const membership = store.log.membership()
  if (membership === undefined) throw new Error('the store is not a node of a cluster')
  const openLog = async (): Promise<SharedLog> => {
    const engine = await openEngine(address)
    try {
      for (const warning of await engine.warnings()) onWarning?.(warning)
      return new SharedLog(engine, membership.epoch)
    } catch (error) {
      await engine.close()
      throw error
    }
  }
  return new ClusterNode({ ...options, store, openLog })
}
