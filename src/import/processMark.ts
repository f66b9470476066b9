/** Tells a process from others, and whether one that left its mark still runs. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessMark } from '../storage/meta.js'

/** `unknown`: it may run where its number cannot be looked up from here, as in another container. */
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
 * Numbers of processes mean something within their namespace, on a machine since it was started; times of their starts
 * within another.
 */
function markOnLinux(): ProcessMark {
  const unknown = { ...ownPid(), started: '', where: '' }
  try {
    // Another number stands there when /proc is that of another namespace.
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

/** Kernels before 5.6 have no namespaces of times. */
function namespaceOf(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`)
  } catch (error) {
    if (kind === 'time' && isAbsent(error)) return ''
    throw error
  }
}

/** State and time of start, in ticks since the machine was started; undefined when nothing is to be seen. */
function readStat(process: string): { readonly state: string; readonly started: string } | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${process}/stat`, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  // `number (name) state …`, where the name may hold anything; the start is the 22nd field.
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

/** No such file or process, or none that this one may look at. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
