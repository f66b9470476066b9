/**
 * A WebAssembly module, assembled byte by byte, between Lua and this program. It adds callable functions to Lua's
 * function table, and counts the memory of a state without leaving WebAssembly.
 *
 *     import free, realloc, table     of the Lua module
 *     import type, length, setHook    lua_type, lua_objlen, lua_sethook
 *     import top, number              lua_gettop, lua_tonumber
 *     import call(L, n) -> results    calls of this program, n says which
 *     import convert(L, n, argument)  puts an integer into the place of a number that is too large for guard n
 *     import withBase(L) -> results   tonumber with a base; 0: the engine's own function shall answer
 *     import zeroOf(L)                checks the zero on top of the stack
 *     import insertBelow(L)           `table.insert` at a negative place; 0: the engine's own function shall do it
 *     import hook(L, activation)      called at a fixed interval of instructions
 *     export used, limit              bytes
 *     export state, hookPlace         the Lua state, 0: none; place of the hook in the table
 *     export allocate(ud, block, old, new)
 *     export hook
 *     export call0, call1, …          each is `call` with its own number
 *     export guard0, target0, …       each calls the C function at its target's place in the table
 *
 *     allocate: if new = 0:                                   free(block); used -= old; return 0
 *               if new > old and used - old + new > limit:    return 0
 *               moved = realloc(block, new);  if moved = 0:   return 0
 *               used += new - old
 *               if new > old:  grown += new - old;  if grown > 1 MB:  grown = 0; hurry()
 *               return moved
 *     guard:    of a function that may take long:
 *                 calls += 1
 *                 if argument 1 is a string or table of more than 512, or calls is a multiple of 64:  hurry()
 *               for each argument that becomes an integer:
 *                 if not |number(argument)| < 2^30:  convert(L, n, argument)
 *               of rep, with an empty argument 1:  convert(L, n, 2)
 *               of insert, if number(argument 2) < -512:  if insertBelow(L) = 1:  return 0
 *               of tonumber, with argument 2:  if withBase(L) = 1:  return 1
 *               results = table[target](L)
 *               of tonumber, if it makes 0 of a text:  zeroOf(L)
 *               return results
 *     hurry:    if state ≠ 0:  setHook(state, hookPlace, count, 1)
 *
 * Lua's count hook sees instructions only, and one instruction may copy or search megabytes. `hurry` lets the hook
 * come at the very next instruction.
 */

import type { Guarded } from './guards.js'

const I32 = 0x7f
const F64 = 0x7c
const FUNCTION = 0x60
const TABLE = 0x70
const OP = {
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  branchIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  constant: 0x41,
  float: 0x44,
  isZero: 0x45,
  equal: 0x46,
  greater: 0x4a,
  greaterUnsigned: 0x4b,
  floatEqual: 0x61,
  floatLess: 0x63,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x71,
  or: 0x72,
  absolute: 0x99,
} as const
const NO_RESULT = 0x40
const COUNT_HOOK = 8
/** Lua's numbers of types. String and table differ in one bit alone. */
const NIL = 0
const NUMBER = 3
const STRING = 4
const TABLE_BIT = 1
/** More than this in one argument, and a function may take long. */
const LONG_ARGUMENT = 512
/** From here on to a list are more places than a function may shift without a look at the clock. */
const FAR_BELOW = -512
const CALLS_BETWEEN_LOOKS = 64
const BYTES_BETWEEN_LOOKS = 1 << 20
/** Neither such a number nor the length of a range between two of them needs more than 32 bits. */
const SMALL_NUMBER = 2 ** 30

const GLOBALS = { used: 0, limit: 1, state: 2, hookPlace: 3, grown: 4, calls: 5 } as const
const FIRST_TARGET = Object.keys(GLOBALS).length

/** Parameters and locals of `allocate`. */
const BLOCK = 1
const OLD = 2
const NEW = 3
const MOVED = 4
/** Local of a guard. */
const ARGUMENT = 1

const TYPES = { free: 0, realloc: 1, hook: 2, allocate: 3, own: 4, hurry: 5, number: 6, convert: 7 } as const
const IMPORTS = {
  ...{ free: 0, realloc: 1, call: 2, hook: 3, type: 4, length: 5, setHook: 6 },
  ...{ top: 7, number: 8, convert: 9, withBase: 10, zeroOf: 11, insertBelow: 12 },
} as const
const OWN = { hurry: 13, allocate: 14, hook: 15 } as const
const FIRST_CALL = OWN.hook + 1

/** Builds the module. `calls` functions of this program are callable from Lua. */
export function callbackModule(calls: number, guarded: readonly Guarded[]): Uint8Array<ArrayBuffer> {
  const guards = guarded.length
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [
      ...[type(1, 0), type(2, 1), type(2, 0), type(4, 1), type(1, 1), type(0, 0)],
      ...[type(2, 1, F64), type(3, 0)],
    ]),
    ...importSection(),
    ...section(3, [
      [TYPES.hurry],
      [TYPES.allocate],
      [TYPES.hook],
      ...times(calls + guards, () => [TYPES.own]),
    ]),
    ...section(
      6,
      times(FIRST_TARGET + guards, () => global()),
    ),
    ...exportSection(calls, guards),
    ...section(10, [
      body([0], hurryCode()),
      body([1, 1, I32], allocateCode()),
      body([0], [OP.localGet, 0, OP.localGet, 1, OP.call, IMPORTS.hook]),
      ...times(calls, (index) => body([0], [OP.localGet, 0, ...constant(index), OP.call, IMPORTS.call])),
      ...guarded.map((one, index) => body([1, 1, I32], guardCode(one, index))),
    ]),
  ])
}

function importSection(): number[] {
  return section(2, [
    imported('free', TYPES.free),
    imported('realloc', TYPES.realloc),
    imported('call', TYPES.realloc),
    imported('hook', TYPES.hook),
    imported('type', TYPES.realloc),
    imported('length', TYPES.realloc),
    imported('setHook', TYPES.allocate),
    imported('top', TYPES.own),
    imported('number', TYPES.number),
    imported('convert', TYPES.convert),
    imported('withBase', TYPES.own),
    imported('zeroOf', TYPES.free),
    imported('insertBelow', TYPES.own),
    [...name('env'), ...name('table'), 1, TABLE, 0, 0],
  ])
}

function exportSection(calls: number, guards: number): number[] {
  return section(7, [
    exported('used', 3, GLOBALS.used),
    exported('limit', 3, GLOBALS.limit),
    exported('state', 3, GLOBALS.state),
    exported('hookPlace', 3, GLOBALS.hookPlace),
    exported('allocate', 0, OWN.allocate),
    exported('hook', 0, OWN.hook),
    ...times(calls, (index) => exported(`call${index}`, 0, FIRST_CALL + index)),
    ...times(guards, (index) => exported(`guard${index}`, 0, FIRST_CALL + calls + index)),
    ...times(guards, (index) => exported(`target${index}`, 3, FIRST_TARGET + index)),
  ])
}

function hurryCode(): number[] {
  return [
    ...[OP.globalGet, GLOBALS.state, OP.if, NO_RESULT],
    ...[
      OP.globalGet,
      GLOBALS.state,
      OP.globalGet,
      GLOBALS.hookPlace,
      ...constant(COUNT_HOOK),
      ...constant(1),
    ],
    ...[OP.call, IMPORTS.setHook, OP.drop, OP.end],
  ]
}

function allocateCode(): number[] {
  const usedWithoutOld = [OP.globalGet, GLOBALS.used, OP.localGet, OLD, OP.subtract]
  const isGrowing = [OP.localGet, NEW, OP.localGet, OLD, OP.greaterUnsigned]
  return [
    ...[OP.localGet, NEW, OP.isZero, OP.if, NO_RESULT],
    ...[OP.localGet, BLOCK, OP.call, IMPORTS.free],
    ...[...usedWithoutOld, OP.globalSet, GLOBALS.used],
    ...[...constant(0), OP.return, OP.end],
    ...isGrowing,
    ...[...usedWithoutOld, OP.localGet, NEW, OP.add, OP.globalGet, GLOBALS.limit, OP.greaterUnsigned],
    ...[OP.and, OP.if, NO_RESULT, ...constant(0), OP.return, OP.end],
    ...[OP.localGet, BLOCK, OP.localGet, NEW, OP.call, IMPORTS.realloc, OP.localTee, MOVED],
    ...[OP.isZero, OP.if, NO_RESULT, ...constant(0), OP.return, OP.end],
    ...[...usedWithoutOld, OP.localGet, NEW, OP.add, OP.globalSet, GLOBALS.used],
    ...[...isGrowing, OP.if, NO_RESULT],
    ...[OP.globalGet, GLOBALS.grown, OP.localGet, NEW, OP.localGet, OLD, OP.subtract, OP.add],
    ...[OP.globalSet, GLOBALS.grown],
    ...[OP.globalGet, GLOBALS.grown, ...constant(BYTES_BETWEEN_LOOKS), OP.greaterUnsigned, OP.if, NO_RESULT],
    ...[...constant(0), OP.globalSet, GLOBALS.grown, OP.call, OWN.hurry, OP.end],
    ...[OP.end, OP.localGet, MOVED],
  ]
}

function guardCode(
  { isLong, places, counts, isInsertion, isRepetition, isNumeral }: Guarded,
  guard: number,
): number[] {
  const converted = [...(places ?? []), ...(counts === undefined || counts === 'all' ? [] : counts)]
  return [
    ...(isLong === true ? lookCode() : []),
    ...converted.flatMap((argument) => convertCode(constant(argument), guard)),
    ...(counts === 'all' ? convertAllCode(guard) : []),
    ...(isInsertion === true ? insertionCode() : []),
    ...(isRepetition === true ? emptyCode(guard) : []),
    ...(isNumeral === true ? baseCode() : []),
    ...[OP.localGet, 0, OP.globalGet, ...unsigned(FIRST_TARGET + guard), OP.callIndirect, TYPES.own, 0],
    ...(isNumeral === true ? zeroCode() : []),
  ]
}

function typeCode(argument: number): number[] {
  return [OP.localGet, 0, ...constant(argument), OP.call, IMPORTS.type]
}

function lookCode(): number[] {
  return [
    ...[OP.globalGet, GLOBALS.calls, ...constant(1), OP.add, OP.globalSet, GLOBALS.calls],
    ...[OP.globalGet, GLOBALS.calls, ...constant(CALLS_BETWEEN_LOOKS - 1), OP.and, OP.isZero],
    // The length of a number is that of its text, which would take its place.
    ...[...typeCode(1), ...constant(TABLE_BIT), OP.or],
    ...[...constant(STRING | TABLE_BIT), OP.equal, OP.if, I32],
    ...[OP.localGet, 0, ...constant(1), OP.call, IMPORTS.length],
    ...[...constant(LONG_ARGUMENT), OP.greaterUnsigned],
    ...[OP.else, ...constant(0), OP.end],
    ...[OP.or, OP.if, NO_RESULT, OP.call, OWN.hurry, OP.end],
  ]
}

/** Other values than numbers count as zero here. The function says what it thinks of them. */
function convertCode(argument: readonly number[], guard: number): number[] {
  return [
    ...[OP.localGet, 0, ...argument, OP.call, IMPORTS.number, OP.absolute],
    ...[...float(SMALL_NUMBER), OP.floatLess, OP.isZero, OP.if, NO_RESULT],
    ...[OP.localGet, 0, ...constant(guard), ...argument, OP.call, IMPORTS.convert, OP.end],
  ]
}

/** Converts argument 2 if argument 1 is an empty text. */
function emptyCode(guard: number): number[] {
  return [
    ...[...typeCode(1), ...constant(STRING), OP.equal, OP.if, NO_RESULT],
    ...[OP.localGet, 0, ...constant(1), OP.call, IMPORTS.length, OP.isZero, OP.if, NO_RESULT],
    ...[OP.localGet, 0, ...constant(guard), ...constant(2), OP.call, IMPORTS.convert],
    ...[OP.end, OP.end],
  ]
}

function insertionCode(): number[] {
  return [
    ...[OP.localGet, 0, ...constant(2), OP.call, IMPORTS.number, ...float(FAR_BELOW), OP.floatLess],
    ...[OP.if, NO_RESULT, OP.localGet, 0, OP.call, IMPORTS.insertBelow],
    ...[OP.if, NO_RESULT, ...constant(0), OP.return, OP.end, OP.end],
  ]
}

function baseCode(): number[] {
  return [
    ...[...typeCode(2), ...constant(NIL), OP.greater, OP.if, NO_RESULT],
    ...[
      OP.localGet,
      0,
      OP.call,
      IMPORTS.withBase,
      OP.if,
      NO_RESULT,
      ...constant(1),
      OP.return,
      OP.end,
      OP.end,
    ],
  ]
}

function zeroCode(): number[] {
  return [
    ...[OP.localGet, 0, ...top(), OP.call, IMPORTS.number, ...float(0), OP.floatEqual, OP.if, NO_RESULT],
    ...[OP.localGet, 0, ...top(), OP.call, IMPORTS.type, ...constant(NUMBER), OP.equal],
    ...[...typeCode(1), ...constant(STRING), OP.equal, OP.and, OP.if, NO_RESULT],
    ...[OP.localGet, 0, OP.call, IMPORTS.zeroOf, OP.end, OP.end],
  ]
}

/** From the last argument to the first. */
function convertAllCode(guard: number): number[] {
  const argument = [OP.localGet, ARGUMENT]
  return [
    ...[OP.localGet, 0, OP.call, IMPORTS.top, OP.localTee, ARGUMENT, OP.if, NO_RESULT, OP.loop, NO_RESULT],
    ...convertCode(argument, guard),
    ...[...argument, ...constant(1), OP.subtract, OP.localTee, ARGUMENT, OP.branchIf, 0],
    ...[OP.end, OP.end],
  ]
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** `i32.const` of the index of the top of the stack. */
function top(): number[] {
  return [OP.constant, 0x7f]
}

/** `i32.const`, whose number is signed: the last byte must not look like that of a negative one. */
function constant(value: number): number[] {
  const bytes = [OP.constant as number]
  let rest = value
  for (; rest >= 0x40; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}

function float(value: number): number[] {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return [OP.float, ...bytes]
}

function section(id: number, items: readonly number[][]): number[] {
  const content = [...unsigned(items.length), ...items.flat()]
  return [id, ...unsigned(content.length), ...content]
}

function type(parameters: number, results: number, result = I32): number[] {
  const list = (count: number, kind: number): number[] => [count, ...times(count, () => kind)]
  return [FUNCTION, ...list(parameters, I32), ...list(results, result)]
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
