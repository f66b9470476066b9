/** Revisions of all pages by time, and those of one editor. */
import { describe, expect, test } from 'vitest'
import { settleStep } from '../../../src/storage/apply/sqlTables/settle.js'
import type { Change } from '../../../src/storage/changes/changeReader.js'
import type { Store } from '../../../src/storage/store.js'
import { page, problems, revision, START, temporaryStore } from '../../support/store.js'

const ids = (changes: Iterable<Change>): number[] => Array.from(changes, ({ revisionId }) => revisionId)
const by = (store: Store, name: string): number[] =>
  store.changes.actorsNamed(name).flatMap((actorId) => ids(store.changes.byActor(actorId)))

const ANN = { id: 7, name: 'Ann' }
const NOBODY = { id: null, name: '192.0.2.1' }
const at = (id: number, seconds: number, editor: object | undefined) => ({
  ...revision(id, `text ${id}`),
  timestamp: START + seconds,
  editor: editor as typeof ANN,
})

function threePages(): ReturnType<typeof temporaryStore> {
  const wiki = temporaryStore()
  wiki.applier.importPages('d', [
    page(1, 'Moon', [at(1, 10, ANN), at(5, 50, NOBODY)]),
    page(2, 'Sun', [at(2, 50, ANN), at(9, 60, undefined)]),
    page(3, 'Sea', [at(3, 30, ANN)]),
  ])
  return wiki
}

describe('changes', () => {
  test('come by time, then by id, in both directions and from any place', () => {
    const { store } = threePages()
    const { changes } = store
    expect(changes.isComplete()).toBe(true)
    expect([...changes.byTime()][0]).toEqual({ timestamp: START + 60, revisionId: 9, pageId: 2 })
    expect(ids(changes.byTime())).toEqual([9, 5, 2, 3, 1])
    expect(ids(changes.byTime({ ascending: true }))).toEqual([1, 3, 2, 5, 9])
    const from = { timestamp: START + 50, id: 2 }
    expect(ids(changes.byTime({ from, until: START + 30 }))).toEqual([2, 3])
    expect(ids(changes.byTime({ from, ascending: true, until: START + 50 }))).toEqual([2, 5])
    expect(problems(store)).toEqual([])
  })

  test('of an editor are found by name, without hidden ones', () => {
    const { store, applier } = threePages()
    expect([by(store, 'Ann'), by(store, '192.0.2.1'), by(store, 'Nobody')]).toEqual([[2, 3, 1], [5], []])
    const [actorId = 0] = store.changes.actorsNamed('Ann')
    expect(store.changes.actorOfUser(7)).toBe(actorId)
    const until = START + 30
    expect(ids(store.changes.byActor(actorId, { until }))).toEqual([2, 3])
    expect(ids(store.changes.byActor(actorId, { ascending: true, until }))).toEqual([1, 3])
    expect(store.changes.countOf(actorId)).toBe(3)
    applier.importPages('e', [page(3, 'Sea', [at(3, 30, undefined)])])
    expect([by(store, 'Ann'), ids(store.changes.byTime())]).toEqual([
      [2, 1],
      [9, 5, 2, 3, 1],
    ])
    applier.submit({ kind: 'erase', id: 'a'.repeat(32), time: START, action: 'page', pageId: 2 })
    expect([by(store, 'Ann'), ids(store.changes.byTime())]).toEqual([[1], [5, 3, 1]])
    expect(problems(store)).toEqual([])
  })

  test('leave out pages that lost their title', () => {
    const { store, applier } = threePages()
    applier.importPages('e', [page(4, 'Sun', [at(20, 70, ANN)])])
    expect(ids(store.changes.byTime())).toEqual([20, 5, 3, 1])
    expect(problems(store)).toEqual([])
  })

  test('are listed many at a time, whatever is read between', () => {
    const { store, applier } = temporaryStore()
    const revisions = Array.from({ length: 175 }, (_, n) => at(n + 1, n >> 1, ANN))
    applier.importPages('d', [page(1, 'Moon', revisions)])
    const found: number[] = []
    for (const { revisionId } of store.changes.byTime()) {
      found.push(revisionId)
      store.getRevision(revisionId)
    }
    expect(found).toEqual(revisions.map(({ id }) => id).reverse())
  })

  test('of a store without lists are listed step by step, beside new ones', () => {
    const { store, applier } = threePages()
    const { revisionTime, actorRevision, meta } = store.tables
    store.transact(() => {
      revisionTime.clearSync()
      actorRevision.clearSync()
      meta.removeSync('changeLists')
    })
    applier.importPages('e', [page(4, 'New', [at(20, 70, ANN)])])
    expect([store.changes.isComplete(), ids(store.changes.byTime()), problems(store)]).toEqual([
      false,
      [20],
      [],
    ])
    while (settleStep(store));
    expect(store.changes.isComplete()).toBe(true)
    expect([ids(store.changes.byTime()), by(store, 'Ann'), problems(store)]).toEqual([
      [20, 9, 5, 2, 3, 1],
      [20, 2, 3, 1],
      [],
    ])
    store.transact(() => revisionTime.removeSync([START + 70, 20]))
    expect(problems(store)).toHaveLength(2)
  })
})
