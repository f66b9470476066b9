/** One Lua state: everything that the modules of one page can reach. Values cross its border as copies. */
import { GUARDED } from './guards.js'
import type { LuaAddress, LuaExports, LuaMachine } from './machine.js'

/** Values for Lua. Strings are UTF-8, or bytes as they are; lists begin at 1; `undefined` and null are nil. */
export type LuaValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly LuaValue[]
  | ReadonlyMap<string | number, LuaValue>
  | { readonly [field: string]: LuaValue }

/** Several results of one function. */
export class Values {
  readonly list: readonly LuaValue[]

  constructor(...list: readonly LuaValue[]) {
    this.list = list
  }
}

/** A Lua error that a function of this program raises. With level 1, the position of its caller precedes the text. */
export class LuaError extends Error {
  override readonly name = 'LuaError'
  readonly level: number

  constructor(message: string, level = 0) {
    super(message)
    this.level = level
  }
}

/** What Lua says when it gets no more memory. */
export const NO_MEMORY = 'not enough memory'

/** The error of a host function that gets no more memory. */
export function outOfMemory(): LuaError {
  return new LuaError(NO_MEMORY)
}

export const TYPE = { none: -1, nil: 0, boolean: 1, number: 3, string: 4, table: 5, function: 6 } as const
export const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [TYPE.none, 'no value'],
  ...Object.entries(TYPE)
    .filter(([name]) => name !== 'none')
    .map(([name, type]): [number, string] => [type, name]),
])

/** Index of the first upvalue of the running C function. */
export const FIRST_UPVALUE = -10003
export const GLOBALS = -10002
const ALL_RESULTS = -1
const COUNT_HOOK = 8
const COLLECT = 2
const SET_PAUSE = 6
/** Of shorter texts, the bytes are not counted before. */
const SHORT_TEXT = 20_000
const MAX_BYTES_OF_UNIT = 3
const STACK_FOR_VALUES = 20
const MAX_VALUE_DEPTH = 100

export class LuaState {
  readonly machine: LuaMachine
  readonly address: LuaAddress
  readonly #lua: LuaExports

  /** With Lua's own libraries. */
  constructor(machine: LuaMachine, maxBytes: number) {
    this.machine = machine
    this.#lua = machine.lua
    machine.countMemory(maxBytes)
    this.address = this.#lua.lua_newstate(machine.allocate, 0)
    if (this.address === 0) throw new Error('there is no memory for a Lua state')
    machine.watch(this.address)
    this.#lua.luaL_openlibs(this.address)
    for (const [index, { library, name }] of GUARDED.entries()) this.#guard(index, library, name)
  }

  /** Puts the guard of a function into its place. */
  #guard(index: number, library: string, name: string): void {
    const { machine, address } = this
    this.getField(GLOBALS, library)
    if (!machine.isGuarding) {
      this.getField(-1, name)
      machine.guard(index, this.#lua.lua_tocfunction(address, -1))
      this.top -= 1
    }
    this.#lua.lua_pushcclosure(address, machine.guards[index] ?? 0, 0)
    this.setField(-2, name)
    this.top -= 1
  }

  close(): void {
    this.machine.watch(0)
    this.#lua.lua_close(this.address)
  }

  /** Bytes that the state's objects take. */
  get usedBytes(): number {
    return this.machine.usedBytes
  }

  /** Frees all objects that nothing can reach. */
  collectGarbage(): void {
    this.#lua.lua_gc(this.address, COLLECT, 0)
  }

  /** Waits with the next collection until the memory has grown to so many percent of what the last one left. */
  pauseCollection(percent: number): void {
    this.#lua.lua_gc(this.address, SET_PAUSE, percent)
  }

  /** Makes room on the stack for so many values; throws a LuaError when there is none. */
  reserve(count: number): void {
    if (this.#lua.lua_checkstack(this.address, count) === 0) throw new LuaError('stack overflow')
  }

  get top(): number {
    return this.#lua.lua_gettop(this.address)
  }

  set top(index: number) {
    this.#lua.lua_settop(this.address, index)
  }

  /** Calls the machine's hook at this interval of instructions. */
  hookEvery(instructions: number): void {
    this.#lua.lua_sethook(this.address, this.machine.hook, COUNT_HOOK, instructions)
  }

  type(index: number): number {
    return this.#lua.lua_type(this.address, index)
  }

  isNil(index: number): boolean {
    return this.type(index) <= TYPE.nil
  }

  number(index: number): number {
    return this.#lua.lua_tonumber(this.address, index)
  }

  /** True for a number, and for a text that reads as one. */
  isNumeric(index: number): boolean {
    return this.#lua.lua_isnumber(this.address, index) !== 0
  }

  boolean(index: number): boolean {
    return this.#lua.lua_toboolean(this.address, index) !== 0
  }

  /** Byte range of a string in memory. Converts a number in its stack slot to a string. */
  span(index: number): { readonly start: number; readonly end: number } {
    const { scratch, memory } = this.machine
    const start = this.#lua.lua_tolstring(this.address, index, scratch)
    // The conversion of a number to a string may have moved the memory.
    const length = (start === 0 ? memory : this.machine.memory).readUInt32LE(scratch)
    return { start, end: start === 0 ? 0 : start + length }
  }

  /** A string or number as text. Invalid UTF-8 becomes U+FFFD. */
  text(index: number): string {
    const { start, end } = this.span(index)
    const { memory } = this.machine
    return isAscii(memory, start, end)
      ? memory.toString('latin1', start, end)
      : memory.toString('utf8', start, end)
  }

  /** The bytes of a string, as a copy. */
  bytes(index: number): Buffer {
    const { start, end } = this.span(index)
    return Buffer.from(this.machine.memory.subarray(start, end))
  }

  pushText(text: string): void {
    const { machine } = this
    const room = text.length <= SHORT_TEXT ? MAX_BYTES_OF_UNIT * text.length : Buffer.byteLength(text)
    const block = this.#take(room)
    const { memory } = machine
    try {
      const length = memory.write(text, block, room, 'utf8')
      this.#lua.lua_pushlstring(this.address, block, length)
    } finally {
      machine.release(block)
    }
  }

  pushBytes(bytes: Uint8Array): void {
    const { machine } = this
    const block = this.#take(bytes.length)
    try {
      machine.memory.set(bytes, block)
      this.#lua.lua_pushlstring(this.address, block, bytes.length)
    } finally {
      machine.release(block)
    }
  }

  #take(bytes: number): number {
    const block = bytes > this.machine.limitBytes ? 0 : this.machine.take(bytes)
    if (block === 0) throw outOfMemory()
    return block
  }

  /** Pushes a part of a string that is already in Lua's memory. */
  pushSpan(start: number, end: number): void {
    this.#lua.lua_pushlstring(this.address, start, end - start)
  }

  push(value: LuaValue, depth = 0): void {
    if (value === undefined || value === null) this.#lua.lua_pushnil(this.address)
    else if (typeof value === 'string') this.pushText(value)
    else if (typeof value === 'number') this.#lua.lua_pushnumber(this.address, value)
    else if (typeof value === 'boolean') this.#lua.lua_pushboolean(this.address, Number(value))
    else if (value instanceof Uint8Array) this.pushBytes(value)
    else this.#pushTable(value, depth + 1)
  }

  #pushTable(
    value: Exclude<LuaValue, undefined | null | boolean | number | string | Uint8Array>,
    depth: number,
  ): void {
    if (depth > MAX_VALUE_DEPTH || this.#lua.lua_checkstack(this.address, STACK_FOR_VALUES) === 0)
      throw new LuaError('the value is nested too deeply')
    if (Array.isArray(value)) {
      this.#lua.lua_createtable(this.address, value.length, 0)
      for (const [index, item] of (value as readonly LuaValue[]).entries()) {
        this.push(item, depth)
        this.#lua.lua_rawseti(this.address, -2, index + 1)
      }
      return
    }
    const entries =
      value instanceof Map
        ? [...(value as ReadonlyMap<string | number, LuaValue>)]
        : Object.entries<LuaValue>(value as { readonly [field: string]: LuaValue })
    this.#lua.lua_createtable(this.address, 0, entries.length)
    for (const [key, item] of entries) {
      this.push(key)
      this.push(item, depth)
      this.#lua.lua_rawset(this.address, -3)
    }
  }

  /** An empty table, with room for so many items of a list and other fields. */
  pushTable(items: number, fields: number): void {
    this.#lua.lua_createtable(this.address, items, fields)
  }

  /** Takes a key and a value off the stack, and puts them into the table below. */
  setRaw(): void {
    this.#lua.lua_rawset(this.address, -3)
  }

  /** Pushes a C function and takes its upvalues from the stack; `call` is its number. */
  pushFunction(call: number, upvalues = 0): void {
    this.#lua.lua_pushcclosure(this.address, this.machine.calls[call] ?? 0, upvalues)
  }

  /** Compiles source, or loads bytes of an earlier compilation. Returns false with the message on the stack. */
  load(chunk: Uint8Array, name: string): boolean {
    const { machine } = this
    const chunkName = Buffer.from(`${name}\0`)
    const block = machine.lua.malloc(chunk.length + chunkName.length)
    if (block === 0) throw outOfMemory()
    machine.memory.set(chunk, block)
    machine.memory.set(chunkName, block + chunk.length)
    try {
      return this.#lua.luaL_loadbuffer(this.address, block, chunk.length, block + chunk.length) === 0
    } finally {
      // Lua jumps out of the call if it has no memory for the message.
      machine.lua.free(block)
    }
  }

  /** Pushes a field of a table; the name is ASCII. */
  getField(index: number, name: string): void {
    this.#lua.lua_getfield(this.address, index, this.machine.nameAt(name))
  }

  /** Takes a value off the stack and puts it into a field of a table; the name is ASCII. */
  setField(index: number, name: string): void {
    this.#lua.lua_setfield(this.address, index, this.machine.nameAt(name))
  }

  /** The function on top of the stack as bytes for `load`. */
  dump(): Buffer {
    const { address } = this
    this.getField(GLOBALS, 'string')
    this.getField(-1, 'dump')
    this.#lua.lua_pushvalue(address, -3)
    this.#lua.lua_call(address, 1, 1)
    const bytes = this.bytes(-1)
    this.#lua.lua_settop(address, -3)
    return bytes
  }

  /**
   * Calls a function that is on the stack before its arguments. Returns false with the error value instead of results.
   * `handler` is the stack index of a function that receives errors where they happen; 0: none.
   */
  call(args: number, results = ALL_RESULTS, handler = 0): boolean {
    return this.#lua.lua_pcall(this.address, args, results, handler) === 0
  }

  /** Raises an error in the running function. */
  raise(message: string, level: number): never {
    if (level > 0) {
      this.#lua.luaL_where(this.address, level)
      this.pushText(message)
      this.#lua.lua_concat(this.address, 2)
    } else this.pushText(message)
    return this.machine.raise(this.address)
  }
}

function isAscii(memory: Uint8Array, start: number, end: number): boolean {
  if (end - start > 64) return false
  for (let at = start; at < end; at++) if ((memory[at] ?? 0) >= 0x80) return false
  return true
}
