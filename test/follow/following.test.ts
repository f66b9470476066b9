/** A small wiki is followed: kinds of changes, beginnings, refusals, limits. */
import { describe, expect, test } from 'vitest'
import type { UpstreamPosition } from '../../src/domain/upstreamPosition.js'
import type { Store } from '../../src/storage/store.js'
import { rounds } from '../support/effort.js'
import { followOnce, InstantClock, openFollower } from '../support/following.js'
import { randomNumbers } from '../support/random.js'
import { SmallWiki } from '../support/smallWiki.js'
import { history, page, problems, revision, source, START, temporaryStore } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

async function start(
  wiki = new SmallWiki(),
): Promise<{ wiki: SmallWiki; server: UpstreamServer; store: Store }> {
  const server = await UpstreamServer.start(wiki)
  wiki.origin = server.origin
  server.time = START + 1_000_000
  return { wiki, server, store: temporaryStore().store }
}

const place = (store: Store): UpstreamPosition => store.mirror.place() as UpstreamPosition

/** Pages of a wiki as far as a mirror shows them. */
function shownBy(wiki: SmallWiki): object {
  const pages = [...wiki.pages.values()].sort((one, other) => one.id - other.id)
  return pages.map(({ id, title, latest, protection }) => ({
    id,
    title: title.replaceAll(' ', '_').replace(/^[A-Za-z]+:/, ''),
    latest,
    edit: protection.length === 0 ? 'none' : 'sysop',
    revisions: [...wiki.revisions.values()]
      .filter(({ pageId }) => pageId === id)
      .sort((one, other) => one.time - other.time || one.id - other.id)
      .map(({ id, userId, comment, text, hides }) => ({
        id,
        user: hides.user ? null : wiki.names.get(userId),
        comment: hides.comment ? null : comment,
        text: hides.text ? null : text,
      })),
  }))
}

function shownIn(store: Store): object {
  store.refresh()
  return [...store.mirror.pageIds()].map((id) => {
    const { dbkey, latestId, namespace } = store.getPageById(id)!
    return {
      id,
      title: dbkey,
      latest: latestId,
      edit: store.getProtection({ namespace, dbkey }, 0).edit,
      revisions: history(store, id).map((row) => ({
        id: row.id,
        user: (row['user'] as { name: string } | null)?.name ?? null,
        comment: row['comment'],
        text: store.getText(row.id) ?? null,
      })),
    }
  })
}

function expectEqual(store: Store, wiki: SmallWiki): void {
  expect(shownIn(store)).toEqual(shownBy(wiki))
  expect(problems(store)).toEqual([])
}

describe('a wiki is followed', () => {
  test('from nothing, with all its history', async () => {
    const { wiki, server, store } = await start()
    for (const text of ['a', 'a b', 'a']) wiki.edit('Oak', text)
    wiki.edit('Ash', 'ash')
    await followOnce(store, server)
    expectEqual(store, wiki)
    expect(store.site().name).toBe('Small')
    expect([...store.interwiki().keys()]).toEqual(['w'])
  })

  test.each<[string, (wiki: SmallWiki) => void]>([
    ['edits', (wiki) => void wiki.edit('Oak', 'new')],
    ['new pages', (wiki) => void wiki.edit('Elm', 'elm')],
    ['a move that leaves a redirect', (wiki) => wiki.move('Oak', 'Oak tree')],
    ['a move that leaves nothing', (wiki) => wiki.move('Oak', 'Talk:Oak', { leaves: false })],
    [
      'titles that two pages exchange',
      (wiki) => {
        wiki.move('Oak', 'Third', { leaves: false })
        wiki.move('Ash', 'Oak', { leaves: false })
        wiki.move('Third', 'Ash', { leaves: false })
      },
    ],
    ['a deletion', (wiki) => wiki.delete('Oak')],
    [
      'a deletion and a new page of that title',
      (wiki) => {
        wiki.delete('Oak')
        wiki.edit('Oak', 'another')
      },
    ],
    [
      'a deleted page that comes back',
      (wiki) => {
        wiki.delete('Oak')
        wiki.restore('Oak')
        wiki.edit('Oak', 'since')
      },
    ],
    ['hidden parts', (wiki) => wiki.hide(1, { text: true, user: true })],
    ['protection', (wiki) => wiki.protect('Oak', 'sysop')],
    ['an account that gets another name', (wiki) => wiki.rename(1, 'Anna')],
  ])('%s', async (_what, change) => {
    const { wiki, server, store } = await start()
    wiki.edit('Oak', 'one')
    wiki.edit('Oak', 'two', { userId: 2 })
    wiki.edit('Ash', 'ash', { userId: 0 })
    const { follower } = await followOnce(store, server)
    change(wiki)
    await follower.catchUp()
    expectEqual(store, wiki)
  })

  // Every second one is asked in small parts.
  test.each(Array.from({ length: rounds(60, 4) }, (_, n) => n + 1))(
    'through changes of chance, at moments of chance (%i)',
    { tags: ['slow'] },
    async (seed) => {
      const random = randomNumbers(seed)
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
      const { wiki, server, store } = await start()
      const names = ['Oak', 'Ash', 'Elm', 'Fir', 'Yew', 'Talk:Oak']
      const deleted: string[] = []
      const change = (): void => {
        const here = [...wiki.pages.values()].map(({ title }) => title)
        const free = names.filter((name) => !here.includes(name))
        const kind = Math.floor(random() * 10)
        if (kind < 4 || here.length === 0)
          wiki.edit(pick(names), `${pick(names)} ${Math.floor(random() * 5)}`)
        else if (kind === 4 && free.length > 0) wiki.move(pick(here), pick(free), { leaves: random() < 0.5 })
        else if (kind === 5) {
          deleted.push(pick(here))
          wiki.delete(deleted.at(-1)!)
        } else if (kind === 6 && deleted.length > 0 && !here.includes(deleted.at(-1)!))
          wiki.restore(deleted.pop()!)
        else if (kind === 7)
          wiki.hide(pick([...wiki.revisions.keys()]), { text: random() < 0.5, user: random() < 0.5 })
        else if (kind === 8) wiki.protect(pick(here), random() < 0.5 ? 'sysop' : '')
        else if (kind === 9) wiki.rename(pick([1, 2]), `Name ${Math.floor(random() * 1000)}`)
      }
      // Windows of changes come in parts, too.
      wiki.most = seed % 2 === 0 ? 500 : 3
      const clock = new InstantClock()
      let { follower } = await followOnce(store, server, { clock })
      for (let n = 0; n < 25; n++) {
        for (let some = Math.floor(random() * 8); some >= 0; some--) change()
        if (random() < 0.2) follower = (await openFollower(store, server, { clock })).follower
        await follower.catchUp()
        expect(shownIn(store)).toEqual(shownBy(wiki))
      }
      expect(problems(store)).toEqual([])
    },
  )

  test('from nothing, with the latest revisions and all that come', async () => {
    const { wiki, server, store } = await start()
    for (const text of ['a', 'a b', 'a b c']) wiki.edit('Oak', text)
    const { follower } = await followOnce(store, server, { history: 'since' })
    expect(history(store, 1).map(({ id }) => id)).toEqual([3])
    expect(place(store)).toMatchObject({ history: 'since', floor: 3 })
    wiki.edit('Oak', 'a b c d')
    wiki.edit('Ash', 'ash')
    wiki.edit('Ash', 'ash tree')
    await follower.catchUp()
    expect(history(store, 1).map(({ id }) => id)).toEqual([3, 4])
    expect(history(store, 2).map(({ id }) => id)).toEqual([5, 6])
    await follower.check()
    expect(store.counters().revisions).toBe(4)
    expect(problems(store)).toEqual([])
  })

  test('by a check, where no row tells of a change', async () => {
    const { wiki, server, store } = await start()
    for (let n = 0; n < 30; n++) wiki.edit(`Page ${n}`, `text ${n}`)
    const { follower } = await followOnce(store, server)
    wiki.suppress(3)
    wiki.delete('Page 7')
    wiki.edit('Lost', 'no row tells of it')
    wiki.rows = []
    await follower.catchUp()
    expect(shownIn(store)).not.toEqual(shownBy(wiki))
    await follower.check()
    expectEqual(store, wiki)
    const before = { ...follower.cursor.counts }
    await follower.check()
    expect(follower.cursor.counts).toEqual(before)
  })

  test('in the background too, with one request in ten', async () => {
    const { wiki, server, store } = await start()
    wiki.edit('Oak', 'secret')
    wiki.edit('Oak', 'oak')
    const stop = new AbortController()
    const clock = new InstantClock()
    const { follower } = await openFollower(store, server, { clock, api: { signal: stop.signal } })
    await follower.catchUp()
    wiki.suppress(1)
    server.time! += 100_000
    clock.onWait = () => {
      if (store.getText(1) === undefined) stop.abort(new Error('seen'))
    }
    await expect(follower.run()).rejects.toThrow('seen')
    const isSweep = (list: string | undefined): boolean =>
      list === 'allrevisions' || list === 'protectedtitles'
    const ofSweep = server.seen.filter(({ parameters }) => isSweep(parameters['list']))
    expect(ofSweep.length * 9).toBeLessThan(follower.client.requests)
    expectEqual(store, wiki)
  })
})

describe('settings of the wiki', () => {
  const subpages = (ids: readonly number[]) => (wiki: SmallWiki) => {
    const rows = [0, 1, 2, 6, 10].map((id) => [id, { id, name: NAMES[id], subpages: ids.includes(id) }])
    wiki.siteinfo = { ...wiki.siteinfo, namespaces: Object.fromEntries(rows) as object }
  }
  const NAMES: Readonly<Record<number, string>> = { 0: '', 1: 'Talk', 2: 'User', 6: 'File', 10: 'Template' }

  test('that change come within ten minutes, and change what titles and links mean', async () => {
    const { wiki, server, store } = await start()
    wiki.edit('Oak', '[[T:Tree]] [[/Leaf]]')
    wiki.edit('Template:Tree', 'tree')
    const { follower, clock, events } = await followOnce(store, server)
    const from = (namespace: number, name: string) =>
      [...store.pageLinks.uses('link', namespace, { from: name, to: `${name}\0` })].map(
        ({ pageId }) => pageId,
      )
    expect([from(0, 'T:Tree'), from(10, 'Tree')]).toEqual([[1], []])
    expect(store.site().aliases).toBeUndefined()

    wiki.siteinfo = {
      namespacealiases: [{ id: 10, alias: 'T' }],
      functionhooks: ['len'],
      specialpagealiases: [{ realname: 'Search', aliases: ['Find', 'Search'] }],
    }
    subpages([0, 1, 2, 10])(wiki)
    clock.time += 600_000
    await follower.catchUp()
    expect(store.site()).toMatchObject({
      aliases: [['T', 10]],
      stringFunctions: true,
      subpages: { 0: true, 6: false },
      specialPages: { Search: ['Find', 'Search'] },
    })
    expect(store.namespaces().idByName('t')).toBe(10)
    expect([from(0, 'T:Tree'), from(10, 'Tree')]).toEqual([[], [1]])
    expect(events.at(-1)).toEqual({ type: 'reindex', changed: ['subpages'] })

    // A part that is odd for a while changes nothing.
    wiki.siteinfo = { ...wiki.siteinfo, namespacealiases: null, functionhooks: 7 }
    clock.time += 600_000
    await follower.catchUp()
    expect(store.site()).toMatchObject({ aliases: [['T', 10]], stringFunctions: true })
    wiki.siteinfo = { ...wiki.siteinfo, namespacealiases: [], functionhooks: [] }
    clock.time += 600_000
    await follower.catchUp()
    expect([store.site().aliases, store.site().stringFunctions]).toEqual([[], false])
    expect(events.at(-1)).toEqual({ type: 'reindex', changed: ['lost names of namespaces'] })
  })
})

describe('a store made from a dump', () => {
  const text = 'oak'
  const dumpOf = (store: Store, applier: ReturnType<typeof temporaryStore>['applier']): void => {
    applier.adoptSite({ ...store.site(), wikiId: 'smallwiki' })
    applier.importPages('d', [page(1, 'Oak', [revision(2, text, { timestamp: START })])])
    applier.finishImport(null)
  }

  test('goes on from the time of the dump, and misses no older history', async () => {
    const { wiki, server } = await start()
    wiki.edit('Oak', 'older than the dump')
    wiki.edit('Oak', text)
    const { store, applier } = temporaryStore()
    dumpOf(store, applier)
    wiki.edit('Oak', 'newer')
    wiki.edit('Ash', 'ash')
    const { events } = await followOnce(store, server)
    expect(events).toEqual([{ type: 'begun', how: 'dump' }])
    expect(history(store, 1).map(({ id }) => id)).toEqual([2, 3])
    expect(source(store, 'Ash')).toBe('ash')
    expect(place(store)).toMatchObject({ history: 'since', floor: 2 })
  })

  test('brings the older history where it is wanted, by a check', async () => {
    const { wiki, server } = await start()
    wiki.edit('Oak', 'older than the dump')
    wiki.edit('Oak', text)
    const { store, applier } = temporaryStore()
    dumpOf(store, applier)
    const { follower } = await followOnce(store, server, { history: 'all' })
    await follower.check()
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 2])
  })

  test('compares everything when the wiki has forgotten changes since', async () => {
    const { wiki, server } = await start()
    wiki.edit('Oak', 'older')
    wiki.edit('Oak', text)
    const { store, applier } = temporaryStore()
    dumpOf(store, applier)
    wiki.time += 10_000_000
    wiki.edit('Ash', 'forgotten')
    wiki.rows = []
    wiki.edit('Elm', 'known')
    const { events } = await followOnce(store, server)
    expect(events.map(({ type }) => type)).toEqual(['horizon', 'begun'])
    expect(source(store, 'Ash')).toBe('forgotten')
  })

  test('is refused if it is of another wiki', async () => {
    const { wiki, server } = await start()
    wiki.wikiId = 'otherwiki'
    const { store, applier } = temporaryStore()
    dumpOf(store, applier)
    await expect(followOnce(store, server)).rejects.toThrow('the store holds the wiki "smallwiki"')
    expect(store.mirror.place()).toBeUndefined()
  })

  test('is refused with edits made here: their number, and ten titles', async () => {
    const { server } = await start()
    const { store, applier } = temporaryStore()
    for (let n = 10; n < 22; n++)
      applier.submit({
        kind: 'create',
        id: String(n).padStart(32, '0'),
        time: START,
        namespace: 0,
        dbkey: `Local_${n}`,
        editor: { id: null, name: '192.0.2.1' },
        comment: '',
        minor: false,
        contentModel: 'wikitext',
        text: 'here',
      })
    await expect(followOnce(store, server)).rejects.toThrow(
      /has 12 edits made here.*"Local 10", "Local 11".*"Local 19"$/,
    )
  })
})

describe('a follower stops', () => {
  test('before it removes a great part of the wiki, and goes on when that is accepted', async () => {
    const { wiki, server, store } = await start()
    for (let n = 0; n < 130; n++) wiki.edit(`Page ${n}`, 'text')
    await followOnce(store, server)
    for (let n = 0; n < 120; n++) wiki.delete(`Page ${n}`)
    await expect(followOnce(store, server)).rejects.toThrow('lacks at least 120 pages')
    expect(store.counters().pages).toBe(130)
    await followOnce(store, server, { acceptRemovals: 120 })
    expectEqual(store, wiki)
  })

  test('before small removals of one hour are a great part of the wiki; those of other hours do not count', async () => {
    const { wiki, server, store } = await start()
    for (let n = 0; n < 300; n++) wiki.edit(`Page ${n}`, 'text')
    const { follower, clock } = await followOnce(store, server)
    const remove = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n++) wiki.delete(`Page ${n}`)
      await follower.catchUp()
    }
    await remove(0, 60)
    clock.time += 3_600_000
    await remove(60, 120)
    clock.time += 1_800_000
    await expect(remove(120, 180)).rejects.toThrow('lacks at least 120 pages')
    expect(store.counters().pages).toBe(180)
  })

  test('at a wiki that was restored from a backup, and a check makes the store equal to it', async () => {
    const { wiki, server, store } = await start()
    wiki.edit('Oak', 'one')
    const saved = {
      rows: [...wiki.rows],
      pages: structuredClone([...wiki.pages]),
      revisions: [...wiki.revisions],
    }
    wiki.time += 10_000
    wiki.edit('Oak', 'two')
    await followOnce(store, server)
    wiki.rows = saved.rows
    for (const [id, each] of saved.pages) wiki.pages.set(id, each)
    wiki.revisions.delete(2)
    await expect(followOnce(store, server)).rejects.toThrow('was the wiki restored from a backup?')
    const { follower } = await openFollower(store, server, { acceptsUrl: true })
    await follower.check()
    expectEqual(store, wiki)
  })

  test.each([
    ['another wiki at the address', 'wiki "smallwiki", but', (wiki: SmallWiki) => (wiki.wikiId = 'other')],
  ])('at %s', async (_what, message, change) => {
    const { wiki, server, store } = await start()
    await followOnce(store, server)
    change(wiki)
    await expect(followOnce(store, server)).rejects.toThrow(message)
  })

  test('when another follower has moved the position', async () => {
    const { wiki, server, store } = await start()
    wiki.edit('Oak', 'one')
    const { follower } = await followOnce(store, server)
    wiki.edit('Oak', 'two')
    await followOnce(store, server)
    wiki.edit('Oak', 'three')
    await expect(follower.catchUp()).rejects.toThrow('another process follows with this store')
  })
})

describe('a long backlog', () => {
  test('takes a request for each fifty revisions, and one for each part of the list', async () => {
    const { wiki, server, store } = await start()
    for (let n = 0; n < 20; n++) wiki.edit(`Page ${n}`, 'text')
    await followOnce(store, server)
    wiki.most = 100
    for (let n = 0; n < 400; n++) wiki.edit(`Page ${n % 20}`, `text ${n}`)
    const { follower } = await openFollower(store, server)
    server.seen.length = 0
    await follower.catchUp()
    const kinds = server.seen.map(({ parameters }) => parameters['list'] ?? parameters['prop'])
    // Four parts, the rest with the rows of the overlap, and a look for removals before.
    expect(kinds.filter((kind) => kind === 'recentchanges').length).toBeLessThanOrEqual(8)
    expect(kinds.filter((kind) => kind === 'info|revisions').length).toBeLessThanOrEqual(10)
    expect(kinds.filter((kind) => !/recentchanges|info.revisions/.test(kind ?? ''))).toEqual([])
    expect(server.mostOpen).toBe(1)
    expectEqual(store, wiki)
  })

  test('begins with what has disappeared, and moves the position with each part', async () => {
    const { wiki, server, store } = await start()
    wiki.most = 20
    for (let n = 0; n < 10; n++) wiki.edit(`Page ${n}`, 'text')
    await followOnce(store, server)
    for (let n = 0; n < 200; n++) wiki.edit(`Page ${n % 9}`, `text ${n}`)
    wiki.delete('Page 9')
    wiki.hide(1, { text: true })
    const written: string[] = []
    const { store: _store, ...rest } = { store }
    const { follower } = await openFollower(store, server, rest)
    const write = follower.cursor.write.bind(follower.cursor)
    follower.cursor.write = (states, move) => {
      for (const each of states.pages) if ('gone' in each) written.push(`gone ${each.id}`)
      for (const each of states.pages) if (!('gone' in each) && each.add.length > 0) written.push('add')
      if (move?.window) written.push('window')
      write(states, move)
    }
    await follower.catchUp()
    expect(written[0]).toBe('gone 10')
    expect(written.filter((each) => each === 'window').length).toBeGreaterThan(5)
    expect(place(store).window).toBeUndefined()
    expectEqual(store, wiki)
  })
})
