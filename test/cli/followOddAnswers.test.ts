/** `palimpsest follow` as a process, beside a wiki that answers half of its requests with something odd. */
// @module-tag slow
import { expect, test } from 'vitest'
import { Store } from '../../src/storage/store.js'
import { folderOfFile } from '../support/cleanUp.js'
import { run } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { oddFault } from '../support/oddAnswers.js'
import { memoryOf } from '../support/processes.js'
import { randomNumbers } from '../support/random.js'
import { SmallWiki } from '../support/smallWiki.js'
import { problems, source, START } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

/** Requests that get an odd answer. */
const ODD = rounds(1000, 25)
const MOST_BYTES = 200e6

test('the follower never ends, stays small, and is equal to the wiki once the answers are sound', async () => {
  const wiki = new SmallWiki()
  const server = await UpstreamServer.start(wiki)
  server.time = START + 1_000_000
  for (let n = 0; n < 30; n++) wiki.edit(`Page ${n}`, `text ${n}`)
  const random = randomNumbers(1)
  let odd = 0
  server.faultOf = (_number, parameters) => {
    if (odd >= ODD || random() < 0.5) return undefined
    if (++odd % 5 === 0) wiki.edit(`Page ${Math.floor(random() * 40)}`, `text ${odd}`)
    return oddFault(wiki, parameters, random)
  }
  const folder = folderOfFile()
  const flags = ['--data-dir', folder, '--interval', '1s', '--upstream', server.url]
  const follower = run('follow', ...flags, '--contact', 'admin@mirror.example')
  await expect.poll(() => odd, { timeout: 3_600_000, interval: 200 }).toBe(ODD)
  const latest = [...wiki.pages.values()].map(({ title, latest }) => [
    title,
    wiki.revisions.get(latest)!.text,
  ])
  await expect
    .poll(
      () =>
        shownTexts(
          folder,
          latest.map(([title]) => title!),
        ),
      { timeout: 60_000, interval: 500 },
    )
    .toEqual(latest)
  const peak = memoryOf(follower.child.pid!, 'VmHWM')
  expect(follower.child.exitCode).toBeNull()
  process.stdout.write(`${ODD} odd answers: at most ${(peak / 1e6).toFixed(0)} MB\n`)
  expect(peak).toBeLessThan(MOST_BYTES)
  follower.child.kill('SIGTERM')
  expect(await follower.exit).toBe(0)
})

async function shownTexts(folder: string, titles: readonly string[]): Promise<unknown[]> {
  const store = Store.open(folder)
  try {
    expect(problems(store)).toEqual([])
    return titles.map((title) => [title, source(store, title.replaceAll(' ', '_'))])
  } finally {
    await store.close()
  }
}
