/** Checks the log, and that what it says was saved is there. */
import { chainDigest } from '../apply/applier.js'
import { logKey } from '../apply/logKey.js'
import { readSaved } from '../apply/madeHere.js'
import { decodeEntryHead } from '../entries.js'
import { LOG_START, readCounters, readPosition } from '../meta.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import type { VerifyContext } from './context.js'

/** What an edit is said to have saved is there, and the clock does not lag behind it. */
function checkSaved({ tables, report }: VerifyContext, clock: number, sequence: number, entry: Buffer): void {
  const edit = readEdit(tables, entry)
  if (edit === 'unreadable') return report(`log: entry ${sequence} or its verdict cannot be read`)
  if (edit.saved === undefined) return
  const { pageId, revisionId, timestamp } = edit.saved
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev?.readUInt32BE(0) !== pageId || rev.readUInt32BE(4) !== timestamp) {
    report(`log: entry ${sequence} says that it saved revision ${revisionId}, which is not there`)
  }
  if (clock < edit.time) report(`counters: time says ${clock}, but entry ${sequence} is of ${edit.time}`)
}

type Edit = { readonly time: number; readonly saved: ReturnType<typeof readSaved> }

function readEdit(tables: Tables, entry: Buffer): Edit | 'unreadable' {
  try {
    const head = decodeEntryHead(entry)
    return { time: head.time, saved: readSaved(tables, head) }
  } catch {
    return 'unreadable'
  }
}

/** The chain of entries, their verdicts, and what those say. */
export function checkLog(context: VerifyContext): void {
  const { tables, report } = context
  const position = readPosition(tables)
  const { time } = readCounters(tables)
  let { sequence, digest } = LOG_START
  for (const { key, value } of tables.log.getRange({ ...WHOLE_TABLE })) {
    const [high, low] = logKey(++sequence)
    if (key[0] !== high || key[1] !== low) {
      report(`log: entry ${sequence} is missing`)
      return
    }
    digest = chainDigest(digest, value)
    checkSaved(context, time, sequence, value)
  }
  if (sequence !== position.sequence)
    report(`log: ${sequence} entries, but the position says ${position.sequence}`)
  else if (digest !== position.digest) report('log: the chain of entries does not lead to the stored digest')
  const entries = tables.entry.getKeysCount({ ...WHOLE_TABLE })
  if (entries !== sequence) report(`log: ${sequence} entries, but ${entries} verdicts`)
}
