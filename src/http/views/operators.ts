/** Answers for operators and their tools, of one wiki or of a server with several. */
import type { NodeStatus } from '../../cluster/nodeStatus.js'
import type { AppContext, Clock } from '../../context.js'
import { toSeconds } from '../../domain/timestamp.js'
import { METRICS_TYPE } from '../../metrics/render.js'
import type { Store } from '../../storage/store.js'
import { HttpError } from '../reply/errors.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { AddressList } from '../request/addresses.js'
import type { RequestView } from '../request/requestView.js'

/** State of the server that handlers can see. */
export interface ServerState {
  /** Whether the server is stopping. */
  isDraining(): boolean
}

const NO_STORE = { 'Cache-Control': 'no-store' }

export const aliveReply = (): Reply => operatorReply(200, { status: 'alive' })

/** JSON that nobody keeps. */
export function operatorReply(
  status: number,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const headers = headerLines({ 'Content-Type': 'application/json', ...NO_STORE, ...more })
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}

/** The figures of all server processes, for allowed addresses. For others there is no such path. */
export async function metricsReply(
  request: RequestView,
  { config, metrics }: Pick<AppContext, 'config' | 'metrics'>,
): Promise<Reply> {
  if (!new AddressList(config.metricsFrom).has(request.clientAddress())) {
    throw new HttpError('rest-no-match', ['/metrics'])
  }
  const headers = headerLines({ 'Content-Type': METRICS_TYPE, ...NO_STORE })
  return { status: 200, headers, body: Buffer.from(await metrics.render()) }
}

interface Readiness {
  readonly isReady: boolean
  readonly reasons: readonly string[]
  /** What an operator should know though it gets requests. */
  readonly warnings?: readonly string[]
  readonly mirror?: MirrorLag
  readonly cluster?: object
}

/** Whether a wiki should get requests. `query` is that of the request. */
export function readiness(
  { store, config, clock, writer }: Pick<AppContext, 'store' | 'config' | 'clock' | 'writer'>,
  server: ServerState,
  query: string,
): Readiness {
  const cluster = writer.clusterStatus()
  const fault = store.fault()
  const mirror = mirrorLag(store, clock)
  const isForWrites = new URLSearchParams(query).has('write')
  // Reads go on, so a load balancer of readers must not take all servers out of service at once.
  const warnings = store.writeFault() === undefined ? [] : ['the disk is full: edits are refused']
  const isLate = config.maxMirrorLagMs > 0 && mirror !== undefined && isLater(mirror, config.maxMirrorLagMs)
  const reasons = [
    ...(server.isDraining() ? ['the server is stopping'] : []),
    ...(fault ? [fault] : []),
    ...(isLate ? ['the mirror is behind'] : []),
    ...(cluster === undefined ? [] : clusterReasons(cluster, config.maxLogLagMs, isForWrites)),
    ...(isForWrites ? warnings : []),
  ]
  return {
    isReady: reasons.length === 0,
    reasons,
    ...(warnings.length > 0 && { warnings }),
    ...(mirror && { mirror }),
    ...(cluster && { cluster: clusterView(cluster) }),
  }
}

/** Reads go on without the log: old pages beat none, unless an operator sets a limit. */
function clusterReasons(
  { state, appendFault, lagSeconds }: NodeStatus,
  maxLagMs: number,
  isForWrites: boolean,
): string[] {
  const isBehind = maxLagMs > 0 && lagSeconds * 1000 > maxLagMs
  return [
    ...(isBehind ? ['the node is behind the log of the cluster'] : []),
    ...(isForWrites && (state !== 'same' || appendFault !== undefined) ? ['the node cannot save edits'] : []),
  ]
}

const clusterView = ({ state, reason, position, last, lagSeconds }: NodeStatus): object => ({
  state,
  reason: reason ?? null,
  position,
  last,
  lag_seconds: Math.round(lagSeconds * 10) / 10,
})

interface MirrorLag {
  readonly upstream: string
  /** Null: the mirror is not complete yet. */
  readonly lag_seconds: number | null
}

/** Undefined for a store that follows no wiki. */
function mirrorLag(store: Store, clock: Clock): MirrorLag | undefined {
  const state = store.mirror.state()
  if (state === undefined) return undefined
  const { url, equalAt } = state
  const lag = equalAt === undefined ? null : Math.max(0, toSeconds(clock.nowMs()) - equalAt)
  return { upstream: url, lag_seconds: lag }
}

const isLater = ({ lag_seconds: lag }: MirrorLag, maxMs: number): boolean =>
  lag === null || lag * 1000 > maxMs
