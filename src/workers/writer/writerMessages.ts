/** What the writer and its thread tell each other. */
import type { Entry, Verdict } from '../../storage/entries.js'
import type { Rendering } from '../../storage/renderings.js'
import type { SessionChange } from '../../storage/sessions.js'
import type { WorkerStart } from '../compute/tasks.js'

/** What is sent to the thread: entries in their order. They are encoded there, since packing a text takes its time. */
export interface WriteBatch {
  readonly entries: readonly Entry[]
}

/**
 * How far the batch that was sent last has got: one number that both threads see. A batch that waits for the write lock
 * of the store can be withdrawn; one that has begun cannot.
 */
export const BATCH_WAITS = 0
export const BATCH_BEGUN = 1
export const BATCH_WITHDRAWN = 2

export interface WriterStart extends WorkerStart {
  readonly batchState: Int32Array
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

export type WriteResult = { readonly verdict: Verdict } | WriteFailure

export interface WriteFailure {
  readonly failure: string
  /** There is no room on the disk. */
  readonly isFull: boolean
}

/** Work on derived tables, which no entry stands for. */
export type DerivedTask =
  | { readonly task: 'keepRendering'; readonly rendering: Rendering; readonly maxBytes: number }
  | { readonly task: 'takeQueuedRenderings'; readonly limit: number }
  | { readonly task: 'changeSession'; readonly change: SessionChange }

export interface DerivedRequest {
  readonly id: number
  readonly derived: DerivedTask
}

export interface DerivedAnswer {
  readonly id: number
  /** Revisions that were taken; none for what only writes. */
  readonly revisionIds?: readonly number[]
  readonly failure?: string
  /** The failure is that of a full disk. */
  readonly isFull?: boolean
}

export type FromWriter = WriterStarted | WriteResults | DerivedAnswer | DropFailure
