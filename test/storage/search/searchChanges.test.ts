/** The ring of changes that searches see. */
import { expect, test } from 'vitest'
import { SearchChanges } from '../../../src/storage/search/searchChanges.js'
import { WHOLE_TABLE } from '../../../src/storage/tables/tables.js'
import { newChange } from '../../support/changes.js'
import { wikiWith } from '../../support/searchWiki.js'

test('has the words that an edit adds and takes away, and its page', () => {
  const { store, ...wiki } = wikiWith({ Moon: 'a grey satellite', Sun: 'a star' })
  wiki.applier.submit({
    ...newChange(),
    kind: 'edit',
    pageId: 1,
    baseRevisionId: 1,
    text: 'a grey companion',
  })
  const change = new SearchChanges(store.tables).at(store.refresh())!
  expect(['satellite', 'companion'].map((term) => change.hasTerm(term))).toEqual([true, true])
  expect(['grey', 'star'].map((term) => change.hasTerm(term))).toEqual([false, false])
  expect([change.hasPage(1), change.hasPage(2), change.titlesChange]).toEqual([true, false, false])
})

test('is empty after an erasure, which leaves no hash of an erased word', () => {
  const { store, applier } = wikiWith({ Moon: 'a grey satellite' })
  applier.submit({ ...newChange(), kind: 'edit', pageId: 1, baseRevisionId: 1, text: 'a grey stone' })
  const rows = (): number => store.tables.searchChange.getKeysCount({ ...WHOLE_TABLE })
  const before = rows()
  const { id, time } = newChange()
  applier.submit({ kind: 'erase', id, time, action: 'revisions', revisionIds: [1], parts: ['text'] })
  expect([before, rows()]).toEqual([2, 0])
  expect(new SearchChanges(store.tables).at(store.refresh())).toBeUndefined()
})
