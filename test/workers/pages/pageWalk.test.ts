/** A page of the store that would end the process that reads it: the walk after the start finds it first. */
// @module-tag slow
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LEAF, PAGE_HEAD } from '../../../src/storage/file/storeFile.js'
import { ADDRESS, portOf, run } from '../../support/command.js'
import { page, revision, temporaryStore } from '../../support/store.js'

const PAGE = 4096
const PAGES = 300
const name = (id: number): string => `Page_${String(id).padStart(3, '0')}`

/** Where the head of a row stands in a file, in all copies that there are. */
function rowsOf(bytes: Buffer, key: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at < bytes.length; at += PAGE) {
    if (bytes.readUInt16LE(at + 18) !== LEAF) continue
    for (let slot = 0; slot < bytes.readUInt16LE(at + 20); slot += 2) {
      const node = at + PAGE_HEAD + bytes.readUInt16LE(at + PAGE_HEAD + slot)
      const keyEnd = node + 8 + bytes.readUInt16LE(node + 6)
      if (bytes.subarray(node + 8, keyEnd).equals(key)) found.push(node)
    }
  }
  return found
}

/** A store with a row of which LMDB believes that it has 2 GB. */
async function damagedStore(): Promise<string> {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages(
    'd',
    Array.from({ length: PAGES }, (_, n) => page(n + 1, name(n), [revision(n + 1, `text ${n} `.repeat(9))])),
  )
  applier.finishImport(null)
  await store.close()
  const path = join(dataDir, 'store/data.mdb')
  const bytes = readFileSync(path)
  const heads = rowsOf(bytes, Buffer.from(`\0\0${name(150)}`))
  expect(heads.length).toBeGreaterThan(0)
  for (const head of heads) bytes[head + 3]! ^= 0x40
  writeFileSync(path, bytes)
  return dataDir
}

test.each(['1', '2'])(
  'a server of %s processes answers 500 for its rows, and serves all others',
  async (processes) => {
    const dataDir = await damagedStore()
    const server = run(
      'serve',
      '--data-dir',
      dataDir,
      '--port',
      '0',
      '--processes',
      processes,
      '--hot-answers-bytes',
      '0',
    )
    const port = portOf(await server.printed(ADDRESS))
    await server.printed(
      processes === '1' ? /pages of the store are damaged/ : /(?:pages of the store are damaged[^]*){2}/,
    )
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
    // More than one process would need by chance to answer all of them.
    for (let n = 0; n < 8; n++) expect((await get(`/v1/page/${name(150)}`)).status).toBe(500)
    for (const id of [0, 299]) expect((await get(`/v1/page/${name(id)}`)).status).toBe(200)
    expect(await (await get('/metrics')).text()).toMatch(/^palimpsest_store_damaged_ranges(?:\{[^}]*\})? 1$/m)
    expect(server.output.stderr).toContain('the table title is damaged')
    expect(server.output.stderr).not.toMatch(/SIG(?:BUS|SEGV|ABRT)/)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  },
)
