/** Which core the server under load has, and which the load generator. */
import { allowedCores, findProgram } from './machine.js'

export interface Pinning {
  readonly serverCore: number | undefined
  readonly loadCore: number | undefined
  /** Puts a command on a core; as it is where there is nothing to pin it with. */
  readonly pin: (core: number | undefined, command: string, args: readonly string[]) => [string, string[]]
}

/** Where processes go where they like, as when the server is to use all cores. */
export const NOTHING_PINNED: Pinning = {
  serverCore: undefined,
  loadCore: undefined,
  pin: (_core, command, args) => [command, [...args]],
}

/** One core for each side; without taskset or a second core nothing is pinned, which is said. */
export function choosePinning(): Pinning {
  const taskset = findProgram('taskset')
  const [serverCore, loadCore] = allowedCores()
  if (taskset === undefined || serverCore === undefined || loadCore === undefined) {
    const reason =
      taskset === undefined ? 'taskset is missing (Debian: apt install util-linux)' : 'there is one core only'
    console.log(`${reason}: nothing is pinned, servers and load take time from each other.`)
    return NOTHING_PINNED
  }
  const pin: Pinning['pin'] = (core, command, args) => [taskset, ['-c', String(core), command, ...args]]
  return { serverCore, loadCore, pin }
}
