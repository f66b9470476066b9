/** What the modules of a page get from the thread that runs them, and the thread from them. */
import type { ChunkCache } from './chunkCache.js'
import type { LuaAddress, LuaMachine } from './engine/machine.js'
import type { LuaClock, LuaLimits } from './limits.js'

/** The page whose state Lua runs in: its calls go there. */
export interface MachineUser {
  /** Calls a function of the host; gives back how many results are on the stack. */
  host(address: LuaAddress, call: number): number
  /** Called after every so many instructions. */
  hook(address: LuaAddress): void
  /** Gives the memory back. */
  close(): void
}

export interface LuaThread {
  readonly clock: LuaClock
  readonly limits: LuaLimits
  /** Whether modules find `mw.wikibase`: as on a wiki whose pages may have items, of which none has one. */
  readonly hasWikibase: boolean
  readonly chunks: ChunkCache
  /** The instance, for a page that now begins to use it: the one before is closed. */
  machineFor(user: MachineUser): LuaMachine
  /** The page does not use the instance any more. */
  release(user: MachineUser): void
}
