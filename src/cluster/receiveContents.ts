/**
 * Writes contents that another node sends, without blocking the event loop. They get their final name once they are
 * whole, proved and durable. Several processes may receive the same contents at once.
 *
 *     files/arriving/…    contents being received, under names by chance; anything that nobody writes is left over
 */
import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { originalPath } from '../files/originals.js'
import { PeerError } from './peer.js'

export interface WantedContents {
  /** Of a file that has them, for messages. */
  readonly name: string
  /** In hex. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** Files that were not written for so long are left over: a peer that is silent for less is given up. */
const LEFT_OVER_MS = 600_000

const arrivingFolder = (dataDir: string): string => join(dataDir, 'files', 'arriving')

/** Throws a PeerError for other contents than those wanted, and an error of the system, as on a full disk. */
export async function receiveContents(
  dataDir: string,
  wanted: WantedContents,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = arrivingFolder(dataDir)
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomBytes(12).toString('hex'))
  try {
    await write(path, wanted, bytes)
    await keep(path, dataDir, wanted.sha256)
  } finally {
    await rm(path, { force: true })
  }
}

async function write(
  path: string,
  { sha256, sizeBytes }: WantedContents,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx')
  try {
    const hash = createHash('sha256')
    let received = 0
    for await (const chunk of bytes) {
      received += chunk.length
      if (received > sizeBytes) throw new PeerError(`sent more than the ${sizeBytes} bytes of ${sha256}`)
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    if (received < sizeBytes) throw new PeerError(`sent ${received} of the ${sizeBytes} bytes of ${sha256}`)
    if (hash.digest('hex') !== sha256) throw new PeerError(`sent other contents than ${sha256}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

/** Equal contents may be there meanwhile: the rename replaces them. */
async function keep(path: string, dataDir: string, sha256: string): Promise<void> {
  const target = originalPath(dataDir, sha256)
  await mkdir(dirname(target), { recursive: true })
  await rename(path, target)
  for (let folder = dirname(target); folder.length > dataDir.length; folder = dirname(folder))
    await syncFolder(folder)
}

/** Windows cannot open folders, and makes their entries durable itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what killed processes have left. */
export async function removeLeftOver(dataDir: string, nowMs: number): Promise<void> {
  const folder = arrivingFolder(dataDir)
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    const isOld = await stat(path).then(({ mtimeMs }) => nowMs - mtimeMs > LEFT_OVER_MS, isGone)
    if (isOld) await rm(path, { force: true })
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    isGone(error)
    return []
  }
}

function isGone(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  return false
}
