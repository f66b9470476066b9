/** Pages and revisions of a followed wiki: each kind of change alone. */
import { describe, expect, test } from 'vitest'
import { digestStore } from '../../../../src/storage/verify/digest.js'
import { makeUpstreamEntry } from '../../../../src/storage/upstream/place.js'
import { history, problems, revision, source, START, temporaryStore } from '../../../support/store.js'
import { Following, place, present, sameText, shown, states } from '../../../support/upstream.js'

function follow() {
  const { store, applier } = temporaryStore()
  return { store, applier, wiki: new Following(store, applier) }
}

const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `intro\n${'line\n'.repeat(n % 7)}edit ${n}\nend`)

/** A page `P` with revisions 1 to `count`. */
function withHistory(count: number) {
  const opened = follow()
  const add = texts(count).map((text, n) => revision(n + 1, text, { parentId: n }))
  opened.wiki.pages(present(1, 'P', { add }))
  return { ...opened, add }
}

const idsOf = (store: ReturnType<typeof follow>['store'], pageId: number) =>
  history(store, pageId).map(({ id }) => id)

describe('a batch of states', () => {
  test('adds a page with its revisions', () => {
    const { store, wiki } = follow()
    const add = [revision(1, 'a'), revision(2, 'a\nb', { parentId: 1 })]
    expect(wiki.pages(present(7, 'Moon', { add }))).toMatchObject({
      isEffective: true,
      pagesAdded: 1,
      revisionsAdded: 2,
      pagesChanged: 0,
    })
    expect(source(store, 'Moon')).toBe('a\nb')
    expect(history(store, 7)).toMatchObject([
      { id: 1, delta: null },
      { id: 2, delta: 2 },
    ])
    expect(store.mirror.place()).toEqual(place(1))
    expect(problems(store)).toEqual([])
  })

  test('has one effect when it comes twice', () => {
    const { store, applier } = follow()
    const entry = makeUpstreamEntry(
      undefined,
      place(1),
      START,
      states({ pages: [present(1, 'P', { add: [revision(1, 'a')] })] }),
    )
    const first = applier.submit(entry)
    const digest = digestStore(store)
    expect(applier.submit(entry)).toEqual(first)
    expect(digestStore(store)).toBe(digest)
  })

  test('is refused without a trace when the store stands elsewhere', () => {
    const { store, applier, wiki } = follow()
    wiki.pages(present(1, 'P', { add: [revision(1, 'a')] }))
    const digest = digestStore(store)
    const pages = [{ id: 1, gone: true } as const]
    expect(applier.submit(makeUpstreamEntry(undefined, place(2), START, states({ pages })))).toEqual({
      result: 'elsewhere',
    })
    expect(digestStore(store)).toBe(digest)
  })

  test('without differences at the same place leaves no trace', () => {
    const { store, applier, wiki } = follow()
    const page = present(1, 'P', { add: [revision(1, 'a')] })
    wiki.pages(page)
    const digest = digestStore(store)
    const again = makeUpstreamEntry(place(1), place(1), START, states({ pages: [page] }))
    expect(applier.submit(again)).toMatchObject({ result: 'followed', isEffective: false })
    expect(digestStore(store)).toBe(digest)
  })

  test('appends edits without walking the history, and takes the text of another revision', () => {
    const { store, wiki } = withHistory(3)
    wiki.pages(present(1, 'P', { latestId: 5, add: [revision(4, 'new'), sameText(5, 4)] }))
    expect(store.getText(5)).toBe('new')
    expect(idsOf(store, 1)).toEqual([1, 2, 3, 4, 5])
    expect(problems(store)).toEqual([])
  })

  test('is invalid as a whole when a revision has the text of one that has none', () => {
    const { store, wiki } = withHistory(2)
    expect(wiki.submit({ pages: [present(1, 'P', { add: [revision(3, 'c'), sameText(4, 99)] })] })).toEqual({
      result: 'invalid',
      reason: 'revision 4 has no text',
    })
    expect(idsOf(store, 1)).toEqual([1, 2])
    expect(problems(store)).toEqual([])
  })
})

describe('a page that is gone', () => {
  test('leaves nothing', () => {
    const { store, wiki } = withHistory(20)
    wiki.pages(present(2, 'Q', { add: [revision(30, 'other')] }))
    const pages = [{ id: 1, gone: true } as const]
    expect(wiki.batch({ pages })).toMatchObject({ pagesRemoved: 1, revisionsRemoved: 20 })
    expect(store.getPage(0, 'P')).toBeUndefined()
    expect(store.getPageById(1)).toBeUndefined()
    expect(store.getRevision(1)).toBeUndefined()
    expect(store.mirror.page(1)).toBeUndefined()
    expect([...store.mirror.revisionsAfter(0)]).toEqual([30])
    expect(store.search.countIndexed()).toBe(1)
    expect(problems(store)).toEqual([])
  })

  test('comes back with the same ids', () => {
    const { store, wiki, add } = withHistory(5)
    wiki.pages({ id: 1, gone: true })
    wiki.pages(present(1, 'P', { add }))
    expect(add.map(({ id }) => store.getText(id))).toEqual(add.map(({ text }) => text))
    expect(problems(store)).toEqual([])
  })

  test('may be unknown', () => {
    const { store, wiki } = withHistory(1)
    expect(wiki.pages({ id: 5, gone: true })).toMatchObject({ pagesRemoved: 0, isEffective: true })
    expect(problems(store)).toEqual([])
  })
})

describe('a revision that is gone', () => {
  test.each([1, 2, 9, 16, 17, 40])('leaves the texts that built on it readable: %i', (id) => {
    const { store, wiki, add } = withHistory(40)
    const rest = add.filter((one) => one.id !== id)
    wiki.pages(present(1, 'P', { remove: [id], latestId: rest.at(-1)!.id }))
    expect(store.getRevision(id)).toBeUndefined()
    expect(rest.map((one) => store.getText(one.id))).toEqual(rest.map(({ text }) => text))
    expect(source(store, 'P')).toBe(rest.at(-1)!.text)
    expect(problems(store)).toEqual([])
  })

  test('takes the page along when it was the last one', () => {
    const { store, wiki } = withHistory(2)
    expect(wiki.pages(present(1, 'P', { remove: [1, 2], latestId: 2 }))).toMatchObject({ pagesRemoved: 1 })
    expect(store.getPageById(1)).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('changes the byte counts of its children', () => {
    const { store, wiki } = withHistory(3)
    wiki.pages(present(1, 'P', { remove: [2], latestId: 3 }))
    expect(history(store, 1)).toMatchObject([
      { id: 1, delta: null },
      { id: 3, delta: null },
    ])
    expect(store.pageCounts(1)).toMatchObject({ revisions: 2 })
  })
})

describe('a revision that moves to another page', () => {
  test('keeps its text, and the page that loses all is gone', () => {
    const { store, wiki, add } = withHistory(4)
    wiki.pages(present(2, 'Q', { add: [revision(30, 'other')] }))
    expect(wiki.pages(present(2, 'Q', { take: [1, 2, 3, 4], latestId: 30 }))).toMatchObject({
      revisionsMoved: 4,
      pagesRemoved: 1,
    })
    expect(idsOf(store, 2)).toEqual([1, 2, 3, 4, 30])
    expect(add.map(({ id }) => store.getText(id))).toEqual(add.map(({ text }) => text))
    expect(store.getPage(0, 'P')).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('may make a new page, and leaves a page without a state with its newest revision', () => {
    const { store, wiki, add } = withHistory(4)
    wiki.pages(present(2, 'Q', { add: [revision(30, 'other')], take: [3, 4], latestId: 4 }))
    expect(source(store, 'P')).toBe(add[1]!.text)
    expect(source(store, 'Q')).toBe(add[3]!.text)
    expect(problems(store)).toEqual([])
  })

  test('survives the removal of its page in the same batch', () => {
    const { store, wiki, add } = withHistory(3)
    wiki.pages({ id: 1, gone: true }, present(2, 'P', { take: [1, 2, 3], latestId: 3 }))
    expect(idsOf(store, 2)).toEqual([1, 2, 3])
    expect(source(store, 'P')).toBe(add[2]!.text)
    expect(problems(store)).toEqual([])
  })
})

describe('titles', () => {
  const add = (id: number) => [revision(id, `text ${id}`)]
  const three = () => {
    const opened = follow()
    opened.wiki.pages(...['A', 'B', 'C'].map((dbkey, n) => present(n + 1, dbkey, { add: add(n + 1) })))
    return opened
  }
  const named = (id: number, dbkey: string) => present(id, dbkey, { latestId: id })

  test.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 1, 3]]])('are exchanged in any order of states: %j', (order) => {
    const { store, wiki } = three()
    const after: Record<number, string> = { 1: 'B', 2: 'C', 3: 'A' }
    expect(wiki.pages(...order.map((id) => named(id, after[id]!)))).toMatchObject({ pagesChanged: 3 })
    expect(['A', 'B', 'C'].map((dbkey) => source(store, dbkey))).toEqual(['text 3', 'text 1', 'text 2'])
    expect(problems(store)).toEqual([])
  })

  test('that a page takes leave the former page unseen until it gets another', () => {
    const { store, wiki } = three()
    wiki.pages(named(1, 'B'))
    expect(store.getPageById(2)).toBeUndefined()
    expect(store.mirror.page(2)).toMatchObject({ id: 2, title: undefined, latestId: 2 })
    expect(store.getPage(0, 'A')).toBeUndefined()
    expect(problems(store)).toEqual([])
    wiki.pages(named(2, 'A'))
    expect(source(store, 'A')).toBe('text 2')
    expect(problems(store)).toEqual([])
  })

  test('that pages lose go to the redirect left behind', () => {
    const { store, wiki } = three()
    const redirect = revision(9, '#REDIRECT [[D]]')
    wiki.pages(
      present(1, 'D', { add: [sameText(8, 1)] }),
      present(4, 'A', { add: [redirect], redirectTarget: 'D' }),
    )
    expect(source(store, 'D')).toBe('text 1')
    expect(store.getPageById(4)).toMatchObject({ dbkey: 'A', redirectTarget: 'D' })
    expect(problems(store)).toEqual([])
  })
})

describe('parts of revisions', () => {
  test('are hidden, and their words not kept', () => {
    const { store, wiki, add } = withHistory(5)
    const hidden = { editor: undefined, comment: undefined, isTextShown: false }
    expect(wiki.pages(present(1, 'P', { latestId: 5, change: [shown(3, hidden)] })).revisionsChanged).toBe(1)
    expect(store.getRevision(3)).toMatchObject({ textHidden: true, userHidden: true, commentHidden: true })
    expect(store.tables.text.doesExist(3)).toBe(false)
    expect(store.tables.hidden.doesExist(3)).toBe(false)
    expect([1, 2, 4, 5].map((id) => store.getText(id))).toEqual([0, 1, 3, 4].map((n) => add[n]!.text))
    expect(problems(store)).toEqual([])
    wiki.pages(present(1, 'P', { latestId: 5, change: [shown(3, { text: add[2]!.text! })] }))
    expect(store.getText(3)).toBe(add[2]!.text)
    expect(history(store, 1)[2]).toMatchObject({ comment: 'edit 3', user: { name: 'Ann' } })
    expect(problems(store)).toEqual([])
  })

  test('of the latest revision are hidden too', () => {
    const { store, wiki } = withHistory(3)
    wiki.pages(present(1, 'P', { latestId: 3, change: [shown(3, { isTextShown: false })] }))
    expect(source(store, 'P')).toBeUndefined()
    expect(store.getText(2)).toBeDefined()
    expect(problems(store)).toEqual([])
  })
})

describe('the latest revision', () => {
  test('is the one stated, though another is newer by time', () => {
    const { store, wiki, add } = withHistory(3)
    wiki.pages(present(1, 'P', { latestId: 2, redirectTarget: 'Q' }))
    expect(source(store, 'P')).toBe(add[1]!.text)
    expect(idsOf(store, 1)).toEqual([1, 2, 3])
    expect(store.getText(3)).toBe(add[2]!.text)
    expect(store.getPageById(1)).toMatchObject({ latestId: 2, redirectTarget: 'Q' })
    expect(problems(store)).toEqual([])
    wiki.pages(present(1, 'P', { add: [revision(4, 'four')] }))
    expect(source(store, 'P')).toBe('four')
    expect(problems(store)).toEqual([])
  })
})
