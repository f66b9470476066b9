/**
 * Pages by their language links. They follow from the rows of `langlinks` in force, and are written with them.
 *
 *     languagePage    language, tab, title, 0, page u32 → nothing
 */
import { type LanguageKey, MAX_U32 } from '../rows/keys.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, Tables } from '../tables/tables.js'
import { walk } from '../tables/walk.js'
import { decodeSqlRow, rangeOf, readTableState } from './sqlTables.js'

const NOTHING = Buffer.alloc(0)
/** Rows of the table in one step, in some 50 ms. */
const STEP_ROWS = 500

/** The language, a tab and the title. */
const namesIn = (row: Buffer | undefined): string[] =>
  row === undefined ? [] : decodeSqlRow(row).map(([code, title]) => `${code}\t${title}`)

/** Keys of the language links in a row of `langlinks`. */
export const languageKeys = (pageId: number, row: Buffer | undefined): LanguageKey[] =>
  namesIn(row).map((name) => [name, pageId])

/** Lists pages whose rows are other ones now. */
export function listLanguages(
  { languagePage }: Tables,
  changes: Iterable<readonly [pageId: number, before: Buffer | undefined, after: Buffer | undefined]>,
): void {
  const added: LanguageKey[] = []
  for (const [pageId, before, after] of changes) {
    for (const key of languageKeys(pageId, before)) languagePage.removeSync(key)
    added.push(...languageKeys(pageId, after))
  }
  for (const key of added.sort(compareKeys)) languagePage.putSync(key, NOTHING)
}

const compareKeys = (one: LanguageKey, other: LanguageKey): number =>
  one[0] === other[0] ? one[1] - other[1] : one[0] < other[0] ? -1 : 1

/** Whether the list has all rows. That of a store that an older version made is filled step by step. */
export const areLanguagesListed = (tables: Tables): boolean =>
  readMeta(tables, 'languageLists') === 'complete' || readTableState(tables, 'langlinks') === undefined

/** Lists some more pages of an older store. Returns false if nothing is left, or the table waits to be settled. */
export function fillLanguages(store: DerivedWriter): boolean {
  const { tables } = store
  return !areLanguagesListed(tables) && store.transactDerived(() => fillSome(tables))
}

/** Another process may have done the step, or imported another table. */
function fillSome(tables: Tables): boolean {
  const from = readMeta(tables, 'languageLists')
  const state = readTableState(tables, 'langlinks')
  if (from === 'complete' || state === undefined || state.unsettledFrom !== undefined) return false
  const range = { ...rangeOf(state.set, 'langlinks', from ?? 0), limit: STEP_ROWS }
  const rows = [...tables.sqlRow.getRange(range)].map(
    ({ key, value }) => [Number(key[2]), undefined, Buffer.from(value)] as const,
  )
  listLanguages(tables, rows)
  writeMeta(tables, 'languageLists', rows.length < STEP_ROWS ? 'complete' : rows.at(-1)![0] + 1)
  return true
}

export interface LanguageUse {
  /** The language, a tab and the title. */
  readonly name: string
  readonly pageId: number
}

export interface LanguageRange {
  /** Beginnings of names, both included. */
  readonly from: string
  readonly to: string
  /** The page with which the first name begins. */
  readonly fromPage?: number
  readonly descending: boolean
}

/** Uses by name, then by page. `from` is where the list begins. */
export function* languageUses(tables: Tables, range: LanguageRange): Generator<LanguageUse, void> {
  const { from, to, fromPage, descending } = range
  const start: LanguageKey = [from, fromPage ?? (descending ? MAX_U32 : 0)]
  const end: LanguageKey = descending ? [to, 0] : [to, MAX_U32]
  for (const [name, pageId] of walk(tables.languagePage, { start, end, ascending: !descending }))
    yield { name, pageId }
}
