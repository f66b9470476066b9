/**
 * Who holds the write lock of a store. LMDB keeps it as a robust mutex of the C library in its lock file, and the mutex
 * names its owner: so it does on Linux with glibc. Elsewhere nothing is known, which costs no more than a message.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Of the mutex in the lock file: its futex, and its owner. Both hold the number of the thread. */
const FUTEX_OFFSET = 64
const OWNER_OFFSET = 72
/** The futex marks in its upper bits that somebody waits. */
const THREAD_BITS = 0x3fff_ffff

export interface LockHolder {
  readonly pid: number
  /** Its command line. */
  readonly command: string
}

/** Whether some process holds the write lock at this moment; false also where that cannot be known. */
export function isWriteLocked(storePath: string): boolean {
  return ownerThread(storePath) !== undefined
}

/** The process that holds the write lock; undefined when none does, and where it cannot be seen from here. */
export function writeLockHolder(storePath: string): LockHolder | undefined {
  const thread = ownerThread(storePath)
  if (thread === undefined) return undefined
  try {
    // In another container the number means another process, which does not map this file.
    if (!readFileSync(`/proc/${thread}/maps`, 'utf8').includes(join(storePath, 'lock.mdb'))) return undefined
    const pid = Number(/^Tgid:\s+(\d+)/m.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1])
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid, command }
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** What to say of a holder in a sentence. */
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
 * Reads the first bytes of a lock file, in the memory of this process once the store is open: to close a file releases
 * all locks (fcntl) that the process has on it, and LMDB counts on its own.
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

/** The process has ended meanwhile, or is none of ours. */
const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
