/** A control group that bounds the memory of a process, with the file pages that it reads (Linux, as root). */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Where version 1 and version 2 of control groups are mounted, and the file with the bound of each. */
const VERSIONS = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const
/** The system takes a moment to see that the processes of a group have ended. */
const TRIES = 50
const BETWEEN_TRIES_MS = 100

export class MemoryGroup {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined, with a message, if this process may not make groups. */
  static make(bytes: number): MemoryGroup | undefined {
    for (const [mount, bound] of VERSIONS) {
      const folder = join(mount, `palimpsest-bench-${process.pid}`)
      try {
        mkdirSync(folder)
        if (!existsSync(join(folder, bound))) {
          rmdirSync(folder)
          continue
        }
        writeFileSync(join(folder, bound), String(bytes))
        return new MemoryGroup(folder)
      } catch (error) {
        if (!['ENOENT', 'EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
          throw error
      }
    }
    console.log('the memory cannot be bounded: that needs Linux, control groups and the rights of root.')
    return undefined
  }

  /** The command, to be run in the group from its start. */
  inside(command: string, args: readonly string[]): [command: string, args: string[]] {
    const enter = `echo $$ > ${join(this.#folder, 'cgroup.procs')} && exec "$0" "$@"`
    return ['sh', ['-c', enter, command, ...args]]
  }

  /** Removes the group. Its processes must have ended. */
  async remove(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        rmdirSync(this.#folder)
        return
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || tries === TRIES) throw error
        await delay(BETWEEN_TRIES_MS)
      }
    }
  }
}
