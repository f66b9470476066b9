/** Clients that send texts for conversion get equal shares of the threads, and take none from pages. */
// @module-tag hostile
import { beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const DAY_MS = '86400000'
const PAGES = Array.from({ length: 5 }, (_, n) => `Page_${n}`)
/** Takes minutes: the server is closed before. */
const ENDLESS = '<b>a'.repeat(20_000)
/** Styles and tags that overlap and are never closed. */
const FLOOD = Array.from({ length: 3000 }, (_, n) => `'''a''[[b|'''c]]'' <b><i>${n}`).join('')
/** Takes long enough for others to come in meanwhile. */
const SLOW = FLOOD.slice(0, 3000)

async function startWiki(): Promise<TestServer> {
  const folder = await folderWith(
    PAGES.map((name, n) => page(n + 1, name, [revision(n + 1, `'''${name}'''`)])),
  )
  const store = Store.open(folder)
  const site = { wikiId: 'testwiki' }
  new Applier(store).submit({ kind: 'settings', id: 'b'.repeat(32), time: 1_700_000_000, site })
  await store.close()
  return startServer(folder, { renderThreads: '1', convertTimeoutMs: DAY_MS, trustedProxies: '127.0.0.1' })
}

const convert = (server: TestServer, wt: string, client: number): Promise<Answer> =>
  server.send('/testwiki/Any', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.0.0.${client}`,
    },
    body: new URLSearchParams({ wt, body: '1' }).toString(),
  })

describe.each([
  ['endless texts', ENDLESS],
  ['overlapping styles', FLOOD],
])('while four clients send %s', (_kind, text) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startWiki()
  })

  test('every page without stored HTML is answered', async () => {
    const order: string[] = []
    const flood = [1, 2, 3, 4].flatMap((client) =>
      Array.from({ length: 6 }, () =>
        convert(server, text, client).then(
          ({ status }) => order.push(`conversion ${status}`),
          () => undefined,
        ),
      ),
    )
    // The queue is full when the first is turned away.
    await Promise.race(flood)
    const answers = await Promise.all(
      PAGES.map(async (name) => {
        const answer = await server.send(`/v1/page/${name}/html`)
        order.push(`page ${answer.status}`)
        return answer.bytes.toString()
      }),
    )
    answers.forEach((html, n) => expect(html).toContain(`>${PAGES[n]}</b>`))
    const pages = order.filter((one) => one.startsWith('page'))
    expect(pages).toEqual(PAGES.map(() => 'page 200'))
    // One thread converts; a page that waits for it would come after all that is queued.
    const converted = order.slice(0, order.lastIndexOf('page 200')).filter((one) => one === 'conversion 200')
    expect(converted.length).toBeLessThanOrEqual(2)
    await server.app.close()
    await Promise.all(flood)
  })
})

test('a client with one text waits for no more than the running one of a client with many', async () => {
  const server = await startWiki()
  const order: string[] = []
  const many = Array.from({ length: 12 }, (_, n) =>
    convert(server, SLOW, 1).then(({ status }) => order.push(`many ${n} ${status}`)),
  )
  await many[0]
  order.length = 0
  const { status } = await convert(server, "''one''", 2)
  order.push(`one ${status}`)
  // Besides the running one, one may have been begun while this came in.
  expect(order.indexOf('one 200')).toBeGreaterThanOrEqual(0)
  expect(order.indexOf('one 200')).toBeLessThanOrEqual(2)
  await Promise.all(many)
})
