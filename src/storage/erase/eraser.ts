/**
 * Finishes erasures, in steps that hold the write lock for some milliseconds each:
 *
 *     1  names: of erased users, and those that a followed wiki shows no more
 *     2  words in the log, for all requests in one walk
 *     3  contents of files
 *     4  bytes of removed rows in the store's file
 *
 * Requests are rows of the store, so a killed process loses none: the next one begins their walk again. Several
 * processes may do the same at the same time.
 */
import type { EraseChange } from '../entries/administration.js'
import { namesOf } from '../apply/eraseUser.js'
import type { Verdict } from '../entries/entries.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, TableHolder, Tables } from '../tables/tables.js'
import type { Store } from '../store.js'
import { forgetEditors } from './forgetEditors.js'
import { redactLog } from './redact.js'
import { ErasedWords } from './erasedWords.js'
import {
  type ErasedUser,
  listRequests,
  type StoredRequest,
  removeRequests,
  requestErasing,
} from '../apply/eraseRequests.js'
import { Wiper } from './wiper.js'
import { readHiddenParts } from '../pages/hiddenParts.js'
import { historyActor } from '../rows/rows.js'
import { MAX_U32, type Pair } from '../rows/keys.js'

interface EraserOptions {
  readonly store: Store
  /** Applies a change as an entry with a new id and the present time; later, in a cluster. */
  readonly apply: (change: EraseChange) => Verdict | Promise<unknown>
  /** Removes contents that no file has any more, by their SHA-256, with all pictures made of them. */
  readonly removeContents: (sha256s: readonly string[]) => void
}

/** What a step belongs to. */
export type EraseStage = 'revisions' | 'log' | 'file'
/** Before the next step, the caller waits for a promise. */
export type EraseStep = EraseStage | Promise<unknown>

/** Tells if something is left to do. */
export function hasErasures({ tables }: Store): boolean {
  return readMeta(tables, 'wipe') !== undefined || listRequests(tables).length > 0
}

/**
 * Yields after each step. Returns the number of free pages that readers of old snapshots still see: `meta.wipe` stays
 * then, and a later call goes on.
 */
export function* eraseAll(options: EraserOptions): Generator<EraseStep, number> {
  const { store } = options
  const { tables } = store
  for (;;) {
    store.refresh()
    const found = listRequests(tables)
    if (found.length === 0) break
    for (const _step of forgetEditors(store, found, options.apply)) yield 'revisions'
    const requests = listRequests(tables)
    yield* eraseUsers(options, requests)
    for (const _step of redactLog(store, new ErasedWords(withEndOfUsers(store, requests)))) yield 'log'
    removeContents(options, requests)
    // The rows of the requests have the words, too.
    store.transactDerived(() => {
      removeRequests(tables, requests)
      writeMeta(tables, 'wipe', { part: 'slack' })
    })
  }
  return yield* wipe(store)
}

function* wipe(store: Store): Generator<EraseStage, number> {
  const wiper = new Wiper(store)
  try {
    for (;;) {
      const state = wiper.step()
      if (state.isDone) return state.heldPages
      yield 'file'
    }
  } finally {
    wiper.close()
  }
}

/**
 * Requests the erasure of a user, which `eraseAll` then carries out. The entries of its steps alone reach the log, so a
 * replay has the same end.
 */
export function requestUser(store: DerivedWriter, user: Omit<ErasedUser, 'names'>): void {
  const { tables } = store
  store.transactDerived(() => requestErasing(tables, { of: 'user', ...user, names: namesOf(tables, user) }))
}

function* eraseUsers(
  { store, apply }: EraserOptions,
  requests: readonly StoredRequest[],
): Generator<EraseStep> {
  for (const { request } of requests) {
    if (request.of !== 'user' || request.isGone) continue
    const { actorIds, userId } = request
    // The second walk finds what the user did during the first one.
    for (const isLast of [false, true]) {
      for (const revisionIds of revisionsOfUser(store, request)) {
        if (revisionIds.length > 0)
          yield* done(apply({ kind: 'erase', action: 'revisions', revisionIds, parts: ['user'] }))
        yield 'revisions'
      }
      if (!isLast) yield* done(apply({ kind: 'erase', action: 'user', actorIds, userId }))
    }
  }
}

function* done(applied: Verdict | Promise<unknown>): Generator<EraseStep> {
  if (applied instanceof Promise) yield applied
}

/** What users did until they were gone has their names, too. */
function withEndOfUsers(store: Store, requests: readonly StoredRequest[]): StoredRequest[] {
  const { sequence } = store.position()
  return requests.map((stored) =>
    stored.request.of === 'user' && !stored.request.isGone ? { ...stored, until: sequence } : stored,
  )
}

function removeContents({ removeContents: remove }: EraserOptions, requests: readonly StoredRequest[]): void {
  const sha256s = requests.flatMap(({ request }) => (request.of === 'contents' ? [request.sha256] : []))
  if (sha256s.length > 0) remove(sha256s)
}

// Finds the revisions that name a user, shown or hidden.

/** Revisions in one entry. */
const REVISIONS_AT_ONCE = 500
/** Rows of one step that finds nothing. */
const ROWS_AT_ONCE = 20_000

/** Yields ids in bounded steps; a step may have none. Between two steps the caller may write. */
function* revisionsOfUser(store: TableHolder, user: ErasedUser): Generator<number[]> {
  yield* shownRevisions(store, new Set(user.actorIds))
  yield* hiddenRevisions(store, user)
}

function* shownRevisions({ tables }: TableHolder, actorIds: ReadonlySet<number>): Generator<number[]> {
  let next: Pair | undefined = [0, 0]
  while (next !== undefined) {
    const pageIds: number[] = []
    next = findPages(tables, next, actorIds, pageIds)
    if (pageIds.length === 0) yield []
    for (const pageId of pageIds) {
      const range = { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] } as const
      const ids = [...tables.history.getKeys(range)].filter((key) => {
        const row = tables.history.getBinaryFast(key)
        return row !== undefined && actorIds.has(historyActor(row))
      })
      for (let at = 0; at < ids.length; at += REVISIONS_AT_ONCE)
        yield ids.slice(at, at + REVISIONS_AT_ONCE).map(([, , id]) => id)
    }
  }
}

/** Adds the pages of a step that have one of the editors. Returns the key to go on from. */
function findPages(
  { editor }: Tables,
  start: Pair,
  actorIds: ReadonlySet<number>,
  pageIds: number[],
): Pair | undefined {
  let rows = 0
  for (const [pageId, actorId] of editor.getKeys({ start })) {
    if (rows++ >= ROWS_AT_ONCE) return [pageId, actorId]
    if (actorIds.has(actorId) && pageIds.at(-1) !== pageId) pageIds.push(pageId)
  }
  return undefined
}

function* hiddenRevisions({ tables }: TableHolder, { userId, names }: ErasedUser): Generator<number[]> {
  let next: number | undefined = 0
  while (next !== undefined) {
    const ids: number[] = [...tables.hidden.getKeys({ start: next, limit: REVISIONS_AT_ONCE })]
    next = ids.length < REVISIONS_AT_ONCE ? undefined : ids.at(-1)! + 1
    yield ids.filter((id) => {
      const user = readHiddenParts(tables, id).user
      if (user === undefined) return false
      return user.id === null ? names.includes(user.name) : user.id === userId
    })
  }
}
