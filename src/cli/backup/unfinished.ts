/**
 * Folders of backups that are being made, or removed: `NAME.unfinished-PID-START-WHERE-RANDOM`. The name says which
 * process works on it, from its first moment on, so that the next backup can remove what a killed process left.
 */
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ownMark, type ProcessState, stateOf } from '../../import/processMark.js'

const UNFINISHED = /^(.+)\.unfinished-(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}$/
/** The process of another machine or container, or from before a restart, has ended if it wrote nothing for so long. */
const SILENCE_MS = 3_600_000

export interface Told {
  /** Told of what is made and removed. */
  readonly tell: (line: string) => unknown
  /** Told of what somebody should look at. */
  readonly warn: (line: string) => unknown
}

/** Makes the folder in which the backup `target` is put together. */
export function makeUnfinished(target: string): string {
  const path = unfinishedPath(target)
  mkdirSync(path)
  return path
}

/**
 * Removes a folder. It loses its name first: a folder that is named as a backup is never half there. False when another
 * process was quicker.
 */
export function discard(path: string): boolean {
  const [, base = basename(path)] = UNFINISHED.exec(basename(path)) ?? []
  const claimed = unfinishedPath(join(dirname(path), base))
  try {
    renameSync(path, claimed)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  rmSync(claimed, { recursive: true, force: true })
  return true
}

/** Removes what processes that have ended left of backups for which `isLeft` holds, and names what may be in work. */
export function removeUnfinished(
  folder: string,
  isLeft: (target: string) => boolean,
  { tell, warn }: Told,
): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [, base, pid, started, where] = UNFINISHED.exec(entry.name) ?? []
    if (base === undefined || entry.isFile() || !isLeft(join(folder, base))) continue
    const path = join(folder, entry.name)
    const state = stateOfMaker(Number(pid), started!, where!)
    if (state === 'running') continue
    if (state === 'dead' || Date.now() - lastChange(path) >= SILENCE_MS) {
      if (discard(path)) tell(`removed the unfinished backup ${path}`)
    } else {
      warn(
        `${path} is unfinished, and another machine or container may still work on it: ` +
          'a backup that starts an hour after its last change removes it',
      )
    }
  }
}

/** A name for `target` while this process works on it. */
export function unfinishedPath(target: string): string {
  const { pid, started, where } = ownMark()
  return `${target}.unfinished-${pid}-${started}-${hashOf(where)}-${randomBytes(4).toString('hex')}`
}

function stateOfMaker(pid: number, started: string, whereHash: string): ProcessState {
  const { where } = ownMark()
  return whereHash === hashOf(where) ? stateOf({ pid, started, where }) : 'unknown'
}

const hashOf = (where: string): string => createHash('sha256').update(where).digest('hex').slice(0, 8)

/** When a link, or something in a folder, was last written, in milliseconds since 1970. */
function lastChange(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isDirectory()) return stats?.mtimeMs ?? 0
  let last = stats.mtimeMs
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    last = Math.max(last, lstatSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  }
  return last
}
