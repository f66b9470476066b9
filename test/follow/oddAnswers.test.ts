/** A wiki that answers with anything: the follower waits, and is equal to it once its answers are sound. */
import { expect, test } from 'vitest'
import { followOnce, InstantClock, openFollower } from '../support/following.js'
import { ODD_ANSWERS, oddFault } from '../support/oddAnswers.js'
import { randomNumbers } from '../support/random.js'
import { rounds } from '../support/effort.js'
import { SmallWiki } from '../support/smallWiki.js'
import { problems, source, START, temporaryStore } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

/** The server answers so many requests with something odd, then soundly. */
function beOdd(server: UpstreamServer, wiki: SmallWiki, random: () => number): { left: number } {
  const odd = { left: 0 }
  server.faultOf = (_number, parameters) => {
    if (odd.left <= 0) return undefined
    odd.left--
    return oddFault(wiki, parameters, random)
  }
  return odd
}

test('there are forty kinds of odd answers', () => {
  expect(Object.keys(ODD_ANSWERS).length).toBeGreaterThanOrEqual(40)
})

test.each(Array.from({ length: rounds(20, 2) }, (_, n) => n + 1))(
  'a follower waits for sound answers, and is then equal to the wiki (%i)',
  async (seed) => {
    const random = randomNumbers(seed)
    const wiki = new SmallWiki()
    const server = await UpstreamServer.start(wiki)
    server.time = START + 1_000_000
    const { store } = temporaryStore()
    const odd = beOdd(server, wiki, random)
    for (let n = 0; n < 8; n++) wiki.edit(`Page ${n}`, `text ${n}`)
    odd.left = 40
    const clock = new InstantClock()
    const { follower } = await openFollower(store, server, { clock })
    for (let round = 0; round < 5; round++) {
      odd.left = 40
      for (let n = 0; n < 4; n++) wiki.edit(`Page ${Math.floor(random() * 12)}`, `text ${round} ${n}`)
      clock.time += 600_000
      await follower.catchUp()
    }
    odd.left = 0
    await follower.check()
    const before = { ...follower.cursor.counts }
    await follower.check()
    expect(follower.cursor.counts).toEqual(before)
    for (const { title, latest } of wiki.pages.values())
      expect(source(store, title.replaceAll(' ', '_'))).toBe(wiki.revisions.get(latest)!.text)
    expect(problems(store)).toEqual([])
  },
)

/** A follower of a wiki whose answers go through `change`, value by value. */
async function followedBy(
  change: (key: string, value: unknown) => unknown,
): Promise<{ store: ReturnType<typeof temporaryStore>['store']; named: string[]; wiki: SmallWiki }> {
  const wiki = new SmallWiki()
  const server = await UpstreamServer.start(wiki)
  server.time = START + 1_000_000
  const { store } = temporaryStore()
  wiki.edit('Oak', 'oak')
  wiki.edit('Ash', 'ash', { userId: 2 })
  const { follower, events } = await followOnce(store, server)
  server.source = {
    file: (path) => wiki.file(path),
    query: (parameters) => JSON.parse(JSON.stringify(wiki.query(parameters)), change) as object,
  }
  wiki.edit('Oak', 'oak tree')
  wiki.edit('Ash', 'ash tree', { userId: 2 })
  await follower.catchUp()
  await follower.check()
  const named = events.flatMap((event) => (event.type === 'left-out' ? [event.what] : []))
  return { store, named, wiki }
}

test('an account that has lost its name is shown as a hidden one, and named once for each revision', async () => {
  const { store, named } = await followedBy((key, value) => (key === 'user' && value === 'Ben' ? '' : value))
  expect(source(store, 'Ash')).toBe('ash tree')
  expect(named.sort()).toEqual([2, 4].map((id) => `revision ${id}: its editor has no name`))
})

test('a size that no row can hold spoils its revision alone, and is named once', async () => {
  const { store, named } = await followedBy((_key, value) =>
    (value as { revid?: number; size?: number } | null)?.revid === 4 &&
    (value as { size?: number }).size !== undefined
      ? { ...(value as object), size: 2 ** 32 }
      : value,
  )
  expect(source(store, 'Oak')).toBe('oak tree')
  expect(source(store, 'Ash')).toBe('ash')
  expect(named).toEqual(['revision 4: size is 4294967296, above 4294967295'])
})

test('a wiki that states no SHA-1 of slots is followed by its texts', async () => {
  const { store } = await followedBy((key, value) => (key === 'sha1' ? undefined : value))
  expect(source(store, 'Oak')).toBe('oak tree')
  expect(source(store, 'Ash')).toBe('ash tree')
})

test('a prefix that is null is left out, and named', async () => {
  const { store, named } = await followedBy((key, value) => (key === 'prefix' ? null : value))
  expect(source(store, 'Oak')).toBe('oak tree')
  expect(named).toHaveLength(1)
  expect(named[0]).toContain('interwiki prefix {"prefix":null')
})
