/**
 * The Lua runtime of one thread: a WebAssembly instance that pages use in turn, each with its own state. Only one page
 * is open at a time: opening another one closes it.
 */
import type { Expander, ModuleRuntime } from '../preprocessor/expander.js'
import { ChunkCache } from './chunkCache.js'
import { LuaMachine, type LuaAddress } from './engine/machine.js'
import { compile, type WasmModule } from './engine/webAssembly.js'
import { DEFAULT_LUA_LIMITS, type LuaClock, type LuaLimits } from './limits.js'
import { LuaPage } from './page.js'
import { type LuaMessage, checkSyntax } from './syntax.js'
import type { LuaThread, MachineUser, ModuleGuard } from './thread.js'

export interface LuaRuntimeOptions {
  /** Reads Lua 5.1 as WebAssembly: `liblua5.1.wasm` of the package `wasmoon-lua5.1`. Called once. */
  readonly readEngine: () => Uint8Array
  readonly clock: LuaClock
  readonly limits?: Partial<LuaLimits>
  /** True if `mw.wikibase` exists, as on a wiki with items. No page has an item. */
  readonly hasWikibase?: boolean
  /** Whether errors of modules come with Lua's traceback. Not by default: pages do not show it. */
  readonly keepsTracebacks?: boolean
  /** Keeps modules from running that have lately taken a thread past a limit. */
  readonly guard?: ModuleGuard
}

/** An instance beyond this size is discarded after its page, since WebAssembly memory never shrinks. */
const MAX_MACHINE_BYTES = 160 * 1024 * 1024

export class LuaRuntime implements ModuleRuntime, LuaThread {
  readonly clock: LuaClock
  readonly limits: LuaLimits
  readonly hasWikibase: boolean
  readonly keepsTracebacks: boolean
  readonly chunks = new ChunkCache()
  readonly guard: ModuleGuard | undefined
  readonly #readEngine: () => Uint8Array
  #module: WasmModule | undefined
  #machine: LuaMachine | undefined
  #open: MachineUser | undefined

  constructor(options: LuaRuntimeOptions) {
    const { readEngine, clock, limits, hasWikibase = true, keepsTracebacks = false, guard } = options
    this.#readEngine = readEngine
    this.guard = guard
    this.clock = clock
    this.hasWikibase = hasWikibase
    this.keepsTracebacks = keepsTracebacks
    this.limits = { ...DEFAULT_LUA_LIMITS, ...limits }
  }

  /** Creates the caller for the modules of a page. */
  open(expander: Expander): LuaPage {
    return new LuaPage(this, expander)
  }

  /** Compiles a source under its name (`Module:My_page`), and runs nothing. Returns the fault, or undefined. */
  checkSyntax(name: string, source: string): LuaMessage | undefined {
    return checkSyntax(this, name, source)
  }

  /** Bytes of the instance, which is created on first use. */
  get memoryBytes(): number {
    return this.#machine?.memoryBytes ?? 0
  }

  machineFor(page: MachineUser): LuaMachine {
    this.#open?.close()
    this.#open = page
    this.#module ??= compile(this.#readEngine())
    this.#machine ??= new LuaMachine(this.#module, {
      call: (state: LuaAddress, number: number) => this.#running().host(state, number),
      hook: (state: LuaAddress) => this.#running().hook(state),
    })
    return this.#machine
  }

  release(page: MachineUser): void {
    if (this.#open === page) this.#open = undefined
    if (this.#machine === undefined) return
    if (this.#machine.isBroken || this.#machine.memoryBytes > MAX_MACHINE_BYTES) this.#machine = undefined
  }

  #running(): MachineUser {
    if (this.#open === undefined) throw new Error('no page of Lua is open')
    return this.#open
  }
}
