/** Requests to a wiki: what each tells, how faults are waited out, and that no answer is trusted. */
import { describe, expect, test } from 'vitest'
import { ApiClient, type ApiOptions } from '../../src/follow/api/apiClient.js'
import { FollowRefused, UpstreamFault } from '../../src/follow/api/faults.js'
import { Upstream } from '../../src/follow/api/upstream.js'
import { followOnce, InstantClock } from '../support/following.js'
import { SmallWiki } from '../support/smallWiki.js'
import { source, START, temporaryStore } from '../support/store.js'
import { type Fault, UpstreamServer } from '../support/upstreamServer.js'

const AGENT = 'Palimpsest/test (admin@mirror.example)'

async function start(
  options: Partial<ApiOptions> = {},
): Promise<{ server: UpstreamServer; client: ApiClient; clock: InstantClock; wiki: SmallWiki }> {
  const wiki = new SmallWiki()
  const server = await UpstreamServer.start(wiki)
  const clock = new InstantClock()
  const { signal } = new AbortController()
  const client = new ApiClient({ url: server.url, userAgent: AGENT, signal, clock, ...options })
  return { server, client, clock, wiki }
}

const ask = (client: ApiClient): Promise<object> => client.query({ meta: 'siteinfo' }, (answer) => answer)

/** An object with a field that is nested deeper than a stack holds. */
const deep = (row: object): string =>
  JSON.stringify({ type: 'edit', timestamp: '2026-01-01T00:00:00Z', ...row }).replace(
    /}$/,
    `,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  )

function throws(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}

/** The same fault for the first requests. */
const first = (count: number, fault: Fault) => (number: number) => (number <= count ? fault : undefined)

describe('each request', () => {
  test('tells the operator, takes gzip, and gives way to a lagging database', async () => {
    const { client, server } = await start()
    await ask(client)
    expect(server.seen[0]!.headers).toMatchObject({ 'user-agent': AGENT, 'accept-encoding': 'gzip' })
    expect(server.seen[0]!.headers['authorization']).toBeUndefined()
    const { parameters } = server.seen[0]!
    expect(parameters).toMatchObject({ action: 'query', format: 'json', formatversion: '2', maxlag: '5' })
  })

  test('carries the token, and asks that the account is logged in', async () => {
    const { client, server } = await start({ token: 'abc' })
    await ask(client)
    expect(server.seen[0]!.headers['authorization']).toBe('Bearer abc')
    expect(server.seen[0]!.parameters['assert']).toBe('user')
  })

  test('waits for the one before', async () => {
    const { client, server } = await start()
    await Promise.all(Array.from({ length: 10 }, () => ask(client)))
    expect(server.seen).toHaveLength(10)
    expect(server.mostOpen).toBe(1)
  })

  test('goes as a form when it is long', async () => {
    const { client, server } = await start()
    await client.query({ titles: 'x'.repeat(5000) }, (answer) => answer)
    expect(server.seen[0]!.method).toBe('POST')
    expect(server.seen[0]!.parameters['titles']).toHaveLength(5000)
  })
})

describe('a fault that may pass', () => {
  test.each<[string, Fault, string]>([
    ['503', { status: 503 }, 'http-503'],
    ['429', { status: 429 }, 'http-429'],
    ['500', { status: 500 }, 'http-500'],
    ['maxlag', { error: 'maxlag', lag: 9 }, 'maxlag'],
    ['ratelimited', { error: 'ratelimited' }, 'ratelimited'],
    ['readonly', { error: 'readonly' }, 'readonly'],
    [
      'an error inside the wiki',
      { error: 'internal_api_error_DBQueryError' },
      'internal_api_error_DBQueryError',
    ],
    ['a page of HTML', { html: true }, 'answer'],
    ['a cut body', { cut: 0.5 }, 'network'],
    ['half a JSON', { body: '{"query":{' }, 'answer'],
    ['a JSON that is no object', { body: '[]' }, 'answer'],
    ['another type', { body: '{}', type: 'text/html' }, 'answer'],
    ['no answer', { hangUp: true }, 'network'],
  ])('is waited out: %s', async (_what, fault, code) => {
    const faults: UpstreamFault[] = []
    const { client, server } = await start({ onFault: (each) => faults.push(each) })
    server.faultOf = first(2, fault)
    expect(await ask(client)).toHaveProperty('query')
    expect(faults.map((each) => each.code)).toEqual([code, code])
  })

  test('is waited out from 1 second to 5 minutes, twice as long each time, by chance a little less', async () => {
    const { client, server, clock } = await start()
    server.faultOf = first(12, { status: 503 })
    await ask(client)
    const seconds = clock.waits.map((ms) => ms / 750)
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  })

  test.each([
    [7, 7000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    [1e9, 3_600_000],
    ['soon', 750],
  ])('is waited out as long as the wiki asks, an hour at most: Retry-After %s', async (retryAfter, ms) => {
    const { client, server, clock } = await start()
    server.time = Date.UTC(2026, 0, 1) / 1000
    server.faultOf = first(1, { status: 503, retryAfter })
    await ask(client)
    expect(clock.waits).toEqual([ms])
  })

  test('ends a request that has a limit, after ten minutes', async () => {
    const { client, server } = await start({ giveUpAfterMs: 600_000 })
    await ask(client)
    server.faultOf = () => ({ status: 503 })
    await expect(ask(client)).rejects.toThrow(/has failed for 1\d minutes: the server answers 503/)
  })

  test('tells how far the databases lag', async () => {
    const { client, server } = await start()
    server.faultOf = first(1, { error: 'maxlag', lag: 321 })
    await ask(client)
    expect(client.lag).toBe(321)
  })
})

describe('a request fails', () => {
  test.each([
    ['readapidenied', 'closed to anonymous readers: give the token'],
    ['assertuserfailed', 'the token has expired'],
    ['mwoauth-invalid-authorization', 'refuses the token'],
  ])('with words to its reader: %s', async (error, words) => {
    const { client, server, clock } = await start()
    server.faultOf = () => ({ error })
    await expect(ask(client)).rejects.toThrow(words)
    await expect(ask(client)).rejects.toThrow(FollowRefused)
    expect(clock.waits).toEqual([])
  })

  test('at an address that has no API, when it is the first', async () => {
    const { client, server } = await start()
    server.faultOf = () => ({ status: 404 })
    await expect(ask(client)).rejects.toThrow('the server answers 404')
  })

  test('at once for an error that lies in it', async () => {
    const { client, server, clock } = await start()
    server.faultOf = () => ({ error: 'badcontinue' })
    await expect(ask(client)).rejects.toThrow(UpstreamFault)
    expect(clock.waits).toEqual([])
  })
})

describe('answers', () => {
  const upstreamOf = (client: ApiClient, named: string[] = []): Upstream => {
    const { store } = temporaryStore()
    return new Upstream(
      client,
      () => store.namespaces(),
      (what) => named.push(what),
    )
  }

  test('above the limit are asked for in smaller parts; a text that is larger alone is left out', async () => {
    const named: string[] = []
    const { client, wiki, server } = await start({ maxBytes: 3000 })
    const sizes = [1000, 1000, 1000, 9000, 1000]
    const ids = sizes.map((size, n) => wiki.edit(`Page ${n}`, 'x'.repeat(size)).id)
    const texts = await upstreamOf(client, named).texts(ids)
    expect([...texts].map(([id, text]) => [id, text.length])).toEqual(
      ids.flatMap((id, n) => (sizes[n] === 9000 ? [] : [[id, sizes[n]]])),
    )
    expect(named).toEqual(['revision 4: its text is too large to be sent'])
    expect(server.seen.length).toBeLessThan(10)
  })

  test('with values that no row can hold lose these items alone, and each is named once', async () => {
    const named: string[] = []
    const { client, wiki } = await start()
    wiki.edit('Oak', 'oak')
    for (const parts of [
      { revid: 5_000_000_000, title: 'Ash', pageid: 1 },
      { revid: 1, title: 'Ash', pageid: 4_294_967_296 },
    ])
      wiki.addRow({ type: 'edit', ns: 0, ...parts })
    const upstream = upstreamOf(client, named)
    for (let n = 0; n < 2; n++) {
      const { items } = await upstream.changes(0)
      expect(items.map(({ revisionId }) => revisionId)).toEqual([1])
    }
    expect(named).toEqual([
      'change 2: revid is 5000000000, above 4000000000',
      'change 3: pageid is 4294967296, above 4000000000',
    ])
  })

  test.each<[string, string]>([
    ['a list that is none', '{"query":{"recentchanges":{"a":1}}}'],
    ['a row that is none', '{"query":{"recentchanges":[7]}}'],
    ['a row without its number', '{"query":{"recentchanges":[{"type":"edit"}]}}'],
    [
      'a number that is none',
      '{"query":{"recentchanges":[{"type":"edit","rcid":-1,"timestamp":"2026-01-01T00:00:00Z"}]}}',
    ],
    ['a time that is none', '{"query":{"recentchanges":[{"type":"edit","rcid":1,"timestamp":"yesterday"}]}}'],
    ['a place that is none', '{"continue":{"rccontinue":{}},"query":{"recentchanges":[]}}'],
    ['nothing at all', '{}'],
    ['an answer that is null', '{"query":null}'],
    ['a list that is null', '{"query":{"recentchanges":null}}'],
    ['a list that is absent', '{"batchcomplete":true,"query":{}}'],
    ['a list that the wiki does not know', '{"batchcomplete":true,"warnings":{"main":{}}}'],
    ['nothing but a place', '{"continue":{"rccontinue":"x|2"}}'],
  ])('that are none of the API are faults, and waited out: %s', async (_what, body) => {
    const faults: UpstreamFault[] = []
    const { client, server } = await start({ onFault: (each) => faults.push(each) })
    server.faultOf = first(2, { body })
    expect((await upstreamOf(client).changes(0)).items).toEqual([])
    expect(faults.map(({ code }) => code)).toEqual(['answer', 'answer'])
  })

  test('with a row that is nested deeper than this Node can write it are faults, too', async () => {
    const row = deep({ rcid: 1 })
    const isTooDeep = throws(() => JSON.stringify(JSON.parse(row)))
    const faults: UpstreamFault[] = []
    const { client, server } = await start({ onFault: (each) => faults.push(each) })
    server.faultOf = first(2, { body: `{"query":{"recentchanges":[${row}]}}` })
    const { items } = await upstreamOf(client).changes(0)
    // Node 26 writes it. What the follower does not read does not matter then.
    expect(items.map(({ id }) => id)).toEqual(isTooDeep ? [] : [1])
    expect(faults.map(({ code }) => code)).toEqual(isTooDeep ? ['answer', 'answer'] : [])
  })

  test('above the limit are waited out where there is nothing to ask for in parts', async () => {
    const faults: UpstreamFault[] = []
    const { client, server } = await start({ maxBytes: 20_000, onFault: (each) => faults.push(each) })
    server.faultOf = first(2, { body: JSON.stringify({ query: { general: 'x'.repeat(30_000) } }) })
    expect((await upstreamOf(client).site({ bots: [] })).site.name).toBe('Small')
    expect(faults).toHaveLength(2)
  })

  test('above the limit make the follower ask for fewer rows of a list', async () => {
    const { client, server } = await start({ maxBytes: 20_000 })
    server.faultOf = (_number, { rclimit }) =>
      rclimit === '62' ? undefined : { body: JSON.stringify({ query: 'x'.repeat(30_000) }) }
    await upstreamOf(client).changes(0)
    expect(server.seen.map(({ parameters }) => parameters['rclimit'])).toEqual(['max', '250', '125', '62'])
  })

  test('that continue with the same rows for ever are waited out', async () => {
    const { client, server, clock } = await start({ giveUpAfterMs: 600_000 })
    let place = 0
    server.faultOf = () => ({
      body: JSON.stringify({ continue: { rccontinue: `x|${++place}` }, query: { recentchanges: [] } }),
    })
    const upstream = upstreamOf(client)
    const walk = async (): Promise<void> => {
      for (let next: string | undefined; ;) ({ next } = await upstream.changes(0, { next }))
    }
    await expect(walk()).rejects.toThrow('it continues with what came before')
    expect(server.seen.length).toBeLessThan(20)
    expect(clock.time).toBeGreaterThan(600_000)
  })

  test('about pages and revisions are faults if they are silent about one', async () => {
    const { client, server, wiki } = await start()
    wiki.edit('Oak', 'oak')
    server.faultOf = () => ({ body: '{"batchcomplete":true,"query":{"pages":[]}}' })
    await expect(upstreamOf(client).pagesById([1])).rejects.toThrow('it does not tell of page 1')
    await expect(upstreamOf(client).revisionsById([1])).rejects.toThrow('it does not tell of revision 1')
  })

  test('that continue where they began are faults', async () => {
    const { client, server } = await start({ giveUpAfterMs: 600_000 })
    server.faultOf = () => ({ body: '{"continue":{"rccontinue":"x|1"},"query":{"recentchanges":[]}}' })
    await expect(upstreamOf(client).changes(0, { next: 'x|1' })).rejects.toThrow('continues where it began')
  })

  test('of another kind never delete anything', async () => {
    const { wiki, server } = await start()
    const { store } = temporaryStore()
    wiki.edit('Oak', 'oak')
    server.time = START + 10_000
    const { follower, clock } = await followOnce(store, server)
    wiki.edit('Oak', 'oak tree')
    let count = 0
    server.faultOf = (_number, { pageids = '', revids = '' }) => {
      expect(source(store, 'Oak')).toBe('oak')
      const bodies = [
        '{}',
        '{"query":{}}',
        '{"query":{"pages":[]}}',
        '{"query":{"pages":[{"pageid":1}]}}',
        '{"batchcomplete":true}',
      ]
      return pageids + revids === '' || count === 50 ? undefined : { body: bodies[count++ % bodies.length]! }
    }
    clock.time += 10_000
    await follower.catchUp()
    expect(count).toBe(50)
    expect(source(store, 'Oak')).toBe('oak tree')
  })
})

describe('the account of a token', () => {
  test('may ask for 500 things at once', async () => {
    const { client, wiki, server } = await start({ token: 'abc' })
    const ids = Array.from({ length: 120 }, (_, n) => wiki.edit(`Page ${n}`, 'x').id)
    const { store } = temporaryStore()
    const upstream = new Upstream(
      client,
      () => store.namespaces(),
      () => undefined,
    )
    await upstream.readRights()
    expect((await upstream.revisionsById(ids)).found).toHaveLength(120)
    expect(server.seen).toHaveLength(2)
  })
})
