/** Runs a program in a fresh process, and measures its time and memory. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Sandbox } from '../support/sandbox.js'
import type { PeakMemory } from './peakMemory.js'

export interface Usage {
  /** From start to exit, including Node's own start. */
  readonly wallSeconds: number
  /** Processor time of the process and of its children that it waited for, in steps of a millisecond. */
  readonly userSeconds: number
  readonly systemSeconds: number
  /** Memory of the Node process alone; undefined for other programs. */
  readonly memory: PeakMemory | undefined
  readonly stdout: string
}

/**
 * bash's `time` asks the kernel for the resource usage of children (getrusage), which Node does not offer. Its three
 * numbers go to the file $0. The command keeps its own standard error.
 */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&3 3>&-; } 3>&2 2>"$0"'

/**
 * Throws if the program fails. With `keepOutput`, collects standard output; otherwise discards it. Measuring memory loads
 * a module into the program, which takes some ms.
 */
export async function measureRun(
  sandbox: Sandbox,
  command: string,
  args: readonly string[],
  { keepOutput, withMemory = true }: { keepOutput: boolean; withMemory?: boolean },
): Promise<Usage> {
  const folder = sandbox.folder('usage')
  const timeFile = join(folder, 'time')
  const memoryFile = join(folder, 'memory')
  const { status, stdout } = await sandbox.run('bash', ['-c', TIMED, timeFile, command, ...args], {
    stdio: ['ignore', keepOutput ? 'pipe' : 'ignore', 'inherit'],
    env: withMemory
      ? { ...process.env, BENCH_MEMORY_FILE: memoryFile, NODE_OPTIONS: nodeOptions() }
      : process.env,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? 'a signal'}`)
  const [wallSeconds, userSeconds, systemSeconds] = readFileSync(timeFile, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  if (wallSeconds === undefined || userSeconds === undefined || systemSeconds === undefined) {
    throw new Error(`bash's time wrote something else than three numbers to ${timeFile}`)
  }
  return { wallSeconds, userSeconds, systemSeconds, memory: readMemory(memoryFile), stdout }
}

function nodeOptions(): string {
  const preload = pathToFileURL(join(import.meta.dirname, 'peakMemory.js')).href
  return `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim()
}

function readMemory(path: string): PeakMemory | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PeakMemory) : undefined
}
