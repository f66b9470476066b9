import { DumpError, notAnExport } from './dumpError.js'
import { ElementDispatcher, type ElementReader, type Treatment } from './elements.js'
import type { DumpSource } from './openDump.js'
import type { DumpEvent, DumpSite } from './types.js'
import { XmlScanner, type Attributes, type Repairs } from './xmlScanner.js'
import { Namespaces } from '../domain/namespaces.js'
import { DEFAULT_SITE } from '../domain/site.js'
import { LogItemReader } from './logItemReader.js'
import { PageReader, type PartLimits, type Warning } from './pageReader.js'
import { SiteReader, unknownSite, type RootFacts } from './siteReader.js'

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

const NEWEST_SCHEMA = 11
/** Since schema 0.6, dumps state the target of redirects. */
const FIRST_SCHEMA_WITH_REDIRECTS = 6

/** Services that the readers need. */
interface DocumentContext {
  readonly parts: PartLimits
  readonly emit: (event: DumpEvent) => void
  /** Line of the reader's position. */
  readonly line: () => number
  readonly takeRepairs: () => Repairs | undefined
}

/** Reads the root element, which must be that of an export. */
class DocumentReader implements ElementReader {
  readonly #context: DocumentContext
  #export: ExportReader | undefined

  constructor(context: DocumentContext) {
    this.#context = context
  }

  /** Title of the current page. */
  get pageTitle(): string | undefined {
    return this.#export?.pageTitle
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name !== 'mediawiki') throw notAnExport()
    this.#export = new ExportReader(this.#context, attributes)
    return this.#export
  }
}

/** Reads `<mediawiki>`: the site first, then the pages or log entries. */
class ExportReader implements ElementReader {
  readonly #context: DocumentContext
  readonly #root: RootFacts
  #pages: PageReader | undefined
  #items: LogItemReader | undefined
  #itemLine = 0

  constructor(context: DocumentContext, attributes: Attributes) {
    this.#context = context
    const schema = attributes['version'] ?? /\/export-([^/]*)/.exec(attributes['xmlns'] ?? '')?.[1] ?? ''
    this.#root = { schema, language: attributes['xml:lang'] }
    if (schemaNumber(schema) > NEWEST_SCHEMA) {
      const reason = `export format ${schema.slice(0, 100)} is newer than this reader: read as 0.${NEWEST_SCHEMA}`
      this.#warn({ kind: 'format', reason })
    }
  }

  get pageTitle(): string | undefined {
    return this.#pages?.title
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name === 'siteinfo' && this.#pages === undefined) {
      return new SiteReader(this.#root, {
        takeSite: (site) => this.#start(site),
        warn: (reason) => this.#warn({ kind: 'site', reason }),
      })
    }
    if (name === 'logitem') return this.#beginItem()
    if (name !== 'page') {
      this.#warnOfOther(name, attributes)
      return 'skip'
    }
    this.#warnOfRepairs()
    return this.#startedPages().begin(this.#context.line())
  }

  #beginItem(): LogItemReader {
    // The site comes before the first entry.
    this.#startedPages()
    this.#warnOfRepairs()
    const line = this.#context.line()
    this.#items ??= new LogItemReader({
      takeItem: (item) => this.#context.emit({ type: 'logItem', item: { ...item, line: this.#itemLine } }),
      refuse: (reason) =>
        this.#warn({ kind: 'log-entry', reason, leftOut: 'log entry', line: this.#itemLine }),
    })
    this.#itemLine = line
    return this.#items.begin()
  }

  passStray(name: string): boolean {
    if (name !== 'page') return false
    this.#warn({ kind: 'page-misplaced', reason: 'it has no <page>', leftOut: 'page' })
    return true
  }

  close(): void {
    this.#startedPages()
    this.#warnOfRepairs()
  }

  #startedPages(): PageReader {
    return this.#pages ?? this.#start(unknownSite(this.#root))
  }

  /** Called once the site is known; pages may follow. */
  #start(site: DumpSite): PageReader {
    const { emit, parts, line } = this.#context
    emit({ type: 'site', site })
    this.#pages = new PageReader({
      parts,
      line,
      namespaces: new Namespaces(site.namespaces.length > 0 ? site : DEFAULT_SITE),
      statesRedirects: schemaNumber(site.schema) >= FIRST_SCHEMA_WITH_REDIRECTS,
      takePage: (page) => {
        if (page.last) this.#warnOfRepairs()
        emit({ type: 'page', page })
      },
      takeContents: (bytes) => emit({ type: 'contents', bytes }),
      takeUpload: (upload) => emit({ type: 'upload', upload }),
      warn: (warning) => this.#warn(warning),
    })
    return this.#pages
  }

  #warnOfRepairs(): void {
    const repairs = this.#context.takeRepairs()
    if (repairs === undefined) return
    const { count, line } = repairs
    const reason = `replaced by U+FFFD: ${count} characters or bytes that XML does not allow`
    this.#warn({ kind: 'characters', reason, line })
  }

  /** Warns of elements beside pages, which would otherwise be lost silently. A dump may have nothing else. */
  #warnOfOther(name: string, attributes: Attributes): void {
    if (name === 'revision') {
      this.#warn({ kind: 'revision-misplaced', reason: 'it is in no page', leftOut: 'revision' })
    } else if (name === 'mediawiki') {
      const reason = 'it is in a <mediawiki> inside another, as are all that follow there'
      this.#warn({ kind: 'page-misplaced', reason, leftOut: 'page' })
    } else if (name === 'board') {
      const reason = 'it is a Flow board, whose posts the import does not read'
      this.#warn({ kind: 'board', reason, leftOut: 'page' }, attributes['title'])
    } else if (name !== 'siteinfo') {
      this.#warn({ kind: 'element', reason: `the import does not read <${name.slice(0, 100)}>` })
    }
  }

  #warn({ kind, reason, leftOut, line, pageId, revisionId }: Warning, title = this.pageTitle): void {
    const place = { line: line ?? this.#context.line(), title, pageId, revisionId }
    this.#context.emit({ type: 'warning', kind, reason, leftOut, ...place })
  }
}

/** 11 for `0.11`; infinite for other forms. NaN when no version is stated, so that every comparison fails. */
function schemaNumber(schema: string): number {
  if (schema === '') return NaN
  const minor = /^0\.([0-9]{1,3})$/.exec(schema)?.[1]
  return minor === undefined ? Infinity : Number(minor)
}
