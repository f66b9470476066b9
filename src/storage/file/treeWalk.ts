/**
 * Walks the trees of pages in a store's file without LMDB. It reports damaged pages that LMDB would misread, or that
 * would end the process.
 *
 *     branch, leaf   24 places of the nodes, u16 each, counted from 24, in the order of their keys; nodes at the end
 *     node           0 low u16   2 high u16   4 flags u16   6 length of key u16   8 key   value
 *                    of a branch: low, high and flags are the page below
 *                    of a leaf: low and high are the length of the value
 *     large value    0 first overflow page u64   8 transaction u64   16 pages u64
 */
import {
  BRANCH,
  FIRST_PAGE,
  LEAF,
  OVERFLOW,
  PAGE_HEAD,
  readTree,
  readU64,
  type StoreFile,
  type TreeHead,
  treeFault,
} from './storeFile.js'
import type { Meta } from './metaPages.js'

export const NODE_HEAD = 8
export const BIG_VALUE = 0x01
const SUB_TREE = 0x02
const BIG_VALUE_BYTES = 24
const TREE_BYTES = 48
/** In the place of a large value that a walk does not read. */
export const NOT_READ = Buffer.alloc(0)

/** A row of a tree as it stands in the file. */
export interface RawRow {
  readonly key: Buffer
  /** NOT_READ in the place of a large value that the walk does not read. */
  readonly value: Buffer
  /** The value is the head of another tree. */
  readonly isTree: boolean
  /** LMDB looks for the key in another page: a branch above this one has a wrong key, or the key itself is damaged. */
  readonly isAstray: boolean
}

interface WalkOptions {
  readonly file: StoreFile
  readonly meta: Meta
  /**
   * Called with each fault. The walk then continues. `place` has the keys that LMDB looks for in the damaged page; it
   * is undefined for a fault outside of pages.
   */
  readonly report: (fault: string, place?: Place) => void
  /** Whether to read the pages of large values, where a fault harms only its own row. True by default. */
  readonly readsLargeValues?: boolean
}

/** Keys of a tree, with the name of the tree. */
export interface Place extends Bounds {
  readonly name: string
}

/** Numbers that the walk of a tree has counted. */
interface Found {
  branchPages: number
  leafPages: number
  overflowPages: number
  rows: number
}

/** Bounds for the keys of a page: `from` is included, `to` is not. */
export interface Bounds {
  readonly from: Buffer | undefined
  readonly to: Buffer | undefined
}

/** Walks of one snapshot, which share a record of the pages in use. */
export class TreeWalks {
  readonly #file: StoreFile
  readonly #meta: Meta
  readonly #report: WalkOptions['report']
  readonly readsLargeValues: boolean
  readonly #fileBytes: number
  /** One bit for each page in the file. The file may end before its last pages if these are free. */
  readonly #seen: Uint8Array
  readonly #seenPages: number

  constructor({ file, meta, report, readsLargeValues = true }: WalkOptions) {
    this.readsLargeValues = readsLargeValues
    this.#file = file
    this.#meta = meta
    this.#report = report
    this.#fileBytes = file.sizeBytes()
    this.#seenPages = Math.min(meta.lastPage + 1, Math.ceil(this.#fileBytes / meta.pageBytes))
    this.#seen = new Uint8Array(Math.ceil(this.#seenPages / 8))
  }

  /** The rows of a tree in their order, as far as they can be reached. `name` names the tree in faults. */
  *rows(name: string, tree: TreeHead): Generator<RawRow> {
    const fault = treeFault(tree, this.#meta.lastPage)
    if (fault !== undefined) return this.#report(`${name}: ${fault}`)
    if (tree.root === undefined) return
    const found: Found = { branchPages: 0, leafPages: 0, overflowPages: 0, rows: 0 }
    const walk = new TreeWalk(this, this.#meta, name, tree, found)
    yield* walk.page(tree.root, 1, { from: undefined, to: undefined })
    for (const figure of ['branchPages', 'leafPages', 'overflowPages', 'rows'] as const) {
      if (tree[figure] !== found[figure])
        this.#report(`${name}: ${figure} says ${tree[figure]}, found ${found[figure]}`)
    }
  }

  /** Checks that free pages are in range, free only once, and not in use. Call it after all other trees were walked. */
  checkFreePages(): void {
    for (const { key, value } of this.rows('free pages', this.#meta.freePages)) {
      if (key.length !== 8 || readU64(key, 0) > this.#meta.transaction) {
        this.#report(`free pages: key ${key.toString('hex')} is no transaction`)
      }
      for (const { page, count } of freeRuns(value)) {
        if (!this.take(page, count))
          this.#report(`free pages: ${describeRun(page, count)} is in use or outside`)
      }
    }
  }

  /** Marks pages as used; false if one of them is outside of the file or already used. */
  take(page: number, count: number): boolean {
    if (page < FIRST_PAGE || count < 1 || page + count - 1 > this.#meta.lastPage) return false
    const end = Math.min(page + count, this.#seenPages)
    for (let n = page; n < end; n++) if ((this.#seen[n >>> 3]! & (1 << (n & 7))) !== 0) return false
    for (let n = page; n < end; n++) this.#seen[n >>> 3]! |= 1 << (n & 7)
    return true
  }

  /** Reads pages. Returns an empty buffer if the file does not contain all of them. */
  read(page: number, count: number): Buffer {
    const { pageBytes } = this.#meta
    if ((page + count) * pageBytes > this.#fileBytes) return Buffer.alloc(0)
    return this.#file.read(page * pageBytes, count * pageBytes)
  }

  report(fault: string, place?: Place): void {
    this.#report(fault, place)
  }
}

const describeRun = (page: number, count: number): string =>
  count === 1 ? `page ${page}` : `pages ${page} to ${page + count - 1}`

/**
 * The free pages in a row. The first number counts the numbers that follow. Each of these is a page, or a negative
 * count of pages followed by the first of them.
 */
export function* freeRuns(value: Buffer): Generator<{ page: number; count: number }> {
  if (value.length < 8) return
  const end = Math.min(Math.floor(value.length / 8) - 1, readU64(value, 0))
  for (let n = 1; n <= end; n++) {
    const entry = Number(value.readBigInt64LE(8 * n))
    if (entry > 0) yield { page: entry, count: 1 }
    else if (entry < 0 && n < end) yield { page: readU64(value, 8 * ++n), count: -entry }
  }
}

class TreeWalk {
  readonly #walks: TreeWalks
  readonly #meta: Meta
  readonly #name: string
  readonly #tree: TreeHead
  readonly #found: Found
  readonly #compare: (a: Buffer, b: Buffer) => number

  constructor(walks: TreeWalks, meta: Meta, name: string, tree: TreeHead, found: Found) {
    this.#walks = walks
    this.#meta = meta
    this.#name = name
    this.#tree = tree
    this.#found = found
    this.#compare = tree === meta.freePages ? compareNumbers : (a, b) => Buffer.compare(a, b)
  }

  #report(fault: string, { from, to }: Bounds): void {
    this.#walks.report(`${this.#name}: ${fault}`, { name: this.#name, from, to })
  }

  *page(number: number, depth: number, bounds: Bounds): Generator<RawRow> {
    if (!this.#walks.take(number, 1))
      return this.#report(`page ${number} is used twice or outside of the file`, bounds)
    const bytes = this.#walks.read(number, 1)
    const isLeaf = depth === this.#tree.depth
    const fault = this.#headFault(bytes, number, isLeaf ? LEAF : BRANCH)
    if (fault !== undefined) return this.#report(`page ${number}: ${fault}`, bounds)
    const nodes = this.#nodes(bytes, number, { isLeaf, bounds })
    if (nodes === undefined) return
    if (isLeaf) {
      this.#found.leafPages++
      yield* this.#leaf(bytes, number, nodes, bounds)
    } else {
      this.#found.branchPages++
      yield* this.#branch(bytes, number, nodes, depth, bounds)
    }
  }

  #headFault(bytes: Buffer, number: number, kind: number): string | undefined {
    if (bytes.length < this.#meta.pageBytes) return 'it is behind the end of the file'
    if (readU64(bytes, 0) !== number) return `it is numbered ${readU64(bytes, 0)}`
    if (readU64(bytes, 8) > this.#meta.transaction) return `it is of transaction ${readU64(bytes, 8)}`
    const flags = bytes.readUInt16LE(18)
    return flags === kind ? undefined : `it is marked as ${flags}, not as ${kind}`
  }

  /** The starts of the nodes of a page in the order of their keys; undefined if the page is damaged. */
  #nodes(
    bytes: Buffer,
    number: number,
    { isLeaf, bounds }: { readonly isLeaf: boolean; readonly bounds: Bounds },
  ): number[] | undefined {
    const { pageBytes } = this.#meta
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    const room = pageBytes - PAGE_HEAD
    if (lower % 2 !== 0 || lower > upper || upper > room) {
      this.#report(`page ${number}: its free room is said to be from ${lower} to ${upper}`, bounds)
      return undefined
    }
    const nodes: number[] = []
    let used = 0
    for (let at = PAGE_HEAD; at < PAGE_HEAD + lower; at += 2) {
      const place = bytes.readUInt16LE(at)
      const start = PAGE_HEAD + place
      const size = place < upper || place > room - NODE_HEAD ? undefined : nodeBytes(bytes, start, isLeaf)
      if (size === undefined || place % 2 !== 0 || start + size > pageBytes) {
        this.#report(`page ${number}: a node at ${place} reaches out of its nodes`, bounds)
        return undefined
      }
      nodes.push(start)
      used += size + (size % 2)
    }
    if (used === room - upper && nodes.length > 0) return nodes
    this.#report(
      `page ${number}: ${nodes.length} nodes of ${used} bytes, where there are ${room - upper}`,
      bounds,
    )
    return undefined
  }

  *#branch(
    bytes: Buffer,
    number: number,
    nodes: readonly number[],
    depth: number,
    bounds: Bounds,
  ): Generator<RawRow> {
    // LMDB ignores the first key of a branch.
    const keys = nodes.map((start, n) => (n === 0 ? bounds.from : keyOf(bytes, start)))
    if (!this.#isRising(keys, bounds)) this.#report(`page ${number}: its keys are out of order`, bounds)
    for (const [n, start] of nodes.entries()) {
      const below = bytes.readUInt32LE(start) + bytes.readUInt16LE(start + 4) * 2 ** 32
      yield* this.page(below, depth + 1, { from: keys[n], to: keys[n + 1] ?? bounds.to })
    }
  }

  *#leaf(bytes: Buffer, number: number, nodes: readonly number[], bounds: Bounds): Generator<RawRow> {
    const keys = nodes.map((start) => keyOf(bytes, start))
    const isRising = this.#isRising(keys, bounds)
    if (!isRising) this.#report(`page ${number}: its keys are out of order`, bounds)
    for (const [n, start] of nodes.entries()) {
      const key = keys[n]!
      const isAstray = !isRising && !this.#isWithin(key, bounds)
      const flags = bytes.readUInt16LE(start + 4)
      this.#found.rows++
      if ((flags & ~(BIG_VALUE | SUB_TREE)) !== 0 || flags === (BIG_VALUE | SUB_TREE)) {
        this.#report(`page ${number}: row ${n} is marked as ${flags}`, bounds)
        continue
      }
      const length = bytes.readUInt32LE(start)
      const at = start + NODE_HEAD + key.length
      if (flags === BIG_VALUE) {
        const value = this.#bigValue(bytes, at, length)
        if (value === undefined) this.#report(`page ${number}: the pages of row ${n} cannot be told`, bounds)
        else yield { key, value, isTree: false, isAstray }
      } else if (flags === SUB_TREE && length !== TREE_BYTES) {
        this.#report(`page ${number}: row ${n} is no tree`, bounds)
      } else yield { key, value: bytes.subarray(at, at + length), isTree: flags === SUB_TREE, isAstray }
    }
  }

  #bigValue(bytes: Buffer, at: number, length: number): Buffer | undefined {
    const { pageBytes, transaction } = this.#meta
    const [first, ofTransaction, count] = [
      readU64(bytes, at),
      readU64(bytes, at + 8),
      readU64(bytes, at + 16),
    ]
    if (count !== Math.floor((PAGE_HEAD - 1 + length) / pageBytes) + 1) return undefined
    if (ofTransaction > transaction || !this.#walks.take(first, count)) return undefined
    if (!this.#walks.readsLargeValues) {
      this.#found.overflowPages += count
      return NOT_READ
    }
    const pages = this.#walks.read(first, count)
    if (pages.length < PAGE_HEAD + length || readU64(pages, 0) !== first) return undefined
    if (pages.readUInt16LE(18) !== OVERFLOW || pages.readUInt32LE(20) !== count) return undefined
    this.#found.overflowPages += count
    return pages.subarray(PAGE_HEAD, PAGE_HEAD + length)
  }

  /** Tells if the keys rise, and stay within the bounds. */
  #isRising(keys: readonly (Buffer | undefined)[], bounds: Bounds): boolean {
    let before: Buffer | undefined
    for (const key of keys) {
      if (key !== undefined && before !== undefined && this.#compare(before, key) >= 0) return false
      before = key ?? before
    }
    return this.#isWithin(keys[0], bounds) && this.#isWithin(keys.at(-1), bounds)
  }

  #isWithin(key: Buffer | undefined, { from, to }: Bounds): boolean {
    if (key === undefined) return true
    if (from !== undefined && this.#compare(key, from) < 0) return false
    return to === undefined || this.#compare(key, to) < 0
  }
}

/** Size of a node in bytes: its head, its key, and its value or the place of a large value. */
function nodeBytes(bytes: Buffer, start: number, isLeaf: boolean): number {
  const keyBytes = bytes.readUInt16LE(start + 6)
  if (!isLeaf) return NODE_HEAD + keyBytes
  const isBig = (bytes.readUInt16LE(start + 4) & BIG_VALUE) !== 0
  return NODE_HEAD + keyBytes + (isBig ? BIG_VALUE_BYTES : bytes.readUInt32LE(start))
}

export function keyOf(bytes: Buffer, start: number): Buffer {
  const from = start + NODE_HEAD
  return bytes.subarray(from, from + bytes.readUInt16LE(start + 6))
}

const compareNumbers = (a: Buffer, b: Buffer): number =>
  a.length === 8 && b.length === 8 ? readU64(a, 0) - readU64(b, 0) : a.length - b.length

/** The tables of a snapshot by name, in their order. */
export function* tableTrees(walks: TreeWalks, meta: Meta): Generator<{ name: string; tree: TreeHead }> {
  for (const { key, value, isTree } of walks.rows('tables', meta.tables)) {
    // lmdb ends names with a zero.
    const name = key.toString().replace(/\0$/, '')
    if (isTree) yield { name, tree: readTree(value, 0) }
    else walks.report(`tables: "${name}" is no table`)
  }
}
