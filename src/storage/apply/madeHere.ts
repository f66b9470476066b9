/** Tells what was made here from what dumps brought: the log has an entry for each edit, and one for a whole import. */
import { decodeEntryHead, type Entry, type Verdict } from '../entries.js'
import { MAX_U32 } from '../keys.js'
import type { Tables } from '../tables.js'
import { readPosition } from '../meta.js'
import { logKey } from './logKey.js'

/**
 * Reads the log when it is first asked, and from then on what has been added: some bytes of memory for each edit. Not for
 * a transaction that writes to the log, since what is read is kept.
 */
export class MadeHere {
  readonly #tables: Tables
  readonly #revisions = new Set<number>()
  #sequence = 0

  constructor(tables: Tables) {
    this.#tables = tables
  }

  hasRevision(revisionId: number): boolean {
    this.#readLog()
    return this.#revisions.has(revisionId)
  }

  /** Whether the page has revisions and none of them came with a dump. */
  hasPage(pageId: number): boolean {
    this.#readLog()
    let count = 0
    const range = { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] } as const
    for (const [, , revisionId] of this.#tables.history.getKeys(range)) {
      if (!this.#revisions.has(revisionId)) return false
      count++
    }
    return count > 0
  }

  #readLog(): void {
    const { sequence } = readPosition(this.#tables)
    if (sequence === this.#sequence) return
    for (const { value } of this.#tables.log.getRange({ start: logKey(this.#sequence + 1) })) {
      const saved = readSaved(this.#tables, decodeEntryHead(value))
      if (saved !== undefined) this.#revisions.add(saved.revisionId)
    }
    this.#sequence = sequence
  }
}

/** What an entry saved, if it is one of an edit and did. */
export function readSaved(
  tables: Tables,
  { kind, id }: Pick<Entry, 'kind' | 'id'>,
): Extract<Verdict, { result: 'saved' }> | undefined {
  if (kind !== 'create' && kind !== 'edit') return undefined
  const row = tables.entry.getBinaryFast(id)
  if (row === undefined) return undefined
  const verdict = JSON.parse(row.toString('utf8', 8, row.length)) as Verdict
  return verdict.result === 'saved' ? verdict : undefined
}
