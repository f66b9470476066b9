/**
 * Copies of the store for new nodes:
 *
 *     .copy-…/maker.json           the process that makes the copy
 *     .copy-…/store/data.mdb       the copy, until it is complete
 *
 * A complete copy has no name any more. So only a process that was killed leaves one.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessMark } from '../storage/tables/meta.js'
import { ownMark, stateOf } from '../storage/processMark.js'
import type { Store } from '../storage/store.js'

const PREFIX = '.copy-'
const MAKER = 'maker.json'
const COPY = join('store', 'data.mdb')
/** A copy that was not written for so long is left over, where nobody can tell whether its process lives. */
const SILENT_MS = 600_000

/** The file of a copy, which has no name on the disk. */
export async function makeCopy(store: Store, dataDir: string): Promise<FileHandle> {
  const folder = join(dataDir, `${PREFIX}${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(folder)
    await writeFile(join(folder, MAKER), JSON.stringify(ownMark()))
    await store.backup(folder)
    return await open(join(folder, COPY))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes what killed processes have left. Processes of other containers may live: theirs go after ten minutes. */
export async function removeDeadCopies(dataDir: string, nowMs: number): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const folder = join(dataDir, name)
    if (name.startsWith(PREFIX) && (await isLeftOver(folder, nowMs)))
      await rm(folder, { recursive: true, force: true })
  }
}

async function isLeftOver(folder: string, nowMs: number): Promise<boolean> {
  const maker = await makerOf(folder)
  const state = maker === undefined ? 'unknown' : stateOf(maker)
  if (state !== 'unknown') return state === 'dead'
  const writtenMs = await Promise.all([folder, join(folder, COPY)].map(writtenMsOf))
  return nowMs - Math.max(...writtenMs) > SILENT_MS
}

/** Undefined: its process has just begun or ended, or was killed before it wrote all of this. */
async function makerOf(folder: string): Promise<ProcessMark | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, MAKER), 'utf8')) as ProcessMark
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined
    throw error
  }
}

const writtenMsOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (isAbsent(error)) return 0
      throw error
    },
  )

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
