/**
 * Where a mirror stands in the changes of the wiki that it follows. A row of `meta` holds it, written in one
 * transaction with each batch, so it is small. Two positions of one store are never equal.
 */

export interface UpstreamPosition {
  /** Address of the wiki's action API. */
  readonly url: string
  /** Database name that the wiki states, such as `gdwiki`. */
  readonly wikiId: string
  /** Number of batches written so far. */
  readonly batch: number
  /** Newest time among the changes that the mirror has taken over, in seconds since 1970. */
  readonly newest: number
  /** The rest of a long window of changes. Absent: the mirror has taken over everything up to `newest`. */
  readonly window?: WindowPlace
  /** The sweep under way: a comparison of everything. */
  readonly sweep?: SweepPlace
  /** When the last sweep of everything began, in seconds since 1970 by the wiki's clock. */
  readonly swept?: number
  /** Hash of what the wiki last said of itself: names, namespaces, prefixes. */
  readonly site: string
  /** Which revisions the mirror has. `since`: the latest of each page, and all after the floor. */
  readonly history: HistoryKept
  /** Revisions up to this id may be absent, with `since`. */
  readonly floor: number
}

export const HISTORIES_KEPT = ['all', 'since'] as const
export type HistoryKept = (typeof HISTORIES_KEPT)[number]

export interface WindowPlace {
  /** Where the next request continues, in the words of the API. */
  readonly next: string
  /** Newest time seen in the window so far. */
  readonly newest: number
}

/** In the order in which a sweep does them. */
export const SWEEP_STAGES = ['pages', 'titles', 'files', 'revisions', 'known'] as const
export type SweepStage = (typeof SWEEP_STAGES)[number]

export interface SweepPlace {
  readonly stage: SweepStage
  /** Number of the namespace, in the stage `pages`. */
  readonly namespace?: number
  /** Where the stage continues: words of the API, or the last known revision. Absent: at its beginning. */
  readonly from?: string
  /** When the sweep began, in seconds since 1970 by the wiki's clock. */
  readonly began: number
  /** The mirror is not equal to the wiki of any moment before it ends, so changes wait for it. */
  readonly isFirst?: true
}
