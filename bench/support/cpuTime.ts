/** Processor time that running processes have used so far, from Linux's /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface CpuTime {
  readonly userMs: number
  readonly systemMs: number
}

/** Linux counts these in hundredths of a second on every machine that Node supports. */
const TICK_MS = 10
/** Positions in /proc/PID/stat after the name of the program. */
const GROUP = 2
const MAJOR_FAULTS = 9
const USER = 11
const SYSTEM = 12

export const canReadCpuTime = (): boolean => existsSync('/proc/self/stat')

/** Time of all threads of all living processes in a process group, in steps of 10 ms. */
export function groupCpuTime(group: number): CpuTime {
  let userMs = 0
  let systemMs = 0
  for (const entry of readdirSync('/proc')) {
    const fields = /^\d+$/.test(entry) ? readStat(entry) : []
    if (Number(fields[GROUP]) !== group) continue
    userMs += Number(fields[USER]) * TICK_MS
    systemMs += Number(fields[SYSTEM]) * TICK_MS
  }
  return { userMs, systemMs }
}

/** Processor time that the main thread of a process has used so far, in steps of 10 ms. */
export function mainThreadCpuMs(pid: number): number {
  const fields = readStat(`${pid}/task/${pid}`)
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}

/** How long the main thread of a process has waited for a processor since its start, in ms. */
export function mainThreadWaitMs(pid: number): number {
  const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(waitedNs) / 1e6
}

/** Reads of mapped memory for which the main thread of a process has waited for the disk (major page faults). */
export function mainThreadFaults(pid: number): number {
  return Number(readStat(`${pid}/task/${pid}`)[MAJOR_FAULTS])
}

/** Fields after the name, which may itself contain blanks and brackets. Empty if the process has just ended. */
function readStat(task: string): string[] {
  try {
    const stat = readFileSync(`/proc/${task}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
