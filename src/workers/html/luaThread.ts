/** Lua for one thread, with what only threads have: the engine's file, clocks, and the server's settings. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import { LuaRuntime } from '../../render/lua/runtime.js'
import { ownThreadNumber, threadCpuTimeMs } from '../hosting/threadCpuTime.js'

/** Settings that show in HTML. */
export interface LuaSettings {
  /** Whether modules run. */
  readonly lua: boolean
  readonly luaTimeMs: number
  readonly luaMemoryBytes: number
}

const ENGINE = 'wasmoon-lua5.1/dist/liblua5.1.wasm'

/** Undefined where modules do not run. The engine is loaded by the first page that calls a module. */
export function openLua({ lua, luaTimeMs, luaMemoryBytes }: LuaSettings): LuaRuntime | undefined {
  if (!lua) return undefined
  const threadNumber = ownThreadNumber()
  return new LuaRuntime({
    readEngine: () => readFileSync(createRequire(import.meta.url).resolve(ENGINE)),
    clock: {
      wallMs: () => performance.now(),
      processorMs: () => (threadNumber === undefined ? undefined : threadCpuTimeMs(threadNumber)),
    },
    limits: { timeMs: luaTimeMs, memoryBytes: luaMemoryBytes },
  })
}
