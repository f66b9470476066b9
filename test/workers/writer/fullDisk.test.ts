/** A server whose disk can take no more, and later can again. */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasDropsLeft } from '../../../src/storage/html/renderings.js'
import { gardenFolder } from '../../conformance/garden.js'
import { ADDRESS, portOf, type Run, runUnder } from '../../support/command.js'
import { openFolder, temporaryFolder } from '../../support/store.js'

const FULL_DISK = join(import.meta.dirname, '../../support/fullDisk.mjs')

const linesOf = ({ output }: Run, msg: string): number => output.stderr.split(`"msg":"${msg}`).length - 1

async function create(port: number, title: string): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'any', title, comment: '', token: '+\\' }),
  })
  await answer.arrayBuffer()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

test(
  'says once that outdated HTML cannot be dropped, reads on, and drops it after the next write',
  { tags: ['slow'] },
  async () => {
    const dataDir = await gardenFolder()
    const store = openFolder(dataDir)
    const work = { hash: '0'.repeat(16), kind: 'content', from: 0 }
    store.transact(() => store.tables.htmlWork.putSync([0, 1], Buffer.from(JSON.stringify(work))))

    const full = join(temporaryFolder(), 'full')
    writeFileSync(full, '')
    const starter = ['env', `NODE_OPTIONS=--import=${FULL_DISK}`, `DISK_IS_FULL=${full}`]
    const server = runUnder(starter, 'serve', '--data-dir', dataDir, '--port', '0', '--anonymous-edits')
    const port = portOf(await server.printed(ADDRESS))
    await server.printed(/outdated HTML cannot be dropped/)
    for (const title of ['First', 'Second', 'Third']) {
      expect(await create(port, title)).toEqual({ status: 507, retryAfter: '60' })
    }
    expect((await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)).status).toBe(200)
    // The log is written behind.
    await server.printed(/("reason":"the disk of [^]*){3}/)
    const ready = async (query: string): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${port}/readyz${query}`)).json()
    const warnings = ['the disk is full: edits are refused']
    expect(await ready('')).toEqual({ ready: true, reasons: [], warnings })
    expect(await ready('?write')).toEqual({ ready: false, reasons: warnings, warnings })
    expect(linesOf(server, 'outdated HTML cannot be dropped')).toBe(1)
    expect(linesOf(server, 'the writer thread failed')).toBe(0)

    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(figures).toContain('\npalimpsest_store_room_bytes 0\n')

    rmSync(full)
    expect(await create(port, 'Fourth')).toMatchObject({ status: 201 })
    const isLeft = (): boolean => {
      store.refresh()
      return hasDropsLeft(store.tables)
    }
    await expect.poll(isLeft).toBe(false)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  },
)

test(
  'a limit of the size of files answers as a full disk, in one sentence of the log',
  { tags: ['slow'] },
  async () => {
    const dataDir = await gardenFolder()
    const limitKib = Math.ceil(statSync(join(dataDir, 'store/data.mdb')).size / 1024) + 64
    const starter = ['bash', '-c', `ulimit -f ${limitKib}; exec "$@"`, 'bash']
    const server = runUnder(starter, 'serve', '--data-dir', dataDir, '--port', '0', '--anonymous-edits')
    const port = portOf(await server.printed(ADDRESS))
    expect(await create(port, 'First')).toEqual({ status: 507, retryAfter: '60' })
    await server.printed(/"reason":"the disk, or the largest size of a file, of [^"]* less than 32 MiB left/)
    expect(server.output.stderr).not.toContain('    at ')
    expect((await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  },
)
