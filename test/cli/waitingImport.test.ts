/** Imports whose input keeps them waiting: a signal ends them as it ends others. */
// @module-tag slow
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { afterFile } from '../support/cleanUp.js'
import { run, type Run } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { langlinks } from '../support/sqlTables.js'
import { openFolder, problems, temporaryFolder } from '../support/store.js'

const XML = dumpXml([
  { id: 1, title: 'Moon', revisions: [{ id: 1, text: 'a' }] },
  { id: 2, title: 'Sun', revisions: [{ id: 2, text: 'b'.repeat(100_000) }] },
])
const TABLE = langlinks([[1, 'de', 'Mond']])

const beginning = (bytes: Buffer | string): Buffer => Buffer.from(bytes).subarray(0, bytes.length - 20)

function namedPipe(): string {
  const path = join(temporaryFolder(), 'pipe.xml')
  execFileSync('mkfifo', [path])
  return path
}

/** A server that sends the beginning of a file, and then nothing more. */
async function silentServer(bytes: Buffer): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length + 20 }).write(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dump.xml`
}

/** Ends an import with SIGTERM once it has opened its store, which is right before it opens the input. */
async function interrupt({ child, output, exit }: Run, dataDir: string): Promise<string> {
  while (!existsSync(join(dataDir, 'store', 'data.mdb'))) await sleep(10)
  child.kill('SIGTERM')
  expect(await exit).toBe(1)
  return output.stderr
}

const INTERRUPTED = /^palimpsest: .*interrupted; run the same command again to go on; \d+ pages .*\n$/

test.each<[what: string, input: () => string | Promise<string>]>([
  ['a named pipe to which nobody writes', namedPipe],
  ['a server that sends the beginning of a dump', () => silentServer(beginning(XML))],
  ['a server that sends nothing', () => silentServer(Buffer.alloc(0))],
])('an import that waits for %s ends at a signal', async (_what, input) => {
  const dataDir = temporaryFolder()
  const stderr = await interrupt(run('import', '--quiet', '--data-dir', dataDir, await input()), dataDir)
  expect(stderr).toMatch(INTERRUPTED)
  expect(problems(openFolder(dataDir))).toEqual([])
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['the beginning of a dump', beginning(XML)],
  ['the beginning of a packed dump', beginning(gzipSync(XML))],
  ['the beginning of a table', beginning(TABLE)],
])('an import ends at a signal when standard input has had %s', async (_what, bytes) => {
  const dataDir = temporaryFolder()
  const command = run('import', '--quiet', '--data-dir', dataDir, '-')
  command.child.stdin!.write(bytes)
  expect(await interrupt(command, dataDir)).toMatch(
    /^palimpsest: .*interrupted; run the same command again to go on/,
  )
  const store = openFolder(dataDir)
  expect(problems(store)).toEqual([])
  expect(store.log.bounds().last).toBeLessThanOrEqual(2)
})
