/** Health, readiness and metrics, for operators and their tools. */
import { AddressList } from '../request/addresses.js'
import { HttpError } from '../reply/errors.js'
import { METRICS_TYPE } from '../../metrics/render.js'
import { list, object, text } from '../openapi/schemas.js'
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

const READINESS = object({ ready: { type: 'boolean' }, reasons: list(text('why not')) })

/** Answers 503 when a load balancer should send its requests elsewhere. */
export const getReadiness = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/readyz',
  doc: {
    id: 'getReadiness',
    tag: 'Server',
    summary: 'Ask whether the server should get requests',
    description: `Not while it is stopping, while the first dump is being imported, or when the store was given another
format. The answer is then a 503 with the same fields.`,
    answer: {
      description: 'It should',
      schema: READINESS,
    },
    otherAnswers: [{ status: 503, description: 'It should not', schema: READINESS }],
    errors: [],
  },
  handler(_input, { server, store }) {
    const fault = store.fault()
    const reasons = [...(server.isDraining() ? ['the server is stopping'] : []), ...(fault ? [fault] : [])]
    return answer(reasons.length === 0 ? 200 : 503, { ready: reasons.length === 0, reasons })
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

function answer(status: number, body: object): Reply {
  const headers = headerLines({ 'Content-Type': 'application/json', ...NO_STORE })
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}
