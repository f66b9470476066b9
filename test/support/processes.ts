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

/** The letter of a process's state, such as `T` when a signal has stopped it; undefined: there is no such process. */
function stateOf(pid: number): string | undefined {
  return /^State:\s+(\S)/m.exec(readOf(String(pid), 'status') ?? '')?.[1]
}

/** Waits until a signal has stopped a process. */
export async function whenStopped(pid: number): Promise<void> {
  while (stateOf(pid) !== 'T') await delay(POLL_MS)
}

/** False also for one that has ended and that nobody has asked after. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid)
  return state !== undefined && !'ZX'.includes(state)
}

/**
 * How a process has ended that nobody has asked after: field 52 of its `stat`. Undefined: there is no such process. Only
 * its parent may read it.
 */
export function endOf(pid: number): string | undefined {
  const stat = readOf(String(pid), 'stat')
  if (stat === undefined) return undefined
  const code = Number(stat.trimEnd().split(' ').at(-1))
  const signal = code & 0x7f
  return signal === 0 ? `exit status ${code >> 8}` : `signal ${signal}`
}

/** The processes started with `mark` in their environment, and all their descendants. */
export function processesWith(mark: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.filter((pid) => readOf(pid, 'environ')?.includes(mark)).map(Number)
}

/** Memory of a process in bytes, of a kind that its `status` names: `VmRSS` now, `VmHWM` at its highest. */
export function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'm').exec(readOf(String(pid), 'status')!)!
  return Number(kilobytes) * 1024
}

export function childrenOf(pid: number): number[] {
  const children = readOf(String(pid), `task/${pid}/children`) ?? ''
  return children.trim().split(' ').filter(Boolean).map(Number)
}

/** The command line of a process: the program and its arguments. */
export function argumentsOf(pid: number): string[] {
  return (readOf(String(pid), 'cmdline') ?? '').split('\0').slice(0, -1)
}

/** The scheduling policy of a thread: field 41 of its `stat`. Undefined if it has ended. */
export function policyOf(pid: number, thread: number): number | undefined {
  const stat = readOf(String(pid), `task/${thread}/stat`)
  // The name in field 2 may hold spaces and brackets.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38])
}

/** How long the threads of a process have waited for a processor, in milliseconds and all together. */
function waitMsOf(pid: number): number {
  let threads: string[]
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return 0
  }
  return threads.reduce((sum, thread) => {
    const [, waitedNs] = (readOf(String(pid), `task/${thread}/schedstat`) ?? '0 0').split(' ')
    return sum + Number(waitedNs) / 1e6
  }, 0)
}

/**
 * Waits until no process with the mark is left. Returns the time that took. Subtracts the time for which the threads of
 * one of them, or the searching process, waited for a processor, since a busy machine is not their fault. Threads wait
 * for each other, so the waits of all of them are added up.
 */
export async function whenGone(mark: string): Promise<{ readonly ageMs: number; readonly tookMs: number }> {
  const startMs = performance.now()
  const ownBeforeMs = waitMsOf(process.pid)
  const before = new Map<number, number>()
  let longestMs = 0
  for (;;) {
    const left = processesWith(mark)
    const tookMs = performance.now() - startMs
    if (left.length === 0) {
      return { ageMs: tookMs - longestMs - (waitMsOf(process.pid) - ownBeforeMs), tookMs }
    }
    for (const pid of left) {
      const waitedMs = waitMsOf(pid)
      if (!before.has(pid)) before.set(pid, waitedMs)
      longestMs = Math.max(longestMs, waitedMs - before.get(pid)!)
    }
    await delay(POLL_MS)
  }
}
