/**
 * Deltas between two versions of a text, for the storage of old revisions: small, quick to apply, byte exact.
 *
 * Both texts are UTF-8 bytes. A delta is a sequence of triples of varints, each followed by bytes:
 *
 *     from  length  inserted  <inserted bytes>        copy base[from, from + length), then the bytes
 *
 * The encoder first cuts off equal ends by whole blocks. fast-myers-diff matches only the lines between them. Each pair
 * of replaced regions then loses its own equal ends, so that a changed word costs its bytes and not its paragraph.
 */
import { diff } from 'fast-myers-diff'

const NEWLINE = 10
const BLOCK = 1024
/** Above this many pairs of lines the window becomes one replacement, since matching is quadratic at worst. */
const MAX_LINE_PAIRS = 1_000_000

/** A region of the base replaced by a region of the target, in bytes. */
interface Hunk {
  readonly baseStart: number
  readonly baseEnd: number
  readonly targetStart: number
  readonly targetEnd: number
}

/** The delta that turns `base` into `target`. Deterministic: equal inputs give equal bytes. */
export function encodeDelta(base: Buffer, target: Buffer): Buffer {
  const limit = Math.min(base.length, target.length)
  const prefix = commonPrefix(base, 0, target, 0, limit)
  const suffix = commonSuffix(base, base.length, target, target.length, limit - prefix)
  const window: Hunk = {
    baseStart: prefix,
    baseEnd: base.length - suffix,
    targetStart: prefix,
    targetEnd: target.length - suffix,
  }
  const writer = new DeltaWriter(base, target)
  if (window.baseStart === window.baseEnd || window.targetStart === window.targetEnd) writer.replace(window)
  else for (const hunk of matchLines(base, target, toLineBorders(base, target, window))) writer.replace(hunk)
  return writer.finish()
}

/**
 * Rebuilds the target text from its base. All three are binary strings: each unit is a byte. V8 joins and cuts those
 * faster than Buffers. Throws a RangeError when the delta does not fit the base.
 */
export function applyDelta(base: string, delta: string): string {
  let target = ''
  let at = 0
  const varint = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      if (at === delta.length) throw new RangeError('the delta is cut off')
      const byte = delta.charCodeAt(at++)
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
  }
  while (at < delta.length) {
    const from = varint()
    const copiedEnd = from + varint()
    const insertedEnd = varint() + at
    if (copiedEnd > base.length || insertedEnd > delta.length) {
      throw new RangeError('the delta does not fit its base')
    }
    target += base.slice(from, copiedEnd) + delta.slice(at, insertedEnd)
    at = insertedEnd
  }
  return target
}

/** Collects replacements in rising order and writes the copies between them. */
class DeltaWriter {
  readonly #base: Buffer
  readonly #target: Buffer
  readonly #parts: Buffer[] = []
  #baseAt = 0

  constructor(base: Buffer, target: Buffer) {
    this.#base = base
    this.#target = target
  }

  /** Copies the base up to the hunk, then inserts the hunk's target bytes, without their equal ends. */
  replace(hunk: Hunk): void {
    let { baseStart, baseEnd, targetStart, targetEnd } = hunk
    const room = Math.min(baseEnd - baseStart, targetEnd - targetStart)
    const prefix = commonPrefix(this.#base, baseStart, this.#target, targetStart, room)
    baseStart += prefix
    targetStart += prefix
    const suffix = commonSuffix(this.#base, baseEnd, this.#target, targetEnd, room - prefix)
    baseEnd -= suffix
    targetEnd -= suffix
    if (baseStart === baseEnd && targetStart === targetEnd) return
    this.#emit(baseStart - this.#baseAt, this.#target.subarray(targetStart, targetEnd))
    this.#baseAt = baseEnd
  }

  finish(): Buffer {
    if (this.#baseAt < this.#base.length) this.#emit(this.#base.length - this.#baseAt, Buffer.alloc(0))
    return Buffer.concat(this.#parts)
  }

  #emit(copied: number, inserted: Buffer): void {
    const head: number[] = []
    pushVarint(head, this.#baseAt)
    pushVarint(head, copied)
    pushVarint(head, inserted.length)
    this.#parts.push(Buffer.from(head), inserted)
  }
}

function pushVarint(bytes: number[], value: number): void {
  while (value >= 128) {
    bytes.push((value % 128) | 128)
    value = Math.floor(value / 128)
  }
  bytes.push(value)
}

/** Length of the common bytes of `a` from `aStart` and `b` from `bStart`, at most `limit`. */
function commonPrefix(a: Buffer, aStart: number, b: Buffer, bStart: number, limit: number): number {
  let length = 0
  while (length + BLOCK <= limit && equal(a, aStart + length, b, bStart + length, BLOCK)) length += BLOCK
  while (length < limit && a[aStart + length] === b[bStart + length]) length++
  return length
}

/** Length of the common bytes of `a` before `aEnd` and `b` before `bEnd`, at most `limit`. */
function commonSuffix(a: Buffer, aEnd: number, b: Buffer, bEnd: number, limit: number): number {
  let length = 0
  while (length + BLOCK <= limit && equal(a, aEnd - length - BLOCK, b, bEnd - length - BLOCK, BLOCK))
    length += BLOCK
  while (length < limit && a[aEnd - length - 1] === b[bEnd - length - 1]) length++
  return length
}

function equal(a: Buffer, aStart: number, b: Buffer, bStart: number, length: number): boolean {
  return a.compare(b, bStart, bStart + length, aStart, aStart + length) === 0
}

/** Widens the window to whole lines on both sides. The added bytes are equal in both texts. */
function toLineBorders(base: Buffer, target: Buffer, window: Hunk): Hunk {
  const lineStart = window.baseStart === 0 ? 0 : base.lastIndexOf(NEWLINE, window.baseStart - 1) + 1
  const back = window.baseStart - lineStart
  // A window that ends right after a newline ends on a border already, if it does so in both texts.
  const onBorder =
    window.baseEnd > window.baseStart &&
    window.targetEnd > window.targetStart &&
    base[window.baseEnd - 1] === NEWLINE &&
    target[window.targetEnd - 1] === NEWLINE
  const newline = onBorder ? window.baseEnd - 1 : base.indexOf(NEWLINE, window.baseEnd)
  const forward = (newline < 0 ? base.length : newline + 1) - window.baseEnd
  return {
    baseStart: window.baseStart - back,
    baseEnd: window.baseEnd + forward,
    targetStart: window.targetStart - back,
    targetEnd: Math.min(target.length, window.targetEnd + forward),
  }
}

/** Splits the window into lines and yields the replaced regions between matched ones, in rising order. */
function* matchLines(base: Buffer, target: Buffer, window: Hunk): Generator<Hunk> {
  const numbers = new Map<string, number>()
  const a = splitLines(base, window.baseStart, window.baseEnd, numbers)
  const b = splitLines(target, window.targetStart, window.targetEnd, numbers)
  if (a.ids.length * b.ids.length > MAX_LINE_PAIRS) {
    yield window
    return
  }
  for (const [aStart, aEnd, bStart, bEnd] of diff(a.ids, b.ids)) {
    yield {
      baseStart: a.starts[aStart]!,
      baseEnd: a.starts[aEnd]!,
      targetStart: b.starts[bStart]!,
      targetEnd: b.starts[bEnd]!,
    }
  }
}

/** Lines of `text[start, end)` with their newlines: an id for each distinct line, and the start of each line. */
function splitLines(
  text: Buffer,
  start: number,
  end: number,
  numbers: Map<string, number>,
): { ids: number[]; starts: number[] } {
  const ids: number[] = []
  const starts: number[] = []
  for (let at = start; at < end;) {
    const newline = text.indexOf(NEWLINE, at)
    const next = newline < 0 || newline >= end ? end : newline + 1
    const line = text.toString('latin1', at, next)
    let id = numbers.get(line)
    if (id === undefined) numbers.set(line, (id = numbers.size))
    ids.push(id)
    starts.push(at)
    at = next
  }
  starts.push(end)
  return { ids, starts }
}
