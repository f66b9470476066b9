/** Divides records of the shared log into transactions. */
import type { PlacedRecord } from '../log/logEngine.js'
import { readRecord } from '../storage/apply/sharedEntries.js'
import { type Entry, type PlacedEntry, textLength } from '../storage/entries/entries.js'

/** Limits of one transaction, in entries and in UTF-16 units of text. */
const MAX_BATCH = 200
const MAX_BATCH_TEXT = 2 * 2 ** 20

/**
 * The entries of each transaction, at least one. `position` tells what the store has applied: earlier records are not
 * decoded. Most of these are a node's own ones, which it has applied before the engine sends them.
 */
export function* batchesOf(
  records: readonly PlacedRecord[],
  position: () => number,
): Generator<readonly PlacedEntry[]> {
  let applied = position()
  let batch: PlacedEntry[] = []
  let text = 0
  for (const record of records) {
    if (record.sequence <= applied) continue
    const item = readRecord(record.sequence, record.bytes)
    const length = textLength(item.entry as Entry)
    if (batch.length === MAX_BATCH || (batch.length > 0 && text + length > MAX_BATCH_TEXT)) {
      yield batch
      applied = position()
      batch = []
      text = 0
    }
    batch.push(item)
    text += length
  }
  if (batch.length > 0) yield batch
}
