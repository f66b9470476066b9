/** A Lua string as code points, with the byte offset of each. */
export interface Subject {
  readonly length: number
  readonly codes: Uint32Array
  /** Byte offset of each code point, and of the end. */
  readonly offsets: Uint32Array
}

/** Undefined when the bytes are not UTF-8. */
export function decodeSubject(bytes: Uint8Array, start: number, end: number): Subject | undefined {
  const codes = new Uint32Array(end - start)
  const offsets = new Uint32Array(end - start + 1)
  let length = 0
  let at = start
  while (at < end) {
    offsets[length] = at - start
    const first = bytes[at] ?? 0
    if (first < 0x80) {
      codes[length++] = first
      at++
      continue
    }
    const size = sequenceLength(first)
    if (size === 0 || at + size > end) return undefined
    let code = first & (0xff >> (size + 1))
    for (let index = 1; index < size; index++) {
      const next = bytes[at + index] ?? 0
      if ((next & 0xc0) !== 0x80) return undefined
      code = (code << 6) | (next & 0x3f)
    }
    if (!isShortest(code, size) || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return undefined
    codes[length++] = code
    at += size
  }
  offsets[length] = end - start
  return { length, codes, offsets }
}

/** Bytes of a sequence, by its first byte; 0 for an invalid first byte. */
function sequenceLength(first: number): number {
  if (first >= 0xc2 && first < 0xe0) return 2
  if (first >= 0xe0 && first < 0xf0) return 3
  return first >= 0xf0 && first < 0xf5 ? 4 : 0
}

function isShortest(code: number, size: number): boolean {
  return size === 2 || (size === 3 ? code >= 0x800 : code >= 0x10000)
}

// Caches the last decoded long string.

const MIN_BYTES = 64

export class SubjectCache {
  #bytes: Buffer | undefined
  #subject: Subject | undefined

  get(memory: Buffer, start: number, end: number): Subject | undefined {
    if (end - start < MIN_BYTES) return decodeSubject(memory, start, end)
    if (
      this.#bytes?.length !== end - start ||
      memory.compare(this.#bytes, 0, this.#bytes.length, start, end) !== 0
    ) {
      this.#bytes = Buffer.from(memory.subarray(start, end))
      this.#subject = decodeSubject(memory, start, end)
    }
    return this.#subject
  }
}
