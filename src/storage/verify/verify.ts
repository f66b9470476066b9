/** Walks a whole store, works out anew everything that can be worked out, and reports what differs. */
import { chainDigest, logKey } from '../apply/applier.js'
import { LOG_START, readBots, readCounters, readPosition } from '../meta.js'
import { decodePageRow } from '../rows.js'
import type { Store } from '../store.js'
import { type Table, WHOLE_TABLE } from '../tables.js'
import { checkAdministration } from './administrationCheck.js'
import type { RowTotals, VerifyContext } from './context.js'
import { checkFileRows } from './fileCheck.js'
import { checkIndex } from './indexCheck.js'
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
 * that no table holds rows beyond those; the totals; the chain of the log; and the search index. Memory stays flat but for one
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
  for (const name of ['actor', 'actorName'] as const) {
    const rows = (tables[name] as Table<unknown>).getKeysCount({ ...WHOLE_TABLE })
    if (rows !== counters.actors) report(`counters: actors says ${counters.actors}, ${name} has ${rows} rows`)
  }
}

function checkLog({ tables, report }: VerifyContext): void {
  const position = readPosition(tables)
  let { sequence, digest } = LOG_START
  for (const { key, value } of tables.log.getRange({ ...WHOLE_TABLE })) {
    const [high, low] = logKey(++sequence)
    if (key[0] !== high || key[1] !== low) {
      report(`log: entry ${sequence} is missing`)
      return
    }
    digest = chainDigest(digest, value)
  }
  if (sequence !== position.sequence)
    report(`log: ${sequence} entries, but the position says ${position.sequence}`)
  else if (digest !== position.digest) report('log: the chain of entries does not lead to the stored digest')
  const entries = tables.entry.getKeysCount({ ...WHOLE_TABLE })
  if (entries !== sequence) report(`log: ${sequence} entries, but ${entries} verdicts`)
}
