/** Two instances over one store behind the proxies of deploy/. */
import { describe, expect, test } from 'vitest'
import { send } from '../conformance/garden.js'
import { type Instance, startPair } from './instances.js'
import { isInstalled, PROXIES, startProxy } from './proxies.js'

/** How many page reads an instance has answered so far. */
async function pageReads({ port }: Instance): Promise<number> {
  const { bytes } = await send(port, '/metrics', {})
  const samples = bytes
    .toString()
    .matchAll(/requests_total\{method="GET",route="\/page\/\{title\}",.*\} (\d+)/g)
  return [...samples].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe.each(PROXIES)('behind %s', (proxy) => {
  const installed = isInstalled(proxy)

  test.skipIf(!installed)(
    'pages come through, with validators and request ids (needs the proxy installed)',
    async () => {
      const { instances } = await startPair()
      const port = await startProxy(proxy, [instances[0].port, instances[1].port])
      const page = await send(port, '/v1/page/Compost', { headers: { 'X-Request-Id': 'asked-1' } })
      expect(page.status).toBe(200)
      const etag = String(page.headers['etag'])
      const again = await send(port, '/v1/page/Compost', { headers: { 'If-None-Match': etag } })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      const bare = await send(port, '/v1/page/Compost/bare', { headers: { 'X-Request-Id': 'asked-2' } })
      expect(bare.headers['x-request-id']).toBe('asked-2')
      expect(bare.body).toMatchObject({ html_url: `http://127.0.0.1:${port}/v1/page/Compost/html` })
      for (const path of ['/metrics', '/healthz', '/readyz'])
        expect((await send(port, path, {})).status).toBe(404)
    },
  )

  test.skipIf(!installed)('many who ask for one page cost few reads of the servers', async () => {
    const { instances } = await startPair()
    const port = await startProxy(proxy, [instances[0].port, instances[1].port])
    const before = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    await send(port, '/v1/page/Rain_barrel', {})
    await Promise.all(Array.from({ length: 200 }, () => send(port, '/v1/page/Rain_barrel', {})))
    const after = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    expect(after - before).toBeLessThan(50)
  })
})
