/** Types of pageSource.mjs for the tests that check the sample wiki. */
import type { SampleRevision } from './build.mjs'

export type SourceRevision = Omit<SampleRevision, 'id' | 'parentId' | 'editorId'>

export interface PageSource {
  readonly title: string
  readonly model: string
  /** Oldest first. */
  readonly revisions: readonly SourceRevision[]
}

export function parsePageSource(source: string, fileName: string): PageSource
