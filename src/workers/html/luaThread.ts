/** Lua for one thread, with what needs a thread: the engine's file, clocks, and the server's settings. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import type { LuaClock } from '../../render/lua/limits.js'
import { LuaRuntime, type LuaRuntimeOptions } from '../../render/lua/runtime.js'
import { ownThreadNumber, threadCpuTimeMs } from '../hosting/systemThreads.js'

/** Settings of Lua that affect HTML. */
export interface LuaSettings {
  /** Enables modules. */
  readonly lua: boolean
  readonly luaTimeMs: number
  readonly luaMemoryBytes: number
}

const ENGINE = 'wasmoon-lua5.1/dist/liblua5.1.wasm'

/**
 * Undefined if modules are disabled. The first page that calls a module loads the engine. `options` replace those of a
 * server.
 */
export function openLua(
  { lua, luaTimeMs, luaMemoryBytes }: LuaSettings,
  options: Partial<LuaRuntimeOptions> = {},
): LuaRuntime | undefined {
  if (!lua) return undefined
  return new LuaRuntime({
    readEngine: () => readFileSync(createRequire(import.meta.url).resolve(ENGINE)),
    clock: threadClock(),
    limits: { timeMs: luaTimeMs, memoryBytes: luaMemoryBytes },
    ...options,
  })
}

/** Of the calling thread. */
export function threadClock(): LuaClock {
  const threadNumber = ownThreadNumber()
  return {
    wallMs: () => performance.now(),
    processorMs: () => (threadNumber === undefined ? undefined : threadCpuTimeMs(threadNumber)),
  }
}
