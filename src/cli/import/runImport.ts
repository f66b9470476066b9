/** An import as the command line asks for it: it stops at a signal, and ends with its summaries. */
import type { Config } from '../../config/config.js'
import type { License } from '../../domain/site.js'
import { limitHeapGrowth } from '../openStore.js'
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
  let licence: string | undefined
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
      onImported: ({ license }) => (licence = licenceLine(license)),
      signal: stop.signal,
    })
  } finally {
    const all = results.length > 1 ? [summarizeAll(results)] : []
    const lines = [...results.map(summarize), ...all, ...indexed, ...(licence === undefined ? [] : [licence])]
    for (const line of lines) process.stdout.write(`${line}\n`)
    if (results.some(lacksSomething)) process.exitCode = 1
  }
}

/** Answers name the licence of the texts, which dumps do not state. */
function licenceLine({ url, title }: License): string {
  return url === '' && title === ''
    ? 'The licence of the texts is unknown: name it with "palimpsest site set licenseUrl URL" and "licenseTitle TITLE".'
    : `The licence of the texts: ${title} ${url}`
}
