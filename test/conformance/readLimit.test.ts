/** Reads of one client beyond --reads-per-second. */
import { beforeEach, describe, expect, test } from 'vitest'
import { App } from '../../src/app/app.js'
import { afterFile } from '../support/cleanUp.js'
import { type Answer, gardenFolder, send, startGarden, testConfig } from './garden.js'

const clock = { ms: 1_700_000_000_000, nowMs: () => clock.ms }

async function startLimited(
  flags: Record<string, string> = {},
): Promise<(path: string, headers?: object) => Promise<Answer>> {
  const config = testConfig(await gardenFolder(), {
    readsPerSecond: '2',
    trustedProxies: '127.0.0.1',
    ...flags,
  })
  const app = await App.open(config, { clock })
  afterFile(() => app.close())
  return (path, headers = {}) => send(app.port, path, { headers: { ...headers } })
}

/** The statuses of so many reads, one after the other. */
async function statuses(reads: number, read: () => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let n = 0; n < reads; n++) seen.push((await read()).status)
  return seen
}

const twenty = (status: number): number[] => Array.from({ length: 20 }, () => status)

describe('with --reads-per-second', () => {
  beforeEach(() => {
    clock.ms = 1_700_000_000_000
  })

  test('ten seconds of reads come at once, then 429 with Retry-After until time has passed', async () => {
    const read = await startLimited()
    expect(await statuses(20, () => read('/v1/page/Compost'))).toEqual(twenty(200))
    const refused = await read('/v1/page/Compost')
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1', 'content-type': 'application/json' },
      body: {
        errorKey: 'rest-rate-limit-exceeded',
        messageTranslations: { en: 'Too many requests from this address: try again in 1 seconds' },
      },
    })
    expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/)
    clock.ms += 1000
    expect(await statuses(3, () => read('/v1/page/Mulch'))).toEqual([200, 200, 429])
  })

  test('each client has its own, as trusted proxies name it, and each network of IPv6', async () => {
    const read = await startLimited()
    const from = (address: string) => () => read('/v1/page/Compost', { 'X-Forwarded-For': address })
    expect(await statuses(20, from('192.0.2.1'))).toEqual(twenty(200))
    expect(await statuses(2, from('192.0.2.1'))).toEqual([429, 429])
    expect(await statuses(1, from('192.0.2.2'))).toEqual([200])
    expect(await statuses(20, from('2001:db8::1'))).toEqual(twenty(200))
    expect(await statuses(1, from('2001:db8::2'))).toEqual([429])
    expect(await statuses(1, from('2001:db8:0:1::2'))).toEqual([200])
  })

  test('health and figures are always told, and refusals are counted there', async () => {
    const read = await startLimited()
    await statuses(25, () => read('/v1/page/Compost'))
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await read(path)).status).toBe(200)
    const text = (await read('/metrics')).bytes.toString()
    expect(text).toContain('palimpsest_http_requests_total{method="any",route="none",status="429"} 5\n')
  })
})

test('a refusal has the form of other errors of its path', async () => {
  const read = await startLimited()
  await statuses(20, () => read('/v1/page/Compost'))
  const ofAction = await read('/api.php?action=query&meta=siteinfo&format=json')
  expect(ofAction).toMatchObject({
    status: 429,
    headers: {
      'retry-after': '1',
      'content-type': 'application/json; charset=utf-8',
      'mediawiki-api-error': 'ratelimited',
    },
    body: undefined,
  })
  expect(JSON.parse(ofAction.bytes.toString())).toEqual({
    error: {
      code: 'ratelimited',
      info: 'Too many requests from this address: try again in 1 seconds',
    },
  })
  const ofReader = await read('/wiki/Compost')
  expect(ofReader).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(ofReader.headers['content-type']).toContain('text/html')
  expect(await read('/nothing')).toMatchObject({
    status: 429,
    body: { errorKey: 'rest-rate-limit-exceeded' },
  })
})

test('without it, there is no limit', async () => {
  const garden = await startGarden()
  const answers = await Promise.all(Array.from({ length: 100 }, () => garden.send('/v1/page/Compost')))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})

test('HEAD counts too, and gets no body', async () => {
  const garden = await startGarden({ readsPerSecond: '1' })
  const heads = await Promise.all(
    Array.from({ length: 30 }, () => garden.send('/v1/page/Compost', { method: 'HEAD' })),
  )
  const refused = heads.find(({ status }) => status === 429)
  expect(refused?.bytes.length).toBe(0)
  expect(heads.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10)
})
