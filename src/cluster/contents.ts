/** Contents of files that are missing here, from the first node that has them. */
import { access } from 'node:fs/promises'
import { isSha256 } from '../domain/file.js'
import { originalPath } from '../files/originals.js'
import { Peer, PeerError } from './peer.js'
import { receiveContents, type WantedContents } from './receiveContents.js'

export type { WantedContents } from './receiveContents.js'

/** Fetches at once, and fetches that wait. More are not begun. */
const MAX_AT_ONCE = 4
const MAX_WAITING = 200
/** A peer may be silent for so long, and must send on average so much. */
const SILENT_MS = 10_000
const LEAST_BYTES_PER_MS = 100
/** A peer that failed rests: twice as long after each failure in a row. */
const FIRST_REST_MS = 5000
const LONGEST_REST_MS = 60_000
/** Contents that no peer had are not asked for again so soon. */
const ABSENT_MS = 2000
const MAX_ABSENT = 1000

export interface PeerContentsOptions {
  readonly dataDir: string
  readonly peers: readonly Peer[]
  /** Receives faults of peers, and of the disk. */
  readonly onFault?: (error: Error) => void
  /** A clock in milliseconds. */
  readonly now?: () => number
}

interface PeerState {
  readonly peer: Peer
  restsUntilMs: number
  restMs: number
}

/** The peers that a setting names, separated by commas. Undefined if one of them is no address of a server. */
export function peersOf(addresses: string, secret: string): Peer[] | undefined {
  const parts = addresses.split(',').map((part) => part.trim())
  const isAddress = (part: string): boolean => /^https?:\/\//.test(part) && URL.canParse(part)
  return parts.every(isAddress) ? parts.map((part) => new Peer(new URL(part), secret)) : undefined
}

/** True if the contents are on the disk of this machine. */
export async function hasContents(dataDir: string, sha256: string): Promise<boolean> {
  return access(originalPath(dataDir, sha256)).then(
    () => true,
    () => false,
  )
}

export class PeerContents {
  readonly #options: PeerContentsOptions
  readonly #peers: readonly PeerState[]
  readonly #running = new Map<string, Promise<boolean>>()
  /** By hash: the time until which no peer is asked again. */
  readonly #absent = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  readonly #closing = new AbortController()
  readonly #now: () => number
  #atOnce = 0
  #fetched = 0
  #failed = 0

  constructor(options: PeerContentsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#peers = options.peers.map((peer) => ({ peer, restsUntilMs: 0, restMs: 0 }))
  }

  /** True once the contents are on the disk here. False if no peer gives them, or too much is being fetched. */
  fetch(wanted: WantedContents): Promise<boolean> {
    const { sha256 } = wanted
    const running = this.#running.get(sha256)
    if (running !== undefined) return running
    // The log could name anything: only a hash becomes a path.
    if (!isSha256(sha256) || this.#isAbsent(sha256)) return Promise.resolve(false)
    if (this.#waiting.length >= MAX_WAITING || this.#closing.signal.aborted) return Promise.resolve(false)
    const fetching = this.#inTurn(() => this.#fetch(wanted)).finally(() => this.#running.delete(sha256))
    this.#running.set(sha256, fetching)
    return fetching
  }

  counts(): { readonly fetched: number; readonly failed: number } {
    return { fetched: this.#fetched, failed: this.#failed }
  }

  /** Ends all fetches. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const begin of this.#waiting.splice(0)) begin()
    await Promise.allSettled(this.#running.values())
  }

  async #inTurn(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#atOnce >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#atOnce++
    try {
      return await work()
    } finally {
      this.#atOnce--
      this.#waiting.shift()?.()
    }
  }

  async #fetch(wanted: WantedContents): Promise<boolean> {
    // Another process, or an import, may have been faster.
    if (await hasContents(this.#options.dataDir, wanted.sha256)) return true
    for (const state of this.#peers) {
      if (this.#closing.signal.aborted) return false
      if (state.restsUntilMs > this.#now()) continue
      try {
        if (!(await this.#fetchFrom(state.peer, wanted))) continue
        state.restMs = 0
        this.#fetched++
        return true
      } catch (error) {
        if (this.#closing.signal.aborted) return false
        this.#rest(state, error)
      }
    }
    this.#failed++
    this.#noteAbsent(wanted.sha256)
    return false
  }

  /** False if the peer does not have the contents. */
  async #fetchFrom(peer: Peer, wanted: WantedContents): Promise<boolean> {
    const limit = new AbortController()
    const signal = AbortSignal.any([limit.signal, this.#closing.signal])
    const found = await peer.contents(wanted.sha256, signal)
    if (found === undefined) return false
    const stop = (): void => limit.abort()
    const whole = setTimeout(stop, SILENT_MS + wanted.sizeBytes / LEAST_BYTES_PER_MS)
    const silence = setTimeout(stop, SILENT_MS)
    try {
      if (found.length !== wanted.sizeBytes)
        throw new PeerError(`has ${found.length} bytes of ${wanted.sha256}, not ${wanted.sizeBytes}`)
      await receiveContents(this.#options.dataDir, wanted, noting(found.bytes, silence))
      return true
    } catch (error) {
      throw limit.signal.aborted ? new PeerError('is too slow', { cause: error }) : error
    } finally {
      clearTimeout(whole)
      clearTimeout(silence)
      found.bytes.destroy()
    }
  }

  #rest(state: PeerState, error: unknown): void {
    state.restMs = Math.min(LONGEST_REST_MS, Math.max(FIRST_REST_MS, 2 * state.restMs))
    state.restsUntilMs = this.#now() + state.restMs
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.onFault?.(new Error(`${state.peer.url.host}: ${reason}`, { cause: error }))
  }

  #isAbsent(sha256: string): boolean {
    return (this.#absent.get(sha256) ?? 0) > this.#now()
  }

  /** The oldest is forgotten first. */
  #noteAbsent(sha256: string): void {
    this.#absent.delete(sha256)
    this.#absent.set(sha256, this.#now() + ABSENT_MS)
    for (const oldest of this.#absent.keys())
      if (this.#absent.size > MAX_ABSENT) this.#absent.delete(oldest)
      else break
  }
}

/** The same bytes. Each chunk starts the timer again. */
async function* noting(bytes: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    timer.refresh()
    yield chunk
  }
}
