/** Memory of running processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessMemory {
  /** All that is resident, mapped pages of files included. */
  readonly residentBytes: number
  /** Its own: what the system cannot take back. */
  readonly privateBytes: number
  /** Memory that is mapped from files, such as the store. */
  readonly mappedBytes: number
  readonly threads: number
  readonly openFiles: number
}

/** Undefined when the process has ended. */
export function readMemory(pid: number): ProcessMemory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
    return {
      residentBytes: field('VmRSS') * 1024,
      privateBytes: field('RssAnon') * 1024,
      mappedBytes: field('RssFile') * 1024,
      threads: field('Threads'),
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    }
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Ids of the processes that `pid` has started and that run. */
export function childProcesses(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((child) => child !== '')
    .map(Number)
}
