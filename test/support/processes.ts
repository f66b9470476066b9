/** Processes as the system shows them in /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 25

/** Undefined when there is no such process, or it has ended and nobody has asked after it. */
function readOf(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

/** False also for one that has ended and that nobody has asked after. */
export function isRunning(pid: number): boolean {
  const status = readOf(String(pid), 'status')
  return status !== undefined && !/^State:\s+[ZX]/m.test(status)
}

/** The processes started with `mark` in their environment, and all their descendants. */
export function processesWith(mark: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.filter((pid) => readOf(pid, 'environ')?.includes(mark)).map(Number)
}

export function childrenOf(pid: number): number[] {
  const children = readOf(String(pid), `task/${pid}/children`) ?? ''
  return children.trim().split(' ').filter(Boolean).map(Number)
}

/** Milliseconds that each thread of a process has waited for a processor. */
function waitsOf(pid: number): ReadonlyMap<string, number> {
  let threads: string[]
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return new Map()
  }
  return new Map(
    threads.map((thread) => {
      const [, waitedNs] = (readOf(String(pid), `task/${thread}/schedstat`) ?? '0 0').split(' ')
      return [`${pid}/${thread}`, Number(waitedNs) / 1e6]
    }),
  )
}

/** Milliseconds that the main thread of this process has waited for a processor. */
const ownWaitMs = (): number => waitsOf(process.pid).get(`${process.pid}/${process.pid}`) ?? 0

/**
 * Waits until no process with the mark is left. Returns the time that took. Subtracts the time for which their threads,
 * or the searching one, waited for a processor, since a busy machine is not their fault.
 */
export async function whenGone(mark: string): Promise<{ readonly ageMs: number; readonly tookMs: number }> {
  const startMs = performance.now()
  const before = new Map<string, number>()
  const ownBefore = ownWaitMs()
  let waitedMs = 0
  for (;;) {
    const left = processesWith(mark)
    const tookMs = performance.now() - startMs
    if (left.length === 0) return { ageMs: tookMs - waitedMs - (ownWaitMs() - ownBefore), tookMs }
    for (const [thread, ms] of left.flatMap((pid) => [...waitsOf(pid)])) {
      if (!before.has(thread)) before.set(thread, ms)
      waitedMs = Math.max(waitedMs, ms - before.get(thread)!)
    }
    await delay(POLL_MS)
  }
}
