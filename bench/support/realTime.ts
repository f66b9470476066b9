/** Real-time priority for event loops, and for the thread that sends reads. */
import { giveRealTimePriority } from '../../src/workers/hosting/systemThreads.js'

/** The thread that sends reads has little work, and must not measure its own waits. So it comes before event loops. */
export const READER_PRIORITY = 2

/** As `giveRealTimePriority`; false if that is not permitted. */
export const runFirst = (pid: number, priority?: number): Promise<boolean> =>
  giveRealTimePriority(pid, priority).then(
    () => true,
    () => false,
  )
