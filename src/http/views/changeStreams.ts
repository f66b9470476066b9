/**
 * Clients who hear of each change as it happens. One look at the log serves all of them. It reads new entries once for
 * each new generation of the store, and words them once for each address under which clients see the wiki.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { NewChange } from '../../storage/upstream/newChanges.js'
import type { Store } from '../../storage/store.js'
import { PoolFullError } from '../../workers/hosting/poolErrors.js'
import type { StreamClient, StreamPart } from '../reply/reply.js'

/** How soon a change is told, at the latest. */
const LOOK_MS = 200
/** A beat each 5 s: a proxy, or a client, takes a silent connection for a dead one. */
const LOOKS_PER_HEARTBEAT = 25
/** Entries of one read, and changes of one turn of the event loop: each takes some 50 µs. */
const ENTRIES_AT_ONCE = 50
const CHANGES_AT_ONCE = 10

/** Words a change; undefined for one that nobody may see any more. */
export type Describe = (change: NewChange, baseUrl: string) => string | undefined

export interface ChangeStreamsOptions {
  readonly store: Pick<Store, 'refresh' | 'newChanges' | 'position'>
  readonly maxStreams: number
  readonly log: Pick<Logger, 'error'>
}

interface Group {
  readonly describe: Describe
  readonly clients: Set<StreamClient>
}

export class ChangeStreams {
  readonly #options: ChangeStreamsOptions
  /** By the base URL of the API, as clients see it. */
  readonly #groups = new Map<string, Group>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #looks = 0
  #generation = Number.NaN
  /** The last entry that was told. */
  #position = 0
  #isTelling = false

  constructor(options: ChangeStreamsOptions) {
    this.#options = options
  }

  /** Throws a PoolFullError. */
  open(baseUrl: string, describe: Describe): StreamPart {
    if (this.#count >= this.#options.maxStreams) throw new PoolFullError('too many streams are open')
    return { begin: (client) => this.#add(client, baseUrl, describe) }
  }

  #add(client: StreamClient, baseUrl: string, describe: Describe): void {
    if (this.#count++ === 0) this.#start()
    const group = this.#groups.get(baseUrl) ?? { describe, clients: new Set() }
    this.#groups.set(baseUrl, group)
    group.clients.add(client)
    client.onEnd = () => {
      group.clients.delete(client)
      if (group.clients.size === 0 && this.#groups.get(baseUrl) === group) this.#groups.delete(baseUrl)
      if (--this.#count === 0) this.#stop()
    }
    client.write(OK)
  }

  #start(): void {
    const { store } = this.#options
    this.#generation = store.refresh()
    this.#position = store.position().sequence
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    if (++this.#looks % LOOKS_PER_HEARTBEAT === 0) this.#send(() => HEARTBEAT)
    if (this.#isTelling) return
    this.#isTelling = true
    this.#tell()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'changes could not be told'))
      .finally(() => (this.#isTelling = false))
  }

  async #tell(): Promise<void> {
    const { store } = this.#options
    const generation = store.refresh()
    if (generation === this.#generation) return
    while (this.#count > 0) {
      const { last, changes } = store.newChanges(this.#position, ENTRIES_AT_ONCE)
      if (last === this.#position) break
      // Before the changes are told: those that cannot be are not tried again.
      this.#position = last
      for (let from = 0; from < changes.length; from += CHANGES_AT_ONCE) {
        for (const change of changes.slice(from, from + CHANGES_AT_ONCE))
          this.#send(({ describe }, baseUrl) => textBytes(describe(change, baseUrl)))
        await nextTurn()
        store.refresh()
      }
    }
    this.#generation = generation
  }

  #send(bytesFor: (group: Group, baseUrl: string) => Uint8Array | undefined): void {
    for (const [baseUrl, group] of [...this.#groups]) {
      const bytes = bytesFor(group, baseUrl)
      if (bytes !== undefined) for (const client of [...group.clients]) client.write(bytes)
    }
  }
}

const OK = Buffer.from(':ok\n\n')
const HEARTBEAT = Buffer.from(':\n\n')
const textBytes = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text)
