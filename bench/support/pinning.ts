/** The cores for the server under load, and for the load generator. */
import { allowedCores, findProgram } from './machine.js'

export interface Pinning {
  readonly serverCore: number | undefined
  readonly loadCore: number | undefined
  /** Pins a command to a core. Returns it unchanged if pinning is not possible. */
  readonly pin: (core: number | undefined, command: string, args: readonly string[]) => [string, string[]]
}

/** Pins nothing, for instance when the server is to use all cores. */
export const NOTHING_PINNED: Pinning = {
  serverCore: undefined,
  loadCore: undefined,
  pin: (_core, command, args) => [command, [...args]],
}

/** Chooses one core for each side. Without taskset or a second core it pins nothing, and says so. */
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
