/** What threads do for the event loop: they let it go first. */
import { setPriority } from 'node:os'

/** Steps of niceness, of 19: a thread that wants the same core as the event loop gets a tenth of it. */
export const NICENESS = 10
/** Of threads that others of that niceness go before: against one of them they get an eighth of a core. */
export const LAST_NICENESS = 19

/**
 * Lowers the priority of the calling thread, so that page reads go first where there are fewer cores than threads
 * with work. Only on Linux, where a thread has a priority of its own; elsewhere this would slow the whole server.
 */
export function letEventLoopGoFirst(niceness = NICENESS): void {
  if (process.platform === 'linux') setPriority(0, niceness)
}
