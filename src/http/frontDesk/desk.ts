/** The front desk of a server with several wikis: it answers requests that are for none of them. */
import type { Logger } from 'pino'
import type { AppContext } from '../../context.js'
import { HttpError, wrongMethodError } from '../reply/errors.js'
import { toHttpError } from '../reply/failures.js'
import { errorReply, optionsReply, type ReadyReply, type Reply } from '../reply/reply.js'
import type { AnswersRequests, IncomingRequest } from '../routing/dispatch.js'
import { Router } from '../routing/router.js'
import { type DeskRoute, deskRoutes } from './deskRoutes.js'
import type { ServerContext, SharedServices } from '../routing/services.js'

type SharedParts = Pick<SharedServices, 'encoder' | 'server'>

export class Desk implements AnswersRequests {
  readonly #router: Router<DeskRoute>
  readonly #encoder: SharedParts['encoder']
  readonly #log: Logger

  constructor(context: ServerContext, wikis: readonly AppContext[], { encoder, server }: SharedParts) {
    this.#router = new Router(deskRoutes({ ...context, server }, wikis))
    this.#encoder = encoder
    this.#log = context.log
  }

  /** Its answers depend on no settings of a wiki. */
  settings(): object {
    return this
  }

  dispatch(request: IncomingRequest): ReadyReply | Promise<ReadyReply> {
    const { accepted } = request
    const failed = (error: unknown) => this.#encoder.encode(this.#failed(error, request), accepted)
    try {
      const reply = this.#encoder.encode(this.#answer(request), accepted)
      return reply instanceof Promise ? reply.catch(failed) : reply
    } catch (error) {
      return failed(error)
    }
  }

  refuse(_request: unknown, error: HttpError): ReadyReply {
    return errorReply(error)
  }

  #answer(request: IncomingRequest): Reply | Promise<Reply> {
    const { method, path } = request
    const match = this.#router.match(method, path)
    if (method === 'OPTIONS') return optionsReply(match?.allowed ?? [])
    if (match === undefined) throw new HttpError('rest-no-match', [path])
    if (match.route === undefined) throw wrongMethodError(method, match.allowed)
    request.route = match.route
    return match.route.answer(request, match.segments)
  }

  #failed(cause: unknown, { id, method, path }: IncomingRequest): Reply {
    const error = toHttpError(cause)
    if (error.key === 'rest-internal-error')
      this.#log.error({ err: cause, requestId: id, method, path }, 'a request failed')
    return errorReply(error)
  }
}
