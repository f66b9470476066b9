/** A server's reports on itself: liveness, readiness, metrics. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DumpApplier } from '../support/store.js'
import { writeMeta } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { page, revision } from './busyWiki.js'
import { gardenFolder, type send, startGarden, startServer, temporaryFolder } from './garden.js'

describe('/healthz and /readyz', () => {
  test('say that a server is alive and ready, outside of the base path', async () => {
    const garden = await startGarden({ basePath: '/w/rest.php' })
    expect(await garden.send('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'alive' },
      headers: { 'cache-control': 'no-store' },
    })
    expect(await garden.send('/readyz')).toMatchObject({ status: 200, body: { ready: true, reasons: [] } })
    expect((await garden.send('/w/rest.php/healthz')).status).toBe(404)
  })

  test('a server whose first import is under way is alive and not ready', async () => {
    const dataDir = temporaryFolder()
    const empty = Store.open(dataDir, { create: true })
    await empty.close()
    const server = await startServer(dataDir)
    const { store } = server.app.context
    expect((await server.send('/readyz')).status).toBe(200)
    const applier = new DumpApplier(store)
    applier.importPages('first', [page(1, 'Moon', [revision(1, 'text')])])
    expect(await server.send('/readyz')).toMatchObject({
      status: 503,
      body: { ready: false, reasons: ['first import is under way'] },
    })
    expect((await server.send('/healthz')).status).toBe(200)
    applier.finishImport(null)
    expect((await server.send('/readyz')).status).toBe(200)
    applier.importPages('second', [page(2, 'Sun', [revision(2, 'text')])])
    expect((await server.send('/readyz')).status).toBe(200)
  })

  test('a server whose store has another format is not ready', async () => {
    const server = await startServer(await gardenFolder())
    const { store, writer } = server.app.context
    // Its thread has opened the store, which it could not afterwards.
    await writer.takeQueuedRenderings(1)
    store.transact(() => writeMeta(store.tables, 'format', 999))
    expect(await server.send('/readyz')).toMatchObject({
      status: 503,
      body: { reasons: ['format has changed'] },
    })
  })
})

describe('/metrics', () => {
  const figuresOf = async (server: { send: (path: string) => ReturnType<typeof send> }): Promise<string> => {
    const { status, headers, bytes } = await server.send('/metrics')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    return bytes.toString()
  }

  test('counts requests by route and status, with their times', async () => {
    const garden = await startGarden()
    for (let n = 0; n < 3; n++) await garden.send('/v1/page/Compost')
    await garden.send('/v1/page/Nowhere')
    await garden.send('/v1/page/Compost/history')
    await garden.send('/v1/revision/101/compare/102')
    await garden.send('/elsewhere')
    const text = await figuresOf(garden)
    const requests = 'palimpsest_http_requests_total'
    expect(text).toContain(`${requests}{method="GET",route="/page/{title}",status="200"} 3\n`)
    expect(text).toContain(`${requests}{method="GET",route="/page/{title}",status="404"} 1\n`)
    expect(text).toContain(`${requests}{method="GET",route="/page/{title}/history",status="200"} 1\n`)
    expect(text).toContain(`${requests}{method="GET",route="/revision/{from}/compare/{to}",status="200"} 1\n`)
    expect(text).toContain(`${requests}{method="any",route="none",status="404"} 1\n`)
    const times = 'palimpsest_http_request_duration_seconds'
    expect(text).toContain(`${times}_count{method="GET",route="/page/{title}"} 4\n`)
    expect(text).toContain(`${times}_count{method="GET",route="/revision/{from}/compare/{to}"} 1\n`)
  })

  test('tells of hot answers, pool, writer, store and process', async () => {
    const garden = await startGarden()
    for (let n = 0; n < 3; n++) await garden.send('/v1/page/Compost')
    await garden.send('/v1/revision/101/compare/102')
    const text = await figuresOf(garden)
    expect(text).toContain('palimpsest_hot_answers_total{result="hit"} 1\n')
    expect(text).toContain('palimpsest_hot_answers_total{result="miss"} 4\n')
    expect(text).toContain('palimpsest_pool_wait_seconds_count{pool="compute"} 1\n')
    expect(text).toContain('palimpsest_pool_waiting{pool="compute"} 0\n')
    expect(text).toContain('palimpsest_writer_waiting 0\n')
    expect(text).toMatch(/palimpsest_store_size_bytes [1-9]\d+\n/)
    expect(text).toMatch(/palimpsest_store_readers [1-9]\d*\n/)
    expect(text).toMatch(/\nprocess_resident_memory_bytes [1-9]\d+\n/)
    expect(text).toMatch(/\nnodejs_eventloop_lag_p99_seconds \d/)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(text).toContain(
      `palimpsest_build_info{version="${version}",node="${process.version}",arch="${process.arch}"} 1\n`,
    )
  })

  test('is not there for addresses that may not read it', async () => {
    const garden = await startGarden({ metricsFrom: '192.0.2.0/24' })
    expect(await garden.send('/metrics')).toMatchObject({ status: 404, body: { errorKey: 'rest-no-match' } })
    const behindProxy = await startGarden({ metricsFrom: '192.0.2.0/24', trustedProxies: '127.0.0.1' })
    const asked = (address: string) =>
      behindProxy.send('/metrics', { headers: { 'X-Forwarded-For': address } })
    expect((await asked('192.0.2.7')).status).toBe(200)
    expect((await asked('198.51.100.1')).status).toBe(404)
  })
})
