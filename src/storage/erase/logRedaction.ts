/** Walks over the log and takes erased words out of it, in steps. */
import {
  decodeEntry,
  decodeEntryHead,
  encodeRedacted,
  entryHash,
  isRedacted,
  type LoggedEntry,
  type Verdict,
} from '../entries/entries.js'
import { decodeVerdict, findEntryRow, logKey, sequenceOf, veiledId } from '../entries/logReader.js'
import type { Pair } from '../rows/keys.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables/tables.js'
import { readTextBytes } from '../pages/texts.js'
import type { ErasedWords, WordsAt } from './erasedWords.js'
import { redact } from './redact.js'

/** A step ends after so many rows, or so many bytes. */
const ROWS_AT_ONCE = 200
const BYTES_AT_ONCE = 2 ** 20

const NO_TEXT = (): undefined => undefined

/** Yields after each step. Returns the number of rows that lost words. */
export function* redactLog(store: Store, words: ErasedWords): Generator<void, number> {
  const { tables } = store
  let next: Pair | undefined = logKey(1)
  let count = 0
  while (next !== undefined) {
    store.refresh()
    const found: Pair[] = []
    next = findRows(tables, next, words, found)
    if (found.length > 0)
      count += store.transactDerived(() => found.filter((key) => redactRow(tables, key, words)).length)
    yield
  }
  return count
}

/** Adds the keys of rows with erased words. Returns the key to go on from. */
function findRows(tables: Tables, start: Pair, words: ErasedWords, found: Pair[]): Pair | undefined {
  let rows = 0
  let bytes = 0
  for (const { key, value } of tables.log.getRange({ start })) {
    if (rows++ >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) return key
    bytes += value.length
    if (hasWords(tables, sequenceOf(key), value, words)) found.push(logKey(sequenceOf(key)))
  }
  return undefined
}

/** Most rows have no such words, so texts of edits are not unpacked. */
function hasWords(tables: Tables, sequence: number, row: Buffer, words: ErasedWords): boolean {
  const head = decodeEntryHead(row)
  const entry = head.kind === 'upstream' ? decodeEntry(row) : ({ text: '', ...head } as LoggedEntry)
  return redact({ entry, verdict: verdictOf(tables, entry) }, words.upTo(sequence), NO_TEXT) !== entry
}

/** The row and the verdict of an entry that loses words go to a veiled id. */
function redactRow(tables: Tables, key: Pair, words: ErasedWords): boolean {
  const row = tables.log.getBinary(key)
  const entry = row && redactedRow(tables, row, words.upTo(sequenceOf(key)))
  if (row === undefined || entry === undefined) return false
  const verdict = tables.entry.getBinary(entry.id)
  const id = isRedacted(row) ? entry.id : veiledId(entry.id)
  tables.log.putSync(key, encodeRedacted({ ...entry, id, original: entryHash(row).toString('hex') }, row))
  if (verdict !== undefined && id !== entry.id) {
    tables.entry.removeSync(entry.id)
    tables.entry.putSync(id, verdict)
  }
  return true
}

/** The entry of a row without the erased words, still with its own id; undefined if it has none of them. */
function redactedRow(tables: Tables, row: Buffer, words: WordsAt): LoggedEntry | undefined {
  const entry = decodeEntry(row)
  const readText = (id: number): string | undefined => readTextBytes(tables, id)?.toString()
  const redacted = redact({ entry, verdict: verdictOf(tables, entry) }, words, readText)
  return redacted === entry ? undefined : redacted
}

function verdictOf(tables: Tables, { id }: Pick<LoggedEntry, 'id'>): Verdict | undefined {
  const row = findEntryRow(tables, id)
  return row && decodeVerdict(row)
}
