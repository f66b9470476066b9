/** Real-time priority for the main thread of a process, by `chrt`. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The thread that sends reads has little work, and must not measure its own waits. So it comes before event loops. */
export const READER_PRIORITY = 2

/**
 * Gives a main thread priority over all others on its core, those of other programs too. Its threads and child
 * processes run with normal priority. Returns false if that is not permitted.
 */
export async function runFirst(pid: number, priority: number): Promise<boolean> {
  try {
    await run('chrt', ['--reset-on-fork', '--rr', '--pid', String(priority), String(pid)])
    return true
  } catch {
    return false
  }
}
