/** `palimpsest import URL`, and the replay of such an import. */
// @module-tag slow
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dump, page, revision } from '../dump/dumpText.js'
import { run } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'

const PACKED = gzipSync(dump(page('Alpha', 1, revision(1)) + page('Beta', 2, revision(2))))

async function command(...args: string[]) {
  const { exit, output } = run(...args)
  return { status: await exit, out: output.stdout, err: output.stderr }
}

test('a dump is imported from its URL, and replayed from it', async () => {
  const server = createServer(({ url }, response) =>
    url === '/wiki.xml.gz' ? response.end(PACKED) : response.writeHead(404).end(),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = temporaryFolder()
  try {
    const [data, again] = [join(folder, 'data'), join(folder, 'again')]
    const absent = await command('import', '--data-dir', data, `${origin}/absent.xml`)
    expect(absent.status).toBe(1)
    expect(absent.err).toContain('absent.xml: cannot be read: the server answers 404 Not Found')

    const imported = await command('import', '--data-dir', data, `${origin}/wiki.xml.gz`)
    expect(imported).toMatchObject({
      status: 0,
      out: expect.stringContaining('wiki.xml.gz: 2 pages') as string,
    })

    const replayed = await command('replay', '--data-dir', data, '--into', again, `${origin}/wiki.xml.gz`)
    expect(replayed).toMatchObject({ status: 0 })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
