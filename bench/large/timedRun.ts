/** Runs a command of Palimpsest, and samples its processes: time and memory. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { groupCpuTime } from '../support/cpuTime.js'
import { childProcesses, readMemory } from '../support/processMemory.js'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'

const SAMPLE_MS = 250

export interface RunSample {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Follows a process, with its children, until it ends. */
export class RunWatch {
  #ownBytes = 0
  #mappedBytes = 0
  #last: RunSample = { seconds: 0, cpuSeconds: 0 }
  readonly #start = performance.now()
  readonly #timer: NodeJS.Timeout
  readonly #pid: number

  constructor(child: ChildProcess) {
    this.#pid = child.pid!
    this.#timer = setInterval(() => this.sample(), SAMPLE_MS)
    child.once('exit', () => clearInterval(this.#timer))
  }

  sample(): RunSample {
    const memory = readMemory(this.#pid)
    if (memory === undefined) return this.#last
    const all = [memory, ...childProcesses(this.#pid).map(readMemory)]
    const own = all.reduce((sum, each) => sum + (each?.privateBytes ?? 0), 0)
    this.#ownBytes = Math.max(this.#ownBytes, own)
    this.#mappedBytes = Math.max(this.#mappedBytes, ...all.map((each) => each?.mappedBytes ?? 0))
    const { userMs, systemMs } = groupCpuTime(this.#pid)
    this.#last = {
      seconds: (performance.now() - this.#start) / 1000,
      // Children that have ended no longer count.
      cpuSeconds: Math.max(this.#last.cpuSeconds, (userMs + systemMs) / 1000),
    }
    return this.#last
  }

  figures(): Record<string, number> {
    return {
      'wall, s': (performance.now() - this.#start) / 1000,
      'processor, s': this.#last.cpuSeconds,
      'own memory, MB': this.#ownBytes / 1e6,
      'mapped memory, MB': this.#mappedBytes / 1e6,
    }
  }
}

/** Throws if the command fails. Its output is discarded. */
export async function runTimed(sandbox: Sandbox, args: readonly string[]): Promise<Record<string, number>> {
  const child = await sandbox.start(PALIMPSEST, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const watch = new RunWatch(child)
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`palimpsest ${args.join(' ')} ended with ${status ?? 'a signal'}`)
  return watch.figures()
}
