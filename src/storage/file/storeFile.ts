/**
 * Reads the store's file with plain file reads. LMDB maps the file into memory and trusts it, so a damaged file can end
 * the process by a signal. Numbers are little-endian, as on all machines for which lmdb is built.
 *
 *     page      0 number u64   8 transaction u64   16 pad u16   18 flags u16   20 lower u16   22 upper u16
 *               24 contents
 *               overflow pages have their count as u32 at 20; all but the first have no head
 *     tree      0 pad u32   4 flags u16   6 depth u16   8 branch pages u64   16 leaf pages u64   24 overflow pages u64
 *               32 rows u64   40 root page u64
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

export const PAGE_HEAD = 24
export const BRANCH = 0x01
export const LEAF = 0x02
export const OVERFLOW = 0x04
export const META = 0x08
/** Pages 0 and 1 are the meta pages. */
export const FIRST_PAGE = 2
export const TREE_BYTES = 48
/** LMDB's own limit. */
export const MAX_DEPTH = 32

/** The head of one tree of pages: the tables, the free pages, or the rows of one table. */
export interface TreeHead {
  readonly flags: number
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly rows: number
  /** Undefined: the tree is empty. */
  readonly root: number | undefined
}

/** Numbers above 2⁵³ lose digits. An undamaged file holds none that large. */
export const readU64 = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

const NO_PAGE = 0xffff_ffff_ffff_ffffn

export function readTree(bytes: Buffer, at: number): TreeHead {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readU64(bytes, at + 8),
    leafPages: readU64(bytes, at + 16),
    overflowPages: readU64(bytes, at + 24),
    rows: readU64(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === NO_PAGE ? undefined : readU64(bytes, at + 40),
  }
}

/** The fault in the head of a tree, in a file whose last page is `lastPage`; undefined if there is none. */
export function treeFault(tree: TreeHead, lastPage: number): string | undefined {
  const { depth, root, branchPages, leafPages, overflowPages, rows } = tree
  const pages = branchPages + leafPages + overflowPages
  if (root === undefined) {
    return depth + pages + rows === 0 ? undefined : 'a tree without a root is said to have pages or rows'
  }
  if (root < FIRST_PAGE || root > lastPage) return `a tree is said to begin on page ${root} of ${lastPage}`
  if (depth < 1 || depth > MAX_DEPTH) return `a tree is said to be ${depth} pages deep`
  if (pages > lastPage) return `a tree is said to have ${pages} pages of ${lastPage}`
  return undefined
}

/** A file that is open for reading. */
export class StoreFile {
  readonly path: string
  readonly #descriptor: number

  constructor(path: string) {
    this.path = path
    this.#descriptor = openSync(path, 'r')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  sizeBytes(): number {
    return fstatSync(this.#descriptor).size
  }

  /** Bytes from `offset` on: fewer than `length` at the end of the file. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const count = readSync(this.#descriptor, bytes, read, length - read, offset + read)
      if (count === 0) break
      read += count
    }
    return bytes.subarray(0, read)
  }
}

/** Bytes to read or write at once. */
const PART = 2 ** 20
const ZEROS = Buffer.alloc(PART)

/** The store's file, open for plain writes. Only bytes that neither LMDB nor its readers use may be written. */
export class WritableFile extends StoreFile {
  readonly #writes: number

  constructor(path: string) {
    super(path)
    this.#writes = openSync(path, 'r+')
  }

  override close(): void {
    closeSync(this.#writes)
    super.close()
  }

  /** Writes zeros. */
  overwrite(offset: number, length: number): void {
    for (let at = 0; at < length;) {
      at += writeSync(this.#writes, ZEROS, 0, Math.min(PART, length - at), offset + at)
    }
  }

  /** Writes zeros where there are others. Holes of a sparse file stay holes. */
  clear(offset: number, length: number): void {
    for (let at = 0; at < length; at += PART) {
      const part = this.read(offset + at, Math.min(PART, length - at))
      if (!part.equals(ZEROS.subarray(0, part.length))) this.overwrite(offset + at, part.length)
    }
  }

  flush(): void {
    fsyncSync(this.#writes)
  }
}
