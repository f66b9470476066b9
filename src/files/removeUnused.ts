/**
 * Removes contents of files that uploads or other nodes of a cluster have removed or replaced. The import lock keeps
 * contents safe that a command is about to name: while a process has it, nothing is removed. A second name keeps those
 * of uploads.
 */
import { forgetNoted, notedContents } from '../storage/apply/eraseRequests.js'
import { mayBeImporting } from '../storage/lease.js'
import type { Store } from '../storage/store.js'
import { Originals } from './originals.js'

/** Files looked at in one step, and contents removed in one transaction. */
const FILES_AT_ONCE = 1000
const CONTENTS_AT_ONCE = 50

/** Yields between steps. What cannot be removed now stays noted for the next call. */
export function* removeUnused(store: Store, dataDir: string): Generator<void> {
  store.refresh()
  const noted = notedContents(store)
  if (noted.length === 0) return
  const { count } = store.fileChanges()
  const used = yield* usedOf(store, new Set(noted.map(({ sha256 }) => sha256)))
  const originals = new Originals(dataDir)
  for (let from = 0; from < noted.length; from += CONTENTS_AT_ONCE) {
    const slice = noted.slice(from, from + CONTENTS_AT_ONCE)
    const isDone = store.transactDerived(() => {
      if (store.fileChanges().count !== count || mayBeImporting(store)) return false
      const done = slice.filter(({ sha256 }) => used.has(sha256) || originals.removeUnclaimed(sha256))
      forgetNoted(store, done)
      return true
    })
    if (!isDone) return
    yield
  }
}

/** Those of some contents that a file has. */
function* usedOf(store: Store, sha256s: ReadonlySet<string>): Generator<void, ReadonlySet<string>> {
  const used = new Set<string>()
  for (const files of store.keptFilesInSlices(FILES_AT_ONCE)) {
    for (const { facts } of files)
      if (facts.sha256 !== null && sha256s.has(facts.sha256)) used.add(facts.sha256)
    yield
    store.refresh()
  }
  return used
}
