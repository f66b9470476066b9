/** Arguments of `mw.ustring`: texts as code points, and places in them. */
import { LuaError, type LuaState, TYPE, TYPE_NAMES } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { Subject } from '../ustring/subject.js'
import { numberText } from './numberText.js'

const MAX_STRING_BYTES = 2_097_152

/** Accepts numbers, and puts their texts into their places. */
export function checkText(state: LuaState, index: number, name: string): void {
  const type = state.type(index)
  if (type === TYPE.string) return
  if (type === TYPE.number) {
    state.push(numberText(state.number(index)))
    state.machine.lua.lua_replace(state.address, index)
    return
  }
  if (type === TYPE.none) throw new LuaError(`too few arguments to mw.ustring.${name}`)
  const got = TYPE_NAMES.get(type) ?? 'userdata'
  throw new LuaError(`bad argument #${index} to '${name}' (string expected, got ${got})`)
}

/** Undefined when the string is not UTF-8. Caches the last long string, since loops read its characters one by one. */
export function subjectOf(
  state: LuaState,
  index: number,
  name: string,
  page: LuaSession,
): Subject | undefined {
  checkText(state, index, name)
  const { start, end } = state.span(index)
  if (end - start > MAX_STRING_BYTES)
    throw new LuaError(
      `bad argument #${index} to '${name}' (string is longer than ${MAX_STRING_BYTES} bytes)`,
    )
  return page.subjects.get(state.machine.memory, start, end)
}

export function requireSubject(state: LuaState, name: string, page: LuaSession): Subject {
  const subject = subjectOf(state, 1, name, page)
  if (subject === undefined) throw new LuaError(`bad argument #1 to '${name}' (string is not UTF-8)`)
  return subject
}

/** A whole number, rounded down; one that is not a number counts as zero. */
export function wholeOf(state: LuaState, index: number, name: string, preset: number): number {
  const type = state.type(index)
  if (type <= TYPE.nil) return preset
  if (type !== TYPE.number) {
    const got = TYPE_NAMES.get(type) ?? 'userdata'
    throw new LuaError(`bad argument #${index} to '${name}' (number expected, got ${got})`)
  }
  const value = state.number(index)
  return Number.isNaN(value) ? 0 : Math.floor(value)
}

/** A place from 1, of one that may count from the end. */
export function placeOf(index: number, length: number): number {
  return index < 0 ? length + index + 1 : index
}

export function pushSlice(state: LuaState, { offsets }: Subject, from: number, to: number): void {
  const { start } = state.span(1)
  state.pushSpan(start + (offsets[from] ?? 0), start + (offsets[to] ?? 0))
}
