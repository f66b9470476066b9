/** A node of a cluster forgets contents when another node has removed or replaced their file. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NodeContents } from '../../src/cluster/nodeContents.js'
import { Peer } from '../../src/cluster/peer.js'
import { originalPath } from '../../src/files/originals.js'
import { removeUnused } from '../../src/files/removeUnused.js'
import { joinLog } from '../../src/storage/apply/sharedEntries.js'
import { encodeEntry } from '../../src/storage/entries/entries.js'
import { notedContents } from '../../src/storage/apply/eraseRequests.js'
import { hasErasures } from '../../src/storage/erase/eraser.js'
import { takeLease } from '../../src/storage/lease.js'
import { ownMark } from '../../src/storage/processMark.js'
import { facts, fileEntry } from '../support/files.js'
import { temporaryStore } from '../support/store.js'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function openNode() {
  const { store, applier, dataDir } = temporaryStore()
  joinLog(store, { epoch: 'e'.repeat(32), ...store.position() })
  /** An entry that comes with the log. Null removes the file. */
  const take = (name: string, text: string | null): void => {
    const parts = text === null ? null : facts({ sha256: hashOf(text), sizeBytes: text.length })
    const entry = fileEntry(name, parts)
    applier.submitShared([{ sequence: store.position().sequence + 1, entry, row: encodeEntry(entry) }])
  }
  const put = (text: string): void => {
    const path = originalPath(dataDir, hashOf(text))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const has = (text: string): boolean => existsSync(originalPath(dataDir, hashOf(text)))
  const remove = (): void => {
    for (const _step of removeUnused(store, dataDir));
  }
  return { store, applier, dataDir, take, put, has, remove }
}

test('contents of removed and replaced files go, those that another file has stay', () => {
  const { store, take, put, has, remove } = openNode()
  for (const text of ['one', 'two', 'three', 'both']) put(text)
  take('A.png', 'one')
  take('B.png', 'two')
  take('C.png', 'both')
  take('D.png', 'both')
  take('E.png', 'three')
  remove()
  expect(['one', 'two', 'three', 'both'].map(has)).toEqual([true, true, true, true])
  take('A.png', null)
  take('B.png', 'new')
  take('C.png', null)
  take('E.png', null)
  // It comes again before anything was removed.
  take('E.png', 'three')
  expect(hasErasures(store)).toBe(false)
  remove()
  expect(['one', 'two', 'three', 'both'].map(has)).toEqual([false, false, true, true])
  expect(notedContents(store)).toEqual([])
  take('D.png', null)
  remove()
  expect(has('both')).toBe(false)
})

test('many contents go in several transactions', () => {
  const { store, take, put, has, remove } = openNode()
  const texts = Array.from({ length: 120 }, (_, n) => `contents ${n}`)
  for (const text of texts) {
    put(text)
    take(`${text}.png`, text)
  }
  for (const text of texts) take(`${text}.png`, null)
  expect(notedContents(store)).toHaveLength(120)
  remove()
  expect(texts.filter(has)).toEqual([])
  expect(notedContents(store)).toEqual([])
})

test('a store with its own log leaves that to the command that removes the file', () => {
  const { store, applier } = temporaryStore()
  applier.submit(fileEntry('A.png', facts({ sha256: hashOf('one') })))
  applier.submit(fileEntry('A.png', null))
  expect(notedContents(store)).toEqual([])
})

test('nothing goes while a command may be about to name contents, or when a file changes meanwhile', () => {
  const { store, dataDir, take, put, has, remove } = openNode()
  put('one')
  take('A.png', 'one')
  take('A.png', null)
  const lease = takeLease(store, ownMark(), () => undefined)
  remove()
  expect(has('one')).toBe(true)
  lease.release()
  const steps = removeUnused(store, dataDir)
  take('B.png', 'two')
  steps.next()
  take('B.png', 'one')
  for (const _step of steps);
  expect([has('one'), notedContents(store).length]).toEqual([true, 2])
  take('B.png', null)
  remove()
  expect([has('one'), notedContents(store)]).toEqual([false, []])
})

test('contents that come after their file was removed are noted, and go', async () => {
  const { store, dataDir, take, has, remove } = openNode()
  let send: (() => void) | undefined
  const peer = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': 3 })
    send = () => response.end('one')
  })
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    peer.closeAllConnections()
    peer.close()
  })
  const url = new URL(`http://127.0.0.1:${(peer.address() as AddressInfo).port}`)
  const noted: string[] = []
  const node = new NodeContents({
    store,
    dataDir,
    peers: [new Peer(url, 's'.repeat(32))],
    isApplying: () => false,
    nowMs: () => Date.now(),
    onPeerFault: (error) => expect.unreachable(error.message),
    onFault: (error) => expect.unreachable(String(error)),
    noteUnused: (sha256) => Promise.resolve(void noted.push(sha256)),
  })
  onTestFinished(() => node.close())
  take('A.png', 'one')
  const fetching = node.fetch({ name: 'A.png', sha256: hashOf('one'), sizeBytes: 3 })
  await expect.poll(() => send).toBeDefined()
  take('A.png', null)
  remove()
  send!()
  expect(await fetching).toBe(true)
  expect([has('one'), noted]).toEqual([true, [hashOf('one')]])
})
