/**
 * Threads as the system sees them: their priorities, in favour of the event loop, and their processor time. It tells a
 * slow text from a busy machine.
 */
import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The lowest of the real-time priorities, which go up to 99. */
const LEAST_REAL_TIME = 1

/** A nice value, from 0 to 19. A thread with it gets a tenth of a core that it shares with the event loop. */
export const NICENESS = 10
/** For threads that give way even to those of NICENESS. Against one of these they get an eighth of a core. */
export const LAST_NICENESS = 19

/**
 * Lowers the priority of the calling thread. Page reads then come first if there are fewer cores than busy threads.
 * Only on Linux, where threads have their own priority; elsewhere this would slow down the whole server.
 */
export function letEventLoopGoFirst(niceness = NICENESS): void {
  if (process.platform === 'linux') setPriority(0, niceness)
}

/**
 * Gives the main thread of a process real-time priority: when it wakes up, it takes the core of any thread with less or
 * none. Its threads and child processes that start later get normal priority, earlier threads keep theirs. Rejects with
 * the reason in words when the system does not allow that.
 */
export async function giveRealTimePriority(pid: number, priority = LEAST_REAL_TIME): Promise<void> {
  if (process.platform !== 'linux') throw new Error('only Linux gives real-time priority to a single thread')
  try {
    await run('chrt', ['--reset-on-fork', '--rr', '--pid', String(priority), String(pid)])
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string }
    throw new Error(code === 'ENOENT' ? 'there is no program chrt (util-linux)' : stderr?.trim(), {
      cause: error,
    })
  }
}

const NS_PER_MS = 1e6

/**
 * Reads the processor time of a thread of this process, in milliseconds. Undefined if the system does not provide it.
 */
export type ThreadCpuTime = (threadNumber: number) => number | undefined

/** Linux's id of the calling thread; undefined on other systems. */
export function ownThreadNumber(): number | undefined {
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0])
  } catch {
    return undefined
  }
}

export const threadCpuTimeMs: ThreadCpuTime = (threadNumber) => {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${threadNumber}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / NS_PER_MS
  } catch {
    return undefined
  }
}
