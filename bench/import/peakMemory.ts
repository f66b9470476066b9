/**
 * Preloaded into a measured process (`node --import`): writes its peak memory to the file that BENCH_MEMORY_FILE names
 * when it ends.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface PeakMemory {
  /** Most memory that was resident at one time, pages of the mapped store included: exact, as the kernel keeps it. */
  readonly residentBytes: number
  /** The part of it that only this process can have, without the mapped store; sampled, and so at least this. */
  readonly ownBytes: number
}

const SAMPLE_INTERVAL_MS = 100

const path = process.env.BENCH_MEMORY_FILE
if (isMainThread && path !== undefined) {
  let ownBytes = 0
  const sample = (): void => {
    ownBytes = Math.max(ownBytes, anonymousBytes())
  }
  setInterval(sample, SAMPLE_INTERVAL_MS).unref()
  process.once('exit', () => {
    sample()
    const memory: PeakMemory = { residentBytes: process.resourceUsage().maxRSS * 1024, ownBytes }
    writeFileSync(path, JSON.stringify(memory))
  })
}

/** 0 where there is no /proc. */
function anonymousBytes(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
