/** Reports the progress of an import, of one or several dumps, to a display. */
import { statSync } from 'node:fs'
import type { DumpSource } from '../../dump/openDump.js'
import type { Display } from './display.js'
import { formatCount, type ImportState } from './progress.js'

const INDEX_NAME = 'search index'

/** What was read of a dump, or of a file of SQL tables. */
export interface ReadSoFar {
  /** Bytes of text to index. */
  readonly textBytes: number
  /** `rows` is for SQL tables, and takes the place of the others. */
  readonly counts: {
    readonly pages: number
    readonly revisions: number
    readonly newPages?: number
    readonly rows?: number
  }
}

export class ImportProgress {
  readonly #display: Display
  readonly #now: () => number
  readonly #estimate: Estimate
  /** Size of all dumps together; undefined when one is unknown, as for standard input. */
  readonly #sizeBytes: number | undefined
  /** Totals of the dumps that were read completely. */
  #before = { bytes: 0, xmlBytes: 0, textBytes: 0, newPages: 0 }
  /** Number of pages that are indexed while dumps are read. */
  #countIndexed = (): number => 0

  constructor(display: Display, paths: readonly string[], now: () => number = () => performance.now()) {
    this.#display = display
    this.#now = now
    this.#estimate = new Estimate(now)
    const sizes = paths.map(sizeOf)
    this.#sizeBytes = sizes.reduce(
      (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
      0,
    )
  }

  /** `count` counts the pages that are indexed while dumps are read. */
  followIndexing(count: () => number): void {
    this.#countIndexed = count
  }

  /** Returns a function to call while the dump is read. */
  reading(source: DumpSource, importer: ReadSoFar): () => void {
    const start = this.#now()
    const state = (): ImportState => {
      const { bytes, xmlBytes, textBytes } = this.#before
      const read = source.bytesRead()
      const { pages, revisions, newPages = 0, rows } = importer.counts
      const indexed = this.#countIndexed()
      const whole = this.#estimate.reading({
        share: this.#sizeBytes ? Math.min(1, (bytes + read) / this.#sizeBytes) : undefined,
        xmlBytes: xmlBytes + source.xmlBytes(),
        textBytes: textBytes + importer.textBytes,
        indexedShare: Math.min(1, indexed / Math.max(1, this.#before.newPages + newPages)),
      })
      return {
        phase: 'reading',
        name: source.name,
        phaseShare: source.sizeBytes ? Math.min(1, read / source.sizeBytes) : undefined,
        ...whole,
        speed: `${(source.xmlBytes() / 1000 / Math.max(1, this.#now() - start)).toFixed(1)} MB/s`,
        pages,
        revisions,
        indexed,
        rows,
      }
    }
    return () => this.#display.show(state)
  }

  /** Call it after a dump, even an incomplete one. */
  ended(source: DumpSource, { textBytes, counts }: ReadSoFar): void {
    this.#before = {
      bytes: this.#before.bytes + (source.sizeBytes ?? 0),
      xmlBytes: this.#before.xmlBytes + source.xmlBytes(),
      textBytes: this.#before.textBytes + textBytes,
      newPages: this.#before.newPages + (counts.newPages ?? 0),
    }
  }

  /** Returns a function to call with the finished share while `pages` pages are indexed. */
  indexing(pages: number): (share: number) => void {
    const start = this.#now()
    this.#estimate.indexing(0)
    return (share) => {
      this.#display.show(() => ({
        phase: 'indexing',
        name: INDEX_NAME,
        phaseShare: share,
        ...this.#estimate.indexing(share),
        speed: `${formatCount(Math.round((1000 * share * pages) / Math.max(1, this.#now() - start)))} pages/s`,
        pages,
        revisions: undefined,
      }))
    }
  }
}

/** Undefined unless the path is a file. Opening reports the problem later. */
function sizeOf(path: string): number | undefined {
  if (path === '-') return undefined
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : undefined
}

/**
 * Relative cost: bytes of XML read in the time in which one byte of text is indexed. Measured; similar on all machines.
 */
const INDEXING_COST = 1.5

interface Reading {
  /** Bytes read, as a share of all dumps, 0 to 1; undefined when a size is unknown. */
  readonly share: number | undefined
  readonly xmlBytes: number
  /** Bytes of text to index, read so far. */
  readonly textBytes: number
  /** Share of them that is indexed already, 0 to 1. */
  readonly indexedShare: number
}

interface Whole {
  /** 0 to 1. Never decreases, and reaches 1 only at the end. Undefined when unknown. */
  readonly share: number | undefined
  readonly leftMs: number | undefined
}

const UNKNOWN: Whole = { share: undefined, leftMs: undefined }

/** Estimates the progress of a whole import, reading and indexing together, and the time left. Both overlap. */
export class Estimate {
  readonly #now: () => number
  readonly #start: number
  #share = 0
  /** The share and the time when indexing began. */
  #indexing: { readonly share: number; readonly time: number } | undefined

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#start = now()
  }

  reading({ share, xmlBytes, textBytes, indexedShare }: Reading): Whole {
    if (!share) return UNKNOWN
    const elapsedMs = this.#now() - this.#start
    const indexingPerReading = xmlBytes === 0 ? 0 : (INDEXING_COST * textBytes) / xmlBytes
    const whole = (share * (1 + indexingPerReading * indexedShare)) / (1 + indexingPerReading)
    this.#share = Math.max(this.#share, whole)
    return { share: this.#share, leftMs: elapsedMs / whole - elapsedMs }
  }

  /** `share` is the finished part of indexing, 0 to 1. */
  indexing(share: number): Whole {
    this.#indexing ??= { share: this.#share, time: this.#now() }
    const begun = this.#indexing
    const elapsedMs = this.#now() - begun.time
    this.#share = Math.max(this.#share, begun.share + (1 - begun.share) * share)
    return { share: this.#share, leftMs: share === 0 ? undefined : elapsedMs / share - elapsedMs }
  }
}
