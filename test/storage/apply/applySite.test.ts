/** A wiki that began empty is given its first dump. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_SITE, type Site } from '../../../src/domain/site.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { buildIndex } from '../../../src/workers/index/indexBuild.js'
import { page, problems, revision, START, temporaryStore } from '../../support/store.js'

const HELP = 12

/** The default names but those of some namespaces. */
const siteWith = (names: Readonly<Record<number, string>>, parts: Partial<Site> = {}): Site => {
  const renamed = DEFAULT_SITE.namespaces.map((each) => ({ ...each, name: names[each.id] ?? each.name }))
  const known = new Set(renamed.map(({ id }) => id))
  const added = Object.entries(names)
    .filter(([id]) => !known.has(Number(id)))
    .map(([id, name]) => ({ id: Number(id), name, case: 'first-letter' as const }))
  return { ...DEFAULT_SITE, wikiId: 'dewiki', ...parts, namespaces: [...renamed, ...added] }
}

const GERMAN = { 4: 'Wikipedia', 6: 'Datei', [HELP]: 'Hilfe' }

function wikiBegunEmpty() {
  const opened = temporaryStore()
  const create = (n: number, namespace: number, dbkey: string, text: string) =>
    opened.applier.submit({
      kind: 'create',
      id: n.toString(16).padStart(32, '0'),
      time: START,
      editor: { id: null, name: '192.0.2.1' },
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      namespace,
      dbkey,
      text,
    })
  create(1, HELP, 'Mine', 'local help')
  create(2, 0, 'Moon', 'A picture: [[Datei:Moon.jpg|thumb|the moon]]')
  create(3, 0, 'Way_to_help', '#REDIRECT [[Hilfe:Mine]]')
  return { ...opened, create }
}

describe('the first dump of a wiki that has pages', () => {
  test('renames their namespaces in all that is ready', async () => {
    const { store, applier, dataDir } = wikiBegunEmpty()
    applier.adoptSite(siteWith(GERMAN))
    const meta = store.getPage(HELP, 'Mine')!.meta.toString()
    expect(JSON.parse(`${meta}}`)).toMatchObject({ key: 'Hilfe:Mine', title: 'Hilfe:Mine' })
    expect(problems(store)).toEqual([])
    await buildIndex(store, { dataDir, threads: 0, onProgress: () => undefined })
    expect(store.search.countQueued()).toBe(0)
    expect(problems(store)).toEqual([])
  })

  test('leaves them alone when its names are those of the store', () => {
    const { store, applier } = wikiBegunEmpty()
    applier.adoptSite(siteWith({}))
    expect(store.search.countQueued()).toBe(0)
    expect(problems(store)).toEqual([])
  })

  test('may keep first letters as they are', () => {
    const { store, applier } = wikiBegunEmpty()
    applier.adoptSite(siteWith({}, { case: 'case-sensitive' }))
    expect(store.getPage(0, 'Moon')).toBeDefined()
    expect(problems(store)).toEqual([])
  })

  test('is refused when a title would be another one', () => {
    const { store, applier, create } = wikiBegunEmpty()
    create(4, 0, 'Portal:Sport', 'a page of the main namespace')
    const digest = digestStore(store)
    const refuse = () => applier.adoptSite(siteWith({ ...GERMAN, 100: 'Portal' }))
    expect(refuse()).toEqual({
      result: 'site-refused',
      reason: expect.stringMatching(/a page "Portal:Sport", which cannot be found/) as string,
    })
    expect(digestStore(store)).toBe(digest)
    expect(store.site().wikiId).toBe('')
  })

  test('is refused when it lacks a namespace that has pages', () => {
    const { applier } = wikiBegunEmpty()
    const site = siteWith({})
    const namespaces = site.namespaces.filter(({ id }) => id !== HELP)
    expect(applier.adoptSite({ ...site, namespaces })).toMatchObject({
      result: 'site-refused',
      reason: expect.stringContaining('a page "Help:Mine"') as string,
    })
  })

  test('leaves the pages of a dump as they are when it comes second', () => {
    const { store, applier } = temporaryStore()
    applier.adoptSite(siteWith(GERMAN))
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')], { namespace: HELP })])
    applier.adoptSite(siteWith({ [HELP]: 'Help', 100: 'Portal' }))
    expect(store.getPage(HELP, 'Moon')!.meta.toString()).toContain('Hilfe:Moon')
    expect(store.namespaces().nameOf(100)).toBe('Portal')
    expect(problems(store)).toEqual([])
  })
})
