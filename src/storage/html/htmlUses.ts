/**
 * The table `htmlUse`: which HTML has read, or looked for, a page.
 *
 *     htmlUse   hash of a title u64, revision u32 → kind u8, a sum of
 *               1 its rendering read the page   2 its rendering only looked for it   4 its imported HTML shows the page
 */
import { createHash } from 'node:crypto'
import type { Title } from '../../domain/title.js'
import type { HistoryKey, Pair } from '../rows/keys.js'
import type { Tables } from '../tables/tables.js'

export const CONTENT = 1
export const EXISTENCE = 2
export const IMPORTED = 4
/** The kinds of uses that a rendering has. */
export const OF_RENDERING = CONTENT | EXISTENCE
/** Bytes of a hash. */
export const HASH_BYTES = 8

/**
 * 16 hex digits. A collision does little harm: two titles with the same hash only drop each other's HTML.
 */
export function titleHash({ namespace, dbkey }: Title): string {
  return createHash('sha256')
    .update(`${namespace}:${dbkey}`)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES)
}

export const hashHalves = (hash: string): Pair => [
  parseInt(hash.slice(0, 8), 16),
  parseInt(hash.slice(8), 16),
]

/** Notes a use, beside uses of other kinds by the same revision. */
export function addUse(tables: Tables, hash: string, revisionId: number, kind: number): void {
  const key = useKey(hash, revisionId)
  tables.htmlUse.putSync(key, Buffer.from([kindAt(tables, key) | kind]))
}

/** Removes uses of the given kinds. */
export function removeUse(tables: Tables, hash: string, revisionId: number, kinds: number): void {
  const key = useKey(hash, revisionId)
  const rest = kindAt(tables, key) & ~kinds
  if (rest === 0) tables.htmlUse.removeSync(key)
  else tables.htmlUse.putSync(key, Buffer.from([rest]))
}

const useKey = (hash: string, revisionId: number): HistoryKey => [...hashHalves(hash), revisionId]
const kindAt = (tables: Tables, key: HistoryKey): number => tables.htmlUse.getBinaryFast(key)?.[0] ?? 0
