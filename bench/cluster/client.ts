/** A client of the wiki: reads a page, changes its part, and saves it with the revision that it has read. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger, Outcome } from './ledger.js'
import { editPart, editShared, markerOf, pageText } from './texts.js'

/** Longer than every limit of the server. */
const ANSWER_MS = 60_000
/** Nodes hold a read back for 300 ms at most. One that answers an old page earlier has not waited. */
const FULL_WAIT_MS = 290
/** Share of edits that change a line that others change too, and of visits that stay on a page. */
const SHARED_EDITS = 0.1
const STAYS = 0.5
/** Shares of operations: the rest edits hot pages. */
const NEW_TITLES = 0.17
const RACES = 0.16

export interface ClientOptions {
  readonly number: number
  /** Tells this load from others of the same ledger. */
  readonly round: number
  readonly titles: readonly string[]
  readonly random: () => number
  readonly thinkMs: number
  readonly ledger: Ledger
  /** Where to send a request: the proxy. */
  readonly origin: () => string
  /** Addresses of all nodes, for a title that is made on all of them at once. */
  readonly origins: () => readonly string[]
}

interface Answer {
  readonly status: number
  readonly body: {
    readonly latest?: { readonly id: number }
    readonly source?: string
    readonly errorKey?: string
  }
  readonly position: string
  readonly tookMs: number
}

/** Error keys that say that an edit may be saved all the same. */
const UNSURE = ['rest-write-unknown']

export class Client {
  readonly #options: ClientOptions
  #operations = 0
  #title: string
  /** Position in the log that this client has seen. */
  #position = ''
  /** The newest revision of each page that this client has saved. */
  readonly #own = new Map<string, number>()

  constructor(options: ClientOptions) {
    this.#options = options
    this.#title = this.#drawTitle()
  }

  /** Works until told to stop. */
  async run(isOver: () => boolean): Promise<void> {
    const { random, thinkMs } = this.#options
    while (!isOver()) {
      await this.#operate()
      await delay(2 * thinkMs * random())
    }
  }

  async #operate(): Promise<void> {
    const { random, number, round, origin, origins } = this.#options
    const operation = this.#operations++
    const marker = markerOf(number, round, operation)
    const name = `${number} ${round} ${operation}`
    const kind = random()
    if (kind < NEW_TITLES) await this.#create(origin(), `New ${name}`, marker)
    else if (kind < NEW_TITLES + RACES / origins().length) await this.#race(`Race ${name}`, marker)
    else await this.#edit(marker)
  }

  /** The same title on all nodes at once: one of them may make it. */
  async #race(title: string, marker: string): Promise<void> {
    const each = this.#options.origins().map((origin, n) => this.#create(origin, title, `${n}${marker}`))
    await Promise.all(each)
  }

  async #create(origin: string, title: string, marker: string): Promise<void> {
    const body = { source: `${marker}\n\n${pageText(1)}`, title, comment: '', token: '+\\' }
    await this.#save(`${origin}/v1/page`, 'POST', title, marker, body)
  }

  async #edit(marker: string): Promise<void> {
    const { random, number, origin } = this.#options
    if (random() > STAYS) this.#title = this.#drawTitle()
    const title = this.#title
    const url = pathOf(title)
    const read = await this.#read(`${origin()}${url}`, title)
    if (read?.body.source === undefined || read.body.latest === undefined) return
    const { source, latest } = read.body
    const changed = random() < SHARED_EDITS ? editShared(source, marker) : editPart(source, number, marker)
    const body = { source: changed, comment: '', token: '+\\', latest: { id: latest.id } }
    const saved = await this.#save(`${origin()}${url}`, 'PUT', title, marker, body)
    if (saved !== undefined && saved !== changed) this.#options.ledger.merges++
  }

  /** Undefined: no page came. Notes a read that lacks what this client has saved. */
  async #read(url: string, title: string): Promise<Answer | undefined> {
    const { ledger } = this.#options
    const own = this.#own.get(title)
    const answer = await this.#send(url, { method: 'GET' }).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    if (own === undefined) return answer
    ledger.readsChecked++
    if (answer.body.latest!.id >= own) return answer
    if (answer.tookMs >= FULL_WAIT_MS) ledger.readsLate++
    else ledger.faults.push(`${title} lacks revision ${own} after ${answer.tookMs.toFixed(0)} ms`)
    return answer
  }

  /** The text as saved; undefined if it was not, or nobody knows. */
  async #save(
    url: string,
    method: 'POST' | 'PUT',
    title: string,
    marker: string,
    body: object,
  ): Promise<string | undefined> {
    const { ledger } = this.#options
    const startMs = performance.now()
    const headers = { 'content-type': 'application/json' }
    const sent = await this.#send(url, { method, headers, body: JSON.stringify(body) }).catch(wordsOf)
    const tookMs = performance.now() - startMs
    if (typeof sent === 'string') {
      ledger.add({
        title,
        marker,
        outcome: 'unknown',
        isNew: false,
        revisionId: undefined,
        answer: sent,
        tookMs,
      })
      return undefined
    }
    const { status, body: told } = sent
    const outcome = outcomeOf(sent)
    const revisionId = outcome === 'saved' ? told.latest!.id : undefined
    const answer = told.errorKey === undefined ? String(status) : `${status} ${told.errorKey}`
    ledger.add({ title, marker, outcome, isNew: status === 201, revisionId, answer, tookMs })
    if (revisionId === undefined) return undefined
    this.#own.set(title, revisionId)
    if (Number(sent.position) > Number(this.#position)) this.#position = sent.position
    return told.source
  }

  async #send(url: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Answer> {
    const startMs = performance.now()
    const headers = { ...init.headers, ...(this.#position !== '' && { 'x-log-position': this.#position }) }
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(ANSWER_MS) })
    const text = await response.text()
    const body = (
      response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    ) as Answer['body']
    const position = response.headers.get('x-log-position') ?? ''
    return { status: response.status, body, position, tookMs: performance.now() - startMs }
  }

  #drawTitle(): string {
    const { titles, random } = this.#options
    return titles[Math.floor(random() * titles.length)]!
  }
}

const pathOf = (title: string): string => `/v1/page/${encodeURIComponent(title.replaceAll(' ', '_'))}`

/** An answer without an error key is that of the proxy, which has lost the node. */
function outcomeOf({ status, body }: Answer): Outcome {
  if (status === 200 || status === 201) return 'saved'
  if (body.errorKey === undefined || status === 500 || UNSURE.includes(body.errorKey)) return 'unknown'
  return 'refused'
}

function wordsOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  return typeof code === 'string' ? `no answer: ${code}` : `no answer: ${(cause as Error).name}`
}
