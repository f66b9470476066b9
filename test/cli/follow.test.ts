/** `palimpsest follow` as a process: once, checked, killed, beside a server, with a stream. */
// @module-tag slow
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestStore } from '../../src/storage/verify/digest.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { Store } from '../../src/storage/store.js'
import { afterFile, folderOfFile } from '../support/cleanUp.js'
import { rounds } from '../support/effort.js'
import { run, type Run, startProcess } from '../support/command.js'
import { randomNumbers } from '../support/random.js'
import { wordsIn } from '../support/rawFile.js'
import { SmallWiki } from '../support/smallWiki.js'
import { START, temporaryStore } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

async function startWiki(): Promise<{ wiki: SmallWiki; server: UpstreamServer }> {
  const wiki = new SmallWiki()
  const server = await UpstreamServer.start(wiki)
  wiki.origin = server.origin
  server.time = START + 1_000_000
  return { wiki, server }
}

const follow = (dataDir: string, ...flags: string[]): Run => run('follow', '--data-dir', dataDir, ...flags)

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)

async function finish(command: Run): Promise<{ status: number | null; out: string; err: string }> {
  const status = await command.exit
  return { status, out: command.output.stdout, err: command.output.stderr }
}

async function read<Result>(dataDir: string, action: (store: Store) => Result): Promise<Result> {
  const store = Store.open(dataDir)
  try {
    return action(store)
  } finally {
    await store.close()
  }
}

/** Whether the log still has a text of the page that was deleted. */
function wordsInLog(store: Store): boolean {
  const { first, last } = store.log.bounds()
  const entries = Array.from({ length: last - first + 1 }, (_, n) => store.log.getEntry(first + n))
  return entries.some((entry) => JSON.stringify(entry).includes('two words'))
}

/** The digest of a store that gets the same entries. */
function replayed(store: Store): string {
  const { store: empty, applier } = temporaryStore()
  const { first, last } = store.log.bounds()
  for (const item of store.log.take(first - 1, last))
    applier.submitReplayed(item, store.log.getVerdict(item.entry.id))
  return digestStore(empty)
}

describe('palimpsest follow', () => {
  test('fills a folder, says where it stands, and finds no difference afterwards', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.edit('Oak', 'one')
    wiki.edit('Oak', 'two')
    const once = await finish(
      follow(dataDir, '--upstream', server.url, '--once', '--contact', 'admin@mirror.example'),
    )
    expect(once).toMatchObject({ status: 0, out: matching(/^1 pages added, 2 revisions added/) })
    expect(
      server.seen.every(({ headers }) =>
        /^Palimpsest\/\S+ \(admin@mirror\.example\)$/.test(String(headers['user-agent'])),
      ),
    ).toBe(true)
    const status = await finish(follow(dataDir, '--status', '--json'))
    expect(JSON.parse(status.out)).toMatchObject({
      upstream: server.url,
      wikiId: 'smallwiki',
      history: 'all',
      process: null,
    })
    expect((await finish(follow(dataDir, '--status'))).out).toContain('newest change  2020-01-01T00:00:01Z')
    wiki.time += 10_000
    wiki.edit('Ash', 'later than the overlap')
    await finish(follow(dataDir, '--once'))
    wiki.suppress(1)
    expect((await finish(follow(dataDir, '--check'))).out).toMatch(/^1 revisions hidden, shown or renamed\n/)
    expect(await finish(follow(dataDir, '--check'))).toMatchObject({
      status: 0,
      out: matching(/^0 differences\n/),
    })
  })

  test.each<[string, string[], RegExp]>([
    ['no wiki to follow', [], /there is no wiki in/],
    [
      'an address that is no API',
      ['--upstream', 'https://wiki.example/wiki/Main_Page'],
      /address of the wiki's action API/,
    ],
    [
      'an address with a password',
      ['--upstream', 'https://a:b@wiki.example/api.php'],
      /must not have a password/,
    ],
    [
      'a wiki that asks for the operator',
      ['--upstream', 'https://simple.wikipedia.org/w/api.php'],
      /give --contact/,
    ],
    ['an odd time', ['--upstream', 'http://127.0.0.1:9/api.php', '--interval', 'soon'], /a time such as 5s/],
    [
      'a token file that is missing',
      ['--upstream', 'http://127.0.0.1:9/api.php', '--token-file', '/nowhere'],
      /there is no such file/,
    ],
    ['no status', ['--status'], /there is no wiki in/],
  ])('refuses %s', async (_what, flags, message) => {
    const { status, err } = await finish(follow(folderOfFile(), ...flags))
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })

  test('leaves no word in the data folder of what the wiki deletes or suppresses', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.edit('Deleted bramble', 'words about brambles, nettles and thistles, thistles, thistles')
    wiki.edit('Oak', 'an acorn for the squirrel')
    wiki.edit('Oak', 'no more of it')
    const once = (): ReturnType<typeof finish> =>
      finish(follow(dataDir, '--upstream', server.url, '--once', '--overlap', '1000000s'))
    expect(await once()).toMatchObject({ status: 0 })
    const words = ['bramble', 'nettles', 'thistles', 'acorn', 'squirrel']
    expect(wordsIn(dataDir, words)).toEqual(words)
    wiki.delete('Deleted bramble')
    wiki.hide(2, { text: true })
    expect(await once()).toMatchObject({ status: 0 })
    expect(wordsIn(dataDir, words)).toEqual([])
    expect(await read(dataDir, (store) => verifyStore(store).problems)).toEqual([])
  })

  test('leaves no name in the data folder that the wiki shows nowhere any more', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    for (const [n, name] of ['Hiddenia', 'Deletius', 'Uploadus', 'Visibilis'].entries())
      wiki.names.set(n + 3, name)
    wiki.edit('Oak', 'one', { userId: 3 })
    wiki.edit('Oak', 'two', { userId: 6 })
    wiki.edit('Oak', 'three', { userId: 6 })
    wiki.edit('Ash', 'only words', { userId: 4 })
    wiki.names.set(0, '198.51.100.77')
    wiki.edit('Elm', 'by an address', { userId: 0 })
    wiki.upload('Gone leaf.png', Buffer.from('bytes of a leaf'), { userId: 5 })
    const once = (): ReturnType<typeof finish> => {
      const flags = ['--upstream', server.url, '--once', '--overlap', '1000000s', '--files', 'contents']
      return finish(follow(dataDir, ...flags))
    }
    expect(await once()).toMatchObject({ status: 0 })
    const names = ['Hiddenia', 'Deletius', 'Uploadus', '198.51.100.77', 'leaf', 'Visibilis']
    expect(wordsIn(dataDir, names)).toEqual(names)
    wiki.hide(1, { user: true })
    wiki.hide(2, { user: true })
    wiki.delete('Ash')
    wiki.delete('Elm')
    wiki.deleteFile('Gone leaf.png')
    // A follower was killed while it received a file.
    mkdirSync(join(dataDir, 'files/incoming'), { recursive: true })
    writeFileSync(join(dataDir, 'files/incoming/1'), 'a part of the leaf')
    expect(await once()).toMatchObject({ status: 0, err: '' })
    // Another revision shows the last name.
    expect(wordsIn(dataDir, names)).toEqual(['Visibilis'])
    expect(await read(dataDir, (store) => verifyStore(store).problems)).toEqual([])
    const { digest, again } = await read(dataDir, (store) => ({
      digest: digestStore(store),
      again: replayed(store),
    }))
    expect(again).toEqual(digest)
    // Whoever edits again has the name again.
    wiki.edit('Oak', 'four', { userId: 3 })
    expect(await once()).toMatchObject({ status: 0 })
    expect(await read(dataDir, (store) => store.getRevision(7)?.json.toString())).toContain('Hiddenia')
    expect(await read(dataDir, (store) => verifyStore(store).problems)).toEqual([])
  })

  test('says when the store was last equal to the wiki', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.edit('Oak', 'one')
    const before = Math.floor(Date.now() / 1000)
    await finish(follow(dataDir, '--upstream', server.url, '--once'))
    const after = Math.ceil(Date.now() / 1000)
    const equalAt = await read(dataDir, (store) => store.mirror.state()?.equalAt)
    expect(equalAt).toBeGreaterThanOrEqual(before)
    expect(equalAt).toBeLessThanOrEqual(after)
  })

  test('shows each change to a server beside it, until a signal ends it', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.edit('Oak', 'one')
    await finish(follow(dataDir, '--upstream', server.url, '--once'))
    const port = await startProcess(dataDir, '--no-html')
    const get = async (path: string): Promise<{ status: number; body: string }> => {
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`)
      return { status: response.status, body: await response.text() }
    }
    const follower = follow(dataDir, '--interval', '20ms', '--log-level', 'debug')
    await follower.printed(/polled/)
    wiki.edit('Oak', 'two words')
    await expect.poll(() => get('/page/Oak')).toMatchObject({ body: matching(/two words/) })
    wiki.hide(2, { user: true, comment: true })
    await expect.poll(() => get('/revision/2')).toMatchObject({ body: matching(/"user":null/) })
    wiki.move('Oak', 'Oak tree')
    await expect.poll(() => get('/page/Oak_tree')).toMatchObject({ status: 200 })
    wiki.delete('Oak tree')
    await expect.poll(() => get('/page/Oak_tree')).toMatchObject({ status: 404 })
    expect(await get('/revision/2')).toMatchObject({ status: 404 })
    await expect.poll(() => read(dataDir, wordsInLog)).toBe(false)
    expect(await finish(follow(dataDir, '--once'))).toMatchObject({
      status: 1,
      err: matching(/already/),
    })
    follower.child.kill('SIGTERM')
    expect(await follower.exit).toBe(0)
    expect(follower.output.stderr).toContain('stopped')
  })

  test('takes contents of files, and no others than the wiki states', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.upload('Leaf.png', Buffer.from('bytes of a leaf'))
    wiki.upload('Bad.png', Buffer.from('other bytes'))
    const file = wiki.file.bind(wiki)
    wiki.file = (path) => (path.includes('Bad') ? Buffer.from('forged') : file(path))
    const { err } = await finish(follow(dataDir, '--upstream', server.url, '--once', '--files', 'contents'))
    expect(err).toContain('contents of Bad.png: their SHA-1 differs from the one stated')
    const [leaf, bad] = await read(dataDir, (store) => [store.getFile('Leaf.png'), store.getFile('Bad.png')])
    expect(leaf).toMatchObject({ sizeBytes: 15, sha256: matching(/^[0-9a-f]{64}$/) })
    expect(bad).toMatchObject({ sizeBytes: 11, sha256: null })
  })

  test('polls at once when the stream tells of a change of this wiki', async () => {
    const { wiki, server } = await startWiki()
    const dataDir = folderOfFile()
    wiki.edit('Oak', 'one')
    let stream: ServerResponse | undefined
    const events = createServer((_request, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(':ok\n\n')
    })
    await new Promise<void>((resolve) => events.listen(0, '127.0.0.1', resolve))
    afterFile(() => {
      events.closeAllConnections()
      events.close()
    })
    const url = `http://127.0.0.1:${(events.address() as AddressInfo).port}/v2/stream/recentchange`
    const flags = ['--upstream', server.url, '--interval', '1h', '--stream', url, '--log-level', 'debug']
    const follower = follow(dataDir, ...flags)
    await follower.printed(/polled/)
    await expect.poll(() => stream).toBeDefined()
    wiki.edit('Oak', 'two')
    const seen = server.seen.length
    stream!.write('event: message\ndata: {"meta":{"domain":"other.example"}}\n\n')
    stream!.write('event: message\ndata: {"meta":{"domain":"127.0.0.1"},\ndata: "type":"edit"}\n\n')
    await expect.poll(() => server.seen.length).toBeGreaterThan(seen)
    await follower.printed(/polled[^]*polled/)
    follower.child.kill('SIGINT')
    expect(await follower.exit).toBe(0)
    expect(await read(dataDir, (store) => store.getText(2))).toBe('two')
  })

  test('killed again and again, ends with the same store and log', async () => {
    const random = randomNumbers(7)
    const { wiki, server } = await startWiki()
    const [whole, killed] = [folderOfFile(), folderOfFile()]
    const flags = ['--upstream', server.url, '--once', '--log-level', 'silent']
    let kills = 0
    for (let n = 0; kills < rounds(200, 6); n++) {
      for (let page = 0; page < 30; page++)
        wiki.edit(`Page ${(7 * n + page) % 50}`, `text ${n} ${'x'.repeat(page * 5000)}`)
      if (n > 0) wiki.delete(`Page ${(7 * n) % 50}`)
      expect(await follow(whole, ...flags).exit).toBe(0)
      for (let left = 3; left > 0; left--)
        kills += await killOnce(server, () => follow(killed, ...flags), random)
      expect(await follow(killed, ...flags).exit).toBe(0)
    }
    const stateOf = (dataDir: string): Promise<object> =>
      read(dataDir, (store) => ({ digest: digestStore(store), position: store.position() }))
    expect(await stateOf(killed)).toEqual(await stateOf(whole))
  })
})

/** Kills a follower after a request of chance; 0 if it ended before. */
async function killOnce(server: UpstreamServer, begin: () => Run, random: () => number): Promise<number> {
  const last = server.seen.length + 4 + Math.floor(random() * 12)
  const { child, exit } = begin()
  server.faultOf = (number) => {
    if (number >= last) child.kill('SIGKILL')
    return undefined
  }
  const status = await exit
  server.faultOf = () => undefined
  return status === null ? 1 : 0
}
