/** An export as the command line asks for it: a file appears whole or not at all, and a summary ends it. */
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Config } from '../../config/config.js'
import { parseTitle, type Title, titleId } from '../../domain/title.js'
import { type ExportCounts, exportDump } from '../../export/exportDump.js'
import { pack } from '../../export/packing.js'
import { flushFile, flushFolder } from '../../files/flush.js'
import { usableProcessors } from '../../runtime/processors.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { productVersion } from '../../runtime/version.js'
import type { Store } from '../../storage/store.js'
import { renderSettings } from '../../workers/html/renderTasks.js'
import type { TextFormat } from '../../workers/texts/exportTexts.js'
import { CommandError } from '../commandError.js'
import { type Display, openDisplay, printAlways } from '../import/display.js'
import { formatCount, type ImportState } from '../import/progress.js'
import { limitHeapGrowth, openStore } from '../openStore.js'
import { readStandardInput, readText } from '../texts/textInput.js'
import { NO_PAGES, type TextExport, type TextProgress, writeToFile, writeToOutput } from './textExport.js'

export interface ExportFlags {
  readonly format: 'xml' | TextFormat
  readonly current?: true
  readonly threads?: number
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
  try {
    const titles = flags.titles === undefined ? undefined : await readTitles(store, flags.titles)
    const run = {
      store,
      file,
      flags,
      titles: titles?.found,
      named: titles?.named,
      display,
      signal: stop.signal,
    }
    const told = flags.format === 'xml' ? await runXml(run) : await runTexts(config, flags.format, run)
    display.stop()
    process.stderr.write(`${told}\n`)
    if (titles !== undefined && titles.missing > 0) process.exitCode = 1
  } finally {
    display.stop()
    await store.close()
  }
}

interface ExportRun {
  readonly store: Store
  readonly file: string
  readonly flags: ExportFlags
  readonly titles: readonly Title[] | undefined
  /** With those that have no page. Deletions do not change them, so the same command can go on. */
  readonly named: readonly Title[] | undefined
  readonly display: Display
  readonly signal: AbortSignal
}

/** Returns the summary. */
async function runXml({ store, file, flags, titles, display, signal }: ExportRun): Promise<string> {
  const startMs = performance.now()
  const counts: ExportCounts = { pages: 0, revisions: 0, otherSlots: 0, pageId: 0, lastPageId: 0 }
  const generator = `Palimpsest ${productVersion()}`
  const namespaces = flags.namespace && new Set(flags.namespace)
  const pieces = exportDump({ store, generator, current: flags.current ?? false, namespaces, titles }, counts)
  const show = (): void => display.show(() => stateOf(counts, titles?.length, performance.now() - startMs))
  try {
    await write(file, bytesOf(pieces, show), signal)
  } catch (error) {
    throw signal.aborted ? new CommandError('interrupted; nothing was kept') : error
  }
  return summary(counts, (performance.now() - startMs) / 1000)
}

/** Returns the summary. */
async function runTexts(config: Config, format: TextFormat, run: ExportRun): Promise<string> {
  const { store, file, flags, named: titles, display, signal } = run
  const startMs = performance.now()
  const lastPageId = store.counters().nextPageId - 1
  const progress: TextProgress = { counts: NO_PAGES, next: 0, before: 0 }
  const options: TextExport = {
    ...{ store, format, titles, signal },
    dataDir: config.dataDir,
    renderSettings: renderSettings({ ...config, html: 'here' }),
    threads: flags.threads ?? Math.max(1, usableProcessors() - 1),
    timeoutMs: config.renderTimeoutMs,
    namespaces: new Set(flags.namespace ?? [0]),
    nowMs: () => Date.now(),
    onFailure: (title, reason) =>
      printAlways(`no HTML of ${title}: ${reason}`, display, flags.quiet ?? false),
  }
  const show = (): void =>
    display.show(() => textState(progress, titles?.length ?? lastPageId, performance.now() - startMs))
  try {
    if (file === STANDARD_OUTPUT) await writeToOutput(options, progress, show)
    else await writeToFile(file, options, progress, show)
  } catch (error) {
    if (isSystemError(error)) throw new CommandError(describeSystemError(error, file), { cause: error })
    if (!signal.aborted) throw error
    throw new CommandError(
      file === STANDARD_OUTPUT ? 'interrupted' : 'interrupted; run the same command again to go on',
    )
  }
  if (progress.counts.failed > 0) process.exitCode = 1
  return textSummary(progress, (performance.now() - startMs) / 1000)
}

/** The pages that a list names. Names each that does not exist on standard error. */
async function readTitles(
  store: Store,
  path: string,
): Promise<{ found: Title[]; named: Title[]; missing: number }> {
  const text = path === '-' ? await readStandardInput() : await readText(path)
  const found = new Map<number, Title>()
  const named = new Map<string, Title>()
  let missing = 0
  // Editors may begin a file with a byte order mark.
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    if (line.trim() === '') continue
    const parsed = parseTitle(line, store.namespaces())
    const page = parsed.ok ? store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
    if (parsed.ok) named.set(titleId(parsed.title), parsed.title)
    if (parsed.ok && page !== undefined) found.set(page.pageId, parsed.title)
    else process.stderr.write(`there is no page "${line.trim()}"\n`)
    if (page === undefined) missing++
  }
  return { found: [...found.values()], named: [...named.values()], missing }
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

function textState({ counts, next, before }: TextProgress, last: number, elapsedMs: number): ImportState {
  const share = Math.min(1, next / Math.max(1, last))
  const done = counts.pages - before
  return {
    phase: 'writing',
    name: 'pages',
    phaseShare: undefined,
    share,
    leftMs: undefined,
    speed: `${((1000 * done) / Math.max(1, elapsedMs)).toFixed(1)} pages/s`,
    pages: counts.pages,
    revisions: undefined,
  }
}

function textSummary({ counts, before }: TextProgress, seconds: number): string {
  const { pages, made, failed } = counts
  const parts = [`${formatCount(pages)} pages written`]
  if (before > 0) parts.push(`${formatCount(before)} of them by an earlier run`)
  if (made > 0) parts.push(`HTML of ${formatCount(made)} was made for it`)
  if (failed > 0) parts.push(`${formatCount(failed)} failed`)
  return `${parts.join(', ')} in ${seconds.toFixed(1)} s`
}
