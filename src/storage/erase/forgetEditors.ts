/**
 * Names that a followed wiki shows no more: it hid them in revisions, or removed the revisions and files. Editors go if
 * nothing in the mirror names them any more. A name that another revision still shows stays.
 */
import type { EraseChange } from '../entries/administration.js'
import { actorKey } from '../accounts/actors.js'
import { getUser } from '../accounts/accounts.js'
import { namesOf } from '../apply/eraseUser.js'
import { decodeFileRow } from '../pages/files.js'
import { readHiddenParts } from '../pages/hiddenParts.js'
import { readBots } from '../tables/meta.js'
import { decodeNumber } from '../rows/rows.js'
import type { Store } from '../store.js'
import { type RangeQuery, type Table, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import type { Editor } from '../../domain/revision.js'
import { removeRequests, requestErasing, type StoredRequest } from '../apply/eraseRequests.js'

/** Rows of one step. */
const ROWS_AT_ONCE = 20_000

interface Candidate {
  readonly actorId: number | undefined
  readonly userId: number | null
  readonly names: readonly string[]
}

/** Yields between steps. In place of the requests `editors`, there are requests for editors who are gone. */
export function* forgetEditors(
  store: Store,
  requests: readonly StoredRequest[],
  apply: (change: EraseChange) => unknown,
): Generator<void> {
  const { tables } = store
  const own = requests.filter(({ request }) => request.of === 'editors')
  if (own.length === 0) return
  const { sequence } = store.position()
  const candidates = new Map<string, Candidate>()
  for (const { request } of own)
    if (request.of === 'editors')
      for (const editor of request.editors) candidates.set(actorKey(editor), candidateOf(tables, editor))
  for (const [key, { userId }] of candidates)
    if (userId !== null && getUser(tables, userId) !== undefined) candidates.delete(key)
  yield* dropNamed(tables, candidates)
  // Nothing else runs in this process from here on.
  store.refresh()
  dropNamedSince(store, sequence, candidates)
  for (const { actorId, userId } of candidates.values())
    if (actorId !== undefined) apply({ kind: 'erase', action: 'user', actorIds: [actorId], userId })
  store.transactDerived(() => {
    for (const { actorId, userId, names } of candidates.values())
      requestErasing(tables, {
        of: 'user',
        actorIds: actorId === undefined ? [] : [actorId],
        userId,
        names,
        isGone: true,
      })
    removeRequests(tables, own)
  })
}

function candidateOf(tables: Tables, editor: Editor): Candidate {
  const row = tables.actor.getBinaryFast(actorKey(editor))
  const actorId = row && decodeNumber(row)
  const known = namesOf(tables, { actorIds: actorId === undefined ? [] : [actorId], userId: editor.id })
  return { actorId, userId: editor.id, names: [...new Set([editor.name, ...known])] }
}

/** Takes out whom a revision, a file or the list of bots names, also where only an operator hid the name. */
function* dropNamed(tables: Tables, candidates: Map<string, Candidate>): Generator<void> {
  const byActor = new Map<number, string>()
  for (const [key, { actorId }] of candidates) if (actorId !== undefined) byActor.set(actorId, key)
  for (const keys of steps(tables.editor)) {
    for (const [, actorId] of keys) candidates.delete(byActor.get(actorId) ?? '')
    yield
  }
  for (const keys of steps(tables.hidden)) {
    for (const id of keys) candidates.delete(keyOf(readHiddenParts(tables, id).user))
    yield
  }
  yield* dropUploaders(tables.file, candidates)
  yield* dropUploaders(tables.deletedFile, candidates)
  const bots = readBots(tables)
  for (const [key, { names }] of candidates) if (names.some((name) => bots.has(name))) candidates.delete(key)
}

function* dropUploaders<Key>(table: Table<Key>, candidates: Map<string, Candidate>): Generator<void> {
  for (const keys of steps(table)) {
    for (const key of keys) {
      const row = table.getBinary(key)
      if (row !== undefined) candidates.delete(keyOf(decodeFileRow(row).uploader ?? undefined))
    }
    yield
  }
}

const keyOf = (editor: Editor | undefined): string => (editor === undefined ? '' : actorKey(editor))

/** Keys of a table in steps. Rows may change between two of them. */
function* steps<Key>(table: Table<Key>): Generator<Key[]> {
  for (let start: Key | undefined; ;) {
    const range: RangeQuery<Key> = start === undefined ? WHOLE_TABLE : { start }
    const keys = [...table.getKeys({ ...range, limit: ROWS_AT_ONCE })]
    yield start === undefined ? keys : keys.slice(1)
    if (keys.length < ROWS_AT_ONCE) return
    start = keys.at(-1)
  }
}

/** Takes out whom an entry names that came during the walk. */
function dropNamedSince({ log }: Store, sequence: number, candidates: Map<string, Candidate>): void {
  for (let n = sequence + 1; n <= log.bounds().last; n++) {
    const text = JSON.stringify(log.getEntry(n))
    for (const [key, { names }] of candidates)
      if (names.some((name) => text.includes(JSON.stringify(name)))) candidates.delete(key)
  }
}
