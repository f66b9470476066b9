/**
 * The meta pages of a store's file, from which each snapshot begins. Transaction N writes meta page N mod 2, and the
 * newer one is valid. lmdb keeps a third one half a page behind the first, for the last state known to be on disk.
 *
 *     meta      0 magic u32   4 version u32   8 address u64   16 size of the map u64   24 tree of free pages, its pad
 *               is the size of a page   72 tree of tables   120 last page u64   128 transaction u64   136 boot u64
 */
import { META, PAGE_HEAD, readTree, readU64, type StoreFile, type TreeHead, treeFault } from './storeFile.js'

const MAGIC = 0xbeefc0de
const VERSION = 2
const META_BYTES = 144
const MIN_PAGE_BYTES = 256
const MAX_PAGE_BYTES = 65536
/** More than any machine can map. */
const MAX_MAP_BYTES = 2 ** 47
/** Keys of the tree of free pages are numbers. */
const INTEGER_KEYS = 0x08
/** lmdb sets this bit until the transaction is on the disk. The third meta page is the safe one meanwhile. */
const OVERLAPPING_SYNC = 0x1000

export interface Meta {
  readonly pageBytes: number
  readonly mapBytes: number
  readonly freePages: TreeHead
  readonly tables: TreeHead
  readonly lastPage: number
  readonly transaction: number
}

/** The newest snapshot, or the fault in a meta page. */
type MetaPages =
  | {
      readonly newest: Meta
      /** The last transaction that is known to be on the disk. */
      readonly synced: number
      readonly fault?: undefined
    }
  | { readonly newest?: undefined; readonly fault: string }

/** Reads and checks all meta pages. A fault may be temporary: another process may be writing a meta page. */
export function readMetaPages(file: StoreFile): MetaPages {
  const head = file.read(0, PAGE_HEAD + META_BYTES)
  if (head.length < PAGE_HEAD + META_BYTES) return { fault: `it ends after ${head.length} bytes` }
  if (head.readUInt32LE(PAGE_HEAD) !== MAGIC) return { fault: 'it does not begin as an LMDB file does' }
  const pageBytes = head.readUInt32LE(PAGE_HEAD + 24)
  const isPower = (pageBytes & (pageBytes - 1)) === 0
  if (!isPower || pageBytes < MIN_PAGE_BYTES || pageBytes > MAX_PAGE_BYTES) {
    return { fault: `its pages are said to have ${pageBytes} bytes` }
  }
  const both = file.read(0, 2 * pageBytes)
  if (both.length < 2 * pageBytes) return { fault: `it ends after ${both.length} bytes` }
  const metas: Meta[] = []
  for (const number of [0, 1]) {
    const at = number * pageBytes
    const fault = headFault(both, at, number) ?? metaFault(both, at + PAGE_HEAD, pageBytes, number)
    if (fault !== undefined) return { fault: `meta page ${number}: ${fault}` }
    metas.push(readMeta(both, at + PAGE_HEAD, pageBytes))
  }
  const half = PAGE_HEAD + pageBytes / 2
  const synced = readU64(both, half + 128)
  if (synced > 0) {
    const fault = metaFault(both, half, pageBytes, undefined)
    if (fault !== undefined) return { fault: `meta page 0, second half: ${fault}` }
  }
  const [first, second] = metas as [Meta, Meta]
  const [older, newest] = first.transaction > second.transaction ? [second, first] : [first, second]
  // A file never loses pages.
  if (newest.lastPage < older.lastPage) return { fault: `the last page is said to be ${newest.lastPage}` }
  const isOnDisk = (newest.freePages.flags & OVERLAPPING_SYNC) === 0
  return { newest, synced: isOnDisk ? newest.transaction : synced }
}

function headFault(bytes: Buffer, at: number, number: number): string | undefined {
  if (readU64(bytes, at) !== number) return `it is numbered ${readU64(bytes, at)}`
  if (bytes.readUInt16LE(at + 18) !== META) return 'it is not marked as one'
  if (bytes.readUInt32LE(at + PAGE_HEAD) !== MAGIC) return 'it does not begin as one does'
  const version = bytes.readUInt32LE(at + PAGE_HEAD + 4)
  return version === VERSION ? undefined : `its format is ${version}, lmdb's is ${VERSION}`
}

/** `number` is that of the page; undefined if any transaction may have written it. */
function metaFault(
  bytes: Buffer,
  at: number,
  pageBytes: number,
  number: number | undefined,
): string | undefined {
  const { freePages, tables, lastPage, mapBytes, transaction } = readMeta(bytes, at, pageBytes)
  if (bytes.readUInt32LE(at + 24) !== pageBytes) return 'it tells another size of pages'
  if (lastPage < 1 || lastPage * pageBytes > MAX_MAP_BYTES) return `the last page is said to be ${lastPage}`
  if (mapBytes > MAX_MAP_BYTES) return `the map is said to have ${mapBytes} bytes`
  const flags = freePages.flags & ~OVERLAPPING_SYNC
  if (flags !== INTEGER_KEYS || tables.flags !== 0) return 'its trees are marked as of another kind'
  if (number !== undefined && transaction > 0 && transaction % 2 !== number) {
    return `transaction ${transaction} does not write it`
  }
  return treeFault(freePages, lastPage) ?? treeFault(tables, lastPage)
}

function readMeta(bytes: Buffer, at: number, pageBytes: number): Meta {
  return {
    pageBytes,
    mapBytes: readU64(bytes, at + 16),
    freePages: readTree(bytes, at + 24),
    tables: readTree(bytes, at + 72),
    lastPage: readU64(bytes, at + 120),
    transaction: readU64(bytes, at + 128),
  }
}
