import { DocumentReader } from './documentReader.js'
import { DumpError } from './dumpError.js'
import { ElementDispatcher } from './elements.js'
import type { DumpSource } from './openDump.js'
import type { DumpEvent } from './types.js'
import { XmlScanner } from './xmlScanner.js'

const MiB = 1024 * 1024

export interface ReadDumpOptions {
  /** A history with more bytes of text, comments and names comes in parts. Default 16 MiB. */
  readonly maxPartBytes?: number
  /** A history with more revisions than this comes in parts. Default 1000. */
  readonly maxPartRevisions?: number
  /**
   * Most characters (UTF-16 units) of one text. A longer text excludes its revision or stops the reader. Default 256
   * Mi.
   */
  readonly maxTextLength?: number
  /** Most characters of a title, comment or other element. A longer one excludes its page or revision. Default 1 Mi. */
  readonly maxFieldLength?: number
}

/**
 * Reads a MediaWiki XML export, schemas 0.3 to 0.11, from start to end: one `site`, then `page`s in the order of the
 * dump, with `warning`s between them. Memory stays bounded for any dump.
 *
 * A page or revision that lacks a required part, or has invalid values, is left out with a warning. The reader throws a
 * DumpError where the XML is damaged, cut off, foreign or hostile, after it has yielded all complete pages. A missing
 * tag inside a page only costs that page or revision. It never
 * yields an incomplete page, except for the earlier, complete parts of a long history.
 *
 * Strings may share memory with the chunk that they were read from, so copy them to keep them long. The caller closes
 * the source.
 */
export async function* readDump(
  source: DumpSource,
  options: ReadDumpOptions = {},
): AsyncGenerator<DumpEvent, void> {
  const reading = new DumpReading(options)
  try {
    for await (const bytes of source.stream) {
      reading.scanner.write(bytes)
      yield* reading.takeEvents()
    }
    reading.scanner.end()
  } catch (error) {
    const failure =
      error instanceof DumpError ? error.at({ dumpName: source.name, ...reading.place() }) : error
    yield* reading.takeEvents()
    throw failure
  }
  yield* reading.takeEvents()
}

/** Connects the parts of one reader. */
class DumpReading {
  readonly scanner: XmlScanner
  readonly #document: DocumentReader
  readonly #events: DumpEvent[] = []

  constructor(options: ReadDumpOptions) {
    const { maxPartBytes = 16 * MiB, maxPartRevisions = 1000 } = options
    this.#document = new DocumentReader({
      parts: { revisions: maxPartRevisions, bytes: maxPartBytes },
      emit: (event) => this.#events.push(event),
      line: () => this.scanner.line,
      takeRepairs: () => this.scanner.takeRepairs(),
    })
    const limits = { field: options.maxFieldLength ?? MiB, text: options.maxTextLength ?? 256 * MiB }
    this.scanner = new XmlScanner(new ElementDispatcher(this.#document, limits))
  }

  takeEvents(): DumpEvent[] {
    return this.#events.splice(0)
  }

  place(): { line: number; byteOffset: number; title: string | undefined } {
    return {
      line: this.scanner.line,
      byteOffset: this.scanner.byteOffset,
      title: this.#document.pageTitle,
    }
  }
}
