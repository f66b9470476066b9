/** Types of host functions and their arguments. */
import type { LuaSession } from '../session.js'
import {
  LuaError,
  type LuaState,
  type LuaValue,
  outOfMemory,
  TYPE,
  TYPE_NAMES,
  type Values,
} from '../engine/state.js'

/** More than any text that a page can show, for all texts of one call: they are outside of Lua's memory. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

/** Arguments of one call, counted from 1. They are only readable until the function returns. */
export class HostArguments {
  readonly state: LuaState
  readonly count: number
  #textBytes = 0

  constructor(state: LuaState) {
    this.state = state
    this.count = state.top
  }

  isNil(index: number): boolean {
    return this.state.isNil(index)
  }

  /** The type name that Lua's `type` returns. */
  typeName(index: number): string {
    return TYPE_NAMES.get(this.state.type(index)) ?? 'userdata'
  }

  /** A string or a number as text. Throws if the texts of the call are too long altogether. */
  text(index: number): string {
    this.#count(index)
    return this.state.text(index)
  }

  optionalText(index: number): string | undefined {
    return this.isNil(index) ? undefined : this.text(index)
  }

  bytes(index: number): Buffer {
    this.#count(index)
    return this.state.bytes(index)
  }

  #count(index: number): void {
    const { start, end } = this.state.span(index)
    this.#textBytes += end - start
    if (this.#textBytes > MAX_TEXT_BYTES) throw outOfMemory()
  }

  number(index: number): number {
    return this.state.number(index)
  }

  /** Raises Lua's usual error unless the argument is a number or reads as one. */
  requireNumber(index: number, name: string): number {
    const { state } = this
    if (state.isNumeric(index)) return state.number(index)
    throw new LuaError(
      `bad argument #${index} to '${name}' (number expected, got ${this.typeName(index)})`,
      1,
    )
  }

  boolean(index: number): boolean {
    return this.state.boolean(index)
  }

  /** All texts from an index on. */
  texts(first: number): string[] {
    const texts: string[] = []
    for (let index = first; index <= this.count; index++) texts.push(this.text(index))
    return texts
  }

  /** Alternating names and values. */
  pairs(first: number): Map<string, string> {
    const pairs = new Map<string, string>()
    for (let index = first; index + 1 <= this.count; index += 2)
      pairs.set(this.text(index), this.text(index + 1))
    return pairs
  }

  /** Raises Lua's usual error unless the argument is a string or a number. */
  requireText(index: number, name: string): string {
    const type = this.state.type(index)
    if (type === TYPE.string || type === TYPE.number) return this.text(index)
    throw new LuaError(
      `bad argument #${index} to '${name}' (string expected, got ${this.typeName(index)})`,
      1,
    )
  }
}

export type HostFunction = (args: HostArguments, page: LuaSession) => LuaValue | Values

/** Works on the stack itself and returns the number of results there. */
export type RawFunction = (state: LuaState, page: LuaSession) => number

export interface HostTable {
  readonly values?: Readonly<Record<string, HostFunction>>
  readonly raw?: Readonly<Record<string, RawFunction>>
}
