/**
 * Puts rows of an SQL table in force together with all that follows from them in other rows of the store:
 *
 *     entry        the state of the table names the new set, and no id is settled
 *     each step    takes over the next ids with what follows from them, in one transaction
 *     last step    no id is left; the old set is spare
 *
 * A process that ends between two steps leaves the rest to the next import or server. Readers of an id see either its
 * old row with the consequences of that, or its new one.
 *
 * Marks of revisions are different: new revisions get the marks of the new rows at once, and the steps mark the others
 * page by page.
 */
import { FILE } from '../../../domain/namespaceIds.js'
import { WriteContext } from '../writeContext.js'
import { isLatestImported } from '../../pages/history.js'
import { awaitTable } from '../../categories/categoryIndexing.js'
import { awaitLinks } from '../../links/linkIndexing.js'
import { TABLES_OF_LINKS } from '../../links/statedLinks.js'
import type { LinkKind } from '../../../wikitext/pageTargets.js'
import { fillStep } from '../../changes/changeLists.js'
import { fillLanguages, listLanguages } from '../../sqlTables/languagePages.js'
import { raiseTally, readMeta } from '../../tables/meta.js'
import { dropUsesOf } from '../../html/renderings.js'
import type { SqlId } from '../../rows/keys.js'
import { propertiesIn } from '../../search/indexedPage.js'
import { indexInForce } from '../../search/indexState.js'
import type { DerivedWriter, Tables, TableWriter } from '../../tables/tables.js'
import { protectPages, protectTitles } from './protectTitles.js'
import { redirectPages } from './redirectPages.js'
import { remarkPages } from './remarkPages.js'
import { SQL_TABLES, type SqlTable, type SqlTableState } from '../../rows/sqlTableNames.js'
import {
  compareSets,
  decodeSqlRow,
  differsBetweenSets,
  firstIdOf,
  rangeOf,
  readNewRow,
  readSqlRow,
  readTableState,
  writeTableState,
} from '../../sqlTables/sqlTables.js'

/** Rows that a step compares, in some 10 ms. */
const STEP_ROWS = 5000
/** Of `langlinks`: a page may have hundreds of links, which are listed at once. */
const LANGUAGE_ROWS = 500

/** Does what follows from the rows of an id and higher ones. Returns the id to go on with; undefined at the end. */
type Step = (tables: Tables, table: SqlTable, from: SqlId) => SqlId | undefined

const STEPS: Readonly<Partial<Record<SqlTable, Step>>> = {
  page_props: byIds(queuePages),
  categorylinks: byIds(queueCategories),
  ...Object.fromEntries(
    Object.entries(TABLES_OF_LINKS).map(([table, kind]) => [table, byIds(queueLinks(kind))]),
  ),
  langlinks: byIds(relistLanguages, LANGUAGE_ROWS),
  linktarget: queueNumbered,
  page_restrictions: byIds(protectPages),
  protected_titles: byIds(protectTitles),
  redirect: byIds(redirectPages),
  image: byIds(dropHtml),
  shared_image: byIds(dropHtml),
  user_groups: (tables, _table, from) => remarkPages(tables, 'user_groups', Number(from), STEP_ROWS),
  change_tag: (tables, _table, from) => remarkPages(tables, 'change_tag', Number(from), STEP_ROWS),
}

/** The state for the moment when a table comes into force. */
export function stateAtExchange(table: SqlTable, state: SqlTableState): SqlTableState {
  return STEPS[table] === undefined ? state : { ...state, unsettledFrom: firstIdOf(table) }
}

/** Does one step. Returns false if there is nothing to do. Then fills lists that a store of an older version lacks. */
export function settleStep(store: TableWriter & DerivedWriter): boolean {
  const { tables } = store
  const table = unsettledTable(tables)
  if (table === undefined) return fillStep(store) || fillLanguages(store)
  store.transact(() => settleSome(tables, table))
  return true
}

/** Does all steps. */
export function settleTables(store: TableWriter & DerivedWriter): void {
  while (settleStep(store));
}

function unsettledTable(tables: Tables): SqlTable | undefined {
  const states = readMeta(tables, 'sqlTables')
  return states && SQL_TABLES.find((table) => states[table]?.unsettledFrom !== undefined)
}

function settleSome(tables: Tables, table: SqlTable): void {
  // Another process may have done the step.
  const state = readTableState(tables, table)
  if (state?.unsettledFrom === undefined) return
  const { unsettledFrom, ...settled } = state
  const next = STEPS[table]?.(tables, table, unsettledFrom)
  writeTableState(tables, table, next === undefined ? settled : { ...settled, unsettledFrom: next })
}

/** A step over ids of the table itself. `follow` writes what follows from those whose rows differ. */
function byIds(follow: (context: WriteContext, ids: readonly SqlId[]) => void, stepRows = STEP_ROWS): Step {
  return (tables, table, from) => {
    const changed: SqlId[] = []
    let compared = 0
    let next: SqlId | undefined
    for (const { id, isSame } of compareSets(tables, table, from)) {
      if (compared++ === stepRows) {
        next = id
        break
      }
      if (!isSame) changed.push(id)
    }
    if (changed.length > 0) {
      const context = new WriteContext(tables, { indexLater: true })
      follow(context, changed)
      context.finish()
    }
    return next
  }
}

/** The search index has descriptions and pictures of pages. The bulk build takes them in. */
function queuePages({ tables, indexing }: WriteContext, ids: readonly SqlId[]): void {
  for (const id of ids) {
    const before = propertiesIn(readSqlRow(tables, 'page_props', id))
    const after = propertiesIn(readNewRow(tables, 'page_props', id))
    const isSame = before.description === after.description && before.picture === after.picture
    if (!isSame) indexing.queue(Number(id))
  }
}

/** The bulk build takes the categories of these pages from the table. */
function queueCategories({ tables, indexing }: WriteContext, ids: readonly SqlId[]): void {
  const index = indexInForce(tables)
  for (const id of ids.map(Number)) {
    if (!isLatestImported(tables, id)) continue
    awaitTable(index, id)
    indexing.queue(id)
  }
}

/** The bulk build takes the links of a kind on these pages from its table. */
function queueLinks(kind: LinkKind): (context: WriteContext, ids: readonly SqlId[]) => void {
  return ({ tables, indexing }, ids) => {
    const index = indexInForce(tables)
    for (const id of ids.map(Number)) {
      if (!isLatestImported(tables, id)) continue
      awaitLinks(index, id, kind)
      indexing.queue(id)
    }
  }
}

/** The row of an id that is not settled yet is the one before. */
function relistLanguages({ tables }: WriteContext, ids: readonly SqlId[]): void {
  listLanguages(
    tables,
    ids.map((id) => [
      Number(id),
      copyOf(readSqlRow(tables, 'langlinks', id)),
      copyOf(readNewRow(tables, 'langlinks', id)),
    ]),
  )
}

/** The next read of a row may use the bytes of this one. */
const copyOf = (row: Buffer | undefined): Buffer | undefined =>
  row && Buffer.from(row.subarray(0, row.length))

/** Pages whose files are numbers that had no names, or others. The ids are those of pages. */
function queueNumbered(tables: Tables, _table: SqlTable, from: SqlId): SqlId | undefined {
  const state = readTableState(tables, 'imagelinks')
  if (state === undefined) return undefined
  const range = { ...rangeOf(state.set, 'imagelinks', from), limit: STEP_ROWS }
  const rows = [...tables.sqlRow.getRange(range)]
  const isNews = ({ value }: { readonly value: Buffer }): boolean =>
    decodeSqlRow(value).some(
      ([name]) => name.startsWith('#') && differsBetweenSets(tables, 'linktarget', Number(name.slice(1))),
    )
  const numbered = rows.filter(isNews).map(({ key }) => key[2])
  const context = new WriteContext(tables, { indexLater: true })
  queueLinks('file')(context, numbered)
  context.finish()
  return rows.length < STEP_ROWS ? undefined : Number(rows.at(-1)!.key[2]) + 1
}

/** HTML has sizes of pictures. HTML that is being made with the old ones is not kept. */
function dropHtml({ tables, hasRenderings }: WriteContext, names: readonly SqlId[]): void {
  raiseTally(tables, 'visibility')
  if (!hasRenderings) return
  for (const name of names) dropUsesOf(tables, { namespace: FILE, dbkey: String(name) }, 'existence')
}
