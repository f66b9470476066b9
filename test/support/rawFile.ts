/** The bytes of a data folder as they lie in its files, looked at without LMDB. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { decodeEntry } from '../../src/storage/entries/entries.js'
import { readMetaPages } from '../../src/storage/file/metaPages.js'
import { PAGE_HEAD, readU64, StoreFile } from '../../src/storage/file/storeFile.js'
import { SEAL_BYTES } from '../../src/storage/rows/seal.js'
import { freeRuns, tableTrees, TreeWalks } from '../../src/storage/file/treeWalk.js'

/** Every file below a folder. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/**
 * The words that occur somewhere in a data folder: in the bytes or the name of a file, as UTF-8, in JSON's escapes or as
 * UTF-16; or in bytes that a row of the store has packed.
 */
export function wordsIn(dataDir: string, words: readonly string[]): string[] {
  const found = new Set<string>()
  const forms = words.flatMap((word) => formsOf(word).map((form) => ({ word, form })))
  const look = (bytes: Buffer): void => {
    for (const { word, form } of forms) if (!found.has(word) && bytes.includes(form)) found.add(word)
  }
  for (const file of listFiles(dataDir)) {
    look(Buffer.from(file))
    look(readFileSync(file))
  }
  for (const { table, value } of rowsOf(join(dataDir, 'store/data.mdb'))) unpacked(table, value).forEach(look)
  return words.filter((word) => found.has(word))
}

function formsOf(word: string): Buffer[] {
  const big = Buffer.from(word, 'utf16le').swap16()
  return [
    Buffer.from(word),
    Buffer.from(JSON.stringify(word).slice(1, -1)),
    Buffer.from(word, 'utf16le'),
    big,
  ]
}

/** All rows of a store's newest snapshot, with their seals. */
export function* rowsOf(file: string): Generator<{ table: string; key: Buffer; value: Buffer }> {
  const opened = new StoreFile(file)
  try {
    const meta = readMetaPages(opened).newest!
    const report = (fault: string): never => {
      throw new Error(fault)
    }
    const walks = new TreeWalks({ file: opened, meta, report })
    for (const { name, tree } of [...tableTrees(walks, meta)])
      for (const { key, value } of walks.rows(name, tree)) yield { table: name, key, value }
  } finally {
    opened.close()
  }
}

/** What a row has packed. Deltas have their words as they are. */
function unpacked(table: string, value: Buffer): Buffer[] {
  const row = value.subarray(0, -SEAL_BYTES)
  if (table === 'text') return row[0] === 1 ? [inflateRawSync(row.subarray(2))] : []
  if (table === 'htmlOrigin') return [inflateRawSync(row.subarray(4 + row.readUInt32BE(0) * 9))]
  if (table === 'importedHtml') return [inflateRawSync(row.subarray(28 + row.readUInt32BE(24) * 8))]
  return table === 'log' ? [Buffer.from(JSON.stringify(decodeEntry(row)))] : []
}

/** The bytes of a store's file that no row has and that are not zero, by their kind. */
export function leftovers(file: string): { slack: number; free: number; behind: number; unknown: number } {
  const bytes = readFileSync(file)
  const opened = new StoreFile(file)
  try {
    const meta = readMetaPages(opened).newest!
    const { pageBytes, lastPage } = meta
    const count = (from: number, to: number): number => {
      let sum = 0
      for (let at = from; at < to; at++) if (bytes[at] !== 0) sum++
      return sum
    }
    const left = { slack: 0, free: 0, behind: count((lastPage + 1) * pageBytes, bytes.length), unknown: 0 }
    const free = new Set<number>()
    const report = (fault: string): never => {
      throw new Error(fault)
    }
    for (const { value } of new TreeWalks({ file: opened, meta, report }).rows('free', meta.freePages))
      for (const run of freeRuns(value)) for (let n = 0; n < run.count; n++) free.add(run.page + n)
    for (let page = 2; page <= lastPage; page++) {
      const at = page * pageBytes
      if (free.has(page)) left.free += count(at, at + pageBytes)
      else if (readU64(bytes, at) !== page) left.unknown++
      else if (bytes.readUInt16LE(at + 18) === 4) page += bytes.readUInt32LE(at + 20) - 1
      else
        left.slack += count(
          at + PAGE_HEAD + bytes.readUInt16LE(at + 20),
          at + PAGE_HEAD + bytes.readUInt16LE(at + 22),
        )
    }
    return left
  } finally {
    opened.close()
  }
}
