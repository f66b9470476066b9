/**
 * Rows of postings: the pages that have a term, with its impact on each.
 *
 *     head     0 pages that have the term u32   4 there are other rows u8   5 postings, from page 0
 *     other    0 postings, from the page in the key
 *     posting  slot (4 bits), distance to the previous page (3 bits), continuation bit; further bytes have 7 bits each
 */

/** Pseudo-term whose head counts the pages of an area. */
export const ALL_PAGES = ''
/** A longer row is split. Two rows of this length and their keys fit one page of LMDB. */
export const MAX_ROW_BYTES = 1500
/** Approximate number of postings in a row. */
export const POSTINGS_PER_ROW = 700
/** Rows that grow at the end, such as those for new pages, are filled to this length. */
export const FILL_BYTES = 1400
/** Rows that are split in the middle keep room on both sides. */
const SPLIT_BYTES = 1000
export const HEAD_BYTES = 5
export const LONGEST_POSTING = 6

/** Postings in page order, in growing arrays. */
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

  /** The same postings in arrays of their own, without room for more. */
  copy(): Postings {
    const copy = new Postings(this.length)
    copy.append(this)
    return copy
  }

  push(page: number, slot: number): void {
    this.reserve(1)
    this.pages[this.length] = page
    this.slots[this.length++] = slot
  }

  /** Appends other postings, starting at index `from`. */
  append({ pages, slots, length }: Postings, from = 0): void {
    this.reserve(length - from)
    this.pages.set(pages.subarray(from, length), this.length)
    this.slots.set(slots.subarray(from, length), this.length)
    this.length += length - from
  }

  /** Makes room for `count` more postings. */
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

/** Decodes the postings of a row from byte `at`. `base` is 0 for a head, else the page in the row's key. */
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
        // From 2^17 on, arithmetic replaces bit operations, which end at 2^31. Few postings are so far apart.
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

/** Size of a posting that is `distance` after the previous page. */
function postingBytes(distance: number): number {
  let bytes = 1
  for (let rest = Math.floor(distance / 8); rest > 0; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

/** A range of postings that fills one row, with its size. */
export interface RowPart {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/**
 * Divides postings into parts that fit a row. With `grown`, the new postings are at the end, so the first parts are
 * filled. `base` is that of the first part; every other part begins at its own first page.
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

/** Encodes a head row. The next call overwrites the returned view: put it into the table at once. */
export function encodeHead(frequency: number, hasMore: boolean, postings: Postings, part: RowPart): Buffer {
  scratch.writeUInt32BE(frequency, 0)
  scratch[4] = hasMore ? 1 : 0
  return scratch.subarray(0, encodePart(postings, part, 0, HEAD_BYTES))
}

/** Encodes any other row, also as a view. */
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
