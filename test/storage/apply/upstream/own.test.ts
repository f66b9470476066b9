/** What operators hide and protect in a store that follows another wiki stays on top of what upstream states. */
import { describe, expect, test } from 'vitest'
import { listRequests } from '../../../../src/storage/apply/eraseRequests.js'
import { digestStore } from '../../../../src/storage/verify/digest.js'
import { applyChange } from '../../../support/administration.js'
import { history, page, problems, revision, source, START, temporaryStore } from '../../../support/store.js'
import { Following, present, shown } from '../../../support/upstream.js'

function follow() {
  const { store, applier } = temporaryStore()
  const wiki = new Following(store, applier)
  wiki.pages(present(1, 'P', { add: [revision(1, 'one'), revision(2, 'two'), revision(3, 'three')] }))
  return { store, applier, wiki }
}

const change = (parts: Parameters<typeof shown>[1], id = 1) =>
  present(1, 'P', { latestId: 3, change: [shown(id, parts)] })

describe('parts that an operator hid', () => {
  test('stay hidden when upstream states that it shows them', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, comment: true, user: true })
    expect(store.mirror.revision(1)).toMatchObject({ editor: { id: 1, name: 'Ann' }, comment: 'edit 1' })
    expect(store.mirror.text(1)).toBe('one')
    expect(wiki.pages(change({})).revisionsChanged).toBe(0)
    expect(store.getRevision(1)).toMatchObject({ textHidden: true, userHidden: true, commentHidden: true })
    expect(problems(store)).toEqual([])
  })

  test('take the new name of their user, and show it when the operator shows them again', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, user: true })
    const editor = { id: 1, name: 'Bea' }
    wiki.batch({ renames: [{ userId: 1, name: 'Bea' }], pages: [change({ editor })] })
    expect(history(store, 1)[0]).toMatchObject({ user: null, comment: 'edit 1' })
    applyChange(applier, { kind: 'hide', revisionId: 1, text: false, user: false })
    expect(history(store, 1)[0]).toMatchObject({ user: editor })
    expect(store.getText(1)).toBe('one')
    expect(store.tables.hidden.doesExist(1)).toBe(false)
    expect(problems(store)).toEqual([])
  })

  test('are not kept once upstream hides them, and stay hidden when it shows them again', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, comment: true })
    wiki.pages(change({ isTextShown: false, comment: undefined }))
    expect(store.tables.text.doesExist(1)).toBe(false)
    const parts = ['text', 'comment']
    expect(listRequests(store.tables)).toMatchObject([{ request: { revisionIds: [1], parts } }])
    expect(store.tables.hidden.getBinary(1)?.toString()).toBe('{"own":["text","comment"]}')
    expect(applyChange(applier, { kind: 'hide', revisionId: 1, comment: false })).toEqual({
      result: 'part-unknown',
      part: 'comment',
    })
    wiki.pages(change({ text: 'one' }))
    expect(store.getText(1)).toBeUndefined()
    expect(history(store, 1)[0]).toMatchObject({ comment: null })
    expect(store.mirror.text(1)).toBe('one')
    applyChange(applier, { kind: 'hide', revisionId: 1, text: false, comment: false })
    expect(store.getText(1)).toBe('one')
    expect(problems(store)).toEqual([])
  })

  test('stay hidden in a revision that becomes the latest one', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 2, text: true })
    wiki.pages(present(1, 'P', { latestId: 2, remove: [3] }))
    expect(store.getPageById(1)).toMatchObject({ latestId: 2 })
    expect(source(store, 'P')).toBeUndefined()
    expect(store.mirror.text(2)).toBe('two')
    expect(problems(store)).toEqual([])
    wiki.pages(present(1, 'P', { add: [revision(4, 'four')] }))
    expect(source(store, 'P')).toBe('four')
    applyChange(applier, { kind: 'hide', revisionId: 2, text: false })
    expect(store.getText(2)).toBe('two')
    expect(problems(store)).toEqual([])
  })

  test('move with their revision to another page', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, comment: true })
    wiki.pages(present(2, 'Q', { take: [1, 2], latestId: 2 }), present(1, 'P', { latestId: 3 }))
    expect(store.getText(1)).toBeUndefined()
    expect(store.mirror.text(1)).toBe('one')
    applyChange(applier, { kind: 'hide', revisionId: 1, text: false, comment: false })
    expect(store.getText(1)).toBe('one')
    expect(history(store, 2)[0]).toMatchObject({ comment: 'edit 1' })
    expect(problems(store)).toEqual([])
  })

  test('before the store kept marks of that stay hidden too', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [
      page(
        1,
        'P',
        [1, 2, 3].map((id) => revision(id, `text ${id}`)),
      ),
    ])
    applier.finishImport(null)
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, comment: true })
    applyChange(applier, { kind: 'hide', revisionId: 1, comment: false })
    applyChange(applier, { kind: 'hide', revisionId: 2, text: true, user: true })
    store.transact(() => {
      store.tables.hidden.removeSync(1)
      store.tables.hidden.putSync(2, Buffer.from('{"user":{"id":1,"name":"Ann"}}'))
    })
    const change = [shown(1), shown(2)]
    new Following(store, applier).pages(present(1, 'P', { latestId: 3, change }))
    expect([1, 2].map((id) => store.getText(id))).toEqual([undefined, undefined])
    expect(history(store, 1)).toMatchObject([{ comment: 'edit 1' }, { user: null, comment: 'edit 2' }, {}])
    expect(store.mirror.revision(2)).toMatchObject({ editor: { name: 'Ann' } })
    expect(problems(store)).toEqual([])
  })

  test('go with their page', () => {
    const { store, applier, wiki } = follow()
    applyChange(applier, { kind: 'hide', revisionId: 1, text: true, comment: true })
    wiki.pages({ id: 1, gone: true })
    expect(store.tables.hidden.doesExist(1)).toBe(false)
    expect(problems(store)).toEqual([])
  })

  test('of a redirect leave the target as upstream states it', () => {
    const { store, applier, wiki } = follow()
    wiki.pages(present(1, 'P', { latestId: 3, redirectTarget: 'Elsewhere' }))
    applyChange(applier, { kind: 'hide', revisionId: 3, comment: true })
    expect(store.getPageById(1)).toMatchObject({ redirectTarget: 'Elsewhere' })
    expect(problems(store)).toEqual([])
  })
})

describe('protection', () => {
  const title = { namespace: 0, dbkey: 'P' }
  const levels = (edit: 'none' | 'user' | 'sysop', expires: number | null = null) =>
    ({ edit, create: 'none', expires }) as const

  test('is the stricter of what an operator and upstream say', () => {
    const { store, applier, wiki } = follow()
    wiki.batch({ protections: [{ ...title, ...levels('user', START + 100) }] })
    applyChange(applier, { kind: 'protect', ...title, ...levels('sysop', START + 50) })
    expect(store.getProtection(title, START)).toEqual(levels('sysop', START + 50))
    expect(store.getProtection(title, START + 60)).toEqual(levels('user', START + 100))
    expect(store.getProtection(title, START + 100)).toEqual(levels('none'))
    expect(store.mirror.protection(title)).toEqual(levels('user', START + 100))
    expect(store.mirror.ownProtection(title, START)).toEqual(levels('sysop', START + 50))
    expect(problems(store)).toEqual([])
  })

  test('by one side stays when the other lifts its own', () => {
    const { store, applier, wiki } = follow()
    wiki.batch({ protections: [{ ...title, ...levels('user') }] })
    applyChange(applier, { kind: 'protect', ...title, ...levels('sysop') })
    expect(wiki.batch({ protections: [{ ...title, ...levels('none') }] }).protectionsChanged).toBe(1)
    expect(store.getProtection(title, START)).toEqual(levels('sysop'))
    expect([...store.mirror.protectedTitles()]).toEqual([])
    wiki.batch({ protections: [{ ...title, ...levels('user') }] })
    applyChange(applier, { kind: 'protect', ...title, ...levels('none') })
    expect(store.getProtection(title, START)).toEqual(levels('user'))
    wiki.batch({ protections: [{ ...title, ...levels('none') }] })
    expect(store.tables.protection.doesExist([0, 'P'])).toBe(false)
    expect(problems(store)).toEqual([])
  })
})

describe('a store that follows another wiki', () => {
  const editor = { id: 9, name: 'Zoe' }
  const text = { editor, comment: '', minor: false, contentModel: 'wikitext', text: 'mine' }
  const head = (digit: string) => ({ id: digit.repeat(32), time: START })

  test('refuses edits, uploads and dumps, without a trace', () => {
    const { store, applier } = follow()
    const digest = digestStore(store)
    const following = { result: 'following' }
    expect(applier.submit({ kind: 'create', ...head('a'), namespace: 0, dbkey: 'New', ...text })).toEqual(
      following,
    )
    expect(applier.submit({ kind: 'edit', ...head('b'), pageId: 1, baseRevisionId: 3, ...text })).toEqual(
      following,
    )
    expect(applier.submit({ kind: 'file', ...head('c'), dbkey: 'F.png', facts: null })).toEqual(following)
    expect(applier.submit({ kind: 'site', ...head('d'), site: store.site() })).toEqual({
      result: 'site-refused',
      reason: 'the store follows https://wiki.example/api.php, so it takes no dumps',
    })
    expect(digestStore(store)).toBe(digest)
  })
})
