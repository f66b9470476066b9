/** A core for the event loops of some processes, away from their other threads and from the processes that they start. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { childProcesses } from './processMemory.js'

const run = promisify(execFile)
/** Threads that begin later are found after so long at most. */
const LOOK_EVERY_MS = 100

export interface EventLoopCores {
  readonly loopCore: number
  readonly otherCore: number
}

/**
 * Keeps the main threads of processes on one core and all that they start on another, until the function it gives
 * back is called, which throws what went wrong meanwhile. Needs taskset. The calling thread may measure beside it: it waits for nothing.
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
 * Lets the calling thread run before all others of its core, so that what it measures is not its own wait; false where
 * that is not allowed. What it starts runs as usual.
 */
export function runFirst(): boolean {
  const { status } = spawnSync('chrt', ['--reset-on-fork', '--rr', '--pid', '1', String(process.pid)])
  return status === 0
}

async function move(id: number, core: number, ...options: string[]): Promise<void> {
  try {
    await run('taskset', [...options, '--cpu-list', '--pid', String(core), String(id)])
  } catch (error) {
    // It has ended meanwhile.
    if (!/No such process/.test(String((error as { stderr?: unknown }).stderr))) throw error
  }
}
