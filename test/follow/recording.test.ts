/** The follower against a recorded wiki, which knows every kind of change. Skipped where the recording is absent. */
// @module-tag slow
import { expect, test } from 'vitest'
import type { Store } from '../../src/storage/store.js'
import { rounds } from '../support/effort.js'
import { comparable, stateOf } from '../support/mirrorState.js'
import { followOnce, InstantClock, openFollower } from '../support/following.js'
import { randomNumbers } from '../support/random.js'
import { expectedOf, RECORDING, openRecording, type RecordedWiki } from '../support/replay.js'
import type { Entry, Verdict } from '../../src/storage/entries/entries.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { DumpApplier, problems, temporaryStore } from '../support/store.js'
import { type Fault, UpstreamServer } from '../support/upstreamServer.js'
import { describeShared } from '../support/shared.js'

async function start(step?: number): Promise<{ wiki: RecordedWiki; server: UpstreamServer; store: Store }> {
  const wiki = await openRecording()
  if (step !== undefined) wiki.goTo(step)
  const server = await UpstreamServer.start(wiki)
  return { wiki, server, store: temporaryStore().store }
}

async function expectEqual(store: Store, wiki: RecordedWiki): Promise<void> {
  expect(stateOf(store)).toEqual(comparable(await expectedOf(wiki)))
  expect(problems(store)).toEqual([])
}

class Ended extends Error {}

/** Follows with a new follower, which ends before it writes its last of so many batches. False: it ended. */
async function isFollowed(store: Store, server: UpstreamServer, batches: number): Promise<boolean> {
  const applier = new DumpApplier(store)
  const submit = applier.submit.bind(applier) as (entry: Entry) => Verdict
  let left = batches
  applier.submit = ((entry: Entry) => {
    if (--left === 0) throw new Ended()
    return submit(entry)
  }) as typeof applier.submit
  try {
    await followOnce(store, server, { applier })
    return true
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    return false
  }
}

/** Steps at which a follower looks, from one to the last, several at a time. */
function schedule(from: number, last: number, random: () => number): number[] {
  const steps = [from]
  while (steps.at(-1)! < last) steps.push(Math.min(last, steps.at(-1)! + 1 + Math.floor(random() ** 2 * 8)))
  return steps
}

describeShared('a recorded wiki', RECORDING, () => {
  test('fills an empty store', async () => {
    const { wiki, server, store } = await start()
    await followOnce(store, server)
    expect(store.counters().pages).toBeGreaterThan(40)
    await expectEqual(store, wiki)
  })

  test('is followed step by step, each time by a new process', async () => {
    const { wiki, server, store } = await start(0)
    for (let step = 0; step <= wiki.last; step++) {
      wiki.goTo(step)
      await followOnce(store, server)
      expect(stateOf(store), wiki.name(step)).toEqual(comparable(await expectedOf(wiki)))
    }
    expect(problems(store)).toEqual([])
  })

  test.each(['shown', 'hidden'] as const)(
    'is followed step by step though answers about a file go on with older versions, which are %s',
    async (oldFiles) => {
      const { wiki, server, store } = await start(0)
      wiki.oldFiles = oldFiles
      for (let step = 0; step <= wiki.last; step++) {
        wiki.goTo(step)
        await followOnce(store, server)
        expect(stateOf(store), wiki.name(step)).toEqual(comparable(await expectedOf(wiki)))
      }
    },
  )

  test.each(Array.from({ length: rounds(100, 3) }, (_, n) => n + 1))(
    'is followed at moments of chance (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const { wiki, server, store } = await start(0)
      const clock = new InstantClock()
      const steps = schedule(Math.floor(random() * 60), wiki.last, random)
      wiki.goTo(steps[0]!)
      const { follower } = await openFollower(store, server, { clock })
      for (const step of steps) {
        wiki.goTo(step)
        // The site is asked for every ten minutes.
        clock.time += 600_000
        await follower.catchUp()
      }
      await expectEqual(store, wiki)
    },
  )

  test.each(Array.from({ length: rounds(100, 4) }, (_, n) => n + 1))(
    'is followed though a fifth of the last rows comes late (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const { wiki, server, store } = await start(0)
      const clock = new InstantClock()
      const { follower } = await openFollower(store, server, { clock })
      for (const step of schedule(0, wiki.last, random)) {
        wiki.goTo(step)
        const last = wiki
          .rows('rc')
          .sort((one, other) => one.rcid - other.rcid)
          .slice(-12)
        wiki.hideRc = new Set(last.filter(() => random() < 0.2).map(({ rcid }) => rcid))
        clock.time += 600_000
        await follower.catchUp()
      }
      wiki.hideRc = new Set()
      await follower.catchUp()
      await expectEqual(store, wiki)
    },
  )

  const FAULTS: readonly Fault[] = [
    { status: 503, retryAfter: 7 },
    { status: 429 },
    { error: 'maxlag', lag: 7, retryAfter: 5 },
    { error: 'readonly' },
    { error: 'ratelimited' },
    { error: 'internal_api_error_DBQueryError' },
    { cut: 0.5 },
    { html: true },
    { body: '{"query":{"pages":' },
    { body: '{}', type: 'text/plain' },
    { hangUp: true },
  ]

  test.each(Array.from({ length: rounds(50, 2) }, (_, n) => n + 1))(
    'is followed though requests fail, each kind of fault at 5 % of them (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const { wiki, server, store } = await start(0)
      server.faultOf = () => {
        const chosen = Math.floor(random() * 20)
        return chosen < FAULTS.length ? FAULTS[chosen] : undefined
      }
      const clock = new InstantClock()
      const { follower } = await openFollower(store, server, { clock })
      for (const step of schedule(0, wiki.last, random)) {
        wiki.goTo(step)
        clock.time += 600_000
        await follower.catchUp()
      }
      await expectEqual(store, wiki)
      expect(server.mostOpen).toBe(1)
    },
  )

  test.each(Array.from({ length: rounds(50, 3) }, (_, n) => n + 1))(
    'is followed though a third of the answers comes from a replica that lags (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const { wiki, server, store } = await start(0)
      const lagging = await openRecording()
      lagging.goTo(0)
      server.source = {
        query: (parameters) => (random() < 0.33 ? lagging : wiki).query(parameters),
        file: (path) => wiki.file(path),
      }
      const clock = new InstantClock()
      // Replicas lag by seconds, so one that was asked again has caught up.
      clock.onWait = (ms) => {
        server.time! += ms / 1000
        if (server.time! > newestOf(wiki) + 10) lagging.goTo(wiki.step)
      }
      server.time = newestOf(wiki) + 1
      const { follower } = await openFollower(store, server, { clock })
      let before = 0
      for (const step of schedule(0, wiki.last, random)) {
        wiki.goTo(step)
        lagging.goTo(before)
        server.time = newestOf(wiki) + 1
        clock.time += 600_000
        await follower.catchUp()
        before = step
      }
      lagging.goTo(wiki.last)
      server.time = newestOf(wiki) + 100
      clock.time += 600_000
      await follower.catchUp()
      await expectEqual(store, wiki)
    },
  )

  test('is the same after a second look, which writes nothing', async () => {
    const { server, store } = await start()
    await followOnce(store, server)
    const { digest } = store.position()
    await followOnce(store, server)
    expect(store.position().digest).toBe(digest)
  })

  test('is equal after a check, whatever the follower missed, and a second check finds nothing', async () => {
    const { wiki, server, store } = await start(25)
    await followOnce(store, server)
    // A follower that saw none of the changes since.
    const { follower } = await openFollower(store, server)
    wiki.goTo(wiki.last)
    await follower.check()
    expect(follower.cursor.counts.revisionsAdded).toBeGreaterThan(20)
    await expectEqual(store, wiki)
    const before = { ...follower.cursor.counts }
    await follower.check()
    expect(follower.cursor.counts).toEqual(before)
  })

  test('gives the same store again from its log', async () => {
    const { server, store } = await start()
    await followOnce(store, server)
    const digest = digestStore(store)
    const { last } = store.log.bounds()
    const log = Array.from({ length: last }, (_, n) => store.log.getEntry(n + 1) as Entry)
    await store.close()
    const replayed = temporaryStore()
    for (const entry of log) replayed.applier.submit(entry)
    expect(digestStore(replayed.store)).toBe(digest)
  })

  test.each(Array.from({ length: rounds(100, 3) }, (_, n) => n + 1))(
    'ends the same though the follower is ended between two batches again and again (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const { wiki, server, store } = await start(0)
      server.time = newestOf(wiki) + 3600
      const steps = schedule(Math.floor(random() * 30), wiki.last, random)
      for (const step of steps) {
        wiki.goTo(step)
        await followOnce(store, server)
      }
      const [digest, position] = [digestStore(store), store.position()]
      await store.close()
      const { store: ended } = temporaryStore()
      let endings = 0
      for (const step of steps) {
        wiki.goTo(step)
        while (!(await isFollowed(ended, server, 1 + Math.floor(random() * 4)))) endings++
      }
      expect(endings).toBeGreaterThan(0)
      expect(digestStore(ended)).toBe(digest)
      expect(ended.position()).toEqual(position)
    },
  )
})

const newestOf = (wiki: RecordedWiki): number =>
  Math.max(...wiki.rows('rc').map(({ timestamp }) => Date.parse(timestamp) / 1000))
