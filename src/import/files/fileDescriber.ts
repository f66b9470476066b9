/** Imports descriptions of files whose contents another repository holds. */
import { FILE } from '../../domain/namespaceIds.js'
import { createHash } from 'node:crypto'
import { type FileFacts, sha1Base36 } from '../../domain/file.js'
import { mediaTypeOf, mimeTypeOfName } from '../../domain/mediaTypes.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTimestamp } from '../../domain/timestamp.js'
import { parseTitle } from '../../domain/title.js'
import type { Change } from '../../storage/entries/entries.js'
import { readOwnFile } from '../../storage/pages/files.js'
import type { Store } from '../../storage/store.js'
import type { Column, TableRow } from './fileTable.js'

/** Files written in one transaction. */
const BATCH = 500
const MAX_PIXELS = 10_000_000
const MAX_BYTES = 2 ** 50

export interface FileDescriberOptions {
  readonly store: Store
  /** Seconds since 1970. Dates files without a time. */
  readonly now: number
  readonly warn: (message: string) => void
  /** Applies changes in order, as entries with the current time. */
  readonly applyAll: (changes: readonly Change[]) => Promise<unknown>
}

export interface DescribeCounts {
  described: number
  unchanged: number
  leftOut: number
}

export class FileDescriber {
  readonly counts: DescribeCounts = { described: 0, unchanged: 0, leftOut: 0 }
  readonly #store: Store
  readonly #namespaces: Namespaces
  readonly #now: number
  readonly #warn: (message: string) => void
  readonly #applyAll: FileDescriberOptions['applyAll']
  #batch = new Map<string, FileFacts>()

  constructor({ store, now, warn, applyAll }: FileDescriberOptions) {
    this.#store = store
    this.#applyAll = applyAll
    this.#namespaces = store.namespaces()
    this.#now = now
    this.#warn = warn
  }

  /** Takes one row; a fault in it becomes a warning. */
  async take({ lineNumber, cells }: TableRow): Promise<void> {
    const result = cells === undefined ? 'it is not valid JSON' : this.#describe(cells)
    if (this.#batch.size >= BATCH) await this.flush()
    if (result === undefined) return
    this.counts.leftOut++
    this.#warn(`line ${lineNumber} left out: ${result}`)
  }

  /** Writes the rows taken since the last write. */
  async flush(): Promise<void> {
    const changes = [...this.#batch].map(([dbkey, facts]) => ({ kind: 'file', dbkey, facts }) as const)
    if (changes.length > 0) await this.#applyAll(changes)
    this.#batch = new Map()
  }

  /** Returns the fault in words, if there is one. */
  #describe(cells: ReadonlyMap<Column, string>): string | undefined {
    const name = cells.get('name') ?? ''
    const dbkey = this.#dbkeyOf(name)
    if (dbkey === undefined) return `"${name}" is not a valid name for a file`
    const before = this.#batch.get(dbkey) ?? readOwnFile(this.#store, dbkey)
    if (before?.sha256) return `this wiki has the contents of ${dbkey}, so it needs no description`
    const facts = this.#factsOf(dbkey, cells, before)
    if (typeof facts === 'string') return facts
    if (before !== undefined && JSON.stringify({ ...before, ...facts }) === JSON.stringify(before)) {
      this.counts.unchanged++
      return undefined
    }
    this.counts.described++
    this.#batch.set(dbkey, facts)
    return undefined
  }

  #dbkeyOf(name: string): string | undefined {
    const given = parseTitle(name, this.#namespaces)
    const hasPrefix = given.ok && given.title.namespace === FILE
    const prefix = this.#namespaces.keyPrefix(FILE)
    const parsed = hasPrefix ? given : parseTitle(prefix + name, this.#namespaces)
    return parsed.ok && parsed.title.namespace === FILE ? parsed.title.dbkey : undefined
  }

  /** The facts from the cells, merged with the known facts; or the reason why they are invalid. */
  #factsOf(
    dbkey: string,
    cells: ReadonlyMap<Column, string>,
    before: FileFacts | undefined,
  ): FileFacts | string {
    const width = numberOf(cells, 'width', MAX_PIXELS) ?? before?.width ?? null
    const height = numberOf(cells, 'height', MAX_PIXELS) ?? before?.height ?? null
    const sizeBytes = numberOf(cells, 'size', MAX_BYTES) ?? before?.sizeBytes ?? 0
    const seconds = cells.get('duration')
    const durationSeconds = seconds === undefined ? (before?.durationSeconds ?? null) : Number(seconds)
    const time = cells.get('timestamp')
    const timestamp = time === undefined ? (before?.timestamp ?? this.#now) : parseTimestamp(time)
    const sha1 = sha1Of(cells.get('sha1')) ?? before?.sha1 ?? standIn(dbkey, cells)
    const isNumber = [width, height, sizeBytes, durationSeconds].every((n) => n === null || n >= 0)
    if (!isNumber || timestamp === undefined || sha1 === 'wrong')
      return 'a cell has a value of the wrong kind'
    const mimeType = cells.get('mime') ?? before?.mimeType ?? mimeTypeOfName(dbkey)
    if (!/^[a-z0-9]+\/[a-z0-9.+-]+$/.test(mimeType)) return `"${mimeType}" is not a MIME type`
    const user = cells.get('user')
    const uploader = user === undefined ? before?.uploader : { id: null, name: user }
    const mediaType = mediaTypeOf(mimeType)
    return {
      sizeBytes,
      width,
      height,
      durationSeconds,
      mediaType,
      mimeType,
      sha1,
      uploader,
      timestamp,
      sha256: null,
    }
  }
}

/** NaN unless the cell is a whole number up to `max`; undefined for an absent cell. */
function numberOf(cells: ReadonlyMap<Column, string>, column: Column, max: number): number | undefined {
  const text = cells.get(column)
  if (text === undefined) return undefined
  return /^\d{1,16}$/.test(text) && Number(text) <= max ? Number(text) : Number.NaN
}

function sha1Of(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-z]{31}$/.test(text)) return text
  return /^[0-9a-f]{40}$/i.test(text) ? sha1Base36(text) : 'wrong'
}

/** Placeholder for an unknown SHA-1. Clients use the hash to detect changes, so it depends on the known facts. */
function standIn(dbkey: string, cells: ReadonlyMap<Column, string>): string {
  return sha1Base36(
    createHash('sha1')
      .update(JSON.stringify([dbkey, ...cells]))
      .digest('hex'),
  )
}
