/** Checks a store's file before LMDB maps it. LMDB trusts its contents, so a damaged file can end the process. */
import { dirname } from 'node:path'
import { DamagedFileError } from '../tables/errors.js'
import { type Meta, readMetaPages } from './metaPages.js'
import {
  BRANCH,
  FIRST_PAGE,
  LEAF,
  PAGE_HEAD,
  readU64,
  StoreFile,
  type TreeHead,
  treeFault,
} from './storeFile.js'
import { freeRuns, tableTrees, TreeWalks } from './treeWalk.js'

/** Opening a store reads this table, which has a page or two. */
const OPENED_TABLE = 'meta'
/** Another process may be writing a meta page or making the file, which takes a moment. */
const TRIES = 50
const PAUSE_MS = 1

/**
 * Throws a DamagedFileError if opening the file at `path` could end the process. That is so if the file is empty or too
 * short. It is also so if a meta page, the list of tables, the table `meta` or the first page of another table is
 * damaged. Reads some 40 pages, whatever the size of the store.
 */
export function checkFile(path: string, { tries = TRIES }: { readonly tries?: number } = {}): void {
  const file = new StoreFile(path)
  try {
    let fault = findFault(file)
    for (let n = 1; n < tries && fault !== undefined; n++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      fault = findFault(file)
    }
    if (fault !== undefined) throw damaged(path, fault)
  } finally {
    file.close()
  }
}

/** The error message for an operator, with advice. */
function damaged(path: string, fault: string): DamagedFileError {
  return new DamagedFileError(
    `the store in ${dirname(path)} is damaged: ${fault}: restore the data folder from a backup, or import the dump ` +
      `into a new one`,
  )
}

function findFault(file: StoreFile): string | undefined {
  if (file.sizeBytes() === 0) return 'data.mdb is empty'
  const { newest, fault } = readMetaPages(file)
  if (newest === undefined) return `data.mdb: ${fault}`
  const fileFault = lengthFault(file, newest)
  if (fileFault !== undefined) return `data.mdb: ${fileFault}`
  const found = rootFault(file, newest, newest.freePages) ?? tablesFault(file, newest)
  return found && `data.mdb: ${found}`
}

/** The first fault in the list of tables or in the first page of a table. */
function tablesFault(file: StoreFile, meta: Meta): string | undefined {
  let fault: string | undefined
  const walks = new TreeWalks({ file, meta, report: (found) => (fault ??= found) })
  for (const { name, tree } of tableTrees(walks, meta)) {
    const found = kindFault(tree) ?? treeFault(tree, meta.lastPage) ?? rootFault(file, meta, tree)
    if (found !== undefined) fault ??= `table ${name}: ${found}`
    if (name === OPENED_TABLE) Array.from(walks.rows(name, tree))
  }
  return fault
}

/** The file may end before its last page if all missing pages are free. */
function lengthFault(file: StoreFile, meta: Meta): string | undefined {
  const { lastPage, pageBytes } = meta
  const size = file.sizeBytes()
  const wanted = (lastPage + 1) * pageBytes
  if (size >= wanted || isFreeBehind(file, meta, Math.floor(size / pageBytes))) return undefined
  return `it ends after ${size} bytes of ${wanted}`
}

function isFreeBehind(file: StoreFile, meta: Meta, firstMissing: number): boolean {
  let isSound = true
  const walks = new TreeWalks({ file, meta, report: () => (isSound = false) })
  let missing = meta.lastPage + 1 - Math.max(firstMissing, FIRST_PAGE)
  for (const { value } of walks.rows('free pages', meta.freePages)) {
    for (const { page, count } of freeRuns(value)) {
      missing -= Math.max(0, page + count - Math.max(page, firstMissing))
    }
  }
  return isSound && firstMissing >= FIRST_PAGE && missing === 0
}

/** LMDB orders the rows of a table by its flags, and does not find rows by other ones. No table here has any. */
const kindFault = ({ flags }: TreeHead): string | undefined =>
  flags === 0 ? undefined : `a tree is marked as of another kind, ${flags}`

function rootFault(file: StoreFile, { pageBytes }: Meta, { root, depth }: TreeHead): string | undefined {
  if (root === undefined) return undefined
  const head = file.read(root * pageBytes, PAGE_HEAD)
  if (head.length === PAGE_HEAD && readU64(head, 0) === root) {
    const kind = head.readUInt16LE(18)
    if (kind === (depth === 1 ? LEAF : BRANCH)) return undefined
  }
  return `page ${root} is not the first one of a tree`
}
