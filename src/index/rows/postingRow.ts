/**
 * Rows of postings: which pages have a term, and how much it says about each.
 *
 *     head     0 pages that have the term u32   4 there are other rows u8   5 postings, from page 0
 *     other    0 postings, from the page in the key
 *     posting  slot (4 bits), distance to the page before (3 bits), a bit: more of the distance follows, 7 bits a byte
 */

/** A row is split when it is longer: two of them and their keys fit one page of LMDB. */
export const MAX_ROW_BYTES = 1500
/** Rows that grow at their end, as those of new pages do, are filled up to this. */
export const FILL_BYTES = 1400
/** Rows that are split in the middle leave room on both sides. */
const SPLIT_BYTES = 1000
export const HEAD_BYTES = 5
export const LONGEST_POSTING = 6

/** Postings in the order of their pages, in arrays that grow. */
export class Postings {
  pages: Uint32Array
  slots: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.pages = new Uint32Array(capacity)
    this.slots = new Uint8Array(capacity)
  }

  clear(): void {
    this.length = 0
  }

  push(page: number, slot: number): void {
    this.reserve(1)
    this.pages[this.length] = page
    this.slots[this.length++] = slot
  }

  /** Adds others, from the one at `from` on. */
  append({ pages, slots, length }: Postings, from = 0): void {
    this.reserve(length - from)
    this.pages.set(pages.subarray(from, length), this.length)
    this.slots.set(slots.subarray(from, length), this.length)
    this.length += length - from
  }

  /** Makes room for `count` more. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.pages.length) return
    const capacity = Math.max(needed, 2 * this.pages.length)
    const [pages, slots] = [this.pages, this.slots]
    this.pages = new Uint32Array(capacity)
    this.slots = new Uint8Array(capacity)
    this.pages.set(pages.subarray(0, this.length))
    this.slots.set(slots.subarray(0, this.length))
  }
}

/** Adds the postings of a row from byte `at` on; `base` is 0 for a head, else the page in the row's key. */
export function decodePostings(row: Uint8Array, at: number, end: number, base: number, into: Postings): void {
  into.reserve(end - at)
  const { pages, slots } = into
  let length = into.length
  let page = base
  while (at < end) {
    let byte = row[at++]!
    slots[length] = byte & 15
    let distance = (byte >> 4) & 7
    if (byte > 127) {
      byte = row[at++]!
      distance |= (byte & 127) << 3
      if (byte > 127) {
        byte = row[at++]!
        distance |= (byte & 127) << 10
        // Beyond 2^17 pages: few postings are so far apart, and bit operations end at 2^31.
        for (let scale = 2 ** 17; byte > 127; scale *= 128) {
          byte = row[at++]!
          distance += (byte & 127) * scale
        }
      }
    }
    page += distance
    pages[length++] = page
  }
  into.length = length
}

/** Bytes of a posting whose page is `distance` after the one before. */
function postingBytes(distance: number): number {
  let bytes = 1
  for (let rest = Math.floor(distance / 8); rest > 0; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

/** A part of postings that makes one row, with its size. */
export interface RowPart {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/**
 * Divides postings into parts of the size of a row. `grown` says that what is new stands at the end: the first parts
 * are filled then. `base` is that of the first part; each other one begins at its own first page.
 */
export function divideIntoRows(postings: Postings, base: number, grown: boolean): RowPart[] {
  const { pages, length } = postings
  let total = 0
  for (let n = 0, page = base; n < length; page = pages[n++]!) total += postingBytes(pages[n]! - page)
  if (total <= MAX_ROW_BYTES) return [{ from: 0, to: length, bytes: total }]
  const target = grown ? FILL_BYTES : Math.ceil(total / Math.ceil(total / SPLIT_BYTES))
  const parts: RowPart[] = []
  let from = 0
  let bytes = 0
  for (let n = 0, page = base; n < length; page = pages[n++]!) {
    let size = postingBytes(pages[n]! - page)
    if (bytes > 0 && bytes + size > target) {
      parts.push({ from, to: n, bytes })
      from = n
      bytes = 0
      size = 1
    }
    bytes += size
  }
  parts.push({ from, to: length, bytes })
  return parts
}

const scratch = Buffer.alloc(HEAD_BYTES + MAX_ROW_BYTES + LONGEST_POSTING)

/** A head row. It is a view that the next encoding overwrites: put it into the table at once. */
export function encodeHead(frequency: number, hasMore: boolean, postings: Postings, part: RowPart): Buffer {
  scratch.writeUInt32BE(frequency, 0)
  scratch[4] = hasMore ? 1 : 0
  return scratch.subarray(0, encodePart(postings, part, 0, HEAD_BYTES))
}

/** Any other row; a view, as a head row is. */
export function encodeRow(postings: Postings, part: RowPart, base: number): Buffer {
  return scratch.subarray(0, encodePart(postings, part, base, 0))
}

function encodePart({ pages, slots }: Postings, { from, to }: RowPart, base: number, at: number): number {
  let page = base
  for (let n = from; n < to; n++) {
    const distance = pages[n]! - page
    page = pages[n]!
    let rest = Math.floor(distance / 8)
    scratch[at++] = slots[n]! | ((distance & 7) << 4) | (rest > 0 ? 128 : 0)
    while (rest > 0) {
      const next = Math.floor(rest / 128)
      scratch[at++] = (rest % 128) | (next > 0 ? 128 : 0)
      rest = next
    }
  }
  return at
}
