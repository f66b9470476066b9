/** Lists the entries of the log, and cuts its beginning off. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Namespaces } from '../../domain/namespaces.js'
import { printable } from '../../domain/printable.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedText } from '../../domain/title.js'
import type { LoggedEntry, Verdict } from '../../storage/entries/entries.js'
import type { ListedEntry } from '../../storage/entries/logReader.js'
import { withStore } from '../storeAccess.js'
import { cutLog } from '../../storage/entries/logCut.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { formatCount } from '../import/progress.js'

/** A place in the log: a position, or a time in seconds since 1970. */
export type LogPlace = { readonly sequence: number } | { readonly time: number }

/** Entries between two turns of the event loop. */
const ENTRIES_AT_ONCE = 200

export async function showLog(
  dataDir: string,
  { after, json }: { readonly after: number; readonly json: boolean },
): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    const namespaces = store.namespaces()
    let count = 0
    for (const listed of store.log.list(after)) {
      process.stdout.write(json ? `${JSON.stringify(objectOf(listed))}\n` : `${lineOf(listed, namespaces)}\n`)
      if (++count % ENTRIES_AT_ONCE === 0) await nextTurn()
    }
  })
}

function objectOf({ sequence, entry, verdict }: ListedEntry): object {
  const { id, time, kind, original, ...rest } = entry as LoggedEntry & { readonly text?: string }
  const { text, ...fields } = rest as { readonly text?: string }
  const isRedacted = original !== undefined
  return {
    sequence,
    id,
    time: formatTimestamp(time),
    kind,
    redacted: isRedacted,
    ...fields,
    ...(text !== undefined && { textBytes: Buffer.byteLength(text) }),
    verdict: verdict ?? null,
  }
}

function lineOf({ sequence, entry, verdict }: ListedEntry, namespaces: Namespaces): string {
  const parts = [
    String(sequence),
    formatTimestamp(entry.time),
    entry.kind,
    subjectOf(entry, namespaces),
    outcomeOf(verdict),
    entry.original === undefined ? '' : '(redacted)',
  ]
  return printable(parts.filter((part) => part !== '').join('  '))
}

/** What an entry is about, in a few words. */
function subjectOf(entry: LoggedEntry, namespaces: Namespaces): string {
  switch (entry.kind) {
    case 'create':
    case 'protect':
      return `"${prefixedText(entry, namespaces)}"${entry.kind === 'create' ? ` by ${entry.editor.name}` : ''}`
    case 'move':
      return `"${prefixedText(entry.from, namespaces)}" to "${prefixedText(entry, namespaces)}" by ${entry.editor.name}`
    case 'delete':
    case 'undelete':
    case 'upload':
    case 'restrict':
      return `"${prefixedText(entry, namespaces)}" by ${entry.editor.name}`
    case 'edit':
      return `page ${entry.pageId} by ${entry.editor.name}`
    case 'hide':
      return `revision ${entry.revisionId}`
    case 'erase':
      return entry.action
    case 'file':
      return `"${entry.dbkey}"${entry.facts === null ? ' removed' : ''}`
    case 'user':
      return entry.action === 'create' ? `create ${entry.name}` : `${entry.action} of ${entry.userId}`
    case 'token':
      return entry.action
    case 'pages':
      return `${entry.parts} parts of ${entry.dump} from ${entry.firstPart}`
    case 'events':
      return `${entry.parts} log entries of ${entry.dump} from ${entry.firstPart}`
    case 'import':
      return entry.name
    case 'table':
      return `${entry.table} of ${entry.dump}`
    case 'upstream':
      return `${entry.pages.length} pages`
    case 'session':
      return entry.change.action
    case 'gate':
      return `version ${entry.version}`
    case 'settings':
    case 'site':
      return ''
  }
}

function outcomeOf(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'without a verdict'
  if (verdict.result === 'saved') return `saved as revision ${verdict.revisionId} of page ${verdict.pageId}`
  return verdict.result
}

/** Cuts off the entries before a place. */
export async function cutBefore(dataDir: string, place: LogPlace): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    const { last } = store.log.bounds()
    const before = 'time' in place ? firstSince(store, place.time) : place.sequence
    if (before > last + 1)
      throw new CommandError(`the log ends at entry ${formatCount(last)}, and nothing was cut`)
    let removed = 0
    for (removed of cutLog(store, before)) await nextTurn()
    const { first } = store.log.bounds()
    const begins = first > last ? 'it is empty' : `it begins at entry ${formatCount(first)}`
    process.stdout.write(`${formatCount(removed)} entries are cut off the log: ${begins}\n`)
  })
}

/** The first entry that is not older than a time. */
function firstSince(store: Store, time: number): number {
  const { first, last } = store.log.bounds()
  for (const { sequence, entry } of store.log.list(first - 1)) if (entry.time >= time) return sequence
  return last + 1
}
