/** Messages between the writer and its thread. */
import type { NodeStatus } from '../../cluster/nodeStatus.js'
import type { Entry, Verdict } from '../../storage/entries/entries.js'
import type { HtmlVerdict, IncomingHtml } from '../../storage/html/importedHtml.js'
import type { ReadyShell } from '../../storage/html/renderingRow.js'
import type { Rendering } from '../../storage/html/renderings.js'
import type { SessionChange } from '../../storage/accounts/accounts.js'
import type { ThreadPlace } from '../hosting/openWikis.js'

/** Entries for the thread, in order. The thread encodes them, since packing a text takes time. */
export interface WriteBatch {
  readonly entries: readonly Entry[]
}

/**
 * State of the last batch: one number that both threads see. A batch that waits for the store's write lock can be
 * withdrawn; one that has begun cannot.
 */
export const BATCH_WAITS = 0
export const BATCH_BEGUN = 1
export const BATCH_WITHDRAWN = 2

export interface WriterStart extends ThreadPlace {
  readonly batchState: Int32Array
  /** For the store of a cluster's node. */
  readonly cluster: ClusterStart | undefined
}

export interface ClusterStart {
  /** Of the shared log. */
  readonly address: string
  /** Longest time from the start of a batch until its verdicts. */
  readonly timeoutMs: number
}

/** Sent in place of a batch: finish earlier work, then end. */
export const WRITER_STOP = 'stop'

/** First message of the thread: it has opened the store. */
export interface WriterStarted {
  readonly started: true
}

/** Outdated HTML could not be dropped. Sent once until dropping succeeds again. */
export interface DropFailure {
  readonly dropFailure: string
}

/** Words that were erased cannot be taken out of the log or the file. Sent once until it succeeds again. */
export interface EraseFailure {
  readonly eraseFailure: string
}

/** Results in the order of the entries, sent once all of them are on disk. */
export interface WriteResults {
  readonly results: readonly WriteResult[]
}

export type WriteResult = { readonly verdict: Verdict } | WriteFailure

export interface WriteFailure {
  readonly failure: string
  /** Why the store could not be written: the disk is full, or the system refuses. */
  readonly reason?: 'full' | 'unwritable'
  /** Set when the log of the cluster gave no verdict: whether the entry may still take effect. */
  readonly mayBeSaved?: boolean
}

/** What the thread tells of its cluster: every second, and when the state changes. */
export interface ClusterNews {
  readonly clusterStatus: NodeStatus
}

/** What an operator should change about the engine of the shared log. */
export interface EngineWarning {
  readonly engineWarning: string
}

/** HTML of another server as it came. The thread packs it. */
export type UnpackedHtml = Omit<IncomingHtml, 'html' | 'sha1'> & {
  readonly html: Uint8Array
  readonly sha1: Uint8Array | undefined
}

/** Another shell for kept HTML. */
export interface NewShell {
  readonly html: Pick<Rendering, 'revisionId' | 'tag'>
  readonly shell: ReadyShell
  readonly maxBytes: number
}

/** Work on derived tables, which is not logged as an entry. */
export type DerivedTask =
  | { readonly task: 'keepRendering'; readonly rendering: Rendering; readonly maxBytes: number }
  | ({ readonly task: 'keepShell' } & NewShell)
  | { readonly task: 'takeQueuedRenderings'; readonly limit: number }
  | { readonly task: 'keepImported'; readonly html: UnpackedHtml }
  | { readonly task: 'dropImported'; readonly revisionId: number }
  | { readonly task: 'changeSession'; readonly change: SessionChange }
  | { readonly task: 'noteUnused'; readonly sha256: string }

export interface DerivedRequest {
  readonly id: number
  readonly derived: DerivedTask
}

export interface DerivedAnswer extends Partial<WriteFailure> {
  readonly id: number
  /** The revisions taken from the queue; absent for tasks that only write. */
  readonly revisionIds?: readonly number[]
  /** What became of imported HTML. */
  readonly verdict?: HtmlVerdict
}

export type FromWriter =
  | WriterStarted
  | WriteResults
  | DerivedAnswer
  | DropFailure
  | EraseFailure
  | ClusterNews
  | EngineWarning
