/** Reserves a core for the event loop of a server, away from its other threads and child processes. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { KeeperOrder, KeeperReady } from './loopCoreKeeper.js'
import { choosePinning } from './pinning.js'

const KEEPER = new URL('./loopCoreKeeper.js', import.meta.url)

export interface LoopCores {
  readonly loopCore: number
  readonly otherCore: number
}

/** The core of the event loop, and the one of all other threads. Undefined where there are no two cores. */
export function chooseLoopCores(): LoopCores | undefined {
  const { serverCore: loopCore, loadCore: otherCore } = choosePinning()
  return loopCore !== undefined && otherCore !== undefined ? { loopCore, otherCore } : undefined
}

/**
 * Gives the event loop of a server a core, which only the calling thread shares, to send reads. Where `chrt` is
 * permitted, other programs do not get that core either. All other threads and child processes of server and caller
 * run on the other core. Call the returned function at the end of the reads: it throws if the keeper has failed
 * meanwhile. Needs taskset.
 */
export async function reserveLoopCore(server: number, cores: LoopCores): Promise<() => void> {
  const keeper = fork(KEEPER, { execArgv: [] })
  const order: KeeperOrder = { server, reader: process.pid, ...cores }
  keeper.send(order)
  const answer = await Promise.race([
    once(keeper, 'message') as Promise<[KeeperReady]>,
    once(keeper, 'exit').then(() => undefined),
  ])
  if (answer === undefined) throw new Error('the keeper of the cores has not started')
  if (!answer[0].hasPriority) console.log('no right to run first (chrt): the reads include other waits.')
  return () => {
    if (!keeper.connected) throw new Error('the keeper of the cores has ended early')
    keeper.disconnect()
  }
}
