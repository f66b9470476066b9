/** Lines of progress in the log of `follow`. */
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { ProgressLog, type Work } from '../../src/cli/follow/runFollow.js'
import type { UpstreamPosition } from '../../src/domain/upstreamPosition.js'
import { NO_FOLLOW_COUNTS } from '../../src/storage/entries/entries.js'
import { followOnce, openFollower } from '../support/following.js'
import { SmallWiki } from '../support/smallWiki.js'
import { START, temporaryStore } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

const POSITION: UpstreamPosition = {
  url: 'http://127.0.0.1/w/api.php',
  wikiId: 'small',
  batch: 3,
  newest: START,
  site: '',
  history: 'all',
  floor: 0,
}

let nowMs: number
let lines: Record<string, unknown>[]
let progress: ProgressLog

beforeEach(() => {
  nowMs = 0
  lines = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  progress = new ProgressLog(pino({ base: null }, { write }), () => nowMs)
})

const work = (position: Partial<UpstreamPosition>): Work => ({
  cursor: {
    position: { ...POSITION, ...position },
    counts: { ...NO_FOLLOW_COUNTS, pagesAdded: 7, revisionsAdded: 12 },
  },
  client: { requests: 40 },
})

/** Notes work that lasts as long as given, with a batch each second. */
function workFor(seconds: number, position: Partial<UpstreamPosition>): void {
  for (let n = 0; n <= seconds; n++, nowMs += 1000) progress.note(work(position))
}

describe('the log of follow', () => {
  test('says nothing of work that ends within 30 seconds, however often it comes', () => {
    for (let n = 0; n < 10; n++) {
      workFor(25, {})
      progress.end(POSITION)
    }
    expect(lines).toEqual([])
  })

  test.each<[string, Partial<UpstreamPosition>, object]>([
    ['catches up', { window: { next: '1|2', newest: START + 60 } }, { newest: '2020-01-01T00:01:00Z' }],
    ['fills the store', { sweep: { stage: 'pages', began: START, isFirst: true } }, { stage: 'pages' }],
    ['compares everything', { sweep: { stage: 'known', began: START } }, { stage: 'known' }],
  ])('%s: a line each 30 seconds, and one at the end', (message, position, more) => {
    workFor(61, position)
    progress.end({ ...POSITION, newest: START + 90 })
    expect(lines).toMatchObject([
      { msg: message, pagesAdded: 7, revisionsAdded: 12, requests: 40, ...more },
      { msg: message },
      { msg: 'up to date', newest: '2020-01-01T00:01:30Z' },
    ])
  })
})

test('a follower tells each batch that it has written', async () => {
  const wiki = new SmallWiki()
  wiki.edit('Oak', 'a')
  const server = await UpstreamServer.start(wiki)
  wiki.origin = server.origin
  const { store } = temporaryStore()
  await followOnce(store, server)
  wiki.edit('Oak', 'a b')
  const { follower } = await openFollower(store, server)
  const batches: number[] = []
  follower.cursor.onBatch = () => batches.push(follower.cursor.position.batch)
  const before = follower.cursor.position.batch
  await follower.poll()
  expect(batches).toEqual([before + 1])
})
