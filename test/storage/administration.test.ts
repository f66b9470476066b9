import { describe, expect, test } from 'vitest'
import type { Group } from '../../src/domain/account.js'
import { findUserId } from '../../src/storage/accounts/accounts.js'
import type { HideChange } from '../../src/storage/entries/administration.js'
import type { Applier } from '../../src/storage/apply/applier.js'
import { logKey } from '../../src/storage/entries/logReader.js'
import { readHiddenParts } from '../../src/storage/pages/hiddenParts.js'
import { readStats } from '../../src/storage/stats.js'
import type { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { applyChange } from '../support/administration.js'
import { history, page, problems, revision, START, temporaryStore } from '../support/store.js'

const createUser = (applier: Applier, name: string, groups: readonly Group[] = []) =>
  applyChange(applier, { kind: 'user', action: 'create', name, passwordHash: null, groups })

describe('an account', () => {
  test('gets the next id and is found by its name', () => {
    const { store, applier } = temporaryStore()
    expect(createUser(applier, 'Ann')).toEqual({ result: 'account', userId: 1 })
    expect(createUser(applier, 'Ben', ['sysop'])).toEqual({ result: 'account', userId: 2 })
    expect(store.accounts.getUserByName('Ben')).toEqual({
      id: 2,
      name: 'Ben',
      passwordHash: null,
      groups: ['sysop'],
      registered: START,
    })
    expect(store.accounts.getUserByName('ben')).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('is not made twice', () => {
    const { store, applier } = temporaryStore()
    createUser(applier, 'Ann')
    expect(createUser(applier, 'Ann')).toEqual({ result: 'name-taken', userId: 1 })
    expect(store.accounts.listUsers()).toHaveLength(1)
  })

  test('gets the id that imported revisions have for its name, and new ids follow the imported ones', () => {
    const { store, applier } = temporaryStore()
    const editors = [
      { id: 41, name: 'Ann' },
      { id: null, name: 'Zoe' },
      { id: 7, name: 'Ben' },
    ] as const
    const revisions = editors.map((editor, n) => revision(n + 1, `text ${n}`, { editor }))
    applier.importPages('d', [page(1, 'Moon', revisions)])
    expect(createUser(applier, 'Ben')).toEqual({ result: 'account', userId: 7 })
    expect(createUser(applier, 'Zoe')).toEqual({ result: 'account', userId: 42 })
    expect(store.accounts.getUserByName('Ann')).toBeUndefined()
    expect(findUserId(store.tables, 'Ann')).toBe(41)
    expect(problems(store)).toEqual([])
  })

  test('has the id of an imported editor under each name that a dump brought', () => {
    const { store, applier } = temporaryStore()
    const by = (id: number, name: string) => revision(id, `text ${id}`, { editor: { id: 7, name } })
    applier.importPages('d', [page(1, 'Moon', [by(1, 'Old Name'), by(2, 'Name Between')])])
    applier.importPages('e', [page(1, 'Moon', [by(1, 'New Name'), by(2, 'New Name'), by(3, 'New Name')])])
    for (const name of ['Old Name', 'Name Between', 'New Name'])
      expect(findUserId(store.tables, name)).toBe(7)
    expect(store.accounts.isNameKnown('New Name')).toBe(true)
    expect(createUser(applier, 'New Name')).toEqual({ result: 'account', userId: 7 })
    expect(problems(store)).toEqual([])
  })

  test('never gets the id of another account that a dump uses for its name', () => {
    const { store, applier } = temporaryStore()
    createUser(applier, 'Ann')
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a', { editor: { id: 1, name: 'Ben' } })])])
    expect(createUser(applier, 'Ben')).toEqual({ result: 'account', userId: 2 })
    expect(store.accounts.getUserByName('Ann')?.id).toBe(1)
    expect(store.accounts.getUserByName('Ben')?.id).toBe(2)
    expect(problems(store)).toEqual([])
  })

  test('changes its password and groups, and an unknown one does not', () => {
    const { store, applier } = temporaryStore()
    createUser(applier, 'Ann')
    applyChange(applier, { kind: 'user', action: 'password', userId: 1, passwordHash: 'hash' })
    applyChange(applier, { kind: 'user', action: 'groups', userId: 1, groups: ['sysop'] })
    expect(store.accounts.getUserByName('Ann')).toMatchObject({ passwordHash: 'hash', groups: ['sysop'] })
    const unknown = { kind: 'user', action: 'groups', userId: 9, groups: [] } as const
    expect(applyChange(applier, unknown)).toEqual({ result: 'missing' })
  })

  test('in the group bot marks the edits that a dump has under its name, whatever the editor was called before', () => {
    const { store, applier } = temporaryStore()
    const by = (id: number, name: string) => revision(id, `text ${id}`, { editor: { id: 7, name } })
    applier.importPages('d', [page(1, 'Moon', [by(1, 'Old Name'), by(2, 'New Name')])])
    createUser(applier, 'New Name', ['bot'])
    expect(store.pageCounts(1).bot).toBe(1)
    expect(problems(store)).toEqual([])
  })

  test('in the group bot marks its edits, old and new, until it leaves the group', () => {
    const { store, applier } = temporaryStore()
    const pages = [page(1, 'Moon', [revision(1, 'a'), revision(2, 'b', { editor: { id: 2, name: 'Ben' } })])]
    applier.importPages('d', pages)
    const botEdits = () => store.pageCounts(1).bot
    createUser(applier, 'Ann', ['bot'])
    expect(botEdits()).toBe(1)
    applier.importPages('d', [page(1, 'Moon', [revision(3, 'c')])])
    expect(botEdits()).toBe(2)
    const site = { bots: ['Ben'] }
    applier.submit({ kind: 'settings', id: 'c'.repeat(32), time: START, site })
    store.reloadSite()
    expect(botEdits()).toBe(3)
    expect(problems(store)).toEqual([])
    applyChange(applier, { kind: 'user', action: 'groups', userId: 1, groups: [] })
    expect(botEdits()).toBe(1)
    expect(problems(store)).toEqual([])
  })
})

describe('a token', () => {
  test('needs an account', () => {
    const { applier } = temporaryStore()
    const token = { userId: 1, secretHash: 'ab', scopes: [], expires: null, name: '' } as const
    expect(applyChange(applier, { kind: 'token', action: 'create', ...token })).toEqual({ result: 'missing' })
  })
})

describe('a protection', () => {
  test('holds for a title, with or without a page, until its time is over', () => {
    const { store, applier } = temporaryStore()
    const title = { namespace: 0, dbkey: 'Moon' }
    const levels = { edit: 'sysop', create: 'user' } as const
    applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Moon', ...levels, expires: START + 5 })
    expect(store.getProtection(title, START + 4)).toEqual({ ...levels, expires: START + 5 })
    const none = { edit: 'none', create: 'none', expires: null } as const
    expect(store.getProtection(title, START + 5)).toEqual(none)
    expect(store.getProtection({ namespace: 0, dbkey: 'Sea' }, START)).toEqual(none)
    expect(problems(store)).toEqual([])
    applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Moon', ...none })
    expect(store.getProtection(title, START)).toEqual(none)
    expect(problems(store)).toEqual([])
  })
})

describe('hiding parts of a revision', () => {
  function moon() {
    const opened = temporaryStore()
    const texts = ['one\ntwo', 'one\ntwo\nthree', 'one\ntwo', 'one']
    const revisions = texts.map((text, n) =>
      revision(n + 1, text, { editor: n === 1 ? { id: null, name: '192.0.2.1' } : { id: 1, name: 'Ann' } }),
    )
    opened.applier.importPages('d', [page(1, 'Moon', revisions)])
    opened.applier.finishImport(null)
    return opened
  }
  const hide = (applier: Applier, parts: Omit<HideChange, 'kind'>) =>
    applyChange(applier, { kind: 'hide', ...parts })
  const shown = (store: Store, id: number) => history(store, 1).find((row) => row.id === id)

  test('hides each part by itself, and shows it again just as it was', () => {
    const { store, applier } = moon()
    const before = [history(store, 1), store.pageCounts(1), store.getText(2)]
    const all = { text: true, comment: true, user: true }
    for (const parts of [{ text: true }, { comment: true }, { user: true }, all]) {
      expect(hide(applier, { revisionId: 2, ...parts })).toEqual({ result: 'done' })
      const row = store.getRevision(2)!
      expect(row.textHidden).toBe('text' in parts)
      expect(shown(store, 2)?.comment).toBe('comment' in parts ? null : 'edit 2')
      expect(shown(store, 2)?.user).toEqual('user' in parts ? null : { id: null, name: '192.0.2.1' })
      expect(store.getText(2)).toBe('text' in parts ? undefined : 'one\ntwo\nthree')
      expect(store.getText(1)).toBe('one\ntwo')
      expect(problems(store)).toEqual([])
      hide(applier, { revisionId: 2, text: false, comment: false, user: false })
      expect([history(store, 1), store.pageCounts(1), store.getText(2)]).toEqual(before)
      expect(readHiddenParts(store.tables, 2)).toEqual({})
      expect(problems(store)).toEqual([])
    }
  })

  test('shows one part while another stays hidden', () => {
    const { store, applier } = moon()
    hide(applier, { revisionId: 2, comment: true, user: true })
    hide(applier, { revisionId: 2, comment: false })
    expect(shown(store, 2)).toMatchObject({ comment: 'edit 2', user: null })
    hide(applier, { revisionId: 2, user: false })
    expect(shown(store, 2)).toMatchObject({ comment: 'edit 2', user: { id: null, name: '192.0.2.1' } })
    expect(problems(store)).toEqual([])
  })

  test('changes the counts of the page', () => {
    const { store, applier } = moon()
    hide(applier, { revisionId: 2, user: true })
    expect(store.pageCounts(1)).toMatchObject({ edits: 4, editors: 1, anonymous: 0 })
    hide(applier, { revisionId: 1, text: true })
    expect(store.pageCounts(1)).toMatchObject({ revisions: 4, edits: 3, reverted: 0 })
    expect(problems(store)).toEqual([])
  })

  test('refuses the text of the latest revision, but not its summary', () => {
    const { store, applier } = moon()
    expect(hide(applier, { revisionId: 4, text: true })).toEqual({ result: 'latest-text' })
    expect(hide(applier, { revisionId: 4, comment: true, user: true })).toEqual({ result: 'done' })
    expect(shown(store, 4)).toMatchObject({ comment: null, user: null })
    expect(store.getText(4)).toBe('one')
    expect(problems(store)).toEqual([])
  })

  test('says which part the store never had', () => {
    const { store, applier } = moon()
    const sealed = revision(9, undefined, { editor: undefined, comment: undefined })
    applier.importPages('d', [page(2, 'Letter', [sealed, revision(10, 'open')])])
    for (const part of ['text', 'comment', 'user'] as const) {
      expect(hide(applier, { revisionId: 9, [part]: false })).toEqual({ result: 'part-unknown', part })
    }
    expect(hide(applier, { revisionId: 99, text: true })).toEqual({ result: 'missing' })
    expect(problems(store)).toEqual([])
  })

  test('keeps what a later dump hides, and follows a dump that shows', () => {
    const { store, applier } = moon()
    const parts = { parentId: undefined, editor: undefined, comment: undefined }
    applier.importPages('d', [page(1, 'Moon', [revision(3, undefined, parts)])])
    expect(readHiddenParts(store.tables, 3)).toEqual({ comment: 'edit 3', user: { id: 1, name: 'Ann' } })
    expect(problems(store)).toEqual([])
    hide(applier, { revisionId: 3, text: false, comment: false, user: false })
    expect(shown(store, 3)).toMatchObject({ comment: 'edit 3', user: { id: 1, name: 'Ann' } })
    hide(applier, { revisionId: 3, comment: true })
    applier.importPages('d', [page(1, 'Moon', [revision(3, 'one\ntwo')])])
    expect(shown(store, 3)).toMatchObject({ comment: 'edit 3' })
    expect(readHiddenParts(store.tables, 3)).toEqual({})
    expect(problems(store)).toEqual([])
  })
})

test('a log of such changes gives the same store when it is replayed, and again', () => {
  const { store, applier } = temporaryStore()
  const edits = ['a', 'b', 'c'].map((text, n) => ({
    id: String(n).repeat(32),
    time: START + n,
    editor: { id: 1, name: 'Ann' },
    comment: `edit ${n}`,
    minor: false,
    contentModel: 'wikitext',
    text,
  }))
  createUser(applier, 'Ann')
  applier.submit({ kind: 'create', namespace: 0, dbkey: 'Moon', ...edits[0]! })
  for (const [n, edit] of edits.entries()) {
    if (n > 0) applier.submit({ kind: 'edit', pageId: 1, baseRevisionId: n, ...edit })
  }
  applyChange(applier, { kind: 'user', action: 'groups', userId: 1, groups: ['bot', 'sysop'] })
  createUser(applier, 'Ann')
  const token = { userId: 1, secretHash: 'ab', scopes: ['read'], expires: null, name: 'x' } as const
  applyChange(applier, { kind: 'token', action: 'create', ...token })
  const protection = { edit: 'sysop', create: 'none', expires: null } as const
  applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Moon', ...protection })
  applyChange(applier, { kind: 'hide', revisionId: 2, text: true, comment: true, user: true })
  applyChange(applier, { kind: 'hide', revisionId: 3, text: true })
  expect(problems(store)).toEqual([])

  const copy = temporaryStore()
  for (let round = 0; round < 2; round++) {
    const { logEntries } = readStats(store)
    for (let n = 1; n <= logEntries; n++) copy.applier.replay(store.tables.log.getBinary(logKey(n))!)
    expect(digestStore(copy.store)).toBe(digestStore(store))
  }
  expect(problems(copy.store)).toEqual([])
})
