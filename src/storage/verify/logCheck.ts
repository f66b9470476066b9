/** Checks the log, and that everything it reports as saved is present. */
import { hash } from 'node:crypto'
import { isRevisionMadeHere } from '../pages/history.js'
import { decodeEntry, decodeEntryHead, type Entry } from '../entries/entries.js'
import type { TextFields } from '../entries/pageActions.js'
import { isPageErased } from '../pages/erased.js'
import { shownParts } from '../pages/hiddenParts.js'
import { decodeHistoryRow, revisionPageId, revisionTime } from '../rows/rows.js'
import { chainDigest, decodeVerdict, isRepeat, logKey } from '../entries/logReader.js'
import { LOG_START, readCounters, readMeta, readPosition } from '../tables/meta.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { soundRows, unlessDamaged, type VerifyContext } from './context.js'
import { decodeLogEvent, eventKeys, type LogEventRow } from '../rows/logEventRows.js'

/** Checks that a revision saved by an edit is present, and that the clock is not behind it. */
function checkSaved({ tables, report }: VerifyContext, clock: number, sequence: number, entry: Buffer): void {
  const edit = readEdit(tables, entry)
  if (edit === 'unreadable') return report(`log: entry ${sequence} or its verdict cannot be read`)
  for (const saved of edit.saved) checkPlace({ tables, report }, sequence, saved)
  if (edit.saved.length > 0 && clock < edit.time)
    report(`counters: time says ${clock}, but entry ${sequence} is of ${edit.time}`)
}

function checkPlace(
  { tables, report }: Pick<VerifyContext, 'tables' | 'report'>,
  sequence: number,
  { pageId, revisionId, timestamp }: SavedRevision,
): void {
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined && isPageErased(tables, pageId)) return
  if (rev === undefined || revisionPageId(rev) !== pageId || revisionTime(rev) !== timestamp) {
    report(`log: entry ${sequence} says that it saved revision ${revisionId}, which is not there`)
  } else if (!isRevisionMadeHere(tables, revisionId)) {
    report(`log: entry ${sequence} saved revision ${revisionId}, which is not marked as made here`)
  }
}

interface SavedRevision {
  readonly pageId: number
  readonly revisionId: number
  readonly timestamp: number
}

type Edit = { readonly time: number; readonly saved: readonly SavedRevision[] }

function readEdit(tables: Tables, entry: Buffer): Edit | 'unreadable' {
  try {
    const head = decodeEntryHead(entry)
    return { time: head.time, saved: readSaved(tables, head) }
  } catch {
    return 'unreadable'
  }
}

/**
 * The position of the last entry of an import or of a followed wiki; 0 if there is none. These may have changed the
 * look of revisions that were saved before.
 */
function lastImportSequence(tables: Tables): number {
  const end = readPosition(tables).sequence
  const start = readMeta(tables, 'logStart')?.sequence ?? 0
  for (let sequence = end; sequence > start; sequence--) if (isImport(tables, sequence)) return sequence
  return 0
}

function isImport(tables: Tables, sequence: number): boolean {
  try {
    const entry = tables.log.getBinary(logKey(sequence))
    const kind = entry === undefined ? undefined : decodeEntryHead(entry).kind
    return kind === 'pages' || kind === 'import' || kind === 'upstream'
  } catch {
    // The walk over the log reports an entry that cannot be read.
    return false
  }
}

/**
 * Checks that a saved revision matches its entry in comment, user, minor mark, content model and text. Hidden parts are
 * left out.
 */
function checkContents({ tables, report }: VerifyContext, sequence: number, bytes: Buffer): void {
  const edit = readEdit(tables, bytes)
  if (edit === 'unreadable' || edit.saved.length === 0) return
  const entry = decodeEntry(bytes)
  if (entry.kind !== 'create' && entry.kind !== 'edit' && entry.kind !== 'move') return
  const [own, left] = edit.saved
  if (own !== undefined) checkRevision({ tables, report }, sequence, own, entry)
  if (left === undefined || entry.kind !== 'move' || entry.redirect === null) return
  const { editor, redirect } = entry
  const change = { ...redirect, editor, minor: false, contentModel: 'wikitext' }
  checkRevision({ tables, report }, sequence, left, change)
}

function checkRevision(
  { tables, report }: Pick<VerifyContext, 'tables' | 'report'>,
  sequence: number,
  { pageId, revisionId, timestamp }: SavedRevision,
  entry: TextFields,
): void {
  const row = tables.history.getBinary([pageId, timestamp, revisionId])
  if (row === undefined) return
  const history = decodeHistoryRow(row)
  const { comment, user } = shownParts(history)
  const isSame =
    (comment === undefined || comment === entry.comment) &&
    (user === undefined || (user.id === entry.editor.id && user.name === entry.editor.name)) &&
    history.minor === entry.minor &&
    history.contentModel === entry.contentModel &&
    (history.textHidden || history.sha1.equals(hash('sha1', entry.text, 'buffer')))
  if (!isSame) report(`log: revision ${revisionId} is not what entry ${sequence} says`)
}

/** Checks the chain of entries, their verdicts, and the revisions that these name. */
export function checkLog(context: VerifyContext): void {
  const { tables, report } = context
  const position = readPosition(tables)
  const { time } = readCounters(tables)
  let { sequence, digest } = readMeta(tables, 'logStart') ?? LOG_START
  const lastImport = lastImportSequence(tables)
  let repeats = readMeta(tables, 'logStart')?.repeats ?? 0
  for (const { key, value } of soundRows(context, 'log', tables.log)) {
    const [high, low] = logKey(++sequence)
    if (key[0] !== high || key[1] !== low) {
      report(`log: entry ${sequence} is missing`)
      return
    }
    if (sequence > lastImport) unlessDamaged(report, () => checkContents(context, sequence, value))
    digest = chainDigest(digest, value)
    checkSaved(context, time, sequence, value)
    checkChain(context, sequence, digest)
    if (readEdit(tables, value) !== 'unreadable' && isRepeat(tables, sequence, value)) repeats++
  }
  if (sequence !== position.sequence)
    report(`log: ${sequence} entries, but the position says ${position.sequence}`)
  else if (digest !== position.digest) report('log: the chain of entries does not lead to the stored digest')
  const entries = tables.entry.getKeysCount(WHOLE_TABLE)
  if (entries !== sequence - repeats) report(`log: ${sequence - repeats} entries, but ${entries} verdicts`)
}

function checkChain({ tables, report }: VerifyContext, sequence: number, digest: string): void {
  const kept = tables.chain.getBinary(logKey(sequence))
  if (kept !== undefined && kept.toString('hex') !== digest)
    report(`chain: position ${sequence} has another digest than the log`)
}

/** The revisions that an entry saved: those of a move are that of its page and that of the redirect. */
function readSaved(tables: Tables, { id }: Pick<Entry, 'id'>): readonly SavedRevision[] {
  const row = tables.entry.getBinaryFast(id)
  if (row === undefined) return []
  const verdict = decodeVerdict(row)
  if (verdict.result === 'saved' || verdict.result === 'uploaded') return [verdict]
  if (verdict.result !== 'moved') return []
  return verdict.redirect === undefined ? [verdict] : [verdict, verdict.redirect]
}

// Checks the wiki's public log, whose index must have each entry and no others, and the list of a mirror's changes.

export function checkLogEvents({ tables, report }: VerifyContext): void {
  let wanted = 0
  for (const { key: id, value } of soundRows({ report }, 'logEvent', tables.logEvent)) {
    const event = decoded(value)
    if (event === undefined) {
      report(`log events: entry ${id} cannot be read`)
      continue
    }
    if (event.actorId !== 0 && !tables.actorName.doesExist(event.actorId))
      report(`log events: the performer of entry ${id} is unknown`)
    for (const key of eventKeys(id, event)) {
      wanted++
      if (!tables.eventIndex.doesExist(key)) report(`log events: entry ${id} is not listed under "${key[1]}"`)
    }
  }
  let found = 0
  for (const _row of soundRows({ report }, 'eventIndex', tables.eventIndex)) found++
  if (found !== wanted) report(`log events: ${found} in lists, but the entries account for ${wanted}`)
  if (found !== tables.eventIndex.getKeysCount(WHOLE_TABLE)) report('log events: the index cannot be read')
  checkMirrorChanges({ tables, report })
}

/** The entries that the rows name may be cut off the log. */
function checkMirrorChanges({ tables, report }: Pick<VerifyContext, 'tables' | 'report'>): void {
  const { sequence: last } = readPosition(tables)
  let before = 0
  for (const {
    key: [time, sequence],
  } of soundRows({ report }, 'mirrorChange', tables.mirrorChange)) {
    if (sequence > last) report(`changes of the mirror: entry ${sequence} is not in the log`)
    if (sequence <= before) report(`changes of the mirror: entry ${sequence} of ${time} is out of order`)
    before = sequence
  }
}

function decoded(row: Buffer): LogEventRow | undefined {
  try {
    return decodeLogEvent(row)
  } catch {
    return undefined
  }
}
