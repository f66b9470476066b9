/** What the writer and its thread tell each other. */
import type { Entry, Verdict } from '../storage/entries.js'
import type { Rendering } from '../storage/renderings.js'
import type { SessionChange } from '../storage/sessions.js'

/** What is sent to the thread: entries in their order. They are encoded there, since packing a text takes its time. */
export interface WriteBatch {
  readonly entries: readonly (Entry | SessionChange)[]
}

/** Sent in place of a batch: end when all before it is done. */
export const WRITER_STOP = 'stop'

/** What the thread says first: it has opened the store. */
export interface WriterStarted {
  readonly started: true
}

/** Outdated HTML could not be dropped; told once until it can. */
export interface DropFailure {
  readonly dropFailure: string
}

/** What comes back, in the same order, once all of it is on the disk. */
export interface WriteResults {
  readonly results: readonly WriteResult[]
}

export type WriteResult = { readonly verdict: Verdict } | { readonly failure: string }

/** Work on derived tables, which no entry stands for. */
export type DerivedTask =
  | { readonly task: 'keepRendering'; readonly rendering: Rendering; readonly maxBytes: number }
  | { readonly task: 'takeQueuedRenderings'; readonly limit: number }

export interface DerivedRequest {
  readonly id: number
  readonly derived: DerivedTask
}

export interface DerivedAnswer {
  readonly id: number
  /** Revisions that were taken; none for what only writes. */
  readonly revisionIds?: readonly number[]
  readonly failure?: string
}

export type FromWriter = WriterStarted | WriteResults | DerivedAnswer | DropFailure
