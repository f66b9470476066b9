/**
 * Finds the process that holds the write lock of a store. LMDB keeps the lock as a robust mutex in its lock file. On
 * Linux with glibc the mutex names its owner. Elsewhere the holder is unknown, which only makes a message less precise.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Offsets in the lock file of the mutex's futex and of its owner. Both hold the thread's id. */
const FUTEX_OFFSET = 64
const OWNER_OFFSET = 72
/** The upper bits of the futex mark that a thread waits. */
const THREAD_BITS = 0x3fff_ffff

interface LockHolder {
  readonly pid: number
  /** Its command line. */
  readonly command: string
}

/** Whether a process holds the write lock now. Also false where this cannot be known. */
export function isWriteLocked(storePath: string): boolean {
  return ownerThread(storePath) !== undefined
}

/** Whether another process holds the write lock now. Also true where this cannot be known. */
export function mayBeLockedElsewhere(storePath: string): boolean {
  if (process.platform !== 'linux') return true
  const thread = ownerThread(storePath)
  return thread !== undefined && !existsSync(`/proc/self/task/${thread}`)
}

/** The process that holds the write lock; undefined if there is none, or if it is not visible from here. */
export function writeLockHolder(storePath: string): LockHolder | undefined {
  const thread = ownerThread(storePath)
  if (thread === undefined) return undefined
  try {
    // In another container the id belongs to another process, which does not map this file.
    if (!readFileSync(`/proc/${thread}/maps`, 'utf8').includes(join(storePath, 'lock.mdb'))) return undefined
    const pid = Number(/^Tgid:\s+(\d+)/m.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1])
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid, command }
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Names a holder in a message. */
export function nameHolder(holder: LockHolder | undefined): string {
  return holder === undefined ? 'another process' : `process ${holder.pid} (${holder.command})`
}

function ownerThread(storePath: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  const path = join(storePath, 'lock.mdb')
  if (!existsSync(path)) return undefined
  const bytes = Buffer.alloc(OWNER_OFFSET + 4)
  if (readHead(realpathSync(path), bytes) < bytes.length) return undefined
  const thread = bytes.readUInt32LE(FUTEX_OFFSET) & THREAD_BITS
  return thread !== 0 && thread === bytes.readUInt32LE(OWNER_OFFSET) ? thread : undefined
}

/**
 * Reads the first bytes of a lock file. If the store is open, it reads them from this process's memory. Opening and
 * closing the file would release all fcntl locks that the process has on it, and LMDB needs its own.
 */
function readHead(path: string, bytes: Buffer): number {
  const line = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .find((mapping) => mapping.endsWith(` ${path}`))
  const address = line === undefined ? 0 : parseInt(line, 16)
  const file = openSync(line === undefined ? path : '/proc/self/mem', 'r')
  try {
    return readSync(file, bytes, 0, bytes.length, address)
  } finally {
    closeSync(file)
  }
}

/** The process has ended meanwhile, or belongs to another user. */
const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
