/** Differences between mirror and wiki, before any text is fetched. */
import type { UpstreamName } from '../../domain/upstream.js'
import type { MissingTitle, PageFacts, RevisionFacts, StatedFile } from '../api/answers.js'

export type PagePlan = GonePlan | PresentPlan

export interface GonePlan {
  readonly id: number
  readonly gone: true
}

export interface PresentPlan {
  readonly id: number
  readonly facts: PageFacts
  readonly add: readonly RevisionFacts[]
  /** Ids of revisions that the mirror has with another page. */
  readonly take: readonly number[]
  readonly remove: readonly number[]
  readonly change: readonly RevisionFacts[]
}

export interface FilePlan {
  readonly dbkey: string
  /** Null: there is no such file. */
  readonly file: StatedFile | null
}

/** All differences in the places that were looked at. */
export interface Plan {
  /** In the order to write them. */
  readonly pages: readonly PagePlan[]
  readonly protections: readonly MissingTitle[]
  readonly files: readonly FilePlan[]
  readonly renames: readonly UpstreamName[]
  readonly bots: readonly string[] | undefined
  readonly doubts: Doubts
  /** Histories were too long to compare at once: the same look finds more. */
  readonly isUnfinished: boolean
}

/** Places where a lagging replica may have answered. The next poll looks there again, and nothing is written. */
export interface Doubts {
  readonly pages: ReadonlySet<number>
  readonly revisions: ReadonlySet<number>
}

export const EMPTY_PLAN: Plan = {
  pages: [],
  protections: [],
  files: [],
  renames: [],
  bots: undefined,
  doubts: { pages: new Set(), revisions: new Set() },
  isUnfinished: false,
}

export const goneIn = ({ pages }: Plan): number[] =>
  pages.flatMap((page) => ('gone' in page ? [page.id] : []))
