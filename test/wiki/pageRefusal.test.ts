/** Nodes of a cluster may be older than the entries that move and delete pages. */
import { expect, test } from 'vitest'
import { joinLog } from '../../src/storage/apply/sharedEntries.js'
import { PAGE_ACTIONS_VERSION } from '../../src/storage/apply/entryKinds.js'
import { readMeta, writeMeta } from '../../src/storage/tables/meta.js'
import { requireKnownActions } from '../../src/wiki/pageRefusal.js'
import { temporaryStore } from '../support/store.js'

test('pages are moved and deleted once all machines know how', () => {
  const { store } = temporaryStore()
  expect(() => requireKnownActions(store)).not.toThrow()
  joinLog(store, { epoch: 'e'.repeat(32), ...store.position() })
  expect(() => requireKnownActions(store)).not.toThrow()
  const membership = { ...readMeta(store.tables, 'membership')!, version: PAGE_ACTIONS_VERSION - 1 }
  store.transact(() => writeMeta(store.tables, 'membership', membership))
  expect(() => requireKnownActions(store)).toThrow('palimpsest cluster upgrade')
})
