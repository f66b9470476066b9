/** Reads the pages of a dump again, in the same parts and order as the import did, to replay a log. */
import { dumpName, openDump } from '../dump/openDump.js'
import { readDump } from '../dump/readDump.js'
import { readSnapshotPages } from '../dump/snapshot/snapshotPages.js'
import { type RecognisedSource, recognise } from '../dump/sql/readTables.js'
import type { DumpEvent } from '../dump/types.js'
import type { LogEvent } from '../domain/logEvent.js'
import type { IncomingPage } from '../domain/page.js'
import type { PageOutcome } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { type DumpSink, Importer, MAX_PART_BYTES } from './importer.js'
import { UserError } from '../runtime/userError.js'

/** The log cannot be replayed: a dump is missing, or differs from the imported one. The message names it. */
export class ReplayError extends UserError {
  override readonly name = 'ReplayError'
}

type Source = Awaited<ReturnType<typeof openDump>>

export class DumpParts {
  readonly name: string
  /** Number of parts returned so far. */
  position = 0
  readonly #source: Source
  readonly #events: AsyncIterator<DumpEvent>
  readonly #translator: Importer
  #parts: IncomingPage[] = []
  /** Number of log entries returned so far. */
  eventPosition = 0
  readonly #logEvents: LogEvent[] = []

  private constructor(name: string, { source, snapshot }: RecognisedSource, store: Store) {
    this.name = name
    this.#source = source
    const events =
      snapshot === undefined
        ? readDump(source, { maxPartBytes: MAX_PART_BYTES })
        : readSnapshotPages(source, snapshot)
    this.#events = events[Symbol.asyncIterator]()
    const sink: DumpSink = {
      writeSite: () => ({ result: 'adopted', isEffective: false }),
      writePages: (pages): readonly PageOutcome[] => {
        this.#parts.push(...pages)
        return []
      },
      writeEvents: (events) => {
        this.#logEvents.push(...events)
        return 0
      },
      lineOf: () => undefined,
    }
    this.#translator = new Importer(store, sink, { batchBytes: 0, tell: () => undefined })
  }

  /** Opens a dump from its start. `store` receives its pages, and its namespaces decide how titles are parsed. */
  static async open(path: string, store: Store): Promise<DumpParts> {
    return new DumpParts(dumpName(path), await recognise(await openDump(path)), store)
  }

  /** The next `count` parts of pages. Throws a ReplayError when the dump ends before. */
  async take(count: number): Promise<readonly IncomingPage[]> {
    while (this.#parts.length < count) {
      if (await this.#advance()) continue
      throw new ReplayError(`${this.name} has fewer pages than the dump that was imported`)
    }
    this.position += count
    return this.#parts.splice(0, count)
  }

  /** The same for entries of the wiki's log. */
  async takeEvents(count: number): Promise<readonly LogEvent[]> {
    while (this.#logEvents.length < count) {
      if (await this.#advance()) continue
      throw new ReplayError(`${this.name} has fewer log entries than the dump that was imported`)
    }
    this.eventPosition += count
    return this.#logEvents.splice(0, count)
  }

  /** Reads the dump to its end and returns its SHA-256 in hex. */
  async finish(): Promise<string> {
    while (await this.#advance()) {
      this.#parts = []
      this.#logEvents.length = 0
    }
    return this.#source.sha256()
  }

  close(): Promise<void> {
    return this.#source.close()
  }

  /** Ignores files, since the log has an entry for each. */
  async #advance(): Promise<boolean> {
    const step: IteratorResult<DumpEvent, unknown> = await this.#events.next()
    if (step.done === true) return false
    const { value } = step
    if (value.type === 'site' || value.type === 'page' || value.type === 'logItem')
      await this.#translator.take(value)
    return true
  }
}
