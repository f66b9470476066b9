/** The interfaces between the modules of a page and the thread that runs them. */
import type { ChunkCache } from './chunkCache.js'
import type { LuaAddress, LuaMachine } from './engine/machine.js'
import type { LuaClock, LuaLimits } from './limits.js'

/** The page that currently uses the Lua instance and receives its calls. */
export interface MachineUser {
  /** Runs a host function and returns the number of results on the stack. */
  host(address: LuaAddress, call: number): number
  /** Called at a fixed interval of instructions. */
  hook(address: LuaAddress): void
  /** Releases the memory. */
  close(): void
}

/** A call of a module that runs. */
export interface ModuleCallMark {
  /** Names the revision of the module; not 0. */
  readonly key: bigint
  /** By `performance.now`. */
  readonly sinceMs: number
}

/** Keeps module revisions from running that have lately taken a thread past a limit. */
export interface ModuleGuard {
  /** Milliseconds for which a revision must not run; 0 if it may. */
  blockedForMs(key: bigint): number
  /** Told which call runs from now on; undefined if none. */
  runs(call: ModuleCallMark | undefined): void
  /** Told the calls under way, outermost first, when the modules of a page have used up their time. */
  ranOutOfTime(calls: readonly ModuleCallMark[], pageMs: number): void
}

export interface LuaThread {
  readonly clock: LuaClock
  readonly limits: LuaLimits
  /** True if `mw.wikibase` exists, as on a wiki with items. No page has an item. */
  readonly hasWikibase: boolean
  /** Whether errors of modules come with Lua's traceback. */
  readonly keepsTracebacks: boolean
  readonly chunks: ChunkCache
  /** Absent: every module may run. */
  readonly guard: ModuleGuard | undefined
  /** The instance, for a page that starts to use it. Closes the previous page. */
  machineFor(user: MachineUser): LuaMachine
  /** Called when the page no longer uses the instance. */
  release(user: MachineUser): void
}
