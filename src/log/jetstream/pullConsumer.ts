/**
 * A consumer of one stream that asks the server for a bounded number of records at a time. The client has consumers of
 * its own. They make themselves again after faults without a word, and can fall silent for ever.
 *
 *     request ──► records, one by one ──► answered in full
 *                   └──► 408: the time is over, or 409: enough bytes
 *     nothing of all that: silence
 */
import type { Msg, MsgHdrs, Subscription } from '@nats-io/transport-node'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '../logEngine.js'
import { within } from './deadline.js'
import type { Link } from './connector.js'

const BATCH_RECORDS = 500
const BATCH_BYTES = 8 * 1024 * 1024
/** The server answers each request by then, also without records. */
const EXPIRES_MS = 1000
const GRACE_MS = 800
/** The server removes a consumer after this time without requests, for example of a process that was killed. */
const ABANDONED_MS = 300_000
const NS_PER_MS = 1_000_000

/** A new consumer may take this long until its server answers: until then, others say that nobody does. */
const OPENING_MS = 1000
const ASK_AGAIN_MS = 20

const STATUS = { heartbeat: 100, requestTimeout: 408, conflict: 409, noResponders: 503 } as const

export class PullConsumer {
  readonly #link: Link
  readonly #stream: string
  readonly #name: string
  readonly #inbox: string
  readonly #subscription: Subscription
  #requests = 0
  #arrived: Msg[] = []
  #wake = (): void => undefined
  /** Records that the server may still send for the open request; 0: no request is open. */
  #owed = 0
  #requestedAtMs = 0
  /** The next record alone is larger than a batch. */
  #nextIsLarge = false
  /** The last request ended because the next record did not fit, or nobody answered yet. */
  #isCut = false
  readonly #openedMs = performance.now()
  #hasAnswered = false
  #failure: EngineError | undefined

  private constructor(link: Link, stream: string, name: string) {
    this.#link = link
    this.#stream = stream
    this.#name = name
    this.#inbox = `_INBOX.${name}`
    this.#subscription = link.connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => this.#take(error, message),
    })
  }

  /** The consumer is in the memory of one server: the reader knows its own position. */
  static async open(link: Link, stream: string, from: number): Promise<PullConsumer> {
    const { name } = await link.streams.consumers.add(stream, {
      ack_policy: 'none',
      deliver_policy: 'by_start_sequence',
      opt_start_seq: from,
      inactive_threshold: ABANDONED_MS * NS_PER_MS,
      mem_storage: true,
      num_replicas: 1,
    })
    return new PullConsumer(link, stream, name)
  }

  /**
   * Records that have arrived, at least one, or none when the server had none for a second, or the signal aborts. Up to
   * 500 records and 8 MiB may wait here while the caller does not ask. Throws an EngineError after silence.
   */
  async next(signal: AbortSignal): Promise<readonly Msg[]> {
    do {
      if (this.#owed === 0 && !this.#isOver(signal)) {
        if (this.#isCut && !this.#hasAnswered) await delay(ASK_AGAIN_MS)
        this.#request()
      }
      if (!this.#isReady(signal)) await this.#wait(signal)
    } while (this.#isCut && !this.#isOver(signal))
    await nextTurn() // to gather what came with the first one
    const arrived = this.#arrived
    this.#arrived = []
    if (arrived.length === 0 && this.#failure !== undefined) throw this.#failure
    return arrived
  }

  /** Does not wait for the server: without requests it removes the consumer itself. */
  close(): void {
    if (this.#link.lost.aborted) return
    this.#subscription.unsubscribe()
    this.#link.streams.consumers.delete(this.#stream, this.#name).catch(() => undefined)
  }

  #isReady(signal: AbortSignal): boolean {
    return this.#owed === 0 || this.#isOver(signal)
  }

  #isOver(signal: AbortSignal): boolean {
    return this.#arrived.length > 0 || this.#failure !== undefined || signal.aborted
  }

  #request(): void {
    this.#owed = this.#nextIsLarge ? 1 : BATCH_RECORDS
    const request = {
      batch: this.#owed,
      expires: EXPIRES_MS * NS_PER_MS,
      ...(!this.#nextIsLarge && { max_bytes: BATCH_BYTES }),
    }
    this.#nextIsLarge = false
    this.#isCut = false
    this.#requestedAtMs = performance.now()
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#stream}.${this.#name}`
    const reply = `${this.#inbox}.${++this.#requests}`
    this.#link.connection.publish(subject, JSON.stringify(request), { reply })
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve))
    const { lost } = this.#link
    const onAbort = (): void => this.#wake()
    signal.addEventListener('abort', onAbort)
    lost.addEventListener('abort', onAbort)
    const leftMs = this.#requestedAtMs + EXPIRES_MS + GRACE_MS - performance.now()
    try {
      // After a pause of this process, the answer may be here but unread. So it always gets some time.
      await within(woken, Math.max(leftMs, GRACE_MS / 2), () =>
        this.#fail('the consumer of the log fell silent'),
      )
    } finally {
      signal.removeEventListener('abort', onAbort)
      lost.removeEventListener('abort', onAbort)
    }
    if (lost.aborted) this.#fail('the connection to NATS was lost')
  }

  #take(error: Error | null, message: Msg): void {
    if (error !== null) this.#fail(`cannot read the log: ${error.message}`)
    else if (message.headers === undefined || message.headers.code === 0) this.#takeRecord(message)
    else if (message.subject === `${this.#inbox}.${this.#requests}`) this.#takeStatus(message.headers)
    this.#wake()
  }

  #takeRecord(message: Msg): void {
    this.#hasAnswered = true
    this.#arrived.push(message)
    if (this.#owed > 0) this.#owed--
  }

  /** The status of the open request. That of an earlier one may come late, and says nothing. */
  #takeStatus({ code, description }: MsgHdrs): void {
    if (code === STATUS.heartbeat) return
    if (
      code === STATUS.noResponders &&
      !this.#hasAnswered &&
      performance.now() - this.#openedMs < OPENING_MS
    ) {
      this.#isCut = true
      this.#owed = 0
      return
    }
    this.#hasAnswered = true
    const isLarge = code === STATUS.conflict && /exceeds maxbytes/i.test(description)
    const isOver = code === STATUS.requestTimeout || /batch completed/i.test(description)
    if (!isLarge && !isOver) {
      this.#fail(`the consumer of the log ended: ${description === '' ? code : description}`)
      return
    }
    this.#isCut = isLarge
    this.#nextIsLarge = isLarge && this.#owed === BATCH_RECORDS
    this.#owed = 0
  }

  #fail(reason: string): void {
    this.#failure ??= new EngineError(reason)
  }
}
