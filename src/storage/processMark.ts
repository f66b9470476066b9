/** Identifies a process, and finds out whether the process that left a mark still runs. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessMark } from './tables/meta.js'

/** `unknown`: the process may run where this one cannot look it up, as in another container. */
export type ProcessState = 'running' | 'dead' | 'unknown'

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return process.platform === 'linux' ? markOnLinux() : { ...ownPid(), started: '', where: machine() }
}

export function stateOf(mark: ProcessMark): ProcessState {
  const own = ownMark()
  if (mark.where === '' || mark.where !== own.where) return 'unknown'
  if (process.platform !== 'linux') return isGone(mark.pid) ? 'dead' : 'unknown'
  const stat = readStat(String(mark.pid))
  // Processes of other users may be hidden.
  if (stat === undefined) return isGone(mark.pid) ? 'dead' : 'unknown'
  const hasEnded = stat.state === 'Z' || stat.state === 'X'
  return hasEnded || stat.started !== mark.started ? 'dead' : 'running'
}

/**
 * A process number is unique within its PID namespace and the current boot. Start times depend on the time namespace.
 */
function markOnLinux(): ProcessMark {
  const unknown = { ...ownPid(), started: '', where: '' }
  try {
    // A different number means that /proc belongs to another namespace.
    if (readlinkSync('/proc/self') !== String(process.pid)) return unknown
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespaces = ['pid', 'time'].map((kind) => namespaceOf(kind))
    const started = readStat('self')?.started
    return started === undefined ? unknown : { ...ownPid(), started, where: [boot, ...namespaces].join(' ') }
  } catch (error) {
    if (isAbsent(error)) return unknown
    throw error
  }
}

const ownPid = (): { pid: number } => ({ pid: process.pid })
const machine = (): string => `${process.platform} ${hostname()}`

/** Kernels before 5.6 have no time namespaces. */
function namespaceOf(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`)
  } catch (error) {
    if (kind === 'time' && isAbsent(error)) return ''
    throw error
  }
}

/** State, and start time in ticks since boot. Undefined when the process is not visible. */
function readStat(process: string): { readonly state: string; readonly started: string } | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${process}/stat`, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  // `number (name) state …`, where the name may hold anything. The start time is the 22nd field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  return state === undefined || started === undefined ? undefined : { state, started }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** The file or process is missing, or this process may not see it. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
