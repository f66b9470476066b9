/** Newer dumps over a wiki that was edited here: ids and titles of both sides meet. */
import { describe, expect, test } from 'vitest'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { history, page, problems, revision, source, START, temporaryStore } from '../../support/store.js'

let entries = 0
const HIDDEN = undefined

function editedMirror() {
  const opened = temporaryStore()
  const { applier } = opened
  const first = page(1, 'First', [revision(1, 'a')])
  const second = page(2, 'Second', [revision(2, 'b'), revision(3, 'bb')])
  applier.importPages('d', [first, second])
  applier.finishImport(null)
  const change = { editor: { id: null, name: '192.0.2.1' }, comment: '', minor: false, time: START + 1000 }
  const apply = (
    parts: { kind: 'create'; dbkey: string } | { kind: 'edit'; pageId: number; base: number },
    text: string,
  ) => {
    const common = {
      ...change,
      id: (++entries).toString(16).padStart(32, '0'),
      contentModel: 'wikitext',
      text,
    }
    return applier.submit(
      parts.kind === 'create'
        ? { ...common, kind: 'create', namespace: 0, dbkey: parts.dbkey }
        : { ...common, kind: 'edit', pageId: parts.pageId, baseRevisionId: parts.base },
    )
  }
  apply({ kind: 'create', dbkey: 'My_notes' }, 'precious local text')
  apply({ kind: 'edit', pageId: 2, base: 3 }, 'bb with a local end')
  return { ...opened, apply, first, second }
}

describe('a page made here', () => {
  test('stays when a dump has another one under its id', () => {
    const { store, applier } = editedMirror()
    const before = digestStore(store)
    const upstream = page(3, 'Upstream', [revision(4, 'new'), revision(9, 'newer')])
    expect(applier.importPages('e', [upstream])).toMatchObject([
      { newPage: false, addedRevisions: 0, renamed: false, rival: { dbkey: 'My_notes', shares: 'id' } },
    ])
    expect(digestStore(store)).toBe(before)
    expect(source(store, 'My_notes')).toBe('precious local text')
    expect(source(store, 'Upstream')).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('keeps its title when a dump has another page of that title, new or renamed', () => {
    const { store, applier, first } = editedMirror()
    const [added] = applier.importPages('e', [page(7, 'My_notes', [revision(8, 'upstream')])])
    expect(added).toMatchObject({ newPage: false, rival: { dbkey: 'My_notes', shares: 'title' } })
    const [renamed] = applier.importPages('e', [{ ...first, dbkey: 'My_notes' }])
    expect(renamed).toMatchObject({ renamed: false, rival: { dbkey: 'My_notes', shares: 'title' } })
    expect([source(store, 'My_notes'), source(store, 'First')]).toEqual(['precious local text', 'a'])
    expect(problems(store)).toEqual([])
  })

  test('takes in the revisions of a page with its id and title, and is one of the mirror from then on', () => {
    const { store, applier } = editedMirror()
    const upstream = page(3, 'My_notes', [revision(4, 'other'), revision(50, 'upstream')])
    expect(applier.importPages('e', [upstream])).toMatchObject([
      { addedRevisions: 1, takenRevisions: [{ id: 4, madeHere: true }], rival: undefined },
    ])
    expect(history(store, 3).map(({ id }) => id)).toEqual([4, 50])
    expect(store.getText(4)).toBe('precious local text')
    const [moved] = applier.importPages('f', [page(3, 'Moved', [revision(60, 'moved')])])
    expect(moved).toMatchObject({ renamed: true, rival: undefined })
    expect(problems(store)).toEqual([])
  })
})

describe('a page of the mirror', () => {
  test('that was edited here is renamed by a dump of latest revisions alone', () => {
    const { store, applier } = editedMirror()
    const [outcome] = applier.importPages('e', [page(2, 'Second_renamed', [revision(77, 'bbb')])])
    expect(outcome).toMatchObject({ renamed: true, addedRevisions: 1 })
    expect(source(store, 'Second_renamed')).toBe('bbb')
    expect(history(store, 2).map(({ id }) => id)).toEqual([2, 3, 5, 77])
    expect(problems(store)).toEqual([])
  })

  test('keeps an edit made here whose id the dump has for another one, and takes the rest', () => {
    const { store, applier, second } = editedMirror()
    const newer = [...second.revisions, revision(5, 'bb upstream'), revision(6, '#REDIRECT [[First]]')]
    const [outcome] = applier.importPages('e', [{ ...second, revisions: newer, redirectTarget: 'First' }])
    expect(outcome).toMatchObject({ addedRevisions: 1, takenRevisions: [{ id: 5, madeHere: true }] })
    expect(store.getText(5)).toBe('bb with a local end')
    expect(source(store, 'Second')).toBe('bb with a local end')
    expect(store.getPageById(2)?.redirectTarget).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('gets no redirect target of a revision that was left out', () => {
    const { store, applier, second } = editedMirror()
    const newer = [revision(2, 'b'), revision(5, '#REDIRECT [[First]]')]
    const renamed = { ...second, dbkey: 'Second_renamed', revisions: newer, redirectTarget: 'First' }
    expect(applier.importPages('e', [renamed])).toMatchObject([{ renamed: true }])
    expect(store.getPageById(2)).toMatchObject({ dbkey: 'Second_renamed', redirectTarget: undefined })
    expect(problems(store)).toEqual([])
  })
})

describe('a revision', () => {
  test('is another one when its time differs, on this page or another', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'P', [revision(1, 'a')])])
    const late = revision(1, 'a', { timestamp: START })
    expect(applier.importPages('d', [page(1, 'P', [late]), page(2, 'Q', [late])])).toMatchObject([
      { takenRevisions: [{ id: 1, madeHere: false }], foreignRevisions: [] },
      { newPage: false, takenRevisions: [{ id: 1, madeHere: false }], foreignRevisions: [] },
    ])
    expect(problems(store)).toEqual([])
  })

  test.each([1, 2, 3])('that was hidden and comes back with another text stays hidden: revision %i', (id) => {
    const { store, applier } = temporaryStore()
    const texts = ['one\nsame line', 'two\nsame line', 'three\nsame line']
    const all = texts.map((text, n) => revision(n + 1, text))
    applier.importPages('d', [page(1, 'P', all)])
    applier.importPages('d', [page(1, 'P', [revision(id, HIDDEN)])])
    const [outcome] = applier.importPages('d', [page(1, 'P', [revision(id, 'quite another text')])])
    expect(outcome).toMatchObject({ changedRevisions: 0, takenRevisions: [{ id, madeHere: false }] })
    const shown = texts.map((text, n) => (n + 1 === id ? undefined : text))
    expect([1, 2, 3].map((n) => store.getText(n))).toEqual(shown)
    expect(problems(store)).toEqual([])
    applier.importPages('d', [page(1, 'P', all)])
    expect([1, 2, 3].map((n) => store.getText(n))).toEqual(texts)
    expect(problems(store)).toEqual([])
  })
})
