/** Writes a Reply to the socket: status, headers and body. Also decides whether the connection ends with it. */
import type { Logger } from 'pino'
import { reasonPhrase } from '../reply/errors.js'
import { type FilePart, headerLines, type ReadyReply, type StreamPart } from '../reply/reply.js'
import type { HeaderFrame } from '../cache/hotAnswers.js'
import type { NativeResponse } from './driver.js'
import { sendFile } from './fileSender.js'
import type { InFlight } from './inFlight.js'
import type { SlowAnswers } from './slowAnswers.js'
import type { Closing } from './socketRequest.js'
import { StreamSender } from './streamSender.js'

const CLOSE_LINE = headerLines({ Connection: 'close' })

/** The parts of a request that its answer depends on. */
export interface Asked {
  readonly id: string
  readonly method: string
  readonly closing: Closing
}

interface AnswerWriterOptions {
  readonly frame: HeaderFrame
  readonly slowAnswers: SlowAnswers
  /** Counts files in transfer as open requests. */
  readonly requests: InFlight
  readonly log: Logger
}

export class AnswerWriter {
  readonly #options: AnswerWriterOptions
  /** From now on, every answer closes its connection. */
  endsConnections = false
  readonly #streams = new Set<StreamSender>()

  constructor(options: AnswerWriterOptions) {
    this.#options = options
  }

  /**
   * Writes an answer in a few native calls. One call writes the status and all headers, since each call costs about as
   * much as the lookup of a page.
   */
  send(response: NativeResponse, { id, method, closing }: Asked, reply: ReadyReply): void {
    const { status, headers, body } = reply
    const isLast = this.endsConnections || reply.closesConnection === true || closing === 'client'
    const isBytes = body instanceof Uint8Array && method !== 'HEAD'
    // `end` writes `Connection: close` itself, except when the library was about to close the connection anyway.
    const closeLine = closing === 'library' || (isLast && !isBytes) ? CLOSE_LINE : ''
    // `endWithoutBody` must not get the length: it would keep the answer open until that many bytes are sent.
    const length = method === 'HEAD' ? body?.length : undefined
    const lengthLine = length !== undefined ? `\r\nContent-Length: ${length}` : ''
    const { beforeId, afterId } = this.#options.frame
    const statusLine = `${status} ${reasonPhrase(status)}`
    response.writeStatus(`${statusLine}${beforeId}${id}${afterId}${headers}${lengthLine}${closeLine}`)
    if (body === undefined || method === 'HEAD') {
      // uWebSockets.js fails when it closes the connection after an answer without a body, so the client closes it.
      response.endWithoutBody()
      this.release(body)
    } else if (!(body instanceof Uint8Array)) {
      if ('begin' in body) this.#sendStream(response, body)
      else this.#sendFile(response, body)
    } else if (isLast || body.length === 0) {
      response.end(body, isLast)
    } else {
      this.#options.slowAnswers.send(response, body)
    }
  }

  /** Closes the file of an answer that is not sent. */
  release(body: ReadyReply['body']): void {
    if (body === undefined || !('file' in body)) return
    body.file
      .close()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'a file could not be closed'))
  }

  /** Ends all streams, so that a stopping server need not wait for them. */
  endStreams(): void {
    for (const stream of this.#streams) stream.end()
  }

  get streams(): number {
    return this.#streams.size
  }

  #sendStream(response: NativeResponse, body: StreamPart): void {
    const stream: StreamSender = new StreamSender(response, () => this.#streams.delete(stream))
    this.#streams.add(stream)
    body.begin(stream)
  }

  /** Sends an open file, and closes it at the end. */
  #sendFile(response: NativeResponse, body: FilePart): void {
    if (body.length === 0) {
      response.end('')
      this.release(body)
      return
    }
    const { requests, log } = this.#options
    requests.add()
    sendFile(response, body)
      .catch((error: unknown) => log.error({ err: error }, 'a file could not be sent'))
      .finally(() => requests.done())
  }
}
