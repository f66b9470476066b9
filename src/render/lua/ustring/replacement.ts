/** Replacement texts of `gsub`. */
import { LuaError } from '../engine/state.js'
import type { Pattern } from './pattern.js'

const PERCENT = 0x25

/** Splits into bytes and capture numbers. */
export function replacementParts(bytes: Buffer, { captures }: Pattern): (Buffer | number)[] {
  const parts: (Buffer | number)[] = []
  let from = 0
  for (let at = bytes.indexOf(PERCENT); at >= 0; at = bytes.indexOf(PERCENT, from)) {
    parts.push(bytes.subarray(from, at))
    const next = bytes.toString('latin1', at + 1, at + 2)
    if (/\d/.test(next)) {
      if (Number(next) > Math.max(1, captures))
        throw new LuaError(`invalid capture index %${next} in replacement string`)
      parts.push(Number(next))
      from = at + 2
    } else {
      parts.push(bytes.subarray(at + 1, at + 2))
      from = at + 2
    }
  }
  parts.push(bytes.subarray(from))
  return parts
}
