/** What a node of a cluster tells of itself. */
import type { LogState } from '../log/sharedLog.js'

/**
 * State of a node's link to the shared log:
 *
 *     connecting    the log has not been compared with the store yet
 *     same          the store follows the log
 *     unreachable   the engine does not answer
 *     behind, truncated, forked   the log is not, or no longer, that of the store: see LogState
 *     too-new       the log has entries of a newer version of the program
 *     failed        an entry could not be applied, as on a full disk
 */
export const NODE_STATES = [
  'connecting',
  'same',
  'unreachable',
  'behind',
  'truncated',
  'forked',
  'too-new',
  'failed',
] as const

export type NodeState = (typeof NODE_STATES)[number]

export interface NodeStatus {
  readonly state: NodeState
  /** Why it is not `same`, in words for operators. */
  readonly reason: string | undefined
  /** Why the last attempt to append failed, for some seconds: the next one may succeed. */
  readonly appendFault: string | undefined
  /** Of the newest entries of this node: those that the log has lost. Other nodes may need them. */
  readonly lost: number
  /** Position that the store has applied, and that of the last entry of the log as far as known. */
  readonly position: number
  readonly last: number
  /** How long the store has been behind the log, or has heard nothing of it; 0 when it is up to date. */
  readonly lagSeconds: number
  /** This process applies the entries for all processes of the machine. */
  readonly isApplying: boolean
  /** Since the start of the process. */
  readonly appliedEntries: number
  readonly appliedBatches: number
  readonly appendRetries: number
}

/** States that need an operator. Edits are refused at once; in the others they wait. */
export const needsOperator = (state: NodeState): boolean =>
  state === 'behind' || state === 'truncated' || state === 'forked' || state === 'too-new'

export const STATE_REASONS: Readonly<Record<Exclude<LogState, 'same'>, string>> = {
  behind:
    'the log ends before what this node has applied: it lost entries (see "palimpsest cluster restore")',
  truncated:
    'the log no longer has the entries that this node needs: replace its store by a copy of another node',
  forked: 'the log differs from what this node has applied: see "palimpsest cluster inspect"',
}
