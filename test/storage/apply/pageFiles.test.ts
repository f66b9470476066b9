/** Files that are uploaded, and that move, go and come back with their pages. */
import { describe, expect, test } from 'vitest'
import { FILE } from '../../../src/domain/namespaceIds.js'
import { notedContents } from '../../../src/storage/apply/eraseRequests.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { facts } from '../../support/files.js'
import {
  apply,
  contents,
  create,
  expectSound,
  move,
  remove,
  restore,
  takeOutOfLog,
  titled,
  upload,
  type Wiki,
} from '../../support/pageActions.js'
import { wordsIn } from '../../support/rawFile.js'
import { history, problems, source, temporaryStore } from '../../support/store.js'

const [MOON, SUN] = [titled('Moon.png', FILE), titled('Sun.png', FILE)]

const sha256Of = (name: string): string | null => contents(name).sha256!
const unused = ({ store }: Wiki): string[] => notedContents(store).map(({ sha256 }) => sha256)
const events = ({ store }: Wiki): string[] =>
  [...store.logEvents.list()].map(({ type, action }) => `${type}/${action}`)

describe('an upload', () => {
  test('makes file, page and entry of the public log, and a later one a revision with the same text', () => {
    const wiki = temporaryStore()
    expect(upload(wiki, 'Moon.png', 'a', 'first')).toMatchObject({ result: 'uploaded', pageId: 1, logId: 1 })
    expect(upload(wiki, 'Moon.png', 'b', 'second')).toMatchObject({ result: 'uploaded', revisionId: 2 })
    expect(source(wiki.store, 'Moon.png', FILE)).toBe('first')
    expect(history(wiki.store, 1)).toMatchObject([{ comment: 'first' }, { comment: 'second', delta: 0 }])
    expect(wiki.store.getFile('Moon.png')).toMatchObject({ ...contents('b'), uploader: { name: 'Ann' } })
    const [overwrite] = [...wiki.store.logEvents.list()]
    expect(overwrite).toMatchObject({
      comment: 'second',
      params: { img_sha1: contents('b').sha1, associated_rev_id: 2 },
    })
    expect(events(wiki)).toEqual(['upload/overwrite', 'upload/upload'])
    // Other machines fetch the contents.
    const { files } = wiki.store.log.takeFiles(0, 10)
    expect(files).toMatchObject(['a', 'b'].map((name) => ({ dbkey: 'Moon.png', facts: contents(name) })))
    expect(unused(wiki)).toEqual([sha256Of('a')])
    expectSound(wiki)
  })

  test('to a page that another one was quicker to make, or to change, changes nothing', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'text')
    const text = { editor: { id: 7, name: 'Ann' }, comment: '', minor: false, contentModel: 'wikitext' }
    const entry = { kind: 'upload', ...MOON, ...text, text: 'x' } as const
    const file = { dbkey: 'Moon.png', facts: facts(contents('a')) }
    expect(apply(wiki, { ...entry, file, pageId: null, baseRevisionId: null })).toEqual({
      result: 'exists',
      pageId: 1,
    })
    expect(apply(wiki, { ...entry, file, pageId: 1, baseRevisionId: 9 })).toMatchObject({
      result: 'conflict',
    })
    expect(apply(wiki, { ...entry, file, pageId: 5, baseRevisionId: 9 })).toEqual({ result: 'missing' })
    expect(apply(wiki, { ...entry, file, pageId: 1, baseRevisionId: null })).toMatchObject({
      result: 'invalid',
    })
    expect(wiki.store.getFile('Moon.png')).toBeUndefined()
    expectSound(wiki)
  })
})

describe('a file', () => {
  test('moves with its page, and is found under its old name by the redirect', () => {
    const wiki = temporaryStore()
    upload(wiki, 'Moon.png', 'a')
    expect(move(wiki, MOON, SUN)).toMatchObject({ result: 'moved' })
    expect(wiki.store.getFile('Moon.png')).toBeUndefined()
    expect(wiki.store.findFile('Moon.png')).toMatchObject({ dbkey: 'Sun.png', facts: contents('a') })
    expect(wiki.store.counters().files).toBe(1)
    expect(move(wiki, SUN, MOON)).toMatchObject({ result: 'moved' })
    expect(wiki.store.findFile('Moon.png')).toMatchObject({ dbkey: 'Moon.png' })
    expectSound(wiki)
  })

  test('goes and comes back with its page, and its contents stay', () => {
    const wiki = temporaryStore()
    upload(wiki, 'Moon.png', 'a')
    remove(wiki, MOON)
    expect(wiki.store.getFile('Moon.png')).toBeUndefined()
    expect([...wiki.store.deletedFiles()]).toMatchObject([{ dbkey: 'Moon.png', facts: contents('a') }])
    expect(unused(wiki)).toEqual([])
    expectSound(wiki)
    expect(restore(wiki, MOON)).toMatchObject({ result: 'undeleted' })
    expect(wiki.store.getFile('Moon.png')).toMatchObject(contents('a'))
    expect([...wiki.store.logEvents.list()][0]).toMatchObject({
      params: { ':assoc:count': { revisions: 1, files: 1 } },
    })
    expectSound(wiki)
  })

  test('that an entry does not name, or names in vain, keeps its page from going', () => {
    const wiki = temporaryStore()
    const { pageId } = upload(wiki, 'Moon.png', 'a') as { pageId: number }
    const change = { pageId, ...MOON, editor: { id: 7, name: 'Ann' }, reason: '' }
    expect(apply(wiki, { kind: 'delete', ...change, protections: [] })).toMatchObject({ result: 'conflict' })
    const other = { ...change, protections: [], file: 'Sun.png' }
    expect(apply(wiki, { kind: 'delete', ...other })).toMatchObject({ result: 'conflict' })
    remove(wiki, MOON)
    expect(apply(wiki, { kind: 'undelete', ...change })).toMatchObject({ result: 'conflict' })
    apply(wiki, { kind: 'file', dbkey: 'Moon.png', facts: facts(contents('b')) })
    expect(restore(wiki, MOON)).toMatchObject({ result: 'conflict' })
    upload(wiki, 'Sun.png', 'c')
    expect(move(wiki, SUN, MOON)).toMatchObject({ result: 'conflict' })
    expectSound(wiki)
  })

  test('of a deleted page is gone for good with the page', () => {
    const { store, applier, dataDir } = temporaryStore()
    const wiki = { store, applier }
    upload(wiki, 'Kryptonnebel.png', 'a', 'Zimtstern')
    move(wiki, titled('Kryptonnebel.png', FILE), titled('Quarzsand.png', FILE), { leaves: false })
    remove(wiki, titled('Quarzsand.png', FILE))
    apply(wiki, { kind: 'erase', action: 'page', pageId: 1 })
    expect(takeOutOfLog(wiki)).toEqual([sha256Of('a')])
    expect(wordsIn(dataDir, ['Kryptonnebel', 'Quarzsand', 'Zimtstern'])).toEqual([])
    expect([...store.deletedFiles()]).toEqual([])
    expectSound(wiki)
  })

  test('stays when an earlier page of its name is erased', () => {
    const wiki = temporaryStore()
    upload(wiki, 'Moon.png', 'a')
    remove(wiki, MOON)
    upload(wiki, 'Moon.png', 'b')
    apply(wiki, { kind: 'erase', action: 'page', pageId: 1 })
    expect(takeOutOfLog(wiki)).toEqual([sha256Of('a')])
    expect(wiki.store.getFile('Moon.png')).toMatchObject(contents('b'))
    expectSound(wiki)
  })

  test('loses the name of an uploader who is erased, also while it is deleted', () => {
    const wiki = temporaryStore()
    const { store } = wiki
    const uploader = { id: 9, name: 'Eve' }
    create(wiki, MOON, 'x')
    apply(wiki, { kind: 'file', dbkey: 'Moon.png', facts: facts({ ...contents('a'), uploader }) })
    remove(wiki, MOON)
    apply(wiki, { kind: 'file', dbkey: 'Sun.png', facts: facts({ ...contents('b'), uploader }) })
    apply(wiki, { kind: 'erase', action: 'user', actorIds: [], userId: 9 })
    takeOutOfLog(wiki)
    expect(store.getFile('Sun.png')?.uploader).toBeUndefined()
    expect([...store.deletedFiles()][0]!.facts.uploader).toBeUndefined()
  })
})

test('deleted files count in the digest, which is that of earlier versions without them', () => {
  const [one, other] = [temporaryStore(), temporaryStore()]
  for (const wiki of [one, other]) upload(wiki, 'Moon.png', 'a')
  remove(one, MOON)
  remove(other, MOON)
  other.store.transactDerived(() => other.store.tables.deletedFile.removeSync(1))
  expect(digestStore(one.store, { withLog: false })).not.toBe(digestStore(other.store, { withLog: false }))
})

test('verify finds damaged rows of deleted files, and those without a page', () => {
  const wiki = temporaryStore()
  upload(wiki, 'Moon.png', 'a')
  remove(wiki, MOON)
  const { deletedFile } = wiki.store.tables
  const row = Buffer.from(deletedFile.getBinary(1)!)
  wiki.store.transactDerived(() => {
    deletedFile.putSync(1, Buffer.from('{}'))
    deletedFile.putSync(77, row)
  })
  expect(problems(wiki.store)).toEqual([
    'deleted file of page 1: its row is damaged',
    'deleted file of page 77: the page has no row',
  ])
})
