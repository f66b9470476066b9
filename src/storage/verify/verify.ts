/** Walks a whole store, works out anew everything that can be worked out, and reports what differs. */
import { actorKey } from '../actors.js'
import { MAX_U32 } from '../keys.js'
import { readBots, readCounters } from '../meta.js'
import { decodePageRow } from '../rows.js'
import type { Store } from '../store.js'
import { type Table, WHOLE_TABLE } from '../tables.js'
import { checkAdministration } from './administrationCheck.js'
import type { RowTotals, VerifyContext } from './context.js'
import { checkFileRows } from './fileCheck.js'
import { checkIndex } from './indexCheck.js'
import { checkLog } from './logCheck.js'
import { PageCheck } from './pageCheck.js'

export interface VerifyProgress {
  readonly pages: number
  readonly revisions: number
}

export interface VerifyReport {
  readonly pages: number
  readonly revisions: number
  /** What is wrong, one line each, in the order found; at most `maxProblems`, then a line that says so. */
  readonly problems: readonly string[]
}

export interface VerifyOptions {
  readonly maxProblems?: number
  /** Called after every page. */
  readonly onProgress?: (progress: VerifyProgress) => void
}

/**
 * Checks every page with its history, texts (by SHA-1), byte changes, tags, counters and editors;
 * that no table holds rows beyond those; the totals and counters; the log and what it says was saved; and the search index. Memory stays flat but for one
 * page's history. Runs beside a server, but changes during the walk can look like damage.
 */
export function verifyStore(
  store: Store,
  { maxProblems = 100, onProgress }: VerifyOptions = {},
): VerifyReport {
  const { tables } = store
  const problems: string[] = []
  let suppressed = 0
  const context: VerifyContext = {
    tables,
    namespaces: store.namespaces(),
    bots: readBots(tables),
    report: (problem) => (problems.length < maxProblems ? problems.push(problem) : suppressed++),
  }
  const counts = checkPages(context, onProgress)
  checkActors(context)
  checkAdministration(context)
  checkFileRows(context)
  checkLog(context)
  checkIndex(context)
  if (suppressed > 0) problems.push(`and ${suppressed} more`)
  return { ...counts, problems }
}

function checkPages(context: VerifyContext, onProgress: VerifyOptions['onProgress']): VerifyProgress {
  const { tables, report } = context
  const totals: RowTotals = { title: 0, rev: 0, tag: 0, editor: 0, text: 0 }
  let pages = 0
  let revisions = 0
  let redirects = 0
  let allRevisions = 0
  for (const { key: pageId, value } of tables.page.getRange({ ...WHOLE_TABLE })) {
    const page = decodePageRow(value)
    const check = new PageCheck(context, pageId, page, totals)
    check.run()
    allRevisions += check.revisions
    if (page.deleted) continue
    pages++
    revisions += check.revisions
    if (page.redirectTarget !== undefined) redirects++
    onProgress?.({ pages, revisions })
  }
  if (tables.history.getKeysCount({ ...WHOLE_TABLE }) !== allRevisions) {
    report(
      `history: ${tables.history.getKeysCount({ ...WHOLE_TABLE })} rows, but the pages have ${allRevisions} revisions`,
    )
  }
  for (const name of ['title', 'rev', 'tag', 'editor', 'text'] as const) {
    const rows = (tables[name] as Table<unknown>).getKeysCount({ ...WHOLE_TABLE })
    if (rows !== totals[name]) report(`${name}: ${rows} rows, but the pages account for ${totals[name]}`)
  }
  checkCounters(context, { pages, revisions, redirects })
  return { pages, revisions }
}

function checkCounters(
  context: VerifyContext,
  found: { pages: number; revisions: number; redirects: number },
): void {
  const { tables, report } = context
  const counters = readCounters(tables)
  for (const name of ['pages', 'revisions', 'redirects'] as const) {
    if (counters[name] !== found[name])
      report(`counters: ${name} says ${counters[name]}, found ${found[name]}`)
  }
  for (const [name, table] of [
    ['nextPageId', tables.page],
    ['nextRevisionId', tables.rev],
  ] as const) {
    const largest = largestKey(table)
    if (largest >= counters[name]) report(`counters: ${name} says ${counters[name]}, found ${largest}`)
  }
  for (const name of ['actor', 'actorName'] as const) {
    const rows = (tables[name] as Table<unknown>).getKeysCount({ ...WHOLE_TABLE })
    if (rows !== counters.actors) report(`counters: actors says ${counters.actors}, ${name} has ${rows} rows`)
  }
}

/** 0 when the table is empty. */
function largestKey(table: Table<number>): number {
  for (const key of table.getKeys({ start: MAX_U32, end: 0, reverse: true, limit: 1 })) return key
  return 0
}

/** Each actor's key leads to it; that there are no others is a matter of counting. */
function checkActors({ tables, report }: VerifyContext): void {
  for (const { key: actorId, value } of tables.actorName.getRange({ ...WHOLE_TABLE })) {
    const [userId, name] = [value.readUInt32BE(0), value.toString('utf8', 4, value.length)]
    const key = actorKey({ id: userId === 0 ? null : userId, name })
    const found = tables.actor.getBinaryFast(key)?.readUInt32BE(0)
    if (found !== actorId) report(`actor ${actorId} (${name}): ${key} leads to ${found ?? 'none'}`)
  }
}
