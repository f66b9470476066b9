/** A server whose store can take no more: by a limit of its own, so that lmdb's commits fail. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hasDropsLeft } from '../../src/storage/renderings.js'
import { gardenFolder } from '../conformance/garden.js'
import { ADDRESS, portOf, type Run, runUnder } from '../support/command.js'
import { openFolder } from '../support/store.js'

/** Shorter than the store, and longer than a line of the log. */
const FULL = '--fsize=8192:unlimited'

const linesOf = ({ output }: Run, msg: string): number => output.stderr.split(`"msg":"${msg}`).length - 1

async function create(port: number, title: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'any', title, comment: '', token: '+\\' }),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('says once that outdated HTML cannot be dropped, reads on, and drops it after the next write', async () => {
  const dataDir = await gardenFolder()
  const store = openFolder(dataDir)
  const work = { hash: '0'.repeat(16), kind: 'content', from: 0 }
  store.transact(() => store.tables.htmlWork.putSync([0, 1], Buffer.from(JSON.stringify(work))))

  const flags = ['--data-dir', dataDir, '--port', '0', '--anonymous-edits']
  const server = runUnder(['prlimit', FULL], 'serve', ...flags)
  const port = portOf(await server.printed(ADDRESS))
  await server.printed(/outdated HTML cannot be dropped/)
  for (const title of ['First', 'Second', 'Third']) expect(await create(port, title)).toBe(500)
  expect((await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)).status).toBe(200)
  // The log is written behind.
  await server.printed(/("msg":"a request failed"[^]*){3}/)
  expect(linesOf(server, 'outdated HTML cannot be dropped')).toBe(1)
  expect(linesOf(server, 'the writer thread failed')).toBe(0)

  execFileSync('prlimit', ['--pid', String(server.child.pid), '--fsize=unlimited'])
  expect(await create(port, 'Fourth')).toBe(201)
  const isLeft = (): boolean => {
    store.refresh()
    return hasDropsLeft(store.tables)
  }
  await expect.poll(isLeft).toBe(false)
  // Its memory is not to be trusted after commits that failed, which a store that keeps room on the disk spares it.
  server.child.kill('SIGKILL')
  await server.exit
})
