/** Contents of files from other nodes: what peers send is proved, and bad peers cost little. */
// @module-tag cluster
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PeerContents, type WantedContents } from '../../src/cluster/contents.js'
import { NodeContents } from '../../src/cluster/nodeContents.js'
import { Peer } from '../../src/cluster/peer.js'
import { originalPath, Originals } from '../../src/files/originals.js'
import { facts, fileEntry } from '../support/files.js'
import { temporaryFolder, temporaryStore } from '../support/store.js'

const SECRET = 's'.repeat(32)
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const wantedOf = (bytes: Buffer): WantedContents => ({
  name: 'Plan.png',
  sha256: hashOf(bytes),
  sizeBytes: bytes.length,
})

interface FakePeer {
  readonly peer: Peer
  readonly asked: string[]
}

async function peerWith(answer: RequestListener): Promise<FakePeer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { peer: new Peer(new URL(`http://127.0.0.1:${port}`), SECRET), asked }
}

const sends = (bytes: Buffer, length = bytes.length): Promise<FakePeer> =>
  peerWith((_request, response) => {
    response.writeHead(200, { 'Content-Length': length })
    response.end(bytes)
  })

const lacks = (): Promise<FakePeer> => peerWith((_request, response) => response.writeHead(404).end())

function contentsFrom(peers: readonly FakePeer[], dataDir = temporaryFolder()) {
  const faults: string[] = []
  const contents = new PeerContents({
    dataDir,
    peers: peers.map(({ peer }) => peer),
    onFault: (error) => faults.push(error.message),
    // A peer that rests does so for the whole test, however slow the disk is.
    now: () => 1,
  })
  onTestFinished(() => contents.close())
  return { contents, dataDir, faults }
}

const figure = (source: { figures(): { name: string; values: unknown }[] }, name: string): unknown =>
  (source.figures().find((one) => one.name === name)!.values as { value: number }[])[0]!.value

const arriving = (dataDir: string): string[] => {
  const folder = join(dataDir, 'files', 'arriving')
  return existsSync(folder) ? readdirSync(folder) : []
}

const bytes = Buffer.alloc(300_000, 'contents ')

describe('contents from peers', () => {
  test('come from the first that has them, once for all who wait', async () => {
    const [none, good] = [await lacks(), await sends(bytes)]
    const { contents, dataDir, faults } = contentsFrom([none, good])
    const wanted = wantedOf(bytes)
    expect(await Promise.all([contents.fetch(wanted), contents.fetch(wanted)])).toEqual([true, true])
    expect(readFileSync(originalPath(dataDir, wanted.sha256))).toEqual(bytes)
    expect(good.asked).toEqual([`/cluster/contents/${wanted.sha256}`])
    expect(await contents.fetch(wanted)).toBe(true)
    expect(good.asked).toHaveLength(1)
    expect([faults, arriving(dataDir)]).toEqual([[], []])
    expect(contents.counts()).toEqual({ fetched: 1, failed: 0 })
  })

  test.each([
    ['other bytes', () => sends(Buffer.alloc(bytes.length, 'lies')), /other contents/],
    ['too few bytes', () => sends(bytes.subarray(9)), /has 299991 bytes/],
    ['too many bytes', () => sends(Buffer.concat([bytes, bytes])), /has 600000 bytes/],
    [
      'more bytes than it says',
      () =>
        peerWith(
          (_request, response) =>
            void response.socket!.end(
              `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n${'x'.repeat(99)}`,
            ),
        ),
      /.+/,
    ],
    ['an error', () => peerWith((_request, response) => response.writeHead(500).end()), /500/],
    ['nothing', () => peerWith((request) => request.socket.destroy()), /does not answer/],
  ])('do not come from one that sends %s: another is asked', async (_case, bad, fault) => {
    const [liar, good] = [await bad(), await sends(bytes)]
    const { contents, dataDir, faults } = contentsFrom([liar, good])
    const wanted = wantedOf(bytes)
    expect(await contents.fetch(wanted)).toBe(true)
    expect(readFileSync(originalPath(dataDir, wanted.sha256))).toEqual(bytes)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
    expect(arriving(dataDir)).toEqual([])
    // It rests: the next contents come from the other one at once.
    const before = liar.asked.length
    expect(await contents.fetch({ ...wantedOf(Buffer.from('more')) })).toBe(false)
    expect(liar.asked).toHaveLength(before)
  })

  test('that no peer has are not asked for again at once', async () => {
    const none = await lacks()
    const { contents } = contentsFrom([none])
    const wanted = wantedOf(bytes)
    expect([await contents.fetch(wanted), await contents.fetch(wanted)]).toEqual([false, false])
    expect(none.asked).toHaveLength(1)
    expect(contents.counts()).toEqual({ fetched: 0, failed: 1 })
  })

  test('have no other path than that of a hash', async () => {
    const good = await sends(bytes)
    const { contents } = contentsFrom([good])
    expect(await contents.fetch({ name: 'x', sha256: '../../etc/passwd', sizeBytes: 1 })).toBe(false)
    expect(good.asked).toEqual([])
  })

  test('that nobody sends end with the server, and leave nothing', async () => {
    const silent = await peerWith((_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 1000))
    })
    const { contents, dataDir } = contentsFrom([silent])
    const fetching = contents.fetch(wantedOf(bytes))
    await expect.poll(() => arriving(dataDir).length).toBe(1)
    await contents.close()
    expect(await fetching).toBe(false)
    expect(arriving(dataDir)).toEqual([])
  })

  test('stay apart from what a command receives', async () => {
    const dataDir = temporaryFolder()
    const open: (() => void)[] = []
    const slow = await peerWith((_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 1000))
      open.push(() => response.end(bytes.subarray(1000)))
    })
    const [first, second] = [contentsFrom([slow], dataDir), contentsFrom([slow], dataDir)]
    const wanted = wantedOf(bytes)
    const fetching = Promise.all([first.contents.fetch(wanted), second.contents.fetch(wanted)])
    await expect.poll(() => open.length).toBe(2)
    const originals = new Originals(dataDir)
    const receiver = originals.receive(bytes.length)
    receiver.write(bytes)
    originals.keep(receiver.finish())
    originals.clean()
    for (const end of open) end()
    expect(await fetching).toEqual([true, true])
    expect(readFileSync(originalPath(dataDir, wanted.sha256))).toEqual(bytes)
  })
})

describe('a node', () => {
  function nodeWith(peers: readonly FakePeer[], role = { isApplying: true }) {
    const { store, applier, dataDir } = temporaryStore()
    const add = (name: string, contents: Buffer): string => {
      const sha256 = hashOf(contents)
      applier.submit(fileEntry(name, facts({ sha256, sizeBytes: contents.length })))
      return originalPath(dataDir, sha256)
    }
    const open = (): NodeContents => {
      const node = new NodeContents({
        store,
        dataDir,
        peers: peers.map(({ peer }) => peer),
        isApplying: () => role.isApplying,
        nowMs: () => Date.now(),
        onPeerFault: () => undefined,
        noteUnused: (sha256) => expect.unreachable(sha256),
        onFault: (error) => expect.unreachable(String(error)),
      })
      onTestFinished(() => node.close())
      return node
    }
    return { store, applier, dataDir, add, open, role }
  }

  test('gets what is missing when it starts, and what new entries name, and removes what was left over', async () => {
    const files = new Map(
      [1, 2, 3, 4].map((n) => [hashOf(Buffer.from(`file ${n}`)), Buffer.from(`file ${n}`)]),
    )
    const peer = await peerWith((request, response) =>
      response.end(files.get(request.url!.split('/').at(-1)!)),
    )
    const { add, open, applier, dataDir } = nodeWith([peer])
    const left = join(dataDir, 'files', 'arriving', 'left')
    mkdirSync(dirname(left), { recursive: true })
    writeFileSync(left, 'half')
    utimesSync(left, 1, 1)
    const early = [add('A.png', Buffer.from('file 1')), add('B.png', Buffer.from('file 2'))]
    const node = open()
    // Contents count once the node has seen that the wiki still has their file.
    await expect.poll(() => figure(node, 'palimpsest_contents_fetched_total')).toBe(2)
    expect(early.every((path) => existsSync(path))).toBe(true)
    expect(existsSync(left)).toBe(false)
    const late = add('C.png', Buffer.from('file 3'))
    applier.submit(fileEntry('A.png', null))
    await expect.poll(() => existsSync(late)).toBe(true)
    expect(peer.asked).toHaveLength(3)
    expect(figure(node, 'palimpsest_contents_missing')).toBe(0)
  })

  test('tries again what no peer had, and forgets removed files', async () => {
    let has = false
    const peer = await peerWith((_request, response) =>
      has ? response.end(bytes) : response.writeHead(404).end(),
    )
    const { add, open, applier } = nodeWith([peer])
    const path = add('Late.png', bytes)
    add('Gone.png', Buffer.from('gone'))
    const node = open()
    await expect.poll(() => figure(node, 'palimpsest_contents_missing')).toBe(2)
    applier.submit(fileEntry('Gone.png', null))
    has = true
    await expect.poll(() => existsSync(path)).toBe(true)
    await expect.poll(() => figure(node, 'palimpsest_contents_missing')).toBe(0)
  })

  test('leaves that to the process that applies the log', async () => {
    const peer = await sends(bytes)
    const { add, open, role } = nodeWith([peer], { isApplying: false })
    const path = add('Plan.png', bytes)
    const node = open()
    expect(await node.fetch(wantedOf(Buffer.from('on demand')))).toBe(false)
    expect(peer.asked).toHaveLength(1)
    expect(existsSync(path)).toBe(false)
    role.isApplying = true
    await expect.poll(() => existsSync(path)).toBe(true)
  })
})
