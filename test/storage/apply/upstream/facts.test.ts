/** Facts of a followed wiki beside its pages: accounts, bots, files, site and interwiki map. */
import { describe, expect, test, vi } from 'vitest'
import type { FileFacts } from '../../../../src/domain/file.js'
import { DEFAULT_SITE } from '../../../../src/domain/site.js'
import { applyChange } from '../../../support/administration.js'
import { history, page, problems, revision, START, temporaryStore } from '../../../support/store.js'
import { Following, present, shown } from '../../../support/upstream.js'

function follow() {
  const { store, applier } = temporaryStore()
  return { store, applier, wiki: new Following(store, applier) }
}

const by = (id: number | null, name: string) => ({ editor: { id, name } })

describe('an account that has another name', () => {
  test('keeps its id, and its revisions change with their pages', () => {
    const { store, wiki } = follow()
    wiki.pages(present(1, 'P', { add: [revision(1, 'a', by(5, 'Old')), revision(2, 'b', by(5, 'Old'))] }))
    expect(wiki.batch({ renames: [{ userId: 5, name: 'New' }] }).usersRenamed).toBe(1)
    expect([...store.mirror.revisionsBy('Old')]).toEqual([])
    expect([...store.mirror.revisionsBy('New')]).toEqual([1, 2])
    const change = [1, 2].map((id) => shown(id, by(5, 'New')))
    wiki.pages(present(1, 'P', { latestId: 2, change }))
    expect(history(store, 1)).toMatchObject([
      { user: { id: 5, name: 'New' } },
      { user: { id: 5, name: 'New' } },
    ])
    expect(store.pageCounts(1)).toMatchObject({ editors: 1 })
    expect(problems(store)).toEqual([])
  })

  test('leaves its former name to another account', () => {
    const { store, wiki } = follow()
    wiki.pages(present(1, 'P', { add: [revision(1, 'a', by(5, 'Ann'))] }))
    wiki.batch({
      renames: [{ userId: 5, name: 'Bea' }],
      pages: [present(2, 'Q', { add: [revision(2, 'b', by(6, 'Ann'))] })],
    })
    expect([...store.mirror.revisionsBy('Ann')]).toEqual([2])
    expect([...store.mirror.revisionsBy('Bea')]).toEqual([1])
    expect(problems(store)).toEqual([])
  })

  test('may exchange names with another', () => {
    const { store, wiki } = follow()
    wiki.pages(present(1, 'P', { add: [revision(1, 'a', by(5, 'Ann')), revision(2, 'b', by(6, 'Bea'))] }))
    wiki.batch({
      renames: [
        { userId: 5, name: 'Bea' },
        { userId: 6, name: 'Ann' },
      ],
      pages: [present(1, 'P', { latestId: 2, change: [shown(1, by(5, 'Bea')), shown(2, by(6, 'Ann'))] })],
    })
    expect([...store.mirror.revisionsBy('Ann')]).toEqual([2])
    expect([...store.mirror.revisionsBy('Bea')]).toEqual([1])
    expect(problems(store)).toEqual([])
  })

  test('does not take a name from an account that was made here', () => {
    const { store, applier, wiki } = follow()
    wiki.pages(present(1, 'P', { add: [revision(1, 'a', by(5, 'Ann'))] }))
    applyChange(applier, { kind: 'user', action: 'create', name: 'Robin', passwordHash: null, groups: [] })
    wiki.batch({ renames: [{ userId: 5, name: 'Robin' }] })
    expect(store.accounts.getUserByName('Robin')).toMatchObject({ name: 'Robin' })
    expect(problems(store)).toEqual([])
  })
})

describe('bots', () => {
  test('are marked in all their revisions, and only there', () => {
    const { store, wiki } = follow()
    const add = [
      revision(1, 'a', by(5, 'Ann')),
      revision(2, 'b', by(6, 'Bot')),
      revision(3, 'c', by(5, 'Ann')),
    ]
    wiki.pages(present(1, 'P', { add }), present(2, 'Q', { add: [revision(9, 'q', by(5, 'Ann'))] }))
    expect(wiki.batch({ bots: ['Bot', 'Absent'] }).settingsChanged).toBe(1)
    const bots = (pageId: number) => store.pageCounts(pageId).bot
    expect([bots(1), bots(2)]).toEqual([1, 0])
    wiki.batch({ bots: ['Ann'] })
    expect([bots(1), bots(2)]).toEqual([2, 1])
    expect(wiki.batch({ bots: ['Ann'] }).settingsChanged).toBe(0)
    wiki.pages(present(2, 'Q', { add: [revision(10, 'r', by(5, 'Ann'))] }))
    expect(bots(2)).toBe(2)
    expect(store.site().bots).toEqual(['Ann'])
    expect(problems(store)).toEqual([])
  })

  test('cost by the pages that they edited', () => {
    const { store, wiki } = follow()
    const others = Array.from({ length: 50 }, (_, n) =>
      present(n + 10, `P${n}`, { add: [revision(n + 10, 'a', by(5, 'Ann'))] }),
    )
    wiki.pages(...others, present(1, 'Q', { add: [revision(1, 'q', by(6, 'Bot')), revision(2, 'r')] }))
    const reads = vi.spyOn(store.tables.history, 'getBinaryFast')
    wiki.batch({ bots: ['Bot'] })
    expect(reads.mock.calls.length).toBeLessThan(5)
    expect(store.pageCounts(1).bot).toBe(1)
    expect(problems(store)).toEqual([])
  })
})

describe('files', () => {
  const facts = (parts: Partial<FileFacts> = {}): FileFacts => ({
    sizeBytes: 10,
    width: 1,
    height: 2,
    durationSeconds: null,
    mediaType: 'BITMAP',
    mimeType: 'image/png',
    sha1: '0'.repeat(31),
    uploader: { id: 1, name: 'Ann' },
    timestamp: START,
    sha256: null,
    ...parts,
  })

  test('come, change and go', () => {
    const { store, wiki } = follow()
    expect(wiki.batch({ files: [{ dbkey: 'A.png', facts: facts() }] }).filesChanged).toBe(1)
    expect(wiki.batch({ files: [{ dbkey: 'A.png', facts: facts() }] }).filesChanged).toBe(0)
    expect(wiki.batch({ files: [{ dbkey: 'A.png', facts: facts({ sizeBytes: 11 }) }] }).filesChanged).toBe(1)
    expect(store.getFile('A.png')).toMatchObject({ sizeBytes: 11 })
    expect(wiki.batch({ files: [{ dbkey: 'A.png', facts: null }] }).filesChanged).toBe(1)
    expect(store.getFile('A.png')).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('keep contents that the store has, while these are the same', () => {
    const { store, wiki } = follow()
    const sha256 = 'f'.repeat(64)
    wiki.batch({ files: [{ dbkey: 'A.png', facts: facts({ sha256 }) }] })
    wiki.batch({ files: [{ dbkey: 'A.png', facts: facts({ timestamp: START + 1 }) }] })
    expect(store.getFile('A.png')).toMatchObject({ sha256, timestamp: START + 1 })
    wiki.batch({ files: [{ dbkey: 'A.png', facts: facts({ sha1: '1'.repeat(31) }) }] })
    expect(store.getFile('A.png')).toMatchObject({ sha256: null })
  })
})

describe('the site', () => {
  const site = { ...DEFAULT_SITE, name: 'Garden', wikiId: 'garden' }
  const named = (id: number, name: string) => ({
    ...site,
    namespaces: [
      ...site.namespaces.filter((one) => one.id !== id),
      { id, name, case: 'first-letter' as const },
    ],
  })

  test('renames the pages of a namespace, also of those in the same batch', () => {
    const { store, wiki } = follow()
    const help = (id: number, dbkey: string) =>
      present(id, dbkey, { namespace: 12, add: [revision(id, 'a')] })
    wiki.batch({ site, pages: [help(1, 'One')] })
    const key = (dbkey: string) =>
      (JSON.parse(`${store.getPage(12, dbkey)!.meta.toString()}}`) as { key: string }).key
    expect(key('One')).toBe('Help:One')
    expect(wiki.batch({ site: named(12, 'Hilfe'), pages: [help(2, 'Two')] }).settingsChanged).toBe(1)
    expect([key('One'), key('Two')]).toEqual(['Hilfe:One', 'Hilfe:Two'])
    expect(store.namespaces().nameOf(12)).toBe('Hilfe')
    expect(problems(store)).toEqual([])
  })

  test('brings a namespace together with its first page', () => {
    const { store, wiki } = follow()
    wiki.batch({
      site: named(100, 'Portal'),
      pages: [present(1, 'Trees', { namespace: 100, add: [revision(1, 'a')] })],
    })
    expect(store.getPage(100, 'Trees')!.meta.toString()).toContain('"key":"Portal:Trees"')
    expect(problems(store)).toEqual([])
  })

  test('replaces that of the dump that the store began with, and keeps bots', () => {
    const { store, applier, wiki } = follow()
    applier.adoptSite({ ...DEFAULT_SITE, name: 'Dump', wikiId: 'garden', bots: ['Bot'] })
    applier.importPages('d', [page(1, 'P', [revision(1, 'a')])])
    applier.finishImport(null)
    wiki.batch({ site })
    expect(store.site()).toMatchObject({ name: 'Garden', bots: ['Bot'] })
  })
})

describe('the interwiki map', () => {
  const map = [
    { prefix: 'x', url: 'https://x.example/$1' },
    { prefix: 'de', url: 'https://de.example/$1', language: 'Deutsch' },
  ]

  test('is the whole map, with the changes of operators on top', () => {
    const { store, applier, wiki } = follow()
    const entries = { own: { url: 'https://own.example/$1' }, x: null }
    applier.submit({
      kind: 'settings',
      id: 'a'.repeat(32),
      time: START,
      site: {},
      interwiki: { only: false, entries },
    })
    expect(wiki.batch({ interwiki: map }).settingsChanged).toBe(1)
    expect([...store.interwiki().keys()]).toEqual(['de', 'own'])
    const version = store.site().interwiki
    expect(wiki.batch({ interwiki: [...map].reverse() }).settingsChanged).toBe(0)
    wiki.batch({ interwiki: map.slice(0, 1) })
    expect(store.site().interwiki).not.toBe(version)
    expect([...store.interwiki().keys()]).toEqual(['own'])
    expect(store.mirror.interwiki()).toEqual(map.slice(0, 1))
  })
})
