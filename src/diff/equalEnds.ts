/** Equal starts and ends of texts. Both functions compare slices, which runs at the speed of memory. */

/** A block of this size or less that differs is searched unit by unit. */
const SMALL_BLOCK = 32

/**
 * Number of UTF-16 units, at most `limit`, that are equal in `a` from `aStart` and in `b` from `bStart`. It compares
 * `block` units first, and twice as many each time until a block differs.
 */
export function commonPrefix(
  a: string,
  aStart: number,
  b: string,
  bStart: number,
  limit: number,
  block: number,
): number {
  let length = 0
  let differs = false
  while (length < limit) {
    const size = Math.min(block, limit - length)
    const aAt = aStart + length
    const bAt = bStart + length
    if (a.slice(aAt, aAt + size) === b.slice(bAt, bAt + size)) {
      length += size
      if (!differs) block *= 2
    } else if (size <= SMALL_BLOCK) {
      while (a.charCodeAt(aStart + length) === b.charCodeAt(bStart + length)) length++
      return length
    } else {
      differs = true
      block = size >>> 1
    }
  }
  return length
}

/** The same for the ends of both texts. */
export function commonSuffix(a: string, b: string, limit: number, block: number): number {
  let length = 0
  let differs = false
  while (length < limit) {
    const size = Math.min(block, limit - length)
    const aEnd = a.length - length
    const bEnd = b.length - length
    if (a.slice(aEnd - size, aEnd) === b.slice(bEnd - size, bEnd)) {
      length += size
      if (!differs) block *= 2
    } else if (size <= SMALL_BLOCK) {
      while (a.charCodeAt(a.length - length - 1) === b.charCodeAt(b.length - length - 1)) length++
      return length
    } else {
      differs = true
      block = size >>> 1
    }
  }
  return length
}
