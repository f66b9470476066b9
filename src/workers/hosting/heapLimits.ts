/** Heap limits of the threads that live as long as the server. */
import type { ResourceLimits } from 'node:worker_threads'

/**
 * For new objects: half of V8's default. A thread that has grown to the default never shrinks, and a server with five
 * such threads took a fifth more memory after millions of requests. A quarter of the default made comparisons and
 * renderings 6 % slower.
 */
const MAX_YOUNG_GENERATION_MB = 24
/** For objects that survive. */
export const HEAP_MB = 512

/** For threads that take jobs from outside. V8 ends a thread whose objects take more. */
export const JOB_HEAP: ResourceLimits = {
  maxOldGenerationSizeMb: HEAP_MB,
  maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
}
/** For the thread that writes. It must not run out of memory while the process has some. */
export const WRITER_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
