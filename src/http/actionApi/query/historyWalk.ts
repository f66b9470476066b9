/** Walks over histories of pages, in parts. */
import type { Editor } from '../../../domain/revision.js'
import type { RevisionRow, Store } from '../../../storage/store.js'

const PART = 50
const LAST_ID = 0xffffffff

export interface Place {
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Absent: the first or last revision of that time. */
  readonly id?: number
}

export interface Walk {
  readonly pageId: number
  readonly isNewer: boolean
  /** Both are included; undefined: the end of the history. */
  readonly from: Place | undefined
  readonly to: Place | undefined
  /** After so many revisions the walk ends, so that filters cost a bounded time. */
  readonly maxRows: number
}

export function* walkHistory(
  store: Store,
  { pageId, isNewer, from, to, maxRows }: Walk,
): Generator<RevisionRow, void> {
  let anchor = from && {
    pageId,
    timestamp: from.timestamp,
    id: isNewer ? (from.id ?? 1) - 1 : (from.id ?? LAST_ID - 1) + 1,
  }
  let read = 0
  while (read < maxRows) {
    const query = isNewer
      ? { newerThan: anchor ?? { pageId, timestamp: 0, id: 0 }, limit: PART }
      : { olderThan: anchor, limit: PART }
    const { rows } = store.lists.history(pageId, query)
    // Segments come newest first.
    const inOrder = isNewer ? [...rows].reverse() : rows
    for (const row of inOrder) {
      if (to !== undefined && isBeyond(row, to, isNewer)) return
      yield row
    }
    read += rows.length
    const last = inOrder.at(-1)
    if (rows.length < PART || last === undefined) return
    anchor = last
  }
}

function isBeyond({ timestamp, id }: RevisionRow, to: Place, isNewer: boolean): boolean {
  if (timestamp !== to.timestamp) return isNewer ? timestamp > to.timestamp : timestamp < to.timestamp
  if (to.id === undefined) return false
  return isNewer ? id > to.id : id < to.id
}

/** Whether an editor has a name. Hidden editors have none. */
export const readBy = (editor: Editor | undefined, name: string): boolean => editor?.name === name
