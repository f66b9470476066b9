/** `palimpsest stats`: figures of a store. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { readStats } from '../storage/stats.js'
import { formatCount } from './import/progress.js'
import { withStore } from './storeAccess.js'
import { productVersion } from '../runtime/version.js'

type Stats = ReturnType<typeof readStats> & { readonly version: string; readonly node: string }

export function addStatsCommand(program: Command): void {
  const command = program
    .command('stats')
    .summary('print figures of the store')
    .description('Print figures of the store: pages, revisions, editors, size, versions.')
    .option('--json', 'print one JSON object')
  addSettings(command, 'stats').action(async (options: { json?: boolean }) => {
    const { readStats } = await import('../storage/stats.js')
    await withStore(readSettings(givenFlags(command)), (store) => {
      const stats = { ...readStats(store), version: productVersion(), node: process.versions.node }
      process.stdout.write(options.json ? `${JSON.stringify(stats)}\n` : table(stats))
    })
  })
}

const LABELS: readonly [key: keyof Stats, label: string][] = [
  ['wiki', 'wiki'],
  ['wikiId', 'wiki id'],
  ['language', 'language'],
  ['pages', 'pages'],
  ['revisions', 'revisions'],
  ['redirects', 'redirects'],
  ['editors', 'editors'],
  ['namespaces', 'namespaces'],
  ['filePages', 'file pages'],
  ['files', 'files'],
  ['categories', 'categories'],
  ['categoryTimes', 'category times'],
  ['links', 'links'],
  ['changes', 'changes'],
  ['logEntries', 'log entries'],
  ['sizeBytes', 'size on disk'],
  ['formatVersion', 'store format'],
  ['version', 'palimpsest'],
  ['node', 'node'],
  ['unfinishedImport', 'unfinished import'],
]

function table(stats: Stats): string {
  const width = Math.max(...LABELS.map(([, label]) => label.length)) + 2
  return LABELS.map(([key, label]) => `${label.padEnd(width)}${format(key, stats[key])}\n`).join('')
}

function format(key: keyof Stats, value: string | number | null): string {
  if (key === 'sizeBytes') return `${(Number(value) / 1e6).toFixed(1)} MB`
  if ((key === 'categories' || key === 'categoryTimes' || key === 'links') && value === null)
    return 'not indexed: run "palimpsest reindex"'
  if (key === 'changes' && value === null) return 'not listed yet: a server or "palimpsest reindex" does it'
  if (typeof value === 'number') return formatCount(value)
  return value ?? 'none'
}
