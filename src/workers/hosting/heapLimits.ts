/** Heaps of the threads that live as long as the server. */
import type { ResourceLimits } from 'node:worker_threads'

/**
 * For new objects. Half of what V8 allows: threads that have grown to that keep it, and a server with five of them took
 * a fifth more memory after millions of requests. Half of this again made comparisons and renderings 6 % slower.
 */
const MAX_YOUNG_GENERATION_MB = 24
/** For objects that stay. */
export const HEAP_MB = 512

/** Of a thread that takes jobs from outside: one whose objects take more is ended. */
export const JOB_HEAP: ResourceLimits = {
  maxOldGenerationSizeMb: HEAP_MB,
  maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
}
/** Of the thread that writes: it must not end for want of memory while the process has some. */
export const WRITER_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
