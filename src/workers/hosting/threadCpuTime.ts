/** Processor time of single threads. It tells a slow text from a busy machine. */
import { readFileSync, readlinkSync } from 'node:fs'

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
