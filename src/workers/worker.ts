/** A compute thread: opens the store for itself and runs the tasks of tasks.ts, each an export of its name. */
import { move, workerData } from 'piscina'
import { Store } from '../storage/store.js'
import type { TaskInput, TaskOutput, WorkerStart } from './tasks.js'

const store = Store.open((workerData as WorkerStart).dataDir)

export function revisionSource({ revisionId }: TaskInput<'revisionSource'>): TaskOutput<'revisionSource'> {
  const text = store.getText(revisionId)
  if (text === undefined) return undefined
  return toJson(text)
}

export function languageLinks({ pageId }: TaskInput<'languageLinks'>): TaskOutput<'languageLinks'> {
  // Settings may have changed since the last task, and the wiki's language decides which links count.
  store.reloadSite()
  return toJson(store.languageLinks(pageId))
}

export function countEditorsBetween({
  a,
  b,
  cap,
}: TaskInput<'countEditorsBetween'>): TaskOutput<'countEditorsBetween'> {
  const count = store.countEditorsBetween(a, b, cap, Number.POSITIVE_INFINITY)
  if (count === undefined) throw new Error('a count without a limit of rows was not finished')
  return count
}

/** JSON as bytes that are moved to the other side. An encoder's bytes own their memory; small Buffers share a pool. */
function toJson(value: unknown): Uint8Array {
  return move(new TextEncoder().encode(JSON.stringify(value))) as Uint8Array
}
