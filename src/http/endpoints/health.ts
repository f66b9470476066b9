/** Health, readiness and metrics, for operators and their tools. */
import { AddressList } from '../request/addresses.js'
import { HttpError } from '../reply/errors.js'
import { METRICS_TYPE } from '../../metrics/render.js'
import type { Clock } from '../../context.js'
import { toSeconds } from '../../domain/timestamp.js'
import type { NodeStatus } from '../../cluster/nodeStatus.js'
import type { Store } from '../../storage/store.js'
import { integer, list, number, object, orNull, text } from '../openapi/schemas.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

const NO_STORE = { 'Cache-Control': 'no-store' }

/** Answers as long as the process is alive, so that a supervisor can restart a dead one. */
export const getHealth = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/healthz',
  doc: {
    id: 'getHealth',
    tag: 'Server',
    summary: 'Ask whether the server is alive',
    description: 'For supervisors: a server that does not answer should be restarted.',
    answer: { description: 'It is', schema: object({ status: { const: 'alive' } }) },
    errors: [],
  },
  handler: () => answer(200, { status: 'alive' }),
})

const READINESS = object(
  {
    ready: { type: 'boolean' },
    reasons: list(text('why not')),
    cluster: object({
      state: text('`same` while the node follows the shared log'),
      reason: orNull(text('why it does not')),
      position: integer('of the last entry that this node has applied'),
      last: integer('of the last entry of the log, as far as known'),
      lag_seconds: number('since the node was up to date'),
    }),
    mirror: object({
      upstream: text("address of the followed wiki's action API"),
      lag_seconds: {
        ...orNull(integer()),
        description: 'since the mirror was equal to the wiki; null: it never was',
      },
    }),
  },
  ['mirror', 'cluster'],
)

/** Answers 503 when a load balancer should send its requests elsewhere. */
export const getReadiness = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/readyz',
  doc: {
    id: 'getReadiness',
    tag: 'Server',
    summary: 'Ask whether the server should get requests',
    description: `Not while it is stopping, while the first dump is being imported, when the store was given another
format, or when a mirror is older than \`--max-mirror-lag-ms\`, or when the node of a cluster is further behind its log than \`--max-log-lag-ms\`. With \`?write\`, also when the node
cannot save edits. The answer is then a 503 with the same fields. A mirror tells how long ago it was equal
to the wiki that it follows, in the field \`mirror\` and in the header \`X-Mirror-Lag\`.`,
    answer: {
      description: 'It should',
      schema: READINESS,
    },
    otherAnswers: [{ status: 503, description: 'It should not', schema: READINESS }],
    errors: [],
  },
  handler({ request }, { server, store, config, clock, writer }) {
    const cluster = writer.clusterStatus()
    const fault = store.fault()
    const mirror = mirrorLag(store, clock)
    const isLate = config.maxMirrorLagMs > 0 && mirror !== undefined && isLater(mirror, config.maxMirrorLagMs)
    const reasons = [
      ...(server.isDraining() ? ['the server is stopping'] : []),
      ...(fault ? [fault] : []),
      ...(isLate ? ['the mirror is behind'] : []),
      ...(cluster === undefined ? [] : clusterReasons(cluster, config.maxLogLagMs, request.query)),
    ]
    const body = {
      ready: reasons.length === 0,
      reasons,
      ...(mirror && { mirror }),
      ...(cluster && { cluster: clusterView(cluster) }),
    }
    const lag = mirror?.lag_seconds ?? undefined
    return answer(
      reasons.length === 0 ? 200 : 503,
      body,
      lag === undefined ? {} : { 'X-Mirror-Lag': String(lag) },
    )
  },
})

/** Answers the Prometheus metrics of all processes, to allowed addresses only. */
export const getMetrics = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/metrics',
  doc: {
    id: 'getMetrics',
    tag: 'Server',
    summary: 'Read figures in the format of Prometheus',
    description: 'Only from the addresses of `--metrics-from`; to all others there is no such path.',
    answer: { description: 'The figures of all server processes', type: 'text/plain' },
    errors: ['rest-no-match'],
  },
  async handler({ request }, { config, metrics }) {
    if (!new AddressList(config.metricsFrom).has(request.clientAddress())) {
      throw new HttpError('rest-no-match', ['/metrics'])
    }
    const headers = headerLines({ 'Content-Type': METRICS_TYPE, ...NO_STORE })
    return { status: 200, headers, body: Buffer.from(await metrics.render()) }
  },
})

/** Reads go on without the log: old pages beat none, unless an operator sets a limit. */
function clusterReasons(
  { state, appendFault, lagSeconds }: NodeStatus,
  maxLagMs: number,
  query: string,
): string[] {
  const isBehind = maxLagMs > 0 && lagSeconds * 1000 > maxLagMs
  const isForWrites = new URLSearchParams(query).has('write')
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

function answer(status: number, body: object, more: Readonly<Record<string, string>> = {}): Reply {
  const headers = headerLines({ 'Content-Type': 'application/json', ...NO_STORE, ...more })
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}
