/** Answers of the wiki about the places to look at. */
import type { MissingTitle, PageFacts, RevisionFacts } from '../api/answers.js'

export interface Answers {
  readonly found: Map<number, PageFacts>
  readonly missing: Set<number>
  readonly revisions: Map<number, RevisionFacts>
  /** Revisions that are not there any more. */
  readonly lost: Set<number>
  /** Titles with and without pages, for their protection. */
  readonly protections: Map<string, MissingTitle>
  readonly doubtedPages: Set<number>
  readonly doubtedRevisions: Set<number>
  /** Histories were too long to compare at once. */
  isUnfinished: boolean
}

export const noAnswers = (): Answers => ({
  found: new Map(),
  missing: new Set(),
  revisions: new Map(),
  lost: new Set(),
  protections: new Map(),
  doubtedPages: new Set(),
  doubtedRevisions: new Set(),
  isUnfinished: false,
})
