/** An export as the command line asks for it: a file appears whole or not at all, and a summary ends it. */
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Config } from '../../config/config.js'
import { parseTitle, type Title } from '../../domain/title.js'
import { type ExportCounts, exportDump } from '../../export/exportDump.js'
import { pack } from '../../export/packing.js'
import { flushFile, flushFolder } from '../../files/flush.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { productVersion } from '../../runtime/version.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { openDisplay } from '../import/display.js'
import { formatCount, type ImportState } from '../import/progress.js'
import { limitHeapGrowth, openStore } from '../openStore.js'
import { readStandardInput, readText } from '../texts/textInput.js'

export interface ExportFlags {
  readonly current?: true
  readonly namespace?: readonly number[]
  readonly titles?: string
  readonly quiet?: true
}

const STANDARD_OUTPUT = '-'
/** Packed bytes that wait for a slow reader or disk. */
const WAITING_BYTES = 2 ** 20

export async function runExport(config: Config, file: string, flags: ExportFlags): Promise<void> {
  limitHeapGrowth()
  const store = openStore(config.dataDir)
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const display = openDisplay(process.stderr, { quiet: flags.quiet ?? false })
  const startMs = performance.now()
  const counts: ExportCounts = { pages: 0, revisions: 0, otherSlots: 0, pageId: 0, lastPageId: 0 }
  try {
    const titles = flags.titles === undefined ? undefined : await readTitles(store, flags.titles)
    const namespaces = flags.namespace && new Set(flags.namespace)
    const generator = `Palimpsest ${productVersion()}`
    const pieces = exportDump(
      { store, generator, current: flags.current ?? false, namespaces, titles: titles?.found },
      counts,
    )
    const show = (): void =>
      display.show(() => stateOf(counts, titles?.found.length, performance.now() - startMs))
    await write(file, bytesOf(pieces, show), stop.signal)
    display.stop()
    process.stderr.write(`${summary(counts, (performance.now() - startMs) / 1000)}\n`)
    if (titles !== undefined && titles.missing > 0) process.exitCode = 1
  } catch (error) {
    throw stop.signal.aborted ? new CommandError('interrupted; nothing was kept') : error
  } finally {
    display.stop()
    await store.close()
  }
}

/** The pages that a list names. Names each that does not exist on standard error. */
async function readTitles(store: Store, path: string): Promise<{ found: Title[]; missing: number }> {
  const text = path === '-' ? await readStandardInput() : await readText(path)
  const found = new Map<number, Title>()
  let missing = 0
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const parsed = parseTitle(line, store.namespaces())
    const page = parsed.ok ? store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
    if (parsed.ok && page !== undefined) found.set(page.pageId, parsed.title)
    else process.stderr.write(`there is no page "${line.trim()}"\n`)
    if (page === undefined) missing++
  }
  return { found: [...found.values()], missing }
}

/** One piece in each turn of the event loop, so that signals and the display get their turns. */
async function* bytesOf(pieces: Iterable<string>, show: () => void): AsyncGenerator<Buffer, void> {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    show()
    await new Promise(setImmediate)
  }
}

async function write(file: string, bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  if (file === STANDARD_OUTPUT) {
    await pipeline(Readable.from(bytes), process.stdout, { signal })
    return
  }
  if (existsSync(file)) throw new CommandError(`${file} exists already: name a new file, or remove it`)
  const unfinished = `${file}.unfinished`
  try {
    const output = createWriteStream(unfinished, { flags: 'wx', highWaterMark: WAITING_BYTES })
    await pipeline(await pack(file, bytes, signal), output, { signal })
    flushFile(unfinished)
    renameSync(unfinished, file)
    flushFolder(dirname(file))
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST')
      throw new CommandError(`${unfinished} exists: another export writes it, or one was killed; remove it`, {
        cause: error,
      })
    rmSync(unfinished, { force: true })
    throw isSystemError(error) ? new CommandError(describeSystemError(error, file), { cause: error }) : error
  }
}

function stateOf(counts: ExportCounts, asked: number | undefined, elapsedMs: number): ImportState {
  const { pages, revisions, pageId, lastPageId } = counts
  const share = asked === undefined ? pageId / Math.max(1, lastPageId) : pages / Math.max(1, asked)
  return {
    phase: 'writing',
    name: 'dump',
    phaseShare: undefined,
    share: Math.min(1, share),
    leftMs: share === 0 ? undefined : elapsedMs / share - elapsedMs,
    speed: `${formatCount(Math.round((1000 * revisions) / Math.max(1, elapsedMs)))} revisions/s`,
    pages,
    revisions,
  }
}

function summary({ pages, revisions, otherSlots }: ExportCounts, seconds: number): string {
  const what = `${formatCount(pages)} pages with ${formatCount(revisions)} revisions written in ${seconds.toFixed(1)} s`
  if (otherSlots === 0) return what
  return `${what}; ${formatCount(otherSlots)} revisions have further slots, whose texts this store does not have`
}
