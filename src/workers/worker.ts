/** A compute thread: opens the store for itself and runs the tasks of tasks.ts, each an export of its name. */
import { move, workerData } from 'piscina'
import { compare as compareTexts } from '../diff/compare.js'
import { sections } from '../diff/sections.js'
import { Store } from '../storage/store.js'
import { readJsonFields } from './jsonFields.js'
import type { TaskInput, TaskOutput, WorkerStart } from './tasks.js'

const openStore = Store.open((workerData as WorkerStart).dataDir)

/** The store as of now: a task must see what the one who asked for it has seen. */
function freshStore(): Store {
  openStore.refresh()
  return openStore
}

export function jsonFields({ bytes, paths }: TaskInput<'jsonFields'>): TaskOutput<'jsonFields'> {
  return readJsonFields(bytes, paths)
}

export function revisionSource({ revisionId }: TaskInput<'revisionSource'>): TaskOutput<'revisionSource'> {
  const text = freshStore().getText(revisionId)
  if (text === undefined) return undefined
  return toJson(text)
}

export function compare({ from, to }: TaskInput<'compare'>): TaskOutput<'compare'> {
  const store = freshStore()
  const [fromText, toText] = [store.getText(from), store.getText(to)]
  if (fromText === undefined || toText === undefined) return undefined
  const side = (id: number, text: string) =>
    JSON.stringify({ id, slot_role: 'main', sections: sections(text) })
  const head = Buffer.from(`{"from":${side(from, fromText)},"to":${side(to, toText)},"diff": `)
  const diff = compareTexts(fromText, toText)
  const body = new Uint8Array(head.length + diff.length + 1)
  body.set(head)
  body.set(diff, head.length)
  body[body.length - 1] = CLOSING_BRACE
  return move(body) as Uint8Array
}

const CLOSING_BRACE = 0x7d

export function languageLinks({ pageId }: TaskInput<'languageLinks'>): TaskOutput<'languageLinks'> {
  const store = freshStore()
  // Settings may have changed since the last task, and the wiki's language decides which links count.
  store.reloadSite()
  return toJson(store.languageLinks(pageId))
}

export function countEditorsBetween({
  a,
  b,
  cap,
}: TaskInput<'countEditorsBetween'>): TaskOutput<'countEditorsBetween'> {
  const count = freshStore().countEditorsBetween(a, b, cap, Number.POSITIVE_INFINITY)
  if (count === undefined) throw new Error('a count without a limit of rows was not finished')
  return count
}

/** JSON as bytes that are moved to the other side. An encoder's bytes own their memory; small Buffers share a pool. */
function toJson(value: unknown): Uint8Array {
  return move(new TextEncoder().encode(JSON.stringify(value))) as Uint8Array
}
