/**
 * Contents that reach a running server. They get their final name once they are whole and durable. Several processes
 * may receive the same contents at once, and nothing here blocks the event loop.
 *
 *     files/arriving/…    contents being received, or about to be named, under names by chance; what nobody writes is
 *                         left over
 */
import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha1Base36 } from '../domain/file.js'
import { originalPath, type Received } from './originals.js'

/** Files that were not written for so long are left over: a sender that is silent for less is given up. */
const LEFT_OVER_MS = 600_000
/** Bytes that are hashed and written in one turn of the event loop. */
const STEP_BYTES = 64 * 1024

const arrivingFolder = (dataDir: string): string => join(dataDir, 'files', 'arriving')

/** Runs `work` with a path for contents, which is removed afterwards. */
export async function withArrivingPath<Result>(
  dataDir: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = arrivingFolder(dataDir)
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomBytes(12).toString('hex'))
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Writes contents from memory, and flushes them to disk. */
export async function writeContents(path: string, parts: readonly Uint8Array[]): Promise<Received> {
  const file = await open(path, 'wx')
  const [sha1, sha256] = [createHash('sha1'), createHash('sha256')]
  let sizeBytes = 0
  try {
    for (const part of parts)
      for (let at = 0; at < part.length; at += STEP_BYTES) {
        const step = part.subarray(at, at + STEP_BYTES)
        sha1.update(step)
        sha256.update(step)
        sizeBytes += step.length
        await writeAll(file, step)
      }
    await file.sync()
  } finally {
    await file.close()
  }
  return { path, sizeBytes, sha1: sha1Base36(sha1.digest('hex')), sha256: sha256.digest('hex') }
}

export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

/** Gives contents their final name. Equal contents may be there meanwhile: the rename replaces them. */
export async function placeContents(path: string, dataDir: string, sha256: string): Promise<void> {
  const target = originalPath(dataDir, sha256)
  await mkdir(dirname(target), { recursive: true })
  await rename(path, target)
  for (let folder = dirname(target); folder.length > dataDir.length; folder = dirname(folder))
    await syncFolder(folder)
}

/**
 * Gives contents their final name, and keeps them there while `work` writes the row that names them. A second name of
 * the file shows others that these contents are in use (`Originals.removeUnclaimed`).
 */
export async function withPlacedContents<Result>(
  { path, sha256 }: Pick<Received, 'path' | 'sha256'>,
  dataDir: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const claim = `${path}-claim`
  await link(path, claim)
  try {
    await placeContents(path, dataDir, sha256)
    const result = await work()
    // They may have been removed between the look of another process and the claim.
    await link(claim, originalPath(dataDir, sha256)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    })
    return result
  } finally {
    await rm(claim, { force: true })
  }
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
