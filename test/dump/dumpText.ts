/** Small dumps for tests: text of our own, built from parts, read from memory. */
import { DumpError } from '../../src/dump/dumpError.js'
import type { DumpSource } from '../../src/dump/openDump.js'
import { readDump, type ReadDumpOptions } from '../../src/dump/readDump.js'
import type { DumpEvent, DumpPage } from '../../src/dump/types.js'

const NAMESPACES = `<namespaces>
  <namespace key="0" case="first-letter" />
  <namespace key="2" case="first-letter">User</namespace>
  <namespace key="8" case="case-sensitive">MediaWiki</namespace>
</namespaces>`

export const SITEINFO = `<siteinfo>
<sitename>Testwiki</sitename><dbname>testwiki</dbname><base>https://test.example.org/wiki/Main_Page</base>
<generator>by hand</generator><case>first-letter</case>
${NAMESPACES}
</siteinfo>`

/** A whole dump around `body`. */
export function dump(body: string, { schema = '0.11', siteinfo = SITEINFO } = {}): string {
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-${schema}/" version="${schema}" xml:lang="en">
${siteinfo}
${body}
</mediawiki>
`
}

export function page(title: string, id: number, inner: string): string {
  return `<page><title>${title}</title><ns>0</ns><id>${id}</id>${inner}</page>\n`
}

/** A revision with everything that must be there; `parts` stand behind the timestamp. */
export function revision(id: number, parts = '<text>some text</text>'): string {
  return `<revision><id>${id}</id><timestamp>2024-01-31T12:00:00Z</timestamp>${parts}</revision>`
}

/** A page with one revision that holds `parts`. */
export function pageWith(parts: string): string {
  return dump(page('Alpha', 1, revision(10, parts)))
}

/** A source that gives the bytes in chunks of one size. */
export function sourceOf(xml: string | Buffer, chunkBytes = 65_536): DumpSource {
  const bytes = Buffer.from(xml)
  return {
    name: 'test.xml',
    compression: 'none',
    sizeBytes: bytes.length,
    stream: chunks(bytes, chunkBytes),
    bytesRead: () => bytes.length,
    xmlBytes: () => bytes.length,
    sha256: () => '',
    close: () => Promise.resolve(),
  }
}

export interface Outcome {
  readonly events: DumpEvent[]
  /** What stopped the reading. */
  readonly error: DumpError | undefined
}

/** Reads to the end or to the first DumpError, and closes the source. */
export async function readAll(source: DumpSource, options?: ReadDumpOptions): Promise<Outcome> {
  const events: DumpEvent[] = []
  try {
    for await (const event of readDump(source, options)) events.push(event)
  } catch (error) {
    if (!(error instanceof DumpError)) throw error
    return { events, error }
  } finally {
    await source.close()
  }
  return { events, error: undefined }
}

/** The events of a sound dump. */
export async function eventsOf(xml: string | Buffer, options?: ReadDumpOptions): Promise<DumpEvent[]> {
  const { events, error } = await readAll(sourceOf(xml), options)
  if (error !== undefined) throw error
  return events
}

export function pagesOf(events: readonly DumpEvent[]): DumpPage[] {
  return events.flatMap((event) => (event.type === 'page' ? [event.page] : []))
}

/** Cuts bytes into chunks, as they would come from a file. */
export async function* chunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer, void> {
  await Promise.resolve()
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes)
}
