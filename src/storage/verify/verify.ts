/** Walks a whole store, recomputes everything that can be recomputed, and reports differences. */
import { actorKey, decodeActor, erasedActorKey } from '../accounts/actors.js'
import { DamagedRowError } from '../tables/errors.js'
import { MAX_U32 } from '../rows/keys.js'
import { readBots, readCounters } from '../tables/meta.js'
import { decodeNumber, decodePageRow } from '../rows/rows.js'
import { StatedMarks } from '../sqlTables/statedMarks.js'
import type { Store } from '../store.js'
import { type Table, WHOLE_TABLE } from '../tables/tables.js'
import { checkAdministration, checkSqlTables } from './administrationCheck.js'
import { checkCategories } from './categoryCheck.js'
import { DAMAGED, type RowTotals, soundRows, unlessDamaged, type VerifyContext } from './context.js'
import { VERIFY_PARTS, type VerifyPart } from './parts.js'
import { checkFileRows } from './fileCheck.js'
import { checkHtml } from './htmlCheck.js'
import { checkLinks } from './linkCheck.js'
import { checkIndex } from './indexCheck.js'
import { checkLog, checkLogEvents } from './logCheck.js'
import { PageCheck } from './pageCheck.js'
import { checkPagesOfFile } from './pagesOfFile.js'

interface VerifyProgress {
  readonly pages: number
  readonly revisions: number
}

interface VerifyReport {
  readonly pages: number
  readonly revisions: number
  /** Problems, one line each, in the order found. After `maxProblems`, one more line gives the number of the others. */
  readonly problems: readonly string[]
}

interface VerifyOptions {
  readonly maxProblems?: number
  /** Called after every page. */
  readonly onProgress?: (progress: VerifyProgress) => void
  /** Called with each listed problem. */
  readonly onProblem?: (problem: string) => void
  /** Called before each page and each part of the store, with its name. */
  readonly onReading?: (part: string) => void
  /** Parts to check; all by default. */
  readonly parts?: readonly VerifyPart[]
}

/**
 * Checks a store:
 * - the pages of the file, and the seal of every row
 * - every page with its history, texts (by SHA-1), byte changes, tags, counters and editors
 * - that tables have no rows beyond those of the pages
 * - the totals and counters
 * - accounts, tokens, protections and hidden parts; the rows of files
 * - the rows of imported SQL tables
 * - kept and imported HTML
 * - the log, and the revisions that it reports as saved; the wiki's public log
 * - the search index, the members of categories, and the links of pages
 *
 * Continues after each fault. Needs memory for the history of one page at a time. It may run beside a server, but
 * changes during the walk can look like damage.
 */
export function verifyStore(store: Store, options: VerifyOptions = {}): VerifyReport {
  const { maxProblems = 100, onProblem, onReading, parts = VERIFY_PARTS } = options
  const problems = new Set<string>()
  let suppressed = 0
  const report = (problem: string): void => {
    if (problems.has(problem)) return
    if (problems.size >= maxProblems) suppressed++
    else {
      problems.add(problem)
      onProblem?.(problem)
    }
  }
  let counts: VerifyProgress = { pages: 0, revisions: 0 }
  const context = makeContext(store, report)
  for (const part of parts) {
    onReading?.(part)
    try {
      if (part === 'file') checkFile(store, report)
      else if (part === 'pages') counts = checkPages(context, options)
      else CHECKS[part](context)
    } catch (error) {
      report(faultOf(part, error))
    }
  }
  const rest = `and ${suppressed} more`
  if (suppressed === 0) return { ...counts, problems: [...problems] }
  onProblem?.(rest)
  return { ...counts, problems: [...problems, rest] }
}

const CHECKS: Readonly<Record<Exclude<VerifyPart, 'file' | 'pages'>, (context: VerifyContext) => void>> = {
  actors: checkActors,
  administration: checkAdministration,
  files: checkFileRows,
  'SQL tables': checkSqlTables,
  HTML: checkHtml,
  log: checkLog,
  'log events': checkLogEvents,
  'search index': checkIndex,
  categories: checkCategories,
  links: checkLinks,
}

function checkFile(store: Store, report: VerifyContext['report']): void {
  const release = store.holdSnapshot()
  try {
    checkPagesOfFile(store.file, report)
  } finally {
    release()
  }
}

function makeContext(store: Store, report: VerifyContext['report']): VerifyContext {
  const { tables } = store
  const bots = unlessDamaged(report, () => readBots(tables))
  const marks = new StatedMarks(tables)
  const isListed = unlessDamaged(report, () => store.changes.isComplete()) === true
  const names = bots === DAMAGED ? new Set<string>() : bots
  return { tables, namespaces: store.namespaces(), bots: names, marks, report, isListed }
}

/** The message for an error that ended a check early. */
function faultOf(part: string, error: unknown): string {
  return error instanceof DamagedRowError
    ? error.fault
    : `${part}: cannot be checked to the end (${String(error)})`
}

function checkPages(context: VerifyContext, { onProgress, onReading }: VerifyOptions): VerifyProgress {
  const { tables, report } = context
  const totals: RowTotals = {
    title: 0,
    rev: 0,
    tag: 0,
    editor: 0,
    text: 0,
    revisionTime: 0,
    actorRevision: 0,
  }
  let pages = 0
  let revisions = 0
  let redirects = 0
  let allRevisions = 0
  for (const { key: pageId, value } of soundRows(context, 'page', tables.page)) {
    onReading?.(`page ${pageId}`)
    const page = decodePageRow(value)
    const check = new PageCheck(context, pageId, page, totals)
    try {
      check.run()
    } catch (error) {
      report(faultOf(`page ${pageId} (${page.namespace}:${page.dbkey})`, error))
    }
    allRevisions += check.revisions
    if (page.deleted) continue
    pages++
    revisions += check.revisions
    if (page.redirectTarget !== undefined) redirects++
    onProgress?.({ pages, revisions })
  }
  if (tables.history.getKeysCount(WHOLE_TABLE) !== allRevisions) {
    report(
      `history: ${tables.history.getKeysCount(WHOLE_TABLE)} rows, but the pages have ${allRevisions} revisions`,
    )
  }
  const lists = context.isListed ? (['revisionTime', 'actorRevision'] as const) : []
  for (const name of ['title', 'rev', 'tag', 'editor', 'text', ...lists] as const) {
    const rows = (tables[name] as Table<unknown>).getKeysCount(WHOLE_TABLE)
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
    const rows = (tables[name] as Table<unknown>).getKeysCount(WHOLE_TABLE)
    if (rows !== counters.actors) report(`counters: actors says ${counters.actors}, ${name} has ${rows} rows`)
  }
}

/** 0 when the table is empty. */
function largestKey(table: Table<number>): number {
  for (const key of table.getKeys({ start: MAX_U32, end: 0, reverse: true, limit: 1 })) return key
  return 0
}

/** Checks that each actor's key leads to it. `checkCounters` compares the numbers, so there are no further keys. */
function checkActors(context: VerifyContext): void {
  const { tables, report } = context
  for (const { key: actorId, value } of soundRows(context, 'actorName', tables.actorName)) {
    const actor = decodeActor(value)
    const { name } = actor
    const key = value.length === 0 ? erasedActorKey(actorId) : actorKey(actor)
    const row = tables.actor.getBinaryFast(key)
    const found = row && decodeNumber(row)
    if (found !== actorId) report(`actor ${actorId} (${name}): ${key} leads to ${found ?? 'none'}`)
  }
}
