/**
 * Folders of unfinished backups, during copy or removal: `NAME.unfinished-PID-START-WHERE-RANDOM`. The name identifies
 * the process at work from the start, so the next backup can remove leftovers of a killed process.
 */
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ownMark, type ProcessState, stateOf } from '../../storage/processMark.js'

const UNFINISHED = /^(.+)\.unfinished-(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}$/
/** A process of another machine, container or boot counts as ended after this time without a write. */
const SILENCE_MS = 3_600_000

export interface Told {
  /** Reports creation and removal. */
  readonly tell: (line: string) => unknown
  /** Reports problems that the operator should look at. */
  readonly warn: (line: string) => unknown
}

/** Creates the folder in which the backup `target` is made. */
export function makeUnfinished(target: string): string {
  const path = unfinishedPath(target)
  mkdirSync(path)
  return path
}

/**
 * Removes a folder. Renames it first, so a folder with the name of a backup is always complete. False when another
 * process removed it first.
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

/**
 * Removes unfinished backups of ended processes when `isLeft` allows it. Warns about those that may still be in
 * progress.
 */
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

/** The name of `target` while this process works on it. */
export function unfinishedPath(target: string): string {
  const { pid, started, where } = ownMark()
  return `${target}.unfinished-${pid}-${started}-${hashOf(where)}-${randomBytes(4).toString('hex')}`
}

function stateOfMaker(pid: number, started: string, whereHash: string): ProcessState {
  const { where } = ownMark()
  return whereHash === hashOf(where) ? stateOf({ pid, started, where }) : 'unknown'
}

const hashOf = (where: string): string => createHash('sha256').update(where).digest('hex').slice(0, 8)

/** Time of the last write to a link, or to anything in a folder, in milliseconds since 1970. */
function lastChange(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isDirectory()) return stats?.mtimeMs ?? 0
  let last = stats.mtimeMs
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    last = Math.max(last, lstatSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  }
  return last
}
