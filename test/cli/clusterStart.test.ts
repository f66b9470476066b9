/** `palimpsest cluster init` and `join`, with a real PostgreSQL: what they refuse, and attempts that were killed. */
// @module-tag cluster
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { foundingEpoch } from '../../src/storage/apply/sharedEntries.js'
import { Store } from '../../src/storage/store.js'
import { afterFile } from '../support/cleanUp.js'
import { ClusterOfFile, cluster, command, said, stop } from '../support/clusterCommands.js'
import { run } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { postgresPrograms, whetherPostgres } from '../support/postgres.js'
import { openFolder } from '../support/store.js'
import { Following } from '../support/upstream.js'

const DUMP = dumpXml([
  { id: 1, title: 'Moon', revisions: [{ id: 1, text: 'a' }] },
  { id: 2, title: 'Sun', revisions: [{ id: 2, text: 'b'.repeat(100_000) }] },
])

describe.skipIf(postgresPrograms === undefined)(`palimpsest cluster init${whetherPostgres}`, () => {
  const own = new ClusterOfFile()
  const position = async (dataDir: string, log: string): Promise<unknown> =>
    JSON.parse((await cluster('status', dataDir, log, '--json')).out)

  test('refuses a mirror of another wiki', async () => {
    const dataDir = join(own.folder, 'mirror')
    const store = Store.open(dataDir, { create: true })
    new Following(store, new Applier(store)).pages()
    await store.close()
    const refused = { status: 1, err: said(/follows another wiki/) }
    expect(await cluster('init', dataDir, own.logNamed('mirror'))).toMatchObject(refused)
    expect(openFolder(dataDir).log.membership()).toBeUndefined()
  })

  test('refuses while an import runs, and after it was killed', async () => {
    const [dataDir, log] = [join(own.folder, 'importing'), own.logNamed('importing')]
    const pipe = join(own.folder, 'dump.xml')
    execFileSync('mkfifo', [pipe])
    const importing = run('import', '--data-dir', dataDir, '--batch-bytes', '1', pipe)
    const input = await open(pipe, 'w')
    const refused = { status: 1, err: said(/import has not ended/) }
    // It has the lock, and has written nothing yet.
    expect(await cluster('init', dataDir, log)).toMatchObject(refused)
    const half = DUMP.length - 20
    await input.write(DUMP.slice(0, half))
    const store = openFolder(dataDir)
    const begun = () => {
      store.refresh()
      return store.runningImport()
    }
    await expect.poll(begun).toBeDefined()
    expect(await cluster('init', dataDir, log)).toMatchObject(refused)
    importing.child.kill('SIGKILL')
    await importing.exit
    await input.close()
    expect(await cluster('init', dataDir, log)).toMatchObject(refused)
    expect(store.log.membership()).toBeUndefined()
  })

  test('refuses a copy of a store that has founded the cluster: it joins', async () => {
    const [first, log] = [await own.wiki('original'), own.logNamed('copies')]
    const copies = [join(own.folder, 'copy1'), join(own.folder, 'copy2')] as const
    for (const copy of copies)
      expect(await command(['backup', '--data-dir', first, copy])).toMatchObject({ status: 0 })
    expect(await cluster('init', copies[0], log)).toMatchObject({ status: 0 })
    const refused = {
      status: 1,
      err: said(/a store with the same history has founded a cluster.*cluster join/),
    }
    expect(await cluster('init', copies[1], log)).toMatchObject(refused)
    const made = await command(['user', 'create', 'Ann', '--data-dir', copies[0]], log)
    expect(made).toMatchObject({ status: 0 })
    expect(await cluster('init', copies[1], log)).toMatchObject(refused)
    expect(openFolder(copies[1]).log.membership()).toBeUndefined()

    const one = await own.serve(copies[0], log)
    const joined = await own.joined('copy3', one.origin)
    expect(await position(joined, log)).toEqual(await position(copies[0], log))
    await stop(one)
  })

  test('goes on with the log that its own killed attempt has made, and no other store does', async () => {
    const [first, log] = [await own.wiki('attempt'), own.logNamed('attempt')]
    const copy = join(own.folder, 'attemptCopy')
    // What an attempt leaves that is killed between its two steps: the log, and its name in the store.
    const store = Store.open(first)
    const epoch = foundingEpoch(store, 'ab'.repeat(16))
    const { sequence, digest } = store.position()
    await store.close()
    await cluster('init', await own.wiki('schema'), own.logNamed('schema'))
    await own.sql(
      `insert into palimpsest.log (name, epoch, origin_sequence, origin_digest, first, last)
         values ('attempt', '${epoch}', ${sequence}, '${digest}', ${sequence + 1}, ${sequence})`,
    )
    expect(await command(['backup', '--data-dir', first, copy])).toMatchObject({ status: 0 })
    expect(await cluster('init', copy, log)).toMatchObject({ status: 1, err: said(/the same history/) })
    // The wiki has gone on since.
    expect(await command(['user', 'create', 'Ann', '--data-dir', first])).toMatchObject({ status: 0 })
    expect(await cluster('init', first, log)).toMatchObject({ status: 0, out: said(new RegExp(epoch)) })
    expect(await position(first, log)).toMatchObject({ state: 'same', epoch, origin: sequence + 1 })
    expect(await command(['user', 'create', 'Bob', '--data-dir', first], log)).toMatchObject({ status: 0 })
  })
})

describe.skipIf(postgresPrograms === undefined)(`palimpsest cluster join${whetherPostgres}`, () => {
  const own = new ClusterOfFile()

  /** A node that answers no request whose path begins so, after its first bytes. */
  async function stallingAt(origin: string, path: string): Promise<{ url: string; stalled: () => boolean }> {
    let isStalled = false
    const server = createServer((request, response) => {
      const { authorization = '' } = request.headers
      void fetch(`${origin}${request.url}`, { headers: { authorization } }).then(async (answer) => {
        const bytes = Buffer.from(await answer.arrayBuffer())
        response.writeHead(answer.status, { 'Content-Length': bytes.length })
        isStalled ||= request.url!.startsWith(path)
        if (request.url!.startsWith(path)) response.write(bytes.subarray(0, 1000))
        else response.end(bytes)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    afterFile(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, stalled: () => isStalled }
  }

  test('begins again after it was killed in the middle, and leaves nothing', async () => {
    const first = await own.wiki('peer')
    const log = own.logNamed('join')
    const picture = join(import.meta.dirname, '../fixtures/garden.xml')
    expect(await command(['files', 'import', '--data-dir', first, picture])).toMatchObject({ status: 0 })
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    const one = await own.serve(first, log)
    const second = join(own.folder, 'second')
    const unfinished = `${second}.joining`
    for (const path of ['/cluster/copy', '/cluster/contents/']) {
      const { url, stalled } = await stallingAt(one.origin, path)
      const joining = run('cluster', 'join', '--data-dir', second, '--from', url, ...own.withToken)
      await expect.poll(stalled).toBe(true)
      await expect.poll(() => existsSync(join(unfinished, 'store', 'data.mdb'))).toBe(true)
      joining.child.kill('SIGKILL')
      expect(await joining.exit).toBeNull()
      expect([existsSync(second), existsSync(unfinished)]).toEqual([false, true])
    }
    await own.joined('second', one.origin)
    expect(readdirSync(own.folder).filter((name) => name.startsWith('second'))).toEqual(['second'])
    expect(readdirSync(first).filter((name) => name.startsWith('.copy-'))).toEqual([])
    expect(await command(['verify', '--data-dir', second])).toMatchObject({ status: 0 })
    const two = await own.serve(second, log)
    expect(await own.inspect(one.origin, two.origin)).toMatchObject({ status: 0 })
    for (const node of [one, two]) await stop(node)
  })
})
