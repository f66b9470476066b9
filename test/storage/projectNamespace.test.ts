/** The project namespace has the name of the site, unless a dump names it. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import type { Verdict } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { problems, START, temporaryStore } from '../support/store.js'

const PROJECT = 4
const PROJECT_TALK = 5
const TOPICS = ['About', 'Abbreviations', 'Able_people', 'Abstracts', 'Above_all']

function wiki() {
  const opened = temporaryStore()
  const { store, applier } = opened
  const create = (namespace: number, dbkey: string, text: string): Verdict =>
    applier.submit({
      kind: 'create',
      id: randomEntryId(),
      time: START,
      editor: { id: null, name: '192.0.2.1' },
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      namespace,
      dbkey,
      text,
    })
  const nameSite = (name: string): Verdict => {
    const verdict = applier.submit({ kind: 'settings', id: randomEntryId(), time: START, site: { name } })
    store.reloadSite()
    return verdict
  }
  const key = (namespace: number, dbkey: string): unknown =>
    (JSON.parse(`${store.getPage(namespace, dbkey)!.meta.toString()}}`) as { key: unknown }).key
  return { ...opened, create, nameSite, key }
}

describe('naming a wiki that has no dump', () => {
  test('names its project namespaces, in all rows that are ready', () => {
    const { store, create, nameSite, key } = wiki()
    for (const dbkey of TOPICS) create(PROJECT, dbkey, `[[Project:About]] ${dbkey}`)
    create(PROJECT_TALK, 'About', 'what to say')
    create(0, 'Moon', 'a page')
    expect(key(PROJECT, 'About')).toBe('Project:About')
    expect(nameSite('My wiki')).toEqual({ result: 'done' })
    expect(store.namespaces().nameOf(PROJECT)).toBe('My wiki')
    expect(key(PROJECT, 'About')).toBe('My_wiki:About')
    expect(key(PROJECT_TALK, 'About')).toBe('My_wiki_talk:About')
    expect(key(0, 'Moon')).toBe('Moon')
    expect(problems(store)).toEqual([])
    expect(store.search.countQueued()).toBe(0)
    create(PROJECT, 'Later', 'a page that came later')
    expect(key(PROJECT, 'Later')).toBe('My_wiki:Later')
    nameSite('A | B')
    expect(key(PROJECT, 'About')).toBe('Project:About')
    expect(problems(store)).toEqual([])
  })

  test('leads redirects to what their words mean then', () => {
    const { store, create, nameSite } = wiki()
    create(PROJECT, 'About', 'about')
    create(0, 'Way', '#REDIRECT [[Mywiki:About]]')
    create(0, 'Other_way', '#REDIRECT [[Project:About]]')
    expect(problems(store)).toEqual([])
    nameSite('Mywiki')
    expect(problems(store)).toEqual([])
  })

  test.each([
    ['in the main namespace', 0, 'MYWIKI:About'],
    ['behind Talk:, where no other prefix may stand', 1, 'Mywiki:About'],
  ])('is refused when a page %s could not be found any more', (_case, namespace, dbkey) => {
    const { store, create, nameSite } = wiki()
    create(namespace, dbkey, 'text')
    const digest = digestStore(store)
    expect(nameSite('Mywiki')).toEqual({
      result: 'site-refused',
      reason: expect.stringContaining(`${dbkey}" could not be found any more`) as string,
    })
    expect(digestStore(store)).toBe(digest)
    expect(store.site().name).toBe('Palimpsest')
    expect(nameSite('Another')).toEqual({ result: 'done' })
  })

  test('gives the same store when its log is replayed, also when a dump came later', () => {
    const { store, applier, create, nameSite, key } = wiki()
    create(PROJECT, 'About', 'about')
    nameSite('Mywiki')
    create(PROJECT, 'Later', '[[Mywiki:About]]')
    const named = temporaryStore()
    for (const { value } of store.tables.log.getRange({ start: undefined })) named.applier.replay(value)
    expect(digestStore(named.store)).toBe(digestStore(store))
    applier.adoptSite({ ...DEFAULT_SITE, wikiId: 'mywiki' })
    expect(store.site().name).toBe('Mywiki')
    expect(key(PROJECT, 'About')).toBe('Project:About')
    const adopted = temporaryStore()
    for (const { value } of store.tables.log.getRange({ start: undefined })) adopted.applier.replay(value)
    expect(digestStore(adopted.store)).toBe(digestStore(store))
    nameSite('Another')
    expect(store.namespaces().nameOf(PROJECT)).toBe('Project')
  })
})
