/** Overwrites old bytes in the store's file: unused room within the pages of tables, and free pages. */
import { DamagedFileError } from '../tables/errors.js'
import {
  BRANCH,
  LEAF,
  MAX_DEPTH,
  PAGE_HEAD,
  readU64,
  type StoreFile,
  type TreeHead,
  type WritableFile,
} from './storeFile.js'
import { BIG_VALUE, freeRuns, keyOf, NODE_HEAD, TreeWalks } from './treeWalk.js'
import type { Meta } from './metaPages.js'

interface SlackStep {
  readonly tree: TreeHead
  readonly pageBytes: number
  /** The pages of smaller keys are passed over. */
  readonly from: Buffer | undefined
  /** Leaves and large values to look at. A leaf is finished, so it may be a few more. */
  readonly maxPages: number
}

/**
 * Overwrites the unused room in some leaves and large values. LMDB removes a row by moving others over it, so the room
 * between the places and the nodes of a page keeps old bytes. The end of a large value's last page may, too.
 *
 * Nobody reads that room: neither LMDB nor readers of older snapshots. A plain write of it leaves all other bytes as
 * they are, also when the machine stops in the middle.
 *
 * Returns the key to go on from; undefined at the end of the tree.
 */
export function wipeSlack(file: WritableFile, step: SlackStep): Buffer | undefined {
  return new SlackWalk(file, step).run()
}

class SlackWalk {
  readonly #file: WritableFile
  readonly #step: SlackStep
  #left: number

  constructor(file: WritableFile, step: SlackStep) {
    this.#file = file
    this.#step = step
    this.#left = step.maxPages
  }

  run(): Buffer | undefined {
    const { root } = this.#step.tree
    return root === undefined ? undefined : this.#page(root, 1, undefined)
  }

  /** `low` is the smallest key that the page may have. Returns the low key of the first page that was left out. */
  #page(number: number, depth: number, low: Buffer | undefined): Buffer | undefined {
    const isLeaf = depth === this.#step.tree.depth
    if (isLeaf && this.#left-- <= 0) return low
    const bytes = this.#read(number, isLeaf, depth)
    const starts = this.#clear(number, bytes)
    return isLeaf ? this.#leaf(bytes, starts) : this.#branch(bytes, starts, depth, low)
  }

  #branch(
    bytes: Buffer,
    starts: readonly number[],
    depth: number,
    low: Buffer | undefined,
  ): Buffer | undefined {
    const { from } = this.#step
    for (const [n, start] of starts.entries()) {
      const next = starts[n + 1]
      const isDone = from !== undefined && next !== undefined && Buffer.compare(keyOf(bytes, next), from) <= 0
      if (isDone) continue
      const below = bytes.readUInt32LE(start) + bytes.readUInt16LE(start + 4) * 2 ** 32
      // LMDB ignores the first key of a branch.
      const rest = this.#page(below, depth + 1, n === 0 ? low : keyOf(bytes, start))
      if (rest !== undefined) return rest
    }
    return undefined
  }

  #leaf(bytes: Buffer, starts: readonly number[]): undefined {
    const { pageBytes } = this.#step
    for (const start of starts) {
      if ((bytes.readUInt16LE(start + 4) & BIG_VALUE) === 0) continue
      this.#left--
      const at = start + NODE_HEAD + bytes.readUInt16LE(start + 6)
      const [first, count] = [readU64(bytes, at), readU64(bytes, at + 16)]
      const end = PAGE_HEAD + bytes.readUInt32LE(start)
      if (end > count * pageBytes) throw damaged(first)
      this.#file.clear(first * pageBytes + end, count * pageBytes - end)
    }
  }

  #read(number: number, isLeaf: boolean, depth: number): Buffer {
    const { pageBytes } = this.#step
    const bytes = this.#file.read(number * pageBytes, pageBytes)
    const isSound =
      bytes.length === pageBytes &&
      depth <= MAX_DEPTH &&
      readU64(bytes, 0) === number &&
      bytes.readUInt16LE(18) === (isLeaf ? LEAF : BRANCH)
    if (!isSound) throw damaged(number)
    return bytes
  }

  /** Overwrites the room of a page. Returns the starts of its nodes. */
  #clear(number: number, bytes: Buffer): number[] {
    const { pageBytes } = this.#step
    const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    if (lower > upper || upper > pageBytes - PAGE_HEAD || lower % 2 !== 0) throw damaged(number)
    const room = bytes.subarray(PAGE_HEAD + lower, PAGE_HEAD + upper)
    if (!isEmpty(room)) this.#file.overwrite(number * pageBytes + PAGE_HEAD + lower, room.length)
    return Array.from({ length: lower / 2 }, (_, n) => PAGE_HEAD + bytes.readUInt16LE(PAGE_HEAD + 2 * n))
  }
}

const ZEROS = Buffer.alloc(65_536)
const isEmpty = (bytes: Buffer): boolean => bytes.equals(ZEROS.subarray(0, bytes.length))

const damaged = (page: number): DamagedFileError =>
  new DamagedFileError(
    `page ${page} of the store is damaged, so nothing more is overwritten: run "palimpsest verify"`,
  )

interface FreeStep {
  readonly meta: Meta
  /** Nobody sees the pages that this transaction or an earlier one let go. */
  readonly unseen: number
  /** Pages that a later transaction let go need not be overwritten. */
  readonly last: number
  /** First page of the step. */
  readonly from: number
  readonly maxPages: number
}

interface FreeStepResult {
  /** The page to go on from; undefined at the end. */
  readonly next: number | undefined
  /** Free pages of the whole file that are to be overwritten, but that readers may still see. */
  readonly held: number
}

interface Run {
  readonly page: number
  readonly count: number
}

/**
 * Overwrites some free pages, which keep the bytes that they had when they were in use. LMDB would use these pages for
 * the next rows, by the same rule: no reader can see them, and they are in no snapshot to which a fault of the machine
 * could lead back.
 */
export function wipeFree(file: WritableFile, step: FreeStep): FreeStepResult {
  const { meta, from, maxPages } = step
  const { free, held } = freePages(file, step)
  const end = Math.ceil(file.sizeBytes() / meta.pageBytes)
  // Pages behind the last one: a transaction that failed may have written them.
  if (end > meta.lastPage + 1) free.push({ page: meta.lastPage + 1, count: end - meta.lastPage - 1 })
  free.sort((a, b) => a.page - b.page)
  let left = maxPages
  for (const run of free) {
    const page = Math.max(run.page, from)
    const count = Math.min(run.page + run.count - page, left)
    if (count <= 0) continue
    file.clear(page * meta.pageBytes, count * meta.pageBytes)
    left -= count
    if (left === 0) return { next: page + count, held }
  }
  return { next: undefined, held }
}

function freePages(file: StoreFile, { meta, unseen, last }: FreeStep): { free: Run[]; held: number } {
  const report = (fault: string): never => {
    throw new DamagedFileError(`${fault}, so nothing more is overwritten: run "palimpsest verify"`)
  }
  const free: Run[] = []
  let held = 0
  for (const { key, value } of new TreeWalks({ file, meta, report }).rows('free pages', meta.freePages)) {
    for (const run of freeRuns(value)) {
      const transaction = readU64(key, 0)
      if (transaction <= unseen) free.push(run)
      else if (transaction <= last) held += run.count
    }
  }
  return { free, held }
}
