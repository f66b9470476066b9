/**
 * A WebAssembly module, assembled byte by byte, between Lua and this program. It adds callable functions to Lua's
 * function table, and counts the memory of a state without leaving WebAssembly.
 *
 *     import free, realloc            of the Lua module
 *     import call(L, n) -> results    calls of this program, n says which
 *     import hook(L, activation)      called at a fixed interval of instructions
 *     export used, limit              bytes
 *     export allocate(ud, block, old, new)
 *     export hook
 *     export call0, call1, …          each is `call` with its own number
 *
 *     allocate: if new = 0:                                   free(block); used -= old; return 0
 *               if new > old and used - old + new > limit:    return 0
 *               moved = realloc(block, new);  if moved ≠ 0:   used += new - old
 *               return moved
 */

const I32 = 0x7f
const FUNCTION = 0x60
const OP = {
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  return: 0x0f,
  call: 0x10,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  constant: 0x41,
  isZero: 0x45,
  greaterUnsigned: 0x4b,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x71,
} as const
const NO_RESULT = 0x40
const USED = 0
const LIMIT = 1

/** Parameters and locals of `allocate`. */
const BLOCK = 1
const OLD = 2
const NEW = 3
const MOVED = 4

const IMPORTS = { free: 0, realloc: 1, call: 2, hook: 3 } as const
const TYPES = { free: 0, realloc: 1, hook: 2, allocate: 3, own: 4 } as const

/** Builds the module. `calls` is the number of functions of this program that Lua can call. */
export function callbackModule(calls: number): Uint8Array<ArrayBuffer> {
  const firstCall = Object.keys(IMPORTS).length + 2
  const allocate = firstCall - 2
  const hook = firstCall - 1
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [type(1, 0), type(2, 1), type(2, 0), type(4, 1), type(1, 1)]),
    ...section(2, [
      imported('free', TYPES.free),
      imported('realloc', TYPES.realloc),
      imported('call', TYPES.realloc),
      imported('hook', TYPES.hook),
    ]),
    ...section(3, [[TYPES.allocate], [TYPES.hook], ...times(calls, () => [TYPES.own])]),
    ...section(6, [global(), global()]),
    ...section(7, [
      exported('used', 3, USED),
      exported('limit', 3, LIMIT),
      exported('allocate', 0, allocate),
      exported('hook', 0, hook),
      ...times(calls, (index) => exported(`call${index}`, 0, firstCall + index)),
    ]),
    ...section(10, [
      body([1, 1, I32], allocateCode()),
      body([0], [OP.localGet, 0, OP.localGet, 1, OP.call, IMPORTS.hook]),
      ...times(calls, (index) => body([0], [OP.localGet, 0, ...constant(index), OP.call, IMPORTS.call])),
    ]),
  ])
}

function allocateCode(): number[] {
  const usedWithoutOld = [OP.globalGet, USED, OP.localGet, OLD, OP.subtract]
  return [
    ...[OP.localGet, NEW, OP.isZero, OP.if, NO_RESULT],
    ...[OP.localGet, BLOCK, OP.call, IMPORTS.free],
    ...[...usedWithoutOld, OP.globalSet, USED],
    ...[...constant(0), OP.return, OP.end],
    ...[OP.localGet, NEW, OP.localGet, OLD, OP.greaterUnsigned],
    ...[...usedWithoutOld, OP.localGet, NEW, OP.add, OP.globalGet, LIMIT, OP.greaterUnsigned],
    ...[OP.and, OP.if, NO_RESULT, ...constant(0), OP.return, OP.end],
    ...[OP.localGet, BLOCK, OP.localGet, NEW, OP.call, IMPORTS.realloc, OP.localTee, MOVED],
    ...[OP.if, NO_RESULT, ...usedWithoutOld, OP.localGet, NEW, OP.add, OP.globalSet, USED, OP.end],
    ...[OP.localGet, MOVED],
  ]
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** `i32.const`, whose number is signed: small numbers fit into one byte of seven bits. */
function constant(value: number): number[] {
  return [OP.constant, ...(value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >>> 7])]
}

function section(id: number, items: readonly number[][]): number[] {
  const content = [...unsigned(items.length), ...items.flat()]
  return [id, ...unsigned(content.length), ...content]
}

function type(parameters: number, results: number): number[] {
  const list = (count: number): number[] => [count, ...times(count, () => I32)]
  return [FUNCTION, ...list(parameters), ...list(results)]
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

function imported(text: string, typeIndex: number): number[] {
  return [...name('env'), ...name(text), 0, typeIndex]
}

function exported(text: string, kind: number, index: number): number[] {
  return [...name(text), kind, ...unsigned(index)]
}

/** An exported mutable number. */
function global(): number[] {
  return [I32, 1, ...constant(0), OP.end]
}

function body(locals: number[], code: number[]): number[] {
  const content = [...locals, ...code, OP.end]
  return [...unsigned(content.length), ...content]
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
