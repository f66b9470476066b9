/** The list of what a mirror changed beside new revisions. */
import { expect, test } from 'vitest'
import { noteMirrorChange } from '../../../src/storage/upstream/mirrorChanges.js'
import type { UpstreamEntry } from '../../../src/storage/entries/entries.js'
import { problems, temporaryStore } from '../../support/store.js'

const NOTHING = { pages: [], files: [], protections: [], renames: [] }

test('a change that no entry of the log stands for is a fault', () => {
  const { store } = temporaryStore()
  const entry = { kind: 'upstream', to: {}, ...NOTHING, pages: [{ id: 7, gone: true }] }
  store.transact(() => noteMirrorChange(store.tables, entry as unknown as UpstreamEntry))
  expect(problems(store)).toEqual(['changes of the mirror: entry 1 is not in the log'])
  expect([...store.mirror.changes({})]).toEqual([])
})

test('the first comparison, and new revisions alone, are not listed', () => {
  const { store } = temporaryStore()
  const first = { to: { sweep: { isFirst: true } }, ...NOTHING, pages: [{ id: 7, gone: true }] }
  const nothing = { to: {}, ...NOTHING }
  store.transact(() => {
    for (const entry of [first, nothing]) noteMirrorChange(store.tables, entry as unknown as UpstreamEntry)
  })
  expect(problems(store)).toEqual([])
})
