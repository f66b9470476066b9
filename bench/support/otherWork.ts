/**
 * The share of the machine that other programs took during a bench. The report marks a run beside other work, since its
 * figures mean little. The source is /proc, so it works only on Linux.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Above this share of all processors' time, a run counts as disturbed. */
const BUSY_SHARE = 0.05

/** Processor time so far, in clock ticks. */
export interface ProcessorTimes {
  /** Total time of all processors. */
  readonly total: number
  /** Time in which they worked, or in which the host gave them to another machine. */
  readonly busy: number
  /** The part of `busy` that the bench and its child processes took. */
  readonly own: number
}

/** Undefined if the system does not report it. */
export function readProcessorTimes(): ProcessorTimes | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n')
    const ticks = line.split(/ +/).slice(1, 9).map(Number)
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupt = 0, soft = 0, stolen = 0] = ticks
    const busy = user + nice + system + interrupt + soft + stolen
    return { total: busy + idle + wait, busy, own: ownTicks(process.pid) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The share, from 0 to 1, that other programs took between two readings. */
export function shareOfOthers(before: ProcessorTimes, after: ProcessorTimes): number {
  const others = after.busy - before.busy - (after.own - before.own)
  return Math.max(0, others) / Math.max(1, after.total - before.total)
}

export const isBusy = (share: number): boolean => share > BUSY_SHARE

const start = readProcessorTimes()

/** The share of other programs since the bench started, for its result. */
export function otherWork(): { readonly share: number; readonly isBusy: boolean } | undefined {
  const now = readProcessorTimes()
  if (start === undefined || now === undefined) return undefined
  const share = shareOfOthers(start, now)
  return { share: Number(share.toFixed(3)), isBusy: isBusy(share) }
}

interface Task {
  readonly parent: number
  readonly ticks: number
}

/** Ticks of a process and its descendants, including those that have ended. */
function ownTicks(pid: number): number {
  const tasks = new Map<number, Task>()
  for (const name of readdirSync('/proc')) {
    const task = /^\d+$/.test(name) ? readTask(name) : undefined
    if (task !== undefined) tasks.set(Number(name), task)
  }
  const isOwn = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined && at > 1; at = tasks.get(at)?.parent)
      if (at === pid) return true
    return false
  }
  let ticks = 0
  for (const [id, task] of tasks) if (isOwn(id)) ticks += task.ticks
  return ticks
}

/** Undefined if the process has ended meanwhile. */
function readTask(pid: string): Task | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in brackets, may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
