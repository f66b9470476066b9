/** `palimpsest follow --status`: where a mirror stands. */
import { formatTimestamp } from '../../domain/timestamp.js'
import type { UpstreamPosition } from '../../domain/upstreamPosition.js'
import { leaseHolder } from '../../storage/lease.js'
import type { Store } from '../../storage/store.js'
import { nowSeconds } from '../expiry.js'
import { CommandError } from '../commandError.js'
import { formatDuration } from '../import/progress.js'

/** Throws a CommandError if the store follows no wiki. */
export function showStatus(store: Store, asJson: boolean): void {
  const position = store.mirror.place() as UpstreamPosition | undefined
  if (position === undefined) throw new CommandError('the store follows no wiki: give --upstream to begin')
  const status = {
    upstream: position.url,
    wikiId: position.wikiId,
    newest: formatTimestamp(position.newest),
    behindSeconds: Math.max(0, nowSeconds() - position.newest),
    isCatchingUp: position.window !== undefined,
    sweep: position.sweep?.stage ?? null,
    lastSweep: position.swept === undefined ? null : formatTimestamp(position.swept),
    history: position.history,
    batches: position.batch,
    process: leaseHolder(store)?.pid ?? null,
  }
  process.stdout.write(asJson ? `${JSON.stringify(status)}\n` : table(status))
}

function table(status: {
  readonly upstream: string
  readonly wikiId: string
  readonly newest: string
  readonly behindSeconds: number
  readonly isCatchingUp: boolean
  readonly sweep: string | null
  readonly lastSweep: string | null
  readonly history: string
  readonly batches: number
  readonly process: number | null
}): string {
  const rows: readonly (readonly [label: string, value: string])[] = [
    ['upstream', `${status.upstream} (${status.wikiId})`],
    ['newest change', `${status.newest}, ${formatDuration(1000 * status.behindSeconds)} ago`],
    ['state', status.isCatchingUp ? 'catching up' : 'up to date at the last poll'],
    ['sweep', status.sweep ?? 'none under way'],
    ['last sweep', status.lastSweep ?? 'none'],
    ['history', status.history],
    ['batches', String(status.batches)],
    ['process', status.process === null ? 'none' : String(status.process)],
  ]
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}\n`).join('')
}
