/** Memory of running processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessMemory {
  /** All resident memory, with mapped pages of files. */
  readonly residentBytes: number
  /** Private memory, which the system cannot reclaim. */
  readonly privateBytes: number
  /** Resident memory mapped from files, such as the store. */
  readonly mappedBytes: number
  readonly threads: number
  readonly openFiles: number
}

/** Undefined if the process has ended. */
export function readMemory(pid: number): ProcessMemory | undefined {
  return unlessEnded(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
    return {
      residentBytes: field('VmRSS') * 1024,
      privateBytes: field('RssAnon') * 1024,
      mappedBytes: field('RssFile') * 1024,
      threads: field('Threads'),
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    }
  })
}

/** Ids of the running child processes of `pid`. */
export function childProcesses(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => childrenOf(pid, task))
    .map(Number)
}

/** Child processes of a thread; empty if the thread has ended since it was listed. */
function childrenOf(pid: number, task: string): string[] {
  const list = unlessEnded(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'))
  return list?.match(/\d+/g) ?? []
}

/** The result of `read`; undefined if the process or thread has ended. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
