/**
 * Pages as JSON Lines in a file that grows part by part. Beside an unfinished file stands a mark that says how far it
 * goes, so that the same command goes on where an earlier one was stopped or killed.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack } from '../../export/packing.js'
import { flushFile, flushFolder } from '../../files/flush.js'
import { ownMark, stateOf } from '../../storage/processMark.js'
import type { ProcessMark } from '../../storage/tables/meta.js'
import { type ExportedPage, exportTexts, type TextExportOptions } from '../../workers/texts/exportTexts.js'
import { CommandError } from '../commandError.js'

/** A part ends when it has so many bytes before packing, or after this time: a kill loses no more. */
const PART_BYTES = 2 ** 24
const PART_MS = 20_000

export interface TextCounts {
  /** Pages that have a line. */
  readonly pages: number
  /** Of these, those whose HTML the store did not have. */
  readonly made: number
  /** Pages whose HTML could not be made. They have no line. */
  readonly failed: number
}

export const NO_PAGES: TextCounts = { pages: 0, made: 0, failed: 0 }

interface Mark {
  /** Digest of what is exported. */
  readonly what: string
  /** Whoever writes the file. */
  readonly writer: ProcessMark
  /** Bytes of the file that are whole. */
  readonly bytes: number
  readonly next: number
  readonly counts: TextCounts
}

export interface TextExport extends Omit<TextExportOptions, 'from'> {
  /** Bytes of a part before packing. */
  readonly partBytes?: number
}

export interface TextProgress {
  counts: TextCounts
  /** `from` of a run that would go on here. */
  next: number
  /** Pages that an earlier run has written. */
  before: number
}

function count(progress: TextProgress, { line, isMade, hasFailed, next }: ExportedPage): void {
  const { pages, made, failed } = progress.counts
  progress.next = next
  progress.counts = {
    pages: pages + (line === undefined ? 0 : 1),
    made: made + (isMade === true ? 1 : 0),
    failed: failed + (hasFailed === true ? 1 : 0),
  }
}

/** Lines to standard output, which cannot go on later. */
export async function writeToOutput(
  options: TextExport,
  progress: TextProgress,
  onPage: () => void,
): Promise<void> {
  const lines = async function* (): AsyncGenerator<Buffer, void> {
    for await (const page of exportTexts({ ...options, from: 0 })) {
      count(progress, page)
      if (page.line !== undefined) yield Buffer.from(page.line)
      onPage()
    }
  }
  await pipeline(Readable.from(lines()), process.stdout, { signal: options.signal })
}

/** Lines to a new file, or to what an earlier run of the same export left of it. */
export async function writeToFile(
  file: string,
  options: TextExport,
  progress: TextProgress,
  onPage: () => void,
): Promise<void> {
  if (existsSync(file)) throw new CommandError(`${file} exists already: name a new file, or remove it`)
  const output = UnfinishedFile.open(file, options)
  const { next, counts } = output.mark
  Object.assign(progress, { counts, next, before: counts.pages })
  const pages = exportTexts({ ...options, from: next })
  try {
    for (let isLast = false; !isLast;) {
      const part = partOf(pages, options.partBytes ?? PART_BYTES, (page) => {
        count(progress, page)
        onPage()
      })
      await output.add(await pack(file, part.bytes(), options.signal), options.signal)
      output.keep(progress.next, progress.counts)
      isLast = part.isLast()
    }
    output.finish()
  } finally {
    await pages.return()
  }
}

interface Part {
  readonly bytes: () => AsyncGenerator<Buffer, void>
  readonly isLast: () => boolean
}

function partOf(
  pages: AsyncGenerator<ExportedPage, void>,
  maxBytes: number,
  onPage: (page: ExportedPage) => void,
): Part {
  let isLast = false
  const bytes = async function* (): AsyncGenerator<Buffer, void> {
    const endMs = performance.now() + PART_MS
    for (let size = 0; size < maxBytes && performance.now() < endMs;) {
      const page = await pages.next()
      if (page.done === true) {
        isLast = true
        return
      }
      onPage(page.value)
      if (page.value.line === undefined) continue
      const line = Buffer.from(page.value.line)
      size += line.length
      yield line
    }
  }
  return { bytes, isLast: () => isLast }
}

class UnfinishedFile {
  readonly #file: string
  mark: Mark

  private constructor(file: string, mark: Mark) {
    this.#file = file
    this.mark = mark
  }

  static open(file: string, options: TextExport): UnfinishedFile {
    const what = digestOf(options)
    const mark = readMark(file)
    if (mark !== undefined && existsSync(unfinished(file))) {
      if (stateOf(mark.writer) === 'running')
        throw new CommandError(`another export writes ${file} (process ${mark.writer.pid})`)
      if (mark.what !== what)
        throw new CommandError(
          `${unfinished(file)} is the beginning of another export: give the same options and the same wiki to go on, or remove it and ${markOf(file)}`,
        )
      // To truncate a shorter file would fill it with zeros.
      if (statSync(unfinished(file)).size < mark.bytes) throw damaged(file)
      const opened = new UnfinishedFile(file, mark)
      truncateSync(unfinished(file), mark.bytes)
      opened.keep(mark.next, mark.counts)
      return opened
    }
    if (existsSync(unfinished(file)))
      throw new CommandError(
        `${unfinished(file)} exists: another export writes it, or one was killed; remove it`,
      )
    closeSync(openSync(unfinished(file), 'wx'))
    const empty = { what, writer: ownMark(), bytes: 0, next: 0, counts: NO_PAGES }
    const opened = new UnfinishedFile(file, empty)
    opened.keep(0, NO_PAGES)
    return opened
  }

  /** Adds a part. A part that was broken off is cut away by the next run. */
  async add(bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const output = createWriteStream(unfinished(this.#file), { flags: 'r+', start: this.mark.bytes })
    await pipeline(bytes, output, { signal })
    flushFile(unfinished(this.#file))
    this.mark = { ...this.mark, bytes: this.mark.bytes + output.bytesWritten }
  }

  /** Makes what was added durable. */
  keep(next: number, counts: TextCounts): void {
    this.mark = { ...this.mark, writer: ownMark(), next, counts }
    const path = markOf(this.#file)
    writeFileSync(`${path}.new`, JSON.stringify(this.mark))
    flushFile(`${path}.new`)
    renameSync(`${path}.new`, path)
    flushFolder(dirname(path))
  }

  finish(): void {
    renameSync(unfinished(this.#file), this.#file)
    flushFolder(dirname(this.#file))
    rmSync(markOf(this.#file), { force: true })
  }
}

const unfinished = (file: string): string => `${file}.unfinished`
const markOf = (file: string): string => `${file}.unfinished.json`

function digestOf({ store, format, namespaces, titles }: TextExport): string {
  const what = [store.storeId, format, [...namespaces].sort((a, b) => a - b), titles ?? null]
  return createHash('sha256').update(JSON.stringify(what)).digest('hex')
}

/** Undefined if there is none. */
function readMark(file: string): Mark | undefined {
  if (!existsSync(markOf(file))) return undefined
  let mark: unknown
  try {
    mark = JSON.parse(readFileSync(markOf(file), 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  if (!isMark(mark)) throw damaged(file)
  return mark
}

function isMark(value: unknown): value is Mark {
  const { what, writer, bytes, next, counts } = fieldsOf(value)
  const { pages, made, failed } = fieldsOf(counts)
  const { pid, started, where } = fieldsOf(writer)
  return (
    [what, started, where].every((text) => typeof text === 'string') &&
    [pid, bytes, next, pages, made, failed].every(
      (number) => Number.isSafeInteger(number) && Number(number) >= 0,
    )
  )
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const damaged = (file: string): CommandError =>
  new CommandError(`${unfinished(file)} and ${markOf(file)} do not fit together, or are damaged: remove both`)
