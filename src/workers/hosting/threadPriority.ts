/** Lower priorities for threads, in favour of the event loop. */
import { setPriority } from 'node:os'

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
