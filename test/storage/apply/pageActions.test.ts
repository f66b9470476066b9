/** Moving pages, deleting them and bringing them back: what the store says afterwards, and its log. */
import { describe, expect, test } from 'vitest'
import type { Title } from '../../../src/domain/title.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { rounds } from '../../support/effort.js'
import {
  apply,
  changeByChance,
  create,
  edit,
  expectSound,
  move,
  remove,
  restore,
  takeOutOfLog,
  titled,
  type Wiki,
} from '../../support/pageActions.js'
import { randomNumbers } from '../../support/random.js'
import { wordsIn } from '../../support/rawFile.js'
import { history, page, problems, revision, source, temporaryStore } from '../../support/store.js'

const [MOON, SUN, STAR] = [titled('Moon'), titled('Sun'), titled('Star')]

const events = ({ store }: Wiki): unknown[] =>
  [...store.logEvents.list()].map(({ type, action, title, comment }) => [
    `${type}/${action}`,
    title?.dbkey,
    comment,
  ])

/** Keys of the pages that a search finds. */
function found({ store: { search } }: Wiki, text: string): string[] {
  const answer = search.answer(search.parse({ text, limit: 10, namespaces: [0] }), 10)
  return Array.from(answer.toString().matchAll(/"key":"([^"]*)"/g), ([, key]) => key!)
}

describe('a move', () => {
  test('gives the page its new title and a revision that says so, and leaves a redirect', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'text [[Category:Nights]]')
    expect(move(wiki, MOON, SUN, { reason: 'why' })).toMatchObject({
      result: 'moved',
      pageId: 1,
      revisionId: 2,
      redirect: { pageId: 2, revisionId: 3 },
    })
    expect(source(wiki.store, 'Sun')).toBe('text [[Category:Nights]]')
    expect(source(wiki.store, 'Moon')).toBe('#REDIRECT [[Sun]]')
    expect(history(wiki.store, 1)).toMatchObject([
      { id: 1, minor: false },
      { id: 2, delta: 0, minor: true, comment: 'Ann moved page [[Moon]] to [[Sun]]: why' },
    ])
    expect(wiki.store.counters()).toMatchObject({ pages: 2, revisions: 3, redirects: 1 })
    expect(events(wiki)).toEqual([['move/move', 'Moon', 'why']])
    expectSound(wiki)
  })

  test('goes over a redirect that leads back, whose page is deleted then', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'text')
    move(wiki, MOON, SUN)
    expect(move(wiki, SUN, MOON)).toMatchObject({ result: 'moved', pageId: 1, redirect: { pageId: 3 } })
    expect(wiki.store.deletedUnder(MOON)).toMatchObject([{ pageId: 2 }])
    expect(events(wiki).map((event) => (event as string[])[0])).toEqual([
      'move/move_redir',
      'delete/delete_redir',
      'move/move',
    ])
    expectSound(wiki)
  })

  test('without a redirect leaves nothing, and takes the protection along', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'text')
    apply(wiki, { kind: 'protect', ...MOON, edit: 'sysop', create: 'none', expires: null })
    apply(wiki, { kind: 'protect', ...SUN, edit: 'user', create: 'sysop', expires: null })
    move(wiki, MOON, SUN, { leaves: false })
    expect(wiki.store.getPage(0, 'Moon')).toBeUndefined()
    expect(wiki.store.getProtection(SUN, 0)).toMatchObject({ edit: 'sysop', create: 'sysop' })
    expect(wiki.store.getProtection(MOON, 0)).toMatchObject({ edit: 'none' })
    expect(events(wiki)[0]).toEqual(['protect/move_prot', 'Sun', '[[Moon]] moved to [[Sun]]'])
    expectSound(wiki)
  })

  test('is found by its new title alone', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'cheese')
    create(wiki, STAR, '[[Moon]] {{Moon}}')
    move(wiki, MOON, SUN, { leaves: false })
    expect(found(wiki, 'cheese')).toEqual(['Sun'])
    expect(found(wiki, 'moon')).toEqual(['Star'])
    expectSound(wiki)
  })

  test('of a redirect, and of a page with hidden parts, keeps what they are', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, '#REDIRECT [[Star]]')
    apply(wiki, { kind: 'hide', revisionId: 1, comment: true, user: true })
    move(wiki, MOON, SUN, { leaves: false })
    expect(wiki.store.getPageById(1)).toMatchObject({ redirectTarget: 'Star' })
    expect(wiki.store.counters().redirects).toBe(1)
    expectSound(wiki)
  })

  test('of a page from a dump keeps its history, and a newer dump gives it its title there again', () => {
    const { store, applier } = temporaryStore()
    const wiki = { store, applier }
    applier.importPages('d', [page(5, 'Moon', [revision(8, 'a'), revision(9, 'b')])])
    move(wiki, MOON, SUN, { leaves: false })
    expect(history(store, 5).map(({ id }) => id)).toEqual([8, 9, 10])
    expect(problems(store)).toEqual([])
    applier.importPages('e', [page(5, 'Moon', [revision(8, 'a'), revision(9, 'b')])])
    expect(source(store, 'Moon')).toBe('b')
    expect(problems(store)).toEqual([])
  })

  test.each<[string, (wiki: Wiki) => unknown, string]>([
    ['to the title of another page', (wiki) => move(wiki, MOON, STAR), 'exists'],
    [
      'whose page was edited meanwhile',
      (wiki) => {
        edit(wiki, MOON, 'later')
        const change = { comment: '', minor: true, contentModel: 'wikitext', text: 'x', reason: '' }
        const titles = { from: MOON, ...SUN, redirect: null, replaced: null, protections: [] }
        const editor = { id: 7, name: 'Ann' }
        return apply(wiki, { kind: 'move', pageId: 1, baseRevisionId: 1, editor, ...change, ...titles })
      },
      'conflict',
    ],
    [
      'whose page has another title by now',
      (wiki) => {
        move(wiki, MOON, SUN, { leaves: false })
        const change = { comment: '', minor: true, contentModel: 'wikitext', text: 'x', reason: '' }
        const titles = { from: MOON, ...titled('Sky'), redirect: null, replaced: null, protections: [] }
        const editor = { id: 7, name: 'Ann' }
        return apply(wiki, { kind: 'move', pageId: 1, baseRevisionId: 3, editor, ...change, ...titles })
      },
      'missing',
    ],
  ])('%s changes nothing', (_case, attempt, result) => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'text')
    create(wiki, STAR, 'other')
    expect(attempt(wiki)).toMatchObject({ result })
    expectSound(wiki)
  })
})

describe('a deletion', () => {
  test('takes the page away from all lists, and a restoration brings it back as it was', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'one [[Category:Nights]]')
    edit(wiki, MOON, 'cheese [[Category:Nights]]')
    const before = digestStore(wiki.store, { withLog: false })
    expect(remove(wiki, MOON, 'why')).toMatchObject({ result: 'deleted', pageId: 1, logId: 1 })
    expect(wiki.store.getPageById(1)).toBeUndefined()
    expect(wiki.store.getRevision(2)).toBeUndefined()
    expect(found(wiki, 'cheese')).toEqual([])
    expect(wiki.store.counters()).toMatchObject({ pages: 0, revisions: 0 })
    expectSound(wiki)
    expect(restore(wiki, MOON, 'back')).toMatchObject({ result: 'undeleted', pageId: 1, revisions: 2 })
    expect(source(wiki.store, 'Moon')).toBe('cheese [[Category:Nights]]')
    expect(found(wiki, 'cheese')).toEqual(['Moon'])
    expect(events(wiki)).toEqual([
      ['delete/restore', 'Moon', 'back'],
      ['delete/delete', 'Moon', 'why'],
    ])
    expect(digestStore(wiki.store, { withLog: false })).not.toBe(before)
    expectSound(wiki)
  })

  test('frees the title for another page, whose deletion makes both come back in turn', () => {
    const wiki = temporaryStore()
    for (const text of ['first', 'second']) {
      create(wiki, MOON, text)
      remove(wiki, MOON)
    }
    expect(restore(wiki, MOON)).toMatchObject({ pageId: 2 })
    expect(restore(wiki, MOON)).toMatchObject({ result: 'exists', pageId: 2 })
    move(wiki, MOON, SUN, { leaves: false })
    expect(restore(wiki, MOON)).toMatchObject({ pageId: 1 })
    expect(source(wiki.store, 'Moon')).toBe('first')
    expectSound(wiki)
  })

  test('ends the protection of the page, and keeps that of the title', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'x')
    apply(wiki, { kind: 'protect', ...MOON, edit: 'sysop', create: 'user', expires: null })
    remove(wiki, MOON)
    expect(wiki.store.getProtection(MOON, 0)).toMatchObject({ edit: 'none', create: 'user' })
    expectSound(wiki)
  })

  test('goes before entries of an imported log that have its id', () => {
    const { store, applier } = temporaryStore()
    const wiki = { store, applier }
    create(wiki, MOON, 'x')
    remove(wiki, MOON, 'here')
    const performer = { id: 3, name: 'Eve' }
    const event = {
      timestamp: 5,
      type: 'delete',
      action: 'delete',
      performer,
      comment: 'there',
      title: SUN,
      params: [],
    }
    const place = { dump: 'log.xml', firstPart: 0, parts: 2 }
    applier.submit({
      kind: 'events',
      id: 'e'.repeat(32),
      time: 9,
      ...place,
      events: [
        { id: 1, ...event },
        { id: 2, ...event },
      ],
    })
    expect(events(wiki)).toEqual([
      ['delete/delete', 'Moon', 'here'],
      ['delete/delete', 'Sun', 'there'],
    ])
    remove({ ...wiki }, createAt(wiki, STAR))
    expect([...store.logEvents.list()].map(({ id }) => id)).toContain(3)
    expect(problems(store)).toEqual([])
  })
})

function createAt(wiki: Wiki, title: Title): Title {
  create(wiki, title, 'x')
  return title
}

describe('erasing', () => {
  test('a page takes all its titles away, with the reasons of moves and deletions', () => {
    const { store, applier, dataDir } = temporaryStore()
    const wiki = { store, applier }
    create(wiki, titled('Kryptonnebel'), 'x', 'Zimtstern')
    move(wiki, titled('Kryptonnebel'), titled('Quarzsand'), { leaves: false, reason: 'Heimlichkeit' })
    remove(wiki, titled('Quarzsand'), 'Doppelgrund')
    const words = ['Kryptonnebel', 'Quarzsand', 'Heimlichkeit', 'Doppelgrund', 'Zimtstern']
    expect(wordsIn(dataDir, words)).toEqual(words)
    apply(wiki, { kind: 'erase', action: 'page', pageId: 1 })
    takeOutOfLog(wiki)
    expect(wordsIn(dataDir, words)).toEqual([])
    expect(events(wiki)).toEqual([
      ['delete/delete', undefined, undefined],
      ['move/move', undefined, undefined],
    ])
    expectSound(wiki)
  })

  test('the redirect of a move keeps the page, and the other way round', () => {
    for (const erased of [1, 2]) {
      const wiki = temporaryStore()
      create(wiki, MOON, 'x')
      move(wiki, MOON, SUN, { reason: 'why' })
      apply(wiki, { kind: 'erase', action: 'page', pageId: erased })
      takeOutOfLog(wiki)
      expect(source(wiki.store, 'Moon')).toBe(erased === 2 ? undefined : '#REDIRECT [[Sun]]')
      expect(source(wiki.store, 'Sun')).toBe(erased === 1 ? undefined : 'x')
      expectSound(wiki)
    }
  })

  test('a page keeps the title of a deleted one that has the same', () => {
    const wiki = temporaryStore()
    create(wiki, MOON, 'first')
    remove(wiki, MOON)
    create(wiki, MOON, 'second')
    apply(wiki, { kind: 'erase', action: 'page', pageId: 2 })
    takeOutOfLog(wiki)
    expect(restore(wiki, MOON)).toMatchObject({ result: 'undeleted', pageId: 1 })
    expectSound(wiki)
    apply(wiki, { kind: 'erase', action: 'page', pageId: 1 })
    takeOutOfLog(wiki)
    expectSound(wiki)
  })

  test('the comment of a move takes its reason away', () => {
    const { store, applier, dataDir } = temporaryStore()
    const wiki = { store, applier }
    create(wiki, MOON, 'x')
    move(wiki, MOON, SUN, { leaves: false, reason: 'Heimlichkeit' })
    const revisionIds = [2]
    apply(wiki, { kind: 'erase', action: 'revisions', revisionIds, parts: ['comment', 'user'] })
    takeOutOfLog(wiki)
    expect(wordsIn(dataDir, ['Heimlichkeit'])).toEqual([])
    expect([...store.logEvents.list()]).toMatchObject([
      { comment: undefined, performer: undefined, title: MOON },
    ])
    expectSound(wiki)
  })
})

const SEEDS = Array.from({ length: rounds(200, 16) }, (_, n) => n + 1)

test.each(SEEDS)('random changes leave a sound store, and a log that gives it again, seed %i', (seed) => {
  const wiki = temporaryStore()
  const random = randomNumbers(seed)
  for (let n = 0; n < 60; n++) changeByChance(wiki, random)
  expectSound(wiki)
  takeOutOfLog(wiki)
  expectSound(wiki)
  for (let n = 0; n < 15; n++) changeByChance(wiki, random)
  takeOutOfLog(wiki)
  expectSound(wiki)
})
