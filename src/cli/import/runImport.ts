/** An import as the command line asks for it: it stops at a signal, and ends with its summaries. */
import type { Config } from '../../config/config.js'
import { limitHeapGrowth } from '../engineSettings.js'
import { openDisplay } from './display.js'
import { importDumps, ImportInterrupted } from './importDumps.js'
import { type ImportResult, lacksSomething, summarize, summarizeAll } from './summary.js'

export interface ImportFlags {
  readonly html?: boolean
  readonly quiet?: boolean
  readonly report?: string
  readonly shared?: boolean
}

export async function runImport(
  { dataDir, batchBytes, maxFileBytes, indexThreads }: Config,
  paths: readonly string[],
  { html = false, quiet = false, report, shared = false }: ImportFlags,
): Promise<void> {
  limitHeapGrowth()
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new ImportInterrupted())
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  const results: ImportResult[] = []
  const indexed: string[] = []
  try {
    await importDumps({
      dataDir,
      paths,
      onlyHtml: html,
      batchBytes,
      maxFileBytes,
      indexThreads,
      display: openDisplay(process.stderr, { quiet }),
      reportPath: report,
      isShared: shared,
      onResult: (result) => results.push(result),
      onIndexed: (lines) => indexed.push(...lines),
      signal: stop.signal,
    })
  } finally {
    const all = results.length > 1 ? [summarizeAll(results)] : []
    for (const line of [...results.map(summarize), ...all, ...indexed]) process.stdout.write(`${line}\n`)
    if (results.some(lacksSomething)) process.exitCode = 1
  }
}
