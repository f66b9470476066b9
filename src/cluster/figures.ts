/** What a node tells of its cluster, as metrics. */
import { counter, type Figure, gauge, sharedGauge } from '../metrics/figures.js'
import { NODE_STATES, type NodeStatus } from './nodeStatus.js'

export function clusterFigures(status: NodeStatus): Figure[] {
  const { state, position, last, lost, lagSeconds, appliedEntries, appliedBatches, appendRetries } = status
  const states = NODE_STATES.map((each) => ({ labels: { state: each }, value: each === state ? 1 : 0 }))
  return [
    gauge('palimpsest_log_state', 'Link to the log of the cluster: 1 for its state.', states),
    sharedGauge('palimpsest_log_position', 'Entries of the log that this machine has applied.', position),
    sharedGauge('palimpsest_log_last', 'The last entry of the log, as far as known.', last),
    sharedGauge(
      'palimpsest_log_lost_entries',
      'Newest entries of this machine that the log has lost, as far as known.',
      lost,
    ),
    sharedGauge(
      'palimpsest_log_lag_seconds',
      'How long this machine has been behind the log, or has heard nothing of it.',
      lagSeconds,
    ),
    counter('palimpsest_log_applied_entries_total', 'Entries that were applied.', appliedEntries),
    counter('palimpsest_log_applied_batches_total', 'Transactions that applied entries.', appliedBatches),
    counter('palimpsest_log_append_retries_total', 'Attempts to append that had no answer.', appendRetries),
  ]
}

export interface ContentsCounts {
  readonly fetched: number
  readonly failed: number
  readonly missing: number
}

/** Of a node whose settings name other ones. */
export function contentsFigures({ fetched, failed, missing }: ContentsCounts): Figure[] {
  return [
    counter(
      'palimpsest_contents_fetched_total',
      'Contents of files that came from other nodes of the cluster.',
      fetched,
    ),
    counter(
      'palimpsest_contents_failed_total',
      'Attempts to get contents of a file that no other node gave.',
      failed,
    ),
    sharedGauge(
      'palimpsest_contents_missing',
      'Files whose contents no other node has given yet; 1000 may stand for more.',
      missing,
    ),
  ]
}
