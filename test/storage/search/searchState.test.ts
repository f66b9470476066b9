/** Searches see the state of the wiki as it is now, and read it only after a change. */
import { expect, test } from 'vitest'
import { readIndexState } from '../../../src/storage/search/indexState.js'
import { SearchState } from '../../../src/storage/search/searchIndex.js'
import { writeMeta } from '../../../src/storage/tables/meta.js'
import { wikiWith } from '../../support/searchWiki.js'

test('the state is read again after each transaction, and not before', () => {
  const { store } = wikiWith({ Moon: 'grey' })
  const reads: string[] = []
  const meta = {
    getBinaryFast(name: string) {
      reads.push(name)
      return store.tables.meta.getBinaryFast(name)
    },
  }
  const state = new SearchState({ ...store.tables, meta } as never)
  const { generation, otherWrites } = state.now()
  expect([state.set, state.condition, state.hasFiles]).toEqual(['a', 'ready', false])
  reads.length = 0
  expect(state.now().generation).toBe(generation)
  expect(reads).toEqual(['generation'])
  store.transact(() => {
    writeMeta(store.tables, 'index', { ...readIndexState(store.tables), set: 'b', encoder: 0, rebuild: 'x' })
  })
  expect([state.now().set, state.condition]).toEqual(['b', 'rebuilding'])
  expect(state.otherWrites).toBe(otherWrites + 1)
})
