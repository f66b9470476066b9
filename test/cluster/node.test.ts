/** A node of a cluster over an engine in memory, whose faults are at hand. Real engines: test/cluster/cluster.test.ts. */
// @module-tag cluster
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ClusterNode, type NodeOutcome } from '../../src/cluster/node.js'
import { SharedLog } from '../../src/log/sharedLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { NEWEST_VERSION } from '../../src/storage/apply/entryKinds.js'
import { joinLog, SharedStoreError } from '../../src/storage/apply/sharedEntries.js'
import { encodeEntry, type Entry } from '../../src/storage/entries/entries.js'
import { DiskFullError } from '../../src/storage/tables/errors.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { MemoryEngine, MemoryServer } from '../support/memoryEngine.js'
import { START, temporaryFolder } from '../support/store.js'

const EPOCH = 'e'.repeat(32)
const soon = (ms = 5000): number => performance.now() + ms

interface Opened {
  readonly store: Store
  readonly node: ClusterNode
  readonly applier: Applier
}

/** A store with a page, which founds a cluster. */
async function foundCluster(): Promise<{ server: MemoryServer; open: () => Promise<Opened> }> {
  const server = new MemoryServer()
  const folder = temporaryFolder()
  const store = Store.open(folder, { create: true })
  new Applier(store).submit(page('Origin'))
  const origin = { epoch: EPOCH, ...store.position() }
  await new MemoryEngine(server).create(origin)
  joinLog(store, origin)
  const copies: string[] = []
  const copy = async (): Promise<string> => {
    const copied = join(folder, `copy${copies.length}`)
    mkdirSync(copied)
    copies.push(copied)
    await store.backup(copied)
    return copied
  }
  onTestFinished(() => store.close())
  return { server, open: async () => openNode(server, await copy()) }
}

function openNode(server: MemoryServer, folder: string): Opened {
  const store = Store.open(folder)
  const applier = new Applier(store)
  const node = new ClusterNode({
    store,
    applier,
    openLog: () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH)),
  })
  onTestFinished(async () => {
    await node.close()
    await store.close()
  })
  return { store, node, applier }
}

const page = (dbkey: string, text = dbkey): Entry => ({
  kind: 'create',
  id: randomEntryId(),
  time: START,
  namespace: 0,
  dbkey,
  editor: { id: null, name: '127.0.0.1' },
  comment: '',
  minor: false,
  contentModel: 'wikitext',
  text,
})

const edit = (pageId: number, baseRevisionId: number, text: string): Entry => {
  const { namespace: _namespace, dbkey: _dbkey, ...rest } = page('x', text) as Entry & { kind: 'create' }
  return { ...rest, kind: 'edit', pageId, baseRevisionId }
}

const resultOf = (outcome: NodeOutcome | undefined): string =>
  outcome === undefined ? 'none' : 'verdict' in outcome ? outcome.verdict.result : outcome.failure

async function until(condition: () => boolean, ms = 15_000): Promise<void> {
  const end = soon(ms)
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition.toString()}`)
    await sleep(5)
  }
}

/** Waits until all nodes have applied the whole log, and expects equal and sound stores. */
async function expectEqual(server: MemoryServer, nodes: readonly Opened[]): Promise<void> {
  for (const { store } of nodes)
    await until(() => {
      store.refresh()
      return store.position().sequence === server.last
    })
  expect(new Set(nodes.map(({ store }) => digestStore(store))).size).toBe(1)
  for (const { store } of nodes) expect(verifyStore(store).problems).toEqual([])
}

describe('nodes of a cluster', () => {
  test('save what any of them takes, in the same order, with the same ids', async () => {
    const { server, open } = await foundCluster()
    const nodes = [await open(), await open(), await open()]
    const outcomes = await Promise.all(
      nodes.flatMap(({ node }, n) =>
        Array.from({ length: 10 }, (_, i) => node.write([page(`Page_${n}_${i}`)], soon())),
      ),
    )
    expect(outcomes.flat().map(resultOf)).toEqual(Array.from({ length: 30 }, () => 'saved'))
    const ids = outcomes
      .flat()
      .map((each) => ('verdict' in each && 'pageId' in each.verdict ? each.verdict.pageId : 0))
    expect(new Set(ids).size).toBe(30)
    await expectEqual(server, nodes)
  })

  test('make a title once, and use a base once', async () => {
    const { server, open } = await foundCluster()
    const nodes = [await open(), await open()]
    const made = await Promise.all(nodes.map(({ node }) => node.write([page('Same')], soon())))
    expect(made.flat().map(resultOf).sort()).toEqual(['exists', 'saved'])
    const { pageId, latestId } = nodes[0]!.store.getPage(0, 'Same')!
    const edited = await Promise.all(
      nodes.map(({ node }, n) => node.write([edit(pageId, latestId, `by ${n}`)], soon())),
    )
    expect(edited.flat().map(resultOf).sort()).toEqual(['conflict', 'saved'])
    await expectEqual(server, nodes)
  })

  test('keep entries without effect and repeated ones in the same places', async () => {
    const { server, open } = await foundCluster()
    const nodes = [await open(), await open()]
    const entry = page('Twice')
    await nodes[0]!.node.write([entry], soon())
    // A second copy, as an engine stores it that has forgotten the first.
    server.records.push({ ...server.records.at(-1)!, sequence: server.last + 1 })
    server.bell.emit('record')
    const { node } = nodes[1]!
    expect(
      resultOf((await node.write([{ ...page('Odd'), minor: 1 } as unknown as Entry], soon()))[0]),
    ).toContain('not an entry')
    expect(resultOf((await node.write([page('Last')], soon()))[0])).toBe('saved')
    await expectEqual(server, nodes)
  })

  test('stand records that are no entries', async () => {
    const { server, open } = await foundCluster()
    const nodes = [await open(), await open()]
    for (const bytes of [Buffer.from('garbage'), Buffer.alloc(0), Buffer.alloc(40, 255)]) {
      server.records.push({ id: randomEntryId(), sequence: server.last + 1, bytes })
      server.bell.emit('record')
    }
    expect(resultOf((await nodes[0]!.node.write([page('After')], soon()))[0])).toBe('saved')
    await expectEqual(server, nodes)
  })

  test('refuse changes that do not come through the log', async () => {
    const { open } = await foundCluster()
    const { applier } = await open()
    expect(() => applier.submit(page('Own'))).toThrow(SharedStoreError)
  })
})

describe('a node', () => {
  test('gives an entry one effect when answers are lost', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    server.lostAnswers = 3
    expect(resultOf((await opened.node.write([page('Lost')], soon()))[0])).toBe('saved')
    expect(opened.node.status().appendRetries).toBe(3)
    await expectEqual(server, [opened])
  })

  test('says that an edit may still be saved, reads on, and goes on by itself when the engine is back', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    const { node, store } = opened
    expect(await node.ready(soon())).toBe(true)
    server.stop()
    const late = node.write([page('Late')], soon(600))
    await until(() => node.status().state === 'unreachable')
    expect(await late).toMatchObject([{ failure: expect.any(String) as string }])
    expect(store.getPage(0, 'Origin')).toBeDefined()
    await until(() => node.status().lagSeconds > 0.3)
    server.start()
    expect(resultOf((await node.write([page('Again')], soon()))[0])).toBe('saved')
    expect(node.status()).toMatchObject({ state: 'same', lagSeconds: 0 })
    await expectEqual(server, [opened])
  })

  test('stops its writes when the log went back, and goes on when the tail is there again', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    const { node, store } = opened
    for (let n = 0; n < 5; n++) await node.write([page(`Page_${n}`)], soon())
    const before = server.records
    server.rollBack(server.last - 2)
    await until(() => node.status().state === 'behind', 20_000)
    const [refused] = await node.write([page('No')], soon())
    expect(refused).toMatchObject({ mayBeSaved: false })
    expect(store.getPage(0, 'Page_4')).toBeDefined()
    const lost = before.slice(-2)
    await new MemoryEngine(server).restore(lost)
    expect(
      (await node.ready(soon(20_000))) || (await until(() => node.status().state === 'same'), true),
    ).toBe(true)
    expect(resultOf((await node.write([page('Yes')], soon()))[0])).toBe('saved')
    await expectEqual(server, [opened])
  }, 60_000)

  test('notices another history at the same position', async () => {
    const { server, open } = await foundCluster()
    const [ahead, other] = [await open(), await open()]
    await ahead.node.write([page('One')], soon())
    await ahead.node.write([page('Two')], soon())
    await expectEqual(server, [ahead, other])
    server.rollBack(server.last - 1)
    const seen = other.store.position()
    const stray = { ...page('Stray'), seen: { ...seen, digest: 'f'.repeat(64) } }
    server.records.push({ id: stray.id, sequence: server.last + 1, bytes: encodeEntry(stray) })
    server.bell.emit('cut')
    await until(() => ahead.node.status().state === 'forked' && other.node.status().state === 'forked')
    expect(await ahead.node.write([page('No')], soon())).toMatchObject([{ mayBeSaved: false }])
  })

  test('notices that the log grew again otherwise, though its connection lasted', async () => {
    const { server, open } = await foundCluster()
    const ahead = await open()
    for (const name of ['One', 'Two']) await ahead.node.write([page(name)], soon())
    // Another node, which had applied less, has gone on from there.
    server.records.pop()
    const seen = { sequence: server.last, digest: ahead.store.log.digestAt(server.last)! }
    const other = { ...page('Other'), seen }
    await new MemoryEngine(server).append([{ id: other.id, bytes: encodeEntry(other) }])
    const after = { ...page('After'), seen: { sequence: server.last, digest: 'a'.repeat(64) } }
    await new MemoryEngine(server).append([{ id: after.id, bytes: encodeEntry(after) }])
    // If it looks while the log is shorter, it is behind, and looks again after ten seconds.
    await until(() => ahead.node.status().state === 'forked', 40_000)
    expect(await ahead.node.write([page('No')], soon())).toMatchObject([{ mayBeSaved: false }])
  }, 60_000)

  test('judges an entry whose author has seen another log', async () => {
    const { server, open } = await foundCluster()
    const nodes = [await open(), await open()]
    await nodes[0]!.node.write([page('One')], soon())
    const stray = { ...page('Stray'), seen: { sequence: server.last, digest: 'f'.repeat(64) } }
    await new MemoryEngine(server).append([{ id: stray.id, bytes: encodeEntry(stray) }])
    await expectEqual(server, nodes)
    expect(nodes[0]!.store.getPage(0, 'Stray')).toBeUndefined()
    expect(nodes[0]!.store.log.getVerdict(stray.id)).toEqual({ result: 'forked' })
    expect(resultOf((await nodes[1]!.node.write([page('Two')], soon()))[0])).toBe('saved')
  })

  test('refuses an edit from too far behind the log, and saves the next one', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    const { node } = opened
    // Nodes always know the origin of the log: the edit must have seen more.
    await node.write([page('Before')], soon())
    server.stop()
    await until(() => node.status().state === 'unreachable')
    const late = node.write([page('Late')], soon(300_000))
    // More than the digests that a node remembers.
    for (let n = 0; n < 10_050; n++)
      server.records.push({ id: randomEntryId(), sequence: server.last + 1, bytes: Buffer.from(`none ${n}`) })
    server.start()
    expect(await late).toMatchObject([{ mayBeSaved: false }])
    expect(resultOf((await node.write([page('Next')], soon()))[0])).toBe('saved')
    expect(opened.store.getPage(0, 'Late')).toBeUndefined()
    await expectEqual(server, [opened])
  })

  test('that has all entries goes on when the log has lost some, and says so', async () => {
    const { server, open } = await foundCluster()
    const [ahead, behind] = [await open(), await open()]
    await behind.node.close()
    for (let n = 0; n < 9; n++) await ahead.node.write([page(`Page_${n}`)], soon())
    await ahead.node.close()
    const lost = server.records.filter(({ sequence }) => [3, 4, 5, 8].includes(sequence))
    server.lose(3, 5)
    server.lose(8, 8)
    const openLog = () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH))
    const again = new ClusterNode({ ...ahead, openLog })
    const late = new ClusterNode({ ...behind, openLog })
    onTestFinished(async () => {
      await again.close()
      await late.close()
    })
    expect(resultOf((await again.write([page('Next')], soon()))[0])).toBe('saved')
    expect(again.status()).toMatchObject({ state: 'same', lost: 4 })
    await until(() => late.status().state === 'truncated')
    await new MemoryEngine(server).restore(lost)
    await expectEqual(server, [ahead, behind])
    expect(late.status()).toMatchObject({ state: 'same', lost: 0 })
  })

  test('that has all entries goes on when the log has lost the last one', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    await opened.node.write([page('One')], soon())
    await opened.node.write([page('Two')], soon())
    await opened.node.close()
    server.lose(server.last, server.last)
    const openLog = () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH))
    const again = new ClusterNode({ ...opened, openLog })
    onTestFinished(() => again.close())
    expect(resultOf((await again.write([page('Three')], soon()))[0])).toBe('saved')
    expect(again.status()).toMatchObject({ state: 'same', lost: 1 })
  })

  test('notices a different entry behind a hole in the log', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    for (let n = 0; n < 4; n++) await opened.node.write([page(`Page_${n}`)], soon())
    await opened.node.close()
    server.lose(4, 4)
    server.records[0] = { ...server.records[0]!, bytes: encodeEntry(page('Other')) }
    const openLog = () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH))
    const again = new ClusterNode({ ...opened, openLog })
    onTestFinished(() => again.close())
    await until(() => again.status().state === 'forked')
  })

  test('needs a newer copy when the log was cut behind it', async () => {
    const { server, open } = await foundCluster()
    const [ahead, behind] = [await open(), await open()]
    await behind.node.close()
    for (let n = 0; n < 3; n++) await ahead.node.write([page(`Page_${n}`)], soon())
    server.cut(server.last)
    const again = new ClusterNode({
      ...behind,
      openLog: () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH)),
    })
    onTestFinished(() => again.close())
    await until(() => again.status().state === 'truncated')
    expect(again.status().reason).toContain('copy of another node')
  })

  test('stops applying at an entry of a newer version', async () => {
    const { server, open } = await foundCluster()
    const { node } = await open()
    const gate = { kind: 'gate', version: NEWEST_VERSION + 1, id: randomEntryId(), time: START } as const
    await new MemoryEngine(server).append([{ id: gate.id, bytes: encodeEntry(gate) }])
    await until(() => node.status().state === 'too-new')
    expect(node.status()).toMatchObject({ last: server.last, position: server.last - 1 })
    expect(await node.write([page('No')], soon())).toMatchObject([{ mayBeSaved: false }])
  })

  test('tells once that it cannot write, however often it tries, and goes on once it can', async () => {
    const { server, open } = await foundCluster()
    const opened = await open()
    await opened.node.close()
    let isFull = false
    let attempts = 0
    const states: string[] = []
    const node = new ClusterNode({
      store: opened.store,
      applier: {
        submitShared: (items) => {
          if (!isFull) return opened.applier.submitShared(items)
          attempts++
          throw new DiskFullError('the disk is full')
        },
      },
      openLog: () => Promise.resolve(new SharedLog(new MemoryEngine(server), EPOCH)),
      onChange: ({ state }) => states.push(state),
    })
    onTestFinished(() => node.close())
    expect(await node.ready(soon())).toBe(true)
    isFull = true
    const [unknown] = await node.write([page('One')], soon(500))
    expect(unknown).toMatchObject({ mayBeSaved: true })
    await until(() => attempts >= 4)
    expect(states).toEqual(['same', 'failed'])
    expect((await node.write([page('Two')], soon(100)))[0]).toMatchObject({ mayBeSaved: false })
    isFull = false
    expect(await node.ready(soon())).toBe(true)
    expect(states).toEqual(['same', 'failed', 'same'])
    await expectEqual(server, [{ ...opened, node }])
    expect(opened.store.getPage(0, 'One')).toBeDefined()
  })

  test('closes a log that it opens while it is being closed', async () => {
    const { server, open } = await foundCluster()
    const { store, applier, node } = await open()
    await node.close()
    const log = new SharedLog(new MemoryEngine(server), EPOCH)
    let arrive = (): void => undefined
    const openLog = () => new Promise<SharedLog>((resolve) => (arrive = () => resolve(log)))
    const late = new ClusterNode({ store, applier, openLog })
    const closing = late.close()
    arrive()
    await closing
    await expect(log.bounds()).rejects.toThrow('down')
  })

  test('belongs to one log: another epoch is another history', async () => {
    const { server, open } = await foundCluster()
    const { node } = await open()
    expect(await node.ready(soon())).toBe(true)
    server.origin = { ...server.origin!, epoch: 'd'.repeat(32) }
    server.bell.emit('cut')
    await until(() => node.status().state === 'forked')
  })
})
