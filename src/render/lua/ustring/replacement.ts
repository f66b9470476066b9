/** Replacement texts of `gsub`. */
import { LuaError } from '../engine/state.js'
import type { ByteBuilder } from './byteBuilder.js'
import type { Pattern } from './pattern.js'

const PERCENT = 0x25
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

/** A long text may have a million captures, so all is numbers. */
export interface Replacement {
  readonly bytes: Buffer
  /** For each piece of the bytes: where it begins and ends, and the capture that follows it; -1: none. */
  readonly pieces: readonly number[]
}

/** Numbers for each piece. */
const PIECE_SIZE = 3

export function replacementOf(bytes: Buffer, { captures }: Pattern): Replacement {
  const pieces: number[] = []
  let from = 0
  for (let at = bytes.indexOf(PERCENT); at >= 0; at = bytes.indexOf(PERCENT, at + 2)) {
    const next = bytes[at + 1] ?? 0
    if (next >= DIGIT_0 && next <= DIGIT_9) {
      const capture = next - DIGIT_0
      if (capture > Math.max(1, captures))
        throw new LuaError(`invalid capture index %${capture} in replacement string`)
      pieces.push(from, at, capture)
      from = at + 2
    } else {
      pieces.push(from, at, -1)
      from = at + 1
    }
  }
  pieces.push(from, bytes.length, -1)
  return { bytes, pieces }
}

/** Adds a replacement to a result; `addCapture` adds what a capture holds. */
export function addReplacement(
  result: ByteBuilder,
  { bytes, pieces }: Replacement,
  addCapture: (capture: number) => void,
): void {
  for (let at = 0; at < pieces.length; at += PIECE_SIZE) {
    result.add(bytes, pieces[at] ?? 0, pieces[at + 1] ?? 0)
    const capture = pieces[at + 2] ?? -1
    if (capture >= 0) addCapture(capture)
  }
}
