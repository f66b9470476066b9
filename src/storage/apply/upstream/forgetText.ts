/** Takes the text of a revision out of the store. */
import { MAX_U32 } from '../../rows/keys.js'
import type { Tables } from '../../tables/tables.js'
import {
  encodeDeltaText,
  encodeFullText,
  readTextBytes,
  textPacking,
  type TextPacking,
} from '../../pages/texts.js'

/** A revision's place in the history of a page. */
export interface Place {
  readonly pageId: number
  readonly timestamp: number
  readonly id: number
}

/**
 * Removes a row of the table `text`, if there is one. A text that builds on it gets the base of the removed one, or is
 * packed in full.
 */
export function forgetText(tables: Tables, place: Place): void {
  const packing = textPacking(tables, place.id)
  if (packing === undefined) return
  const dependant = packing.run === 0 ? undefined : findDependant(tables, place)
  if (dependant !== undefined) repack(tables, dependant, packing)
  tables.text.removeSync(place.id)
}

function repack(tables: Tables, { id, run }: Dependant, { baseId }: TextPacking): void {
  const text = readTextBytes(tables, id)!
  const row =
    baseId === undefined
      ? encodeFullText(text, run)
      : encodeDeltaText(text, run, baseId, readTextBytes(tables, baseId)!)
  tables.text.putSync(id, row)
}

interface Dependant {
  readonly id: number
  readonly run: number
}

/**
 * The revision whose text builds on that of another one: at most one does. It is mostly the one before. Revisions that
 * came out of order can put it anywhere in the page's history.
 */
function findDependant(tables: Tables, { pageId, timestamp, id }: Place): Dependant | undefined {
  const older = { start: [pageId, timestamp, id], end: [pageId, 0, 0], reverse: true } as const
  const newer = { start: [pageId, timestamp, id], end: [pageId, MAX_U32, MAX_U32] } as const
  for (const range of [older, newer]) {
    for (const [, , otherId] of tables.history.getKeys(range)) {
      const packing = textPacking(tables, otherId)
      if (packing?.baseId === id) return { id: otherId, run: packing.run }
    }
  }
  return undefined
}
