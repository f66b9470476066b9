import type { RedirectTarget } from '../rows/indexedRow.js'

/** The facts about the wiki that the search needs. */
export interface PageDirectory {
  pageIdOf(namespace: number, dbkey: string): number | undefined
  /** Tells which titles `pageIdOf` will look for, so that reads from the disk can overlap. */
  expect(titles: () => readonly RedirectTarget[]): void
  /** Ids of all namespaces that may contain pages. */
  namespaces(): readonly number[]
}
