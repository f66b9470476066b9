/**
 * Replays an edit log into a store. The log holds only the positions of imported pages, so the replay reads these pages
 * from their dumps again.
 */
import type { LogEvent } from '../domain/logEvent.js'
import type { IncomingPage } from '../domain/page.js'
import { dumpName, openDump } from '../dump/openDump.js'
import { DumpError } from '../dump/dumpError.js'
import { readTables, recognise, type RecognisedSource } from '../dump/sql/readTables.js'
import type { Applier } from '../storage/apply/applier.js'
import type { BatchPlace, LoggedEntry, PlacedEntry, PageOutcome } from '../storage/entries/entries.js'
import { derivedEntryId } from '../storage/entries/entryIds.js'
import type { SpareTable } from '../storage/apply/sqlTables/spareTable.js'
import type { Store } from '../storage/store.js'
import { TableReader } from './tables/tableReader.js'
import { PagesOfDump } from './pagesOfDump.js'
import { readDump } from '../dump/readDump.js'
import { readSnapshotPages } from '../dump/snapshot/snapshotPages.js'
import type { DumpEvent } from '../dump/types.js'
import { type DumpSink, Importer, MAX_PART_BYTES } from './importer.js'
import { UserError } from '../runtime/userError.js'

/** Entries that are read together. */
const MAX_BATCH = 100

export interface ReplayOptions {
  readonly from: Pick<Store, 'log' | 'refresh'>
  readonly into: Store
  readonly applier: Applier
  /** Paths of the imported dumps, in any order. The log identifies them by file name. */
  readonly dumps: readonly string[]
  /** Receives the number of replayed entries. */
  readonly onProgress?: (entries: number) => void
}

/**
 * Applies all present entries of the log of `from`, in order, to the empty store `into`. Returns their number. Throws a
 * ReplayError.
 */
export async function replayLog(options: ReplayOptions): Promise<number> {
  const { from, onProgress } = options
  const replay = new Replay(options)
  try {
    from.refresh()
    const { last } = from.log.bounds()
    for (let done = 0; done < last;) {
      const items = from.log.take(done, Math.min(MAX_BATCH, last - done))
      if (items.length === 0) throw new ReplayError(whyCut(from.log.bounds().first))
      for (const item of items) {
        await replay.apply(item)
        done = item.sequence
        onProgress?.(done)
      }
      from.refresh()
    }
    return last
  } finally {
    await replay.close()
  }
}

const whyCut = (first: number): string =>
  `the log begins at entry ${first}, since earlier ones were cut off: ` +
  'a replay needs them, or a copy of the store from before'

type LoggedTable = Extract<LoggedEntry, { kind: 'table' }>

const differs = (dump: string): ReplayError =>
  new ReplayError(`${dump} is not the dump that was imported: its SHA-256 differs`)

class Replay {
  readonly #options: ReplayOptions
  #dump: DumpParts | undefined
  /** The pages that the open dump has brought. */
  #came = new PagesOfDump()

  constructor(options: ReplayOptions) {
    this.#options = options
  }

  async apply(item: PlacedEntry): Promise<void> {
    const { applier, from } = this.#options
    const { entry } = item
    if (entry.kind === 'pages') {
      const pages = await this.#pagesOf(entry)
      applier.submit({ ...entry, pages, came: this.#came })
      return
    }
    if (entry.kind === 'events') {
      applier.submit({ ...entry, events: await this.#eventsOf(entry) })
      return
    }
    if (entry.kind === 'table') {
      const spare = await this.#rowsOf(entry)
      applier.submit({ ...entry, spare })
      spare.clear()
      return
    }
    if (entry.kind === 'import') await this.#proveDump(entry)
    applier.submitReplayed(item, from.log.getVerdict(entry.id))
  }

  async close(): Promise<void> {
    await this.#dump?.close()
    this.#dump = undefined
  }

  async #pagesOf({
    dump,
    firstPart,
    parts,
  }: {
    dump: string
    firstPart: number
    parts: number
  }): Promise<readonly IncomingPage[]> {
    if (this.#dump?.name !== dump || this.#dump.position > firstPart) await this.#open(dump)
    const open = this.#dump!
    const skipped = firstPart - open.position
    if (skipped > 0) this.#passOver(await open.take(skipped), open.name)
    return open.take(parts)
  }

  /** Entries between were in the store already. */
  async #eventsOf({ dump, firstPart, parts }: BatchPlace): Promise<readonly LogEvent[]> {
    if (this.#dump?.name !== dump || this.#dump.eventPosition > firstPart) await this.#open(dump)
    const open = this.#dump!
    await open.takeEvents(firstPart - open.eventPosition)
    return open.takeEvents(parts)
  }

  /**
   * Skips pages that the store had already when an import read them, after an earlier one was interrupted. Applying
   * them again must have no effect.
   */
  #passOver(pages: readonly IncomingPage[], dump: string): void {
    const id = derivedEntryId(0, 'passed over', dump, pages.length)
    const place = { dump, firstPart: 0, parts: pages.length }
    const { isEffective } = this.#options.applier.submit({
      kind: 'pages',
      id,
      time: 0,
      ...place,
      pages,
      came: this.#came,
    })
    if (isEffective)
      throw new ReplayError(
        `${dump} has pages that the log does not have: it is not the dump that was imported`,
      )
  }

  async #open(dump: string): Promise<void> {
    await this.close()
    this.#dump = await DumpParts.open(this.#pathOf(dump), this.#options.into)
    this.#came = new PagesOfDump()
  }

  /** Reads the rows of an SQL table again. */
  async #rowsOf({ table, dump, sha256, rows }: LoggedTable): Promise<SpareTable> {
    const opened = await openDump(this.#pathOf(dump))
    try {
      const { source } = await recognise(opened)
      const reader = new TableReader(this.#options.into, { only: table, maxRows: rows })
      try {
        for await (const _ of readTables(source, reader));
      } catch (error) {
        // The entry of a file that was cut off says how many rows were read.
        if (sha256 !== null || !(error instanceof DumpError)) throw error
      }
      const read = reader.found.get(table)
      if (read?.rows !== rows || (sha256 !== null && source.sha256() !== sha256)) throw differs(dump)
      reader.flush()
      if (sha256 === null) read.spare.keepRest()
      return read.spare
    } finally {
      await opened.close()
    }
  }

  #pathOf(dump: string): string {
    const path = this.#options.dumps.find((each) => dumpName(each) === dump)
    if (path === undefined) throw new ReplayError(`the log needs the dump "${dump}": name its file too`)
    return path
  }

  /** An import that brought nothing new has no dump open here, so it proves nothing. */
  async #proveDump({ name, sha256 }: { name: string; sha256: string | null }): Promise<void> {
    if (sha256 === null || this.#dump?.name !== name) return
    if ((await this.#dump.finish()) !== sha256) throw differs(name)
    await this.close()
  }
}

// Reads the pages of a dump again, in the same parts and order as the import did, to replay a log.

/** The log cannot be replayed: a dump is missing, or differs from the imported one. The message names it. */
class ReplayError extends UserError {
  override readonly name = 'ReplayError'
}

type Source = Awaited<ReturnType<typeof openDump>>

class DumpParts {
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
