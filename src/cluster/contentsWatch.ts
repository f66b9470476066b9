/**
 * Brings contents of files to this machine after their entries, in the background. One process of the machine does it:
 * the one that applies the log. It looks at all files once, when it takes over, and then at entries of files alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { removeLeftOver } from '../files/arriving.js'
import { pause } from '../runtime/pause.js'
import type { FileEntry } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { hasContents, type PeerContents, type WantedContents } from './contents.js'

const LOOK_MS = 500
/** Files, or entries of the log, between two turns of the event loop. */
const FILES_AT_ONCE = 50
const ENTRIES_AT_ONCE = 200
/** Contents that no peer gave are tried again after a time that doubles. */
const FIRST_RETRY_MS = 3000
const LONGEST_RETRY_MS = 600_000
/** So many are remembered. If more are missing, all files are looked at again at the next try. */
const MAX_MISSING = 1000

export interface ContentsWatchOptions {
  readonly store: Store
  readonly dataDir: string
  readonly fetch: PeerContents['fetch']
  /** This process applies the log for all processes of the machine. */
  readonly isApplying: () => boolean
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly onFault: (error: unknown) => void
}

interface NamedFacts {
  readonly dbkey: string
  readonly facts: FileEntry['facts']
}

export class ContentsWatch {
  readonly #options: ContentsWatchOptions
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  readonly #missing = new Map<string, WantedContents>()
  #hasForgotten = false
  /** The entries and changes looked at so far; undefined while another process does it. */
  #seen: { position: number; changes: number } | undefined
  #retryMs = FIRST_RETRY_MS
  #retryAtMs = Infinity

  constructor(options: ContentsWatchOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Files whose contents no peer has given, as far as remembered. */
  get missing(): number {
    return this.#missing.size
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await pause(LOOK_MS, this.#closing.signal)
      try {
        if (!this.#isClosed) await this.#look()
      } catch (error) {
        this.#options.onFault(error)
        this.#seen = undefined
      }
    }
  }

  async #look(): Promise<void> {
    const { store, isApplying } = this.#options
    if (!isApplying()) {
      this.#seen = undefined
      this.#missing.clear()
      return
    }
    store.refresh()
    const changes = store.fileChanges().count
    if (this.#seen === undefined) await this.#lookAtAll(changes)
    else if (this.#seen.changes !== changes) await this.#lookAtEntries(this.#seen, changes)
    if (performance.now() >= this.#retryAtMs) await this.#retry()
  }

  async #lookAtAll(changes: number): Promise<void> {
    const { store, dataDir, nowMs } = this.#options
    await removeLeftOver(dataDir, nowMs())
    const seen = { position: store.position().sequence, changes }
    this.#hasForgotten = false
    for (const files of store.keptFilesInSlices(FILES_AT_ONCE)) {
      if (this.#isClosed) break
      await this.#bring(files)
      await sleep(1)
      store.refresh()
    }
    this.#seen = seen
  }

  async #lookAtEntries(seen: { position: number }, changes: number): Promise<void> {
    const { store } = this.#options
    const { sequence: end } = store.position()
    // A beginning that was cut off has nothing new: entries go on from what the store had applied.
    for (let { position } = seen; position < end && !this.#isClosed;) {
      const { last, files } = store.log.takeFiles(position, ENTRIES_AT_ONCE)
      if (last === position) break
      await this.#bring(files)
      position = last
      await sleep(1)
    }
    this.#seen = { position: end, changes }
  }

  /** Tries the missing ones again that the wiki still has. */
  async #retry(): Promise<void> {
    const { store } = this.#options
    const missing = [...this.#missing.values()]
    this.#missing.clear()
    this.#retryAtMs = Infinity
    this.#retryMs = Math.min(LONGEST_RETRY_MS, 2 * this.#retryMs)
    if (this.#hasForgotten) this.#seen = undefined
    for (const { name, sha256 } of missing) {
      const facts = store.getFile(name)
      if (facts?.sha256 === sha256) await this.#bring([{ dbkey: name, facts }])
    }
  }

  async #bring(files: readonly NamedFacts[]): Promise<void> {
    const fetches: Promise<void>[] = []
    for (const { dbkey: name, facts } of files) {
      const { sha256 = null, sizeBytes = 0 } = facts ?? {}
      if (sha256 === null || (await hasContents(this.#options.dataDir, sha256))) continue
      fetches.push(this.#fetch({ name, sha256, sizeBytes }))
    }
    await Promise.all(fetches)
  }

  async #fetch(wanted: WantedContents): Promise<void> {
    if (await this.#options.fetch(wanted)) {
      this.#retryMs = FIRST_RETRY_MS
      return
    }
    this.#retryAtMs = Math.min(this.#retryAtMs, performance.now() + this.#retryMs)
    if (this.#missing.size < MAX_MISSING) this.#missing.set(wanted.sha256, wanted)
    else this.#hasForgotten = true
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }
}
