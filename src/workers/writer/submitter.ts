/** How the writer thread brings entries into the log: that of the store itself, or that of a cluster. */
import { openNode } from '../../cluster/openNode.js'
import type { ClusterNode, NodeOutcome } from '../../cluster/node.js'
import type { NodeStatus } from '../../cluster/nodeStatus.js'
import type { Applier } from '../../storage/apply/applier.js'
import type { Entry } from '../../storage/entries/entries.js'
import type { Store } from '../../storage/store.js'
import { failureOf } from './writeErrors.js'
import type { ClusterStart, WriteResult } from './writerMessages.js'

export interface Submitter {
  /** What became of each entry. Never throws. */
  submit(entries: readonly Entry[]): Promise<readonly WriteResult[]> | readonly WriteResult[]
  close(): Promise<void> | void
}

/** Applies entries at once: the store has its own log. */
export class LocalSubmitter implements Submitter {
  readonly #applier: Applier

  constructor(applier: Applier) {
    this.#applier = applier
  }

  /**
   * Applies all entries in one transaction. If an entry cannot be applied, uses one transaction for each, so that the
   * others succeed.
   */
  submit(entries: readonly Entry[]): readonly WriteResult[] {
    try {
      return this.#applier.submitAll(entries).map((verdict) => ({ verdict }))
    } catch (error) {
      if (entries.length === 1) return [failureOf(error)]
      return entries.flatMap((entry) => this.submit([entry]))
    }
  }

  close(): void {
    // Nothing is open.
  }
}

export interface ClusterSubmitterOptions {
  readonly store: Store
  readonly applier: Applier
  readonly cluster: ClusterStart
  readonly onStatus: (status: NodeStatus) => void
  readonly onWarning: (warning: string) => void
}

const STATUS_MS = 1000
/**
 * Share of the timeout that the cluster has. This thread knows whether an entry without a verdict can be in the log.
 * Its answer must come before the server gives up, which can only say that the entry may be saved.
 */
const SHARE = 0.9

/** Brings entries into the log of a cluster, and waits until this machine has applied them. */
export class ClusterSubmitter implements Submitter {
  readonly #node: ClusterNode
  readonly #timeoutMs: number
  readonly #news: NodeJS.Timeout

  constructor({ store, applier, cluster, onStatus, onWarning }: ClusterSubmitterOptions) {
    this.#node = openNode({ store, applier, address: cluster.address, onChange: onStatus, onWarning })
    this.#timeoutMs = SHARE * cluster.timeoutMs
    this.#news = setInterval(() => onStatus(this.#node.status()), STATUS_MS)
  }

  async submit(entries: readonly Entry[]): Promise<readonly WriteResult[]> {
    try {
      const outcomes = await this.#node.write(entries, performance.now() + this.#timeoutMs)
      return outcomes.map(resultOf)
    } catch (error) {
      return entries.map(() => failureOf(error))
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#news)
    await this.#node.close()
  }
}

const resultOf = (outcome: NodeOutcome): WriteResult => ('verdict' in outcome ? outcome : { ...outcome })
