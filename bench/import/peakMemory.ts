/**
 * Preloaded into a measured process (`node --import`). When the process ends, writes its peak memory to the file named
 * in BENCH_MEMORY_FILE.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface PeakMemory {
  /** Most resident memory at one time, with pages of the mapped store. The kernel's count, so it is exact. */
  readonly residentBytes: number
  /** The part that belongs to this process alone, without the mapped store. Sampled, so the true peak may be higher. */
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

/** 0 if the system has no /proc. */
function anonymousBytes(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
