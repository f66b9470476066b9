/** HTML of the followed wiki, for pages whose HTML is to be made. */

export interface ForeignHtml {
  /** Waits, for a bounded time, until the store has the wiki's HTML of a revision. */
  prepare(revisionId: number): Promise<void>
  /** The store has HTML of our own, which that of the wiki may replace. Called for each request that finds some. */
  offer(revisionId: number): void
  /** The HTML could not be used. */
  refuse(revisionId: number): void
}
