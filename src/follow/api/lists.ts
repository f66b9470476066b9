/** Shapes of answers about many items. */
import type { MissingTitle, PageFacts, RevisionFacts } from './answers.js'

/** An answer that is being put together. */
export type Lists<Answers> = {
  readonly [Name in keyof Answers]: Answers[Name] extends readonly (infer Item)[] ? Item[] : never
}

/** A part of a list. `next` continues it; undefined at its end. */
export interface Part<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

export interface RevisionAnswers {
  readonly found: readonly RevisionFacts[]
  /** The pages that they belong to. */
  readonly pages: readonly PageFacts[]
  /** Ids that are no revision of a page there. */
  readonly missing: readonly number[]
}

export interface PageAnswers {
  readonly found: readonly PageFacts[]
  readonly missing: readonly number[]
}

export interface TitleAnswers {
  readonly found: readonly PageFacts[]
  readonly missing: readonly MissingTitle[]
}
