/** Followers of a test, with a clock that does not wait. */
import type { HistoryKept } from '../../src/domain/upstreamPosition.js'
import type { Clock } from '../../src/follow/api/etiquette.js'
import type { FollowEvent, FollowOptions } from '../../src/follow/follower.js'
import { Follower } from '../../src/follow/follower.js'
import { Applier } from '../../src/storage/apply/applier.js'
import type { Store } from '../../src/storage/store.js'
import type { UpstreamServer } from './upstreamServer.js'

/** Waits take no time, but the clock goes on by them. */
export class InstantClock implements Clock {
  time = 0
  readonly waits: number[] = []
  onWait: (ms: number) => void = () => undefined

  now(): number {
    return this.time
  }

  sleep(ms: number): Promise<void> {
    this.waits.push(ms)
    this.time += ms
    this.onWait(ms)
    return new Promise((resolve) => setImmediate(resolve))
  }

  chance(): number {
    return 0.5
  }
}

export interface TestFollower {
  readonly follower: Follower
  readonly clock: InstantClock
  readonly events: FollowEvent[]
}

export interface TestOptions extends Partial<Omit<FollowOptions, 'store' | 'api'>> {
  readonly api?: Partial<FollowOptions['api']>
  readonly clock?: InstantClock
  readonly history?: HistoryKept | undefined
}

export async function openFollower(
  store: Store,
  server: UpstreamServer,
  { api, clock = new InstantClock(), ...options }: TestOptions = {},
): Promise<TestFollower> {
  const events: FollowEvent[] = []
  const signal = api?.signal ?? new AbortController().signal
  const follower = await Follower.open({
    store,
    applier: new Applier(store),
    overlap: 300,
    history: undefined,
    withFiles: true,
    contents: undefined,
    acceptRemovals: 0,
    acceptsUrl: false,
    intervalMs: 5000,
    tell: (event) => events.push(event),
    ...options,
    api: { url: server.url, userAgent: 'Palimpsest/test (test@wiki.example)', clock, ...api, signal },
  })
  return { follower, clock, events }
}

/** Follows up to now, as a new process. */
export async function followOnce(
  store: Store,
  server: UpstreamServer,
  options: TestOptions = {},
): Promise<TestFollower> {
  const opened = await openFollower(store, server, options)
  await opened.follower.catchUp()
  return opened
}
