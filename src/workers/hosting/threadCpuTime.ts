/** Processor time of single threads, which tells a text that takes long from a machine that has no time. */
import { readFileSync, readlinkSync } from 'node:fs'

const NS_PER_MS = 1e6

/** Reads the processor time, in milliseconds, of a thread of this process; undefined where the system does not say. */
export type ThreadCpuTime = (threadNumber: number) => number | undefined

/** Linux's number of the calling thread; undefined elsewhere. */
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
