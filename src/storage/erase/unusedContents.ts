/** Contents of files that a node is to remove, unless a file of the wiki has them: see files/removeUnused.ts. */
import type { Store } from '../store.js'
import { listUnused, removeRequests, requestErasing } from '../apply/eraseRequests.js'

export interface NotedContents {
  readonly sha256: string
  /** Of the row. */
  readonly number: number
}

export function noteUnused(store: Store, sha256: string): void {
  store.transactDerived(() => requestErasing(store.tables, { of: 'unused', sha256 }))
}

export const notedContents = ({ tables }: Store): NotedContents[] =>
  listUnused(tables).map(({ number, request }) => ({ number, sha256: request.sha256 }))

/** Within a write transaction. */
export function forgetNoted({ tables }: Store, noted: readonly NotedContents[]): void {
  removeRequests(tables, noted)
}
