/**
 * Ready results for the shortest prefixes of titles, which match more pages than anyone looks through. A row holds the
 * matching pages with the most incoming links, the most linked first.
 *
 *     key     namespace, the first letters of folded titles: none to three
 *     value   entries: 0 page u32   4 length u16   6 open JSON, as in rows/completions.ts
 *
 * The order is that of the last import or rebuild. Edits update only the entries.
 */
import { completionKeyOfRow } from '../rows/completions.js'
import { IndexedRowView } from '../rows/indexedRow.js'
import type { BeginningKey, CompletionKey, IndexTables } from '../rows/tables.js'

export const MAX_BEGINNING = 3
export const MAX_PROMINENT = 20
const ENTRY_HEAD = 6

export interface ProminentEntry {
  readonly pageId: number
  /** Open JSON. */
  readonly json: Buffer
}

export function encodeEntries(entries: readonly ProminentEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ pageId, json }) => {
      const head = Buffer.allocUnsafe(ENTRY_HEAD)
      head.writeUInt32BE(pageId, 0)
      head.writeUInt16BE(json.length, 4)
      return [head, json]
    }),
  )
}

/** Visits the entries of a row, with page id and bounds of the JSON, until `visit` returns true. */
export function visitEntries(
  row: Buffer,
  length: number,
  visit: (pageId: number, from: number, to: number) => boolean,
): void {
  for (let at = 0; at < length;) {
    const from = at + ENTRY_HEAD
    const to = from + row.readUInt16BE(at + 4)
    if (visit(row.readUInt32BE(at), from, to)) return
    at = to
  }
}

/** The prefixes of a folded title that may have rows: '' and its first one, two and three letters. */
export function beginningsOf(folded: string): string[] {
  const beginnings = ['']
  let beginning = ''
  for (const letter of folded) {
    beginning += letter
    beginnings.push(beginning)
    if (beginnings.length > MAX_BEGINNING) break
  }
  return beginnings
}

/** Whether a prefix may have a row. */
export function isShort(beginning: string): boolean {
  return (
    beginning.length <= MAX_BEGINNING ||
    (beginning.length <= 2 * MAX_BEGINNING && [...beginning].length <= MAX_BEGINNING)
  )
}

/** Replaces a page's result in all rows that contain it; undefined removes it. */
export function followTitle(
  { prominent }: Pick<IndexTables, 'prominent'>,
  [namespace, folded, , pageId]: CompletionKey,
  json: Buffer | undefined,
): void {
  for (const beginning of beginningsOf(folded)) {
    const key: BeginningKey = [namespace, beginning]
    const row = prominent.getBinary(key)
    if (row === undefined) continue
    const entries: ProminentEntry[] = []
    let isThere = false
    visitEntries(row, row.length, (id, from, to) => {
      if (id !== pageId) entries.push({ pageId: id, json: row.subarray(from, to) })
      else if (json !== undefined) entries.push({ pageId, json })
      isThere ||= id === pageId
      return false
    })
    if (!isThere) continue
    if (entries.length === 0) prominent.removeSync(key)
    else prominent.putSync(key, encodeEntries(entries))
  }
}

/** Finds entries that differ from their rows in `completion`. */
export function prominentProblems({ prominent, completion, indexed }: IndexTables): string[] {
  const problems: string[] = []
  for (const { key, value } of prominent.getRange({ start: undefined })) {
    visitEntries(value, value.length, (pageId, from, to) => {
      const row = indexed.getBinary(pageId)
      const found = row && completion.getBinary(completionKeyOfRow(new IndexedRowView(row), pageId))
      if (found?.equals(value.subarray(from, to)) !== true) {
        problems.push(`prominent: "${key[1]}" shows page ${pageId} as it is not`)
      }
      return false
    })
  }
  return problems
}
