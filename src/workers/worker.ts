/** A compute thread: opens the store for itself and runs the tasks of tasks.ts, each an export of its name. */
import { move, workerData } from 'piscina'
import { Store } from '../storage/store.js'
import type { TaskInput, TaskOutput, WorkerStart } from './tasks.js'

const store = Store.open((workerData as WorkerStart).dataDir)

export function revisionSource({ revisionId }: TaskInput<'revisionSource'>): TaskOutput<'revisionSource'> {
  const text = store.getText(revisionId)
  if (text === undefined) return undefined
  // An encoder's bytes own their memory, so that they can be moved; small Buffers share a pool.
  const bytes = new TextEncoder().encode(JSON.stringify(text))
  return move(bytes) as Uint8Array
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
