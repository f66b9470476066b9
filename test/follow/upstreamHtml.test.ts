/** HTML of the followed wiki: what is asked, what is kept, and what faults do. */
import { describe, expect, test } from 'vitest'
import { SYSTEM_CLOCK } from '../../src/follow/api/etiquette.js'
import { UpstreamHtml, type UpstreamHtmlOptions } from '../../src/follow/html/upstreamHtml.js'
import { packHtml } from '../../src/storage/html/importedHtml.js'
import type { Store } from '../../src/storage/store.js'
import { Turns } from '../../src/runtime/turns.js'
import { Following, present } from '../support/upstream.js'
import { htmlOf, SmallWiki } from '../support/smallWiki.js'
import { revision, START, temporaryStore } from '../support/store.js'
import { type Fault, UpstreamServer } from '../support/upstreamServer.js'

const MINUTE = 60_000

interface Scene {
  readonly wiki: SmallWiki
  readonly server: UpstreamServer
  readonly store: Store
  readonly html: UpstreamHtml
  readonly faults: string[]
  readonly time: { now: number }
  /** Takes the wiki's latest revisions into the store. */
  readonly follow: () => void
  readonly open: (options?: Partial<UpstreamHtmlOptions>) => UpstreamHtml
  readonly fail: (fault: Fault | undefined) => void
}

/** A wiki with the page Oak (revision 2), which uses Template:Box (revision 1), and a store that follows it. */
async function scene(): Promise<Scene> {
  const wiki = new SmallWiki()
  const server = await UpstreamServer.start(wiki)
  const { store, applier } = temporaryStore()
  const time = { now: 1000 * START }
  const faults: string[] = []
  const turns = new Turns(() => time.now)
  const open = (options: Partial<UpstreamHtmlOptions> = {}): UpstreamHtml =>
    new UpstreamHtml({
      store,
      userAgent: 'Palimpsest/1 (admin@mirror.example)',
      takeTurn: () => turns.take(),
      keep: ({ html, ...facts }) =>
        Promise.resolve(store.html.import([{ ...facts, html: packHtml(html) }])[0]!),
      clock: SYSTEM_CLOCK,
      nowMs: () => time.now,
      waitMs: 1000,
      onFault: ({ message }) => faults.push(message),
      ...options,
    })
  const following = new Following(store, applier, server.url)
  const known = new Set<number>()
  const follow = (): void => {
    for (const page of wiki.pages.values()) {
      const { id, text, time: timestamp } = wiki.revisions.get(page.latest)!
      if (known.has(id)) continue
      known.add(id)
      const add = [{ ...revision(id, text), timestamp }]
      const dbkey = page.title.replace('Template:', '')
      following.pages(present(page.id, dbkey, { namespace: page.ns, latestId: id, add }))
    }
  }
  wiki.edit('Template:Box', 'a box')
  wiki.edit('Oak', 'a tree {{Box}}')
  follow()
  const fail = (fault: Fault | undefined): void => {
    server.faultOf = () => fault
  }
  return { wiki, server, store, html: open(), faults, time, follow, open, fail }
}

const requestsFor = ({ server }: Scene, id: number): number =>
  server.seen.filter(({ parameters }) => parameters['rest'] === `/v1/revision/${id}/html`).length

describe('HTML of the followed wiki', () => {
  test('is kept for the latest revision of a page, with its templates', async () => {
    const { html, store, server } = await scene()
    expect(await html.fetch(2)).toBe(true)
    expect(store.html.getImported(2)).toMatchObject({ origin: 'upstream', version: [2, 6, 0] })
    expect(store.html.getImported(2)?.html).toBe(htmlOf(2, 'a tree {{Box}}'))
    expect(server.seen.map(({ parameters }) => parameters['rest'] ?? parameters['prop'])).toEqual([
      '/v1/revision/2/html',
      'templates',
    ])
    for (const { headers } of server.seen)
      expect(headers).toMatchObject({
        'user-agent': 'Palimpsest/1 (admin@mirror.example)',
        'accept-encoding': 'gzip',
      })
    expect(await html.fetch(2)).toBe(true)
    expect(server.seen).toHaveLength(2)
  })

  test('goes when its page or a template changes, and is asked for again', async () => {
    const all = await scene()
    const { html, store, wiki } = all
    await html.fetch(2)
    wiki.edit('Template:Box', 'a larger box')
    all.follow()
    expect(store.html.getImported(2)).toBeUndefined()
    // The server makes this HTML again ahead of requests.
    expect(store.html.takeQueued(10)).toEqual([2])
    expect(await html.fetch(2)).toBe(true)
    wiki.edit('Oak', 'a taller tree {{Box}}')
    all.follow()
    expect(store.html.getImported(2)).toBeUndefined()
    expect(store.html.takeQueued(10)).toEqual([4])
    expect(await html.fetch(4)).toBe(true)
    expect(await html.fetch(2)).toBe(false)
    expect(requestsFor(all, 2)).toBe(2)
  })

  test('is refused while it is older than one of its templates, and asked for again a minute later', async () => {
    const all = await scene()
    const { html, store, wiki, time } = all
    const before = wiki.html(2)!
    const answer = wiki.html.bind(wiki)
    wiki.edit('Template:Box', 'a larger box')
    all.follow()
    wiki.html = () => before
    expect(await html.fetch(2)).toBe(false)
    wiki.html = answer
    expect(await html.fetch(2)).toBe(false)
    time.now += MINUTE + 1
    expect(await html.fetch(2)).toBe(true)
    expect(store.html.getImported(2)).toBeDefined()
    expect(requestsFor(all, 2)).toBe(2)
  })

  test('of another revision than the latest here is never asked for', async () => {
    const all = await scene()
    all.wiki.edit('Oak', 'not followed yet')
    expect(await all.html.fetch(3)).toBe(false)
    expect(all.server.seen).toEqual([])
  })

  test.each<[string, (wiki: SmallWiki) => void, RegExp]>([
    ['names another revision', (wiki) => void (wiki.html = () => answerOf(3)), /of revision 3, not of 2/],
    [
      'has the tag of another revision',
      (wiki) => void (wiki.html = () => ({ ...answerOf(2), revisionId: 3 })),
      /of revision 2 \(3 by its tag\), not of 2/,
    ],
    ['names no revision', (wiki) => void (wiki.html = () => answerOf(2, '<html></html>')), /unknown/],
    [
      'states no version',
      (wiki) => void (wiki.html = () => answerOf(2, htmlOf(2, 'a tree {{Box}}').replace('htmlVersion', 'x'))),
      /does not state its version/,
    ],
    [
      'ends too early',
      (wiki) => void (wiki.html = () => answerOf(2, htmlOf(2, 'a tree {{Box}}').replace('</html>', ''))),
      /cut off/,
    ],
    ['is of another text', (wiki) => void (wiki.html = () => answerOf(2, htmlOf(2, 'forged'))), /^$/],
    [
      'unpacks to more than 8 MiB',
      (wiki) => void (wiki.html = () => answerOf(2, htmlOf(2, '<b>'.repeat(3 * 2 ** 20)))),
      /longer than 8388608 bytes/,
    ],
  ])('is refused if it %s, for this page alone', async (_what, spoil, message) => {
    const all = await scene()
    const { html, store, wiki, faults, time } = all
    const answer = wiki.html.bind(wiki)
    spoil(wiki)
    expect(await html.fetch(2)).toBe(false)
    expect(faults.join()).toMatch(message)
    expect(store.html.getImported(2)).toBeUndefined()
    wiki.html = answer
    expect(await html.fetch(2)).toBe(false)
    wiki.edit('Ash', 'another tree')
    all.follow()
    expect(await html.fetch(3)).toBe(true)
    time.now += 10 * MINUTE + 1
    expect(await html.fetch(2)).toBe(true)
  })

  test.each<[string, Fault]>([
    ['a status of 404', { status: 404 }],
    ['a status of 403', { status: 403 }],
    ['JSON', { body: '{}' }],
  ])('is not there after %s, for this page alone', async (_what, fault) => {
    const all = await scene()
    all.fail(fault)
    expect(await all.html.fetch(2)).toBe(false)
    all.fail(undefined)
    expect(await all.html.fetch(2)).toBe(false)
    expect(await all.html.fetch(1)).toBe(true)
  })

  test.each<[string, Fault, number]>([
    ['a status of 429', { status: 429, retryAfter: 120 }, 120_000],
    ['a status of 503', { status: 503 }, 1000],
    ['a connection that ends', { hangUp: true }, 1000],
  ])('is asked for again only some time after %s', async (_what, fault, restMs) => {
    const all = await scene()
    const { html, server, time } = all
    all.fail(fault)
    expect(await html.fetch(2)).toBe(false)
    all.fail(undefined)
    time.now += restMs / 2 - 1
    expect(await html.fetch(1)).toBe(false)
    expect(server.seen).toHaveLength(1)
    time.now += 2 * MINUTE
    expect(await html.fetch(2)).toBe(true)
  })

  test('waits longer after each fault', async () => {
    const all = await scene()
    const rests: number[] = []
    all.fail({ status: 500 })
    for (let n = 0; n < 4; n++) {
      all.time.now += 10 * MINUTE
      const turn = { restsMs: 0, end: (restMs = 0) => void rests.push(restMs) }
      if (n === 0) Object.assign(all, { html: all.open({ takeTurn: () => Promise.resolve(turn) }) })
      await all.html.fetch(2)
    }
    for (const [n, rest] of rests.entries()) {
      expect(rest).toBeGreaterThanOrEqual(500 * 2 ** n)
      expect(rest).toBeLessThanOrEqual(1000 * 2 ** n)
    }
    expect(rests).toHaveLength(4)
  })

  test('makes no request wait longer than allowed, and serves later ones', async () => {
    const all = await scene()
    let letGo = (): void => undefined
    const late = new Promise<void>((resolve) => (letGo = resolve))
    const html = all.open({ waitMs: 20, keep: keptAfter(all, late) })
    await html.prepare(2)
    expect(all.store.html.getImported(2)).toBeUndefined()
    letGo()
    await expect.poll(() => all.store.html.getImported(2)).toBeDefined()
    await html.prepare(2)
    expect(all.server.seen).toHaveLength(2)
  })

  test('is asked for with one request at a time, whoever asks', async () => {
    const all = await scene()
    const { wiki, server } = all
    for (let n = 0; n < 20; n++) wiki.edit(`Tree ${n}`, `tree ${n}`)
    all.follow()
    const others = [all.html, all.open(), all.open()]
    const asked = others.flatMap((each) => Array.from({ length: 20 }, (_, n) => each.fetch(n + 3)))
    expect(await Promise.all(asked)).toEqual(asked.map(() => true))
    expect(server.mostOpen).toBe(1)
    expect(server.seen).toHaveLength(40)
  })

  test('lets at most 100 pages wait', async () => {
    const all = await scene()
    for (let n = 0; n < 120; n++) all.wiki.edit(`Tree ${n}`, `tree ${n}`)
    all.follow()
    const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => all.html.fetch(n + 3)))
    expect(answers.filter(Boolean)).toHaveLength(100)
    const [total, waiting] = all.html.figures()
    expect(total?.values).toContainEqual({ labels: { result: 'kept' }, value: 100 })
    expect(waiting?.values).toEqual([{ labels: {}, value: 0 }])
  })

  test('ends a request when the server closes', async () => {
    const all = await scene()
    all.fail({ stall: true })
    const asked = all.html.fetch(2)
    await expect.poll(() => all.server.seen).toHaveLength(1)
    await all.html.close()
    expect(await asked).toBe(false)
    expect(await all.html.fetch(1)).toBe(false)
    expect(all.faults).toEqual([])
  })
})

const answerOf = (id: number, html = htmlOf(id, 'a tree {{Box}}')) => ({
  revisionId: id,
  renderedAt: START + 10,
  html,
})

/** Writes HTML once a promise has resolved. */
const keptAfter =
  ({ store }: Scene, late: Promise<void>): UpstreamHtmlOptions['keep'] =>
  async ({ html, ...facts }) => {
    await late
    return store.html.import([{ ...facts, html: packHtml(html) }])[0]!
  }
