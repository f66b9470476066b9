/**
 * Lua 5.1 as WebAssembly: Lua's C library and its memory, without files, clock or environment. System calls fail.
 * Strings cross the border as bytes; objects of this program never do.
 */
import { callbackModule } from './callbacks.js'
import { countOf, GUARDED, placeOf } from './guards.js'
import { isBase, isPrefixAlone, wholeNumber } from './numerals.js'
import {
  compile,
  instantiate,
  type WasmFunction,
  type WasmGlobal,
  type WasmMemory,
  type WasmModule,
  type WasmTable,
} from './webAssembly.js'

/** The address of a `lua_State`. */
export type LuaAddress = number

/** Functions of Lua's C interface, as the module exports them. */
export interface LuaExports {
  readonly memory: WasmMemory
  readonly __indirect_function_table: WasmTable
  __wasm_call_ctors(): void
  emscripten_stack_init(): void
  stackSave(): number
  stackRestore(stack: number): void
  setThrew(threw: number, value: number): void
  malloc(size: number): number
  readonly realloc: (block: number, size: number) => number
  readonly free: (block: number) => void
  lua_newstate(allocate: number, userData: number): LuaAddress
  lua_close(state: LuaAddress): void
  luaL_openlibs(state: LuaAddress): void
  luaL_loadbuffer(state: LuaAddress, bytes: number, length: number, name: number): number
  luaL_where(state: LuaAddress, level: number): void
  lua_checkstack(state: LuaAddress, count: number): number
  lua_call(state: LuaAddress, args: number, results: number): void
  lua_concat(state: LuaAddress, count: number): void
  lua_createtable(state: LuaAddress, items: number, fields: number): void
  lua_error(state: LuaAddress): number
  lua_gc(state: LuaAddress, what: number, data: number): number
  lua_getfield(state: LuaAddress, index: number, name: number): void
  readonly lua_gettop: (state: LuaAddress) => number
  lua_isnumber(state: LuaAddress, index: number): number
  lua_insert(state: LuaAddress, index: number): void
  lua_next(state: LuaAddress, index: number): number
  readonly lua_objlen: (state: LuaAddress, index: number) => number
  lua_pcall(state: LuaAddress, args: number, results: number, handler: number): number
  lua_pushboolean(state: LuaAddress, value: number): void
  lua_pushcclosure(state: LuaAddress, functionIndex: number, upvalues: number): void
  lua_pushlstring(state: LuaAddress, bytes: number, length: number): void
  lua_pushnil(state: LuaAddress): void
  lua_pushnumber(state: LuaAddress, value: number): void
  lua_pushvalue(state: LuaAddress, index: number): void
  lua_rawget(state: LuaAddress, index: number): void
  lua_rawgeti(state: LuaAddress, index: number, key: number): void
  lua_rawset(state: LuaAddress, index: number): void
  lua_rawseti(state: LuaAddress, index: number, key: number): void
  lua_remove(state: LuaAddress, index: number): void
  lua_replace(state: LuaAddress, index: number): void
  readonly lua_sethook: (state: LuaAddress, hook: number, mask: number, count: number) => number
  lua_setfield(state: LuaAddress, index: number, name: number): void
  lua_settop(state: LuaAddress, index: number): void
  lua_toboolean(state: LuaAddress, index: number): number
  lua_tocfunction(state: LuaAddress, index: number): number
  lua_tolstring(state: LuaAddress, index: number, length: number): number
  readonly lua_tonumber: (state: LuaAddress, index: number) => number
  readonly lua_type: (state: LuaAddress, index: number) => number
}

interface CallbackExports {
  readonly used: WasmGlobal
  readonly limit: WasmGlobal
  readonly state: WasmGlobal
  readonly hookPlace: WasmGlobal
  readonly allocate: WasmFunction
  readonly hook: WasmFunction
  readonly [call: `call${number}`]: WasmFunction
  readonly [guard: `guard${number}`]: WasmFunction
  readonly [target: `target${number}`]: WasmGlobal
}

/** Functions of this program that Lua calls. They raise Lua errors through `raise`. Any other exception breaks Lua. */
export interface MachineCalls {
  call(state: LuaAddress, number: number): number
  hook(state: LuaAddress): void
}

/** Number of kinds of functions of this program that Lua can call. */
export const CALLS = 2
const PAGE_BYTES = 65_536
/** Lua's own limit is lower. The rest is room for blocks while they move, and for fragmentation. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024
/** Thrown by Lua's `longjmp` and caught by its `setjmp`. It is a number, as the C library expects. */
const LONG_JUMP = Infinity
const SCRATCH_BYTES = 65_536
/** Lua's number of the type of tables. */
const TABLE = 5
const SHIFTS_BETWEEN_LOOKS = 10_000
const NOT_SUPPORTED = -52

export class LuaMachine {
  readonly lua: LuaExports
  readonly hook: number
  readonly allocate: number
  /** Indexes in the function table, by call number. */
  readonly calls: readonly number[]
  /** Indexes in the function table of the functions that stand in for `GUARDED`. */
  readonly guards: readonly number[]
  /** Buffer for strings that cross the border. */
  readonly scratch: number
  /** True after an exception passed through the C code. The machine must not be used again. */
  isBroken = false
  readonly #callbacks: CallbackExports
  readonly #functions: WasmFunction[] = []
  readonly #names = new Map<string, number>()
  #memory!: Buffer

  constructor(module: WasmModule, calls: MachineCalls) {
    this.lua = instantiate<LuaExports>(module, this.#imports())
    this.#adoptMemory()
    this.lua.emscripten_stack_init()
    this.lua.__wasm_call_ctors()
    const { free, realloc, lua_type, lua_objlen, lua_sethook, lua_gettop, lua_tonumber } = this.lua
    const env = {
      free,
      realloc,
      type: lua_type,
      length: lua_objlen,
      setHook: lua_sethook,
      top: lua_gettop,
      number: lua_tonumber,
      table: this.lua.__indirect_function_table,
      convert: (state: LuaAddress, guard: number, argument: number) => this.#convert(state, guard, argument),
      withBase: (state: LuaAddress) => this.#numberWithBase(state),
      zeroOf: (state: LuaAddress) => this.#checkZero(state),
      insertBelow: (state: LuaAddress) => this.#insertBelow(state, calls),
      call: (state: LuaAddress, number: number) => calls.call(state, number),
      hook: (state: LuaAddress) => calls.hook(state),
    }
    this.#callbacks = instantiate<CallbackExports>(compiledCallbacks(), { env })
    this.hook = this.#place(this.#callbacks.hook)
    this.allocate = this.#place(this.#callbacks.allocate)
    this.#callbacks.hookPlace.value = this.hook
    this.calls = Array.from({ length: CALLS }, (_, index) =>
      this.#place(this.#callbacks[`call${index}`] as WasmFunction),
    )
    this.guards = GUARDED.map((_, index) => this.#place(this.#callbacks[`guard${index}`] as WasmFunction))
    this.scratch = this.lua.malloc(SCRATCH_BYTES)
  }

  /** All memory. The view changes when the memory grows. */
  get memory(): Buffer {
    return this.#memory
  }

  get memoryBytes(): number {
    return this.#memory.byteLength
  }

  /** Bytes of the state's objects. */
  get usedBytes(): number {
    return this.#callbacks.used.value >>> 0
  }

  /** Starts to count the memory of a new state. */
  countMemory(limit: number): void {
    this.#callbacks.used.value = 0
    this.#callbacks.state.value = 0
    this.limitMemory(limit)
  }

  limitMemory(bytes: number): void {
    this.#callbacks.limit.value = bytes
  }

  /** Bytes that the state's objects may take. */
  get limitBytes(): number {
    return this.#callbacks.limit.value
  }

  /** Lets work that takes long within one instruction call the state's hook at the next one. */
  watch(state: LuaAddress): void {
    this.#callbacks.state.value = state
  }

  /** Address of a name as a C string. Names are those of the program: each stays in the memory. */
  nameAt(name: string): number {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const address = this.lua.malloc(name.length + 1)
    this.#memory.write(`${name}\0`, address, 'latin1')
    this.#names.set(name, address)
    return address
  }

  /** True once the places of all guarded functions are known. */
  get isGuarding(): boolean {
    return this.#callbacks[`target${GUARDED.length - 1}`]!.value !== 0
  }

  /** Says where in the function table a guarded function is. */
  guard(index: number, place: number): void {
    this.#callbacks[`target${index}`]!.value = place
  }

  /** Raises a Lua error; its value is on top of the stack. */
  raise(state: LuaAddress): never {
    this.lua.lua_error(state)
    throw new Error('lua_error came back')
  }

  /** Calls one of Lua's C functions on the same stack, as if Lua had called it directly. */
  callC(functionIndex: number, state: LuaAddress): number {
    return this.#function(functionIndex)(state) ?? 0
  }

  /** Returns a block of at least this many bytes, or 0. Free it with `release`. */
  take(bytes: number): number {
    return bytes <= SCRATCH_BYTES ? this.scratch : this.lua.malloc(bytes)
  }

  release(block: number): void {
    if (block !== this.scratch) this.lua.free(block)
  }

  /**
   * Puts an integer of 32 bits into the place of a number that is large, and that a guarded function is to convert. For
   * repetitions of an empty text, it is 0.
   */
  #convert(state: LuaAddress, guard: number, argument: number): void {
    const { lua } = this
    const { places, onlyWith, isRepetition } = GUARDED[guard] ?? {}
    if (onlyWith !== undefined && lua.lua_gettop(state) !== onlyWith) return
    // The function says what it thinks of another value.
    if (isRepetition === true && lua.lua_isnumber(state, argument) === 0) return
    const value = lua.lua_tonumber(state, argument)
    const isEmpty = isRepetition === true && lua.lua_objlen(state, 1) === 0
    const count = isEmpty ? 0 : countOf(value)
    lua.lua_pushnumber(state, places?.includes(argument) === true ? placeOf(value) : count)
    lua.lua_replace(state, argument)
  }

  /** `tonumber` with a text and a base. Returns 0 if Lua's own function shall do it, errors too. */
  #numberWithBase(state: LuaAddress): number {
    const { lua, scratch } = this
    const base = Math.trunc(lua.lua_tonumber(state, 2))
    const start = isBase(base) ? lua.lua_tolstring(state, 1, scratch) : 0
    if (start === 0) return 0
    const end = start + this.#memory.readUInt32LE(scratch)
    const value = wholeNumber(this.#memory, start, end, base)
    if (value === undefined) lua.lua_pushnil(state)
    else lua.lua_pushnumber(state, value)
    return 1
  }

  /** `tonumber` has made a zero of a text. */
  #checkZero(state: LuaAddress): void {
    const { lua, scratch } = this
    const start = lua.lua_tolstring(state, 1, scratch)
    const end = start + this.#memory.readUInt32LE(scratch)
    if (isPrefixAlone(this.#memory, start, end)) lua.lua_pushnil(state)
  }

  /**
   * `table.insert` at a place far below a list, with looks at the clock. Returns 0 if Lua's own function shall do it,
   * errors too.
   */
  #insertBelow(state: LuaAddress, calls: MachineCalls): number {
    const { lua } = this
    if (lua.lua_gettop(state) !== 3 || lua.lua_type(state, 1) !== TABLE) return 0
    const place = Math.trunc(lua.lua_tonumber(state, 2))
    for (let to = lua.lua_objlen(state, 1) + 1; to > place; to--) {
      lua.lua_rawgeti(state, 1, to - 1)
      lua.lua_rawseti(state, 1, to)
      if (to % SHIFTS_BETWEEN_LOOKS === 0) calls.hook(state)
    }
    lua.lua_rawseti(state, 1, place)
    return 1
  }

  /** Cached, since a read of the table itself takes ten times as long. */
  #function(index: number): WasmFunction {
    return (this.#functions[index] ??= this.lua.__indirect_function_table.get(index))
  }

  #place(value: WasmFunction): number {
    const table = this.lua.__indirect_function_table
    const index = table.grow(1)
    table.set(index, value)
    return index
  }

  #adoptMemory(): void {
    this.#memory = Buffer.from(this.lua.memory.buffer)
  }

  #imports(): Parameters<typeof instantiate>[1] {
    return {
      env: {
        invoke_vii: (index: number, first: number, second: number) => this.#invoke(index, first, second),
        _emscripten_throw_longjmp: () => {
          throw LONG_JUMP // oxlint-disable-line typescript/only-throw-error -- the C code's convention
        },
        emscripten_memcpy_js: (to: number, from: number, length: number) => {
          this.#memory.copyWithin(to, from, from + length)
        },
        emscripten_resize_heap: (bytes: number) => this.#grow(bytes >>> 0),
        emscripten_date_now: () => 0,
        _emscripten_get_now_is_monotonic: () => 1,
        _tzset_js: () => undefined,
        exit: () => {
          throw new Error('Lua called exit, which it must not do')
        },
        ...refusing(SYSTEM),
      },
      wasi_snapshot_preview1: {
        ...refusing(FILES),
        environ_sizes_get: (count: number, size: number) => {
          this.#memory.writeUInt32LE(0, count)
          this.#memory.writeUInt32LE(0, size)
          return 0
        },
        environ_get: () => 0,
      },
    }
  }

  /** Implements `setjmp`: runs the function, and a long jump out of it ends here. */
  #invoke(index: number, first: number, second: number): void {
    const stack = this.lua.stackSave()
    try {
      this.#function(index)(first, second)
    } catch (error) {
      if (error !== LONG_JUMP) {
        this.isBroken = true
        throw error
      }
      this.lua.stackRestore(stack)
      this.lua.setThrew(1, 0)
    }
  }

  #grow(bytes: number): number {
    if (bytes > MAX_MEMORY_BYTES) return 0
    const have = this.#memory.byteLength
    const wanted = Math.min(MAX_MEMORY_BYTES, Math.max(bytes, Math.ceil(1.2 * have)))
    this.lua.memory.grow(Math.ceil((wanted - have) / PAGE_BYTES))
    this.#adoptMemory()
    return 1
  }
}

/** System calls of the C library, all refused. */
const SYSTEM = [
  ...['strftime', '_emscripten_system', '_mktime_js', '_localtime_js', '_gmtime_js', '__syscall_openat'],
  ...['__syscall_fcntl64', '__syscall_ioctl', '__syscall_dup3', '__syscall_unlinkat', '__syscall_rmdir'],
  ...['__syscall_renameat', '__syscall_readlinkat'],
]
const FILES = ['fd_write', 'fd_read', 'fd_close', 'fd_seek']

function refusing(names: readonly string[]): Record<string, () => number> {
  return Object.fromEntries(names.map((name) => [name, () => NOT_SUPPORTED]))
}

let callbacksCompiled: WasmModule | undefined

function compiledCallbacks(): WasmModule {
  return (callbacksCompiled ??= compile(callbackModule(CALLS, GUARDED)))
}
