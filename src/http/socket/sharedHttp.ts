/** Parts of the HTTP side that all wikis of a server share. */
import { type Figure, gauge } from '../../metrics/figures.js'
import { type AccessLog, openAccessLog } from '../access/accessLog.js'
import { ReadLimit } from '../access/readLimit.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import { type HeaderFrame, HotAnswerRoom } from '../cache/hotAnswers.js'
import { AcceptedCodings } from '../coding/codings.js'
import { Encoder } from '../coding/encoder.js'
import { ViewerFiles } from '../openapi/document.js'
import { headerLines } from '../reply/reply.js'
import { BodyBudget } from '../request/requestBody.js'
import { RequestIds } from '../request/requestId.js'
import type { ServerState } from '../views/operators.js'
import { LinkRoom } from '../cache/expandedLinks.js'
import { AnswerWriter } from './answerWriter.js'
import { InFlight } from './inFlight.js'
import { Pacer } from '../../runtime/pacer.js'
import { Peers } from './peers.js'
import { SlowAnswers } from './slowAnswers.js'
import type { ServerContext } from '../routing/services.js'

export class SharedHttp {
  readonly requestIds = new RequestIds()
  readonly frame: HeaderFrame
  /** Ready answers of all wikis. */
  readonly room: HotAnswerRoom
  /** Bodies of finished comparisons of all wikis. */
  readonly comparisons: BoundedCache<Uint8Array>
  /** Links of pages with templates of all wikis. */
  readonly links = new LinkRoom()
  readonly codings = new AcceptedCodings()
  readonly encoder: Encoder
  readonly connections = new InFlight()
  /** Requests that wait for a thread, and answers that wait for a slow client. */
  readonly requests = new InFlight()
  readonly slowAnswers: SlowAnswers
  readonly writer: AnswerWriter
  readonly peers = new Peers()
  readonly bodies: BodyBudget
  readonly pacer = new Pacer()
  readonly viewer = new ViewerFiles()
  /** Undefined when the access log is off. */
  readonly accessLog: AccessLog | undefined
  /** Undefined when reads have no limit. */
  readonly readLimit: ReadLimit | undefined
  readonly isStopping: () => boolean
  /** As handlers see it. */
  readonly server: ServerState

  constructor({ config, pool, log }: ServerContext, isStopping: () => boolean) {
    this.isStopping = isStopping
    this.server = { isDraining: isStopping }
    this.encoder = new Encoder(pool, config.compression)
    const afterId = config.allowCrossOrigin ? headerLines({ 'Access-Control-Allow-Origin': '*' }) : ''
    this.frame = { beforeId: '\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ', afterId }
    this.slowAnswers = new SlowAnswers(config.slowAnswersBytes, this.requests)
    const { frame, slowAnswers, requests } = this
    this.writer = new AnswerWriter({ frame, slowAnswers, requests, log })
    this.room = new HotAnswerRoom(config.hotAnswersBytes)
    this.comparisons = new BoundedCache(config.comparisonsBytes, (key, body) => key.length + body.length)
    this.bodies = new BodyBudget(config.maxBodyBytes)
    this.accessLog = openAccessLog(config, log)
    if (config.readsPerSecond > 0) this.readLimit = new ReadLimit(config.readsPerSecond)
  }

  figures(): Figure[] {
    return [
      ...(this.accessLog?.figures() ?? []),
      ...this.encoder.figures(),
      gauge('palimpsest_http_connections', 'Connections that are open.', this.connections.count),
      gauge(
        'palimpsest_http_requests_open',
        'Requests that wait for a thread, and answers that wait for a slow client.',
        this.requests.count,
      ),
      gauge('palimpsest_http_streams', 'Streams of changes that are open.', this.writer.streams),
      gauge(
        'palimpsest_http_waiting_bytes',
        'Bytes of answers that slow clients have not taken yet.',
        this.slowAnswers.waitingBytes,
      ),
    ]
  }
}
