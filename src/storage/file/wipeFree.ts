/**
 * Overwrites free pages, which keep the bytes that they had when they were in use. LMDB would use these pages for the
 * next rows, by the same rule: no reader can see them, and they are in no snapshot to which a fault of the machine
 * could lead back.
 */
import type { Meta } from './metaPages.js'
import { readU64, type StoreFile } from './storeFile.js'
import { freeRuns, TreeWalks } from './treeWalk.js'
import { DamagedFileError } from '../tables/errors.js'
import type { WritableFile } from './writableFile.js'

export interface FreeStep {
  readonly meta: Meta
  /** Nobody sees the pages that this transaction or an earlier one let go. */
  readonly unseen: number
  /** Pages that a later transaction let go need not be overwritten. */
  readonly last: number
  /** First page of the step. */
  readonly from: number
  readonly maxPages: number
}

export interface FreeStepResult {
  /** The page to go on from; undefined at the end. */
  readonly next: number | undefined
  /** Free pages of the whole file that are to be overwritten, but that readers may still see. */
  readonly held: number
}

interface Run {
  readonly page: number
  readonly count: number
}

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
