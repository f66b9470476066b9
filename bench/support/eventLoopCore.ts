/** Reserves a core for the event loops of some processes, away from their other threads and child processes. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { childProcesses } from './processMemory.js'

const run = promisify(execFile)
/** New threads are found after at most this time. */
const LOOK_EVERY_MS = 100

export interface EventLoopCores {
  readonly loopCore: number
  readonly otherCore: number
}

/**
 * Keeps the main threads of processes on one core, and all other threads and child processes on another. It does so
 * until the caller calls the returned function, which throws any error that occurred meanwhile. Needs taskset. The
 * calling thread may measure during that time, since this function blocks nothing.
 */
export async function separateEventLoops(
  pids: readonly number[],
  { loopCore, otherCore }: EventLoopCores,
): Promise<() => void> {
  const known = new Set<number>()
  const look = async (): Promise<void> => {
    const moves: Promise<void>[] = []
    for (const pid of pids) {
      for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
        if (!known.has(thread)) moves.push(move(thread, thread === pid ? loopCore : otherCore))
        known.add(thread)
      }
      for (const child of childProcesses(pid)) {
        if (!known.has(child)) moves.push(move(child, otherCore, '--all-tasks'))
        known.add(child)
      }
    }
    await Promise.all(moves)
  }
  await look()
  let failure: Error | undefined
  const timer = setInterval(() => void look().catch((error: Error) => (failure ??= error)), LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    if (failure !== undefined) throw failure
  }
}

/**
 * Gives the calling thread priority over all others on its core, so that it does not measure its own waits. Returns
 * false if that is not permitted. Child processes run with normal priority.
 */
export function runFirst(): boolean {
  const { status } = spawnSync('chrt', ['--reset-on-fork', '--rr', '--pid', '1', String(process.pid)])
  return status === 0
}

async function move(id: number, core: number, ...options: string[]): Promise<void> {
  try {
    await run('taskset', [...options, '--cpu-list', '--pid', String(core), String(id)])
  } catch (error) {
    // The thread or process has ended meanwhile.
    if (!/No such process/.test(String((error as { stderr?: unknown }).stderr))) throw error
  }
}
