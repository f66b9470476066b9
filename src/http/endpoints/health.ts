/** Health, readiness and metrics, for operators and their tools. */
import { integer, list, number, object, orNull, text } from '../openapi/schemas.js'
import { defineRoute } from '../routing/route.js'
import { aliveReply, metricsReply, operatorReply, readiness } from '../views/operators.js'

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
  handler: () => aliveReply(),
})

const READINESS = object(
  {
    ready: { type: 'boolean' },
    reasons: list(text('why not')),
    warnings: list(text('what an operator should know all the same')),
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
  ['warnings', 'mirror', 'cluster'],
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
cannot save edits, or the disk is full. Without it, a full disk is only a warning, since reads go on. The answer is then a 503 with the same fields. A mirror tells how long ago it was equal
to the wiki that it follows, in the field \`mirror\` and in the header \`X-Mirror-Lag\`.`,
    answer: {
      description: 'It should',
      schema: READINESS,
    },
    otherAnswers: [{ status: 503, description: 'It should not', schema: READINESS }],
    errors: [],
  },
  handler({ request }, context) {
    const { isReady, ...view } = readiness(context, context.server, request.query)
    const lag = view.mirror?.lag_seconds ?? undefined
    const headers = lag === undefined ? {} : { 'X-Mirror-Lag': String(lag) }
    return operatorReply(isReady ? 200 : 503, { ready: isReady, ...view }, headers)
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
  handler: ({ request }, context) => metricsReply(request, context),
})
