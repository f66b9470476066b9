/** Makes a new node from a copy of a running one. */
import { createWriteStream, existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Peer, PeerError } from '../../cluster/peer.js'
import { PeerContents, type WantedContents } from '../../cluster/contents.js'
import type { Config } from '../../config/config.js'
import { flushFile, flushFolder } from '../../files/flush.js'
import { makeFolders } from '../../runtime/makeFolders.js'
import { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { formatCount } from '../import/progress.js'
import { requireSecret } from './shared.js'

export async function joinFrom(
  config: Pick<Config, 'dataDir' | 'clusterTokenFile'>,
  from: URL,
): Promise<void> {
  const peer = new Peer(from, requireSecret(config))
  const dataDir = resolve(config.dataDir)
  requireEmpty(dataDir)
  try {
    const { epoch } = await peer.status()
    if (epoch === null)
      throw new CommandError(
        `${from.host} is not a node of a cluster: found one there with "palimpsest cluster init"`,
      )
    await copyNode(peer, dataDir)
  } catch (error) {
    if (!(error instanceof PeerError)) throw error
    throw new CommandError(error.message, { cause: error })
  }
}

function requireEmpty(dataDir: string): void {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new CommandError(`${dataDir} is not empty: a new node needs a new data folder`)
}

/** The copy gets its place once it is whole. */
async function copyNode(peer: Peer, dataDir: string): Promise<void> {
  const unfinished = `${dataDir}.joining`
  rmSync(unfinished, { recursive: true, force: true })
  makeFolders(join(unfinished, 'store'))
  const file = join(unfinished, 'store', 'data.mdb')
  const { bytes, length } = await peer.copy()
  const received = await receive(bytes, file, length)
  if (received !== length)
    throw new CommandError(`${peer.url.host} sent ${received} of ${length} bytes: try again`)
  flushFile(file)
  const store = Store.open(unfinished)
  try {
    const { sequence } = store.position()
    await copyContents(store, peer, unfinished)
    if (existsSync(dataDir)) rmdirSync(dataDir)
    await store.close()
    renameSync(unfinished, dataDir)
    flushFolder(dirname(dataDir))
    process.stdout.write(`${dataDir}: ${(length / 1e6).toFixed(1)} MB, up to entry ${sequence} of the log\n`)
  } finally {
    await store.close()
  }
}

async function receive(bytes: Readable, file: string, length: number): Promise<number> {
  let received = 0
  bytes.on('data', (chunk: Uint8Array) => {
    received += chunk.length
    if (process.stderr.isTTY)
      process.stderr.write(`\r${(received / 1e6).toFixed(0)} of ${(length / 1e6).toFixed(0)} MB`)
  })
  await pipeline(bytes, createWriteStream(file))
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return received
}

/** Files between two looks at the list, and passes over those that did not come. */
const FILES_AT_ONCE = 20
const PASSES = 3
const PAUSE_MS = 3000

async function copyContents(store: Store, peer: Peer, dataDir: string): Promise<void> {
  const contents = new PeerContents({ dataDir, peers: [peer] })
  let { copied, missing } = await fetchAll(allFiles(store), contents)
  for (let pass = 1; pass < PASSES && missing.length > 0; pass++) {
    await sleep(PAUSE_MS)
    const more = await fetchAll(slicesOf(missing), contents)
    copied += more.copied
    missing = more.missing
  }
  for (const { name } of missing)
    process.stderr.write(
      `${peer.url.host} has not given the contents of "${name}": a server with --peers tries again\n`,
    )
  if (copied + missing.length > 0) process.stdout.write(`${formatCount(copied)} files\n`)
}

function* allFiles(store: Store): Generator<WantedContents[]> {
  for (const files of store.keptFilesInSlices(FILES_AT_ONCE))
    yield files.flatMap(({ dbkey: name, facts: { sha256, sizeBytes } }) =>
      sha256 === null ? [] : [{ name, sha256, sizeBytes }],
    )
}

function* slicesOf(list: readonly WantedContents[]): Generator<readonly WantedContents[]> {
  for (let at = 0; at < list.length; at += FILES_AT_ONCE) yield list.slice(at, at + FILES_AT_ONCE)
}

async function fetchAll(
  slices: Iterable<readonly WantedContents[]>,
  contents: PeerContents,
): Promise<{ readonly copied: number; readonly missing: readonly WantedContents[] }> {
  let copied = 0
  const missing: WantedContents[] = []
  for (const slice of slices) {
    const came = await Promise.all(slice.map((wanted) => contents.fetch(wanted)))
    for (const [n, wanted] of slice.entries())
      if (came[n]) copied++
      else missing.push(wanted)
  }
  return { copied, missing }
}
