/** Kept HTML of a followed wiki: none stays that a state makes outdated, or that has words that are gone. */
import { expect, test } from 'vitest'
import {
  putRendering,
  readRendering,
  type Rendering,
  type Use,
} from '../../../../src/storage/html/renderings.js'
import type { Store } from '../../../../src/storage/store.js'
import { madeHtml } from '../../../support/outlines.js'
import { problems, revision, temporaryStore } from '../../../support/store.js'
import { Following, present, sameText, shown } from '../../../support/upstream.js'

const CONFIGURATION = Buffer.from('12345678')

function keep(store: Store, revisionId: number, uses: readonly Use[] = []): void {
  const fixed = { configuration: CONFIGURATION, madeAt: 100, expiresAt: 0, bundle: Buffer.from('{}') }
  const html = madeHtml(`<body><p>${revisionId}</p></body>`)
  const made: Rendering = { ...fixed, ...html, visibility: 0, revisionId, uses, categories: [] }
  expect(store.transactDerived(() => putRendering(store.tables, made, 1_000_000))).toBe(true)
}

const use = (dbkey: string, kind: Use['kind'], revisionId: number): Use => ({
  namespace: 0,
  dbkey,
  kind,
  revisionId,
})

/** Pages Rose (revisions 1 and 2), Tulip (3) and Weed (4), all with HTML. Tulip reads Rose, Weed links to it. */
function garden() {
  const { store, applier } = temporaryStore()
  const wiki = new Following(store, applier)
  wiki.pages(
    present(1, 'Rose', { add: [revision(1, 'one'), revision(2, 'two')] }),
    present(2, 'Tulip', { add: [revision(3, 'three')] }),
    present(3, 'Weed', { add: [revision(4, 'four')] }),
  )
  keep(store, 1)
  keep(store, 2)
  keep(store, 3, [use('Rose', 'content', 2)])
  keep(store, 4, [use('Rose', 'existence', 2)])
  const kept = () => [1, 2, 3, 4].filter((id) => readRendering(store.tables, id, CONFIGURATION) !== undefined)
  return { store, wiki, kept }
}

test.each<[string, Parameters<Following['pages']>, number[]]>([
  ['a page that is gone', [{ id: 1, gone: true }], []],
  ['a revision that is gone', [present(1, 'Rose', { latestId: 2, remove: [1] })], [2, 4]],
  [
    'a user that is hidden',
    [present(1, 'Rose', { latestId: 2, change: [shown(1, { editor: undefined })] })],
    [2, 4],
  ],
  ['an edit', [present(1, 'Rose', { add: [revision(9, 'nine')] })], [1, 2, 4]],
  ['a move', [present(1, 'Rosa', { add: [sameText(9, 2)] })], []],
  ['a revision that moves', [present(2, 'Tulip', { latestId: 3, take: [1] })], [2, 4]],
  ['another redirect target', [present(1, 'Rose', { latestId: 2, redirectTarget: 'Weed' })], [1, 2, 4]],
])('%s takes along the HTML that depends on it', (_case, pages, left) => {
  const { store, wiki, kept } = garden()
  wiki.pages(...pages)
  expect(kept()).toEqual(left)
  expect(problems(store)).toEqual([])
})

test('HTML that was begun before a part was hidden is not kept', () => {
  const { store, wiki } = garden()
  wiki.pages(present(1, 'Rose', { latestId: 2, change: [shown(1, { comment: undefined })] }))
  expect(() => keep(store, 1)).toThrow()
})
