/** Priorities in favour of the event loop. */
import { execFile } from 'node:child_process'
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
