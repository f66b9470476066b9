/**
 * Checks the store's file page by page, without LMDB: the trees of pages, the free pages, and the seal of every row. A
 * fault found here may end a process that reads the store through LMDB.
 */
import { readMetaPages } from '../file/metaPages.js'
import { StoreFile } from '../file/storeFile.js'
import { tableTrees, TreeWalks } from '../file/treeWalk.js'
import { hashBytes, tableHash, unsealed } from '../rows/seal.js'
import { TABLE_KEYS } from '../tables.js'

/**
 * Reports each fault of the file at `path`. If other processes write to the store, the caller must hold a snapshot (see
 * `Store.holdSnapshot`). Otherwise pages change while they are read.
 */
export function checkPagesOfFile(path: string, report: (problem: string) => void): void {
  const file = new StoreFile(path)
  try {
    const { newest: meta, fault } = readMetaPages(file)
    if (meta === undefined) return report(`file: ${fault}`)
    const walks = new TreeWalks({ file, meta, report: (found) => report(`file: ${found}`) })
    for (const { name, tree } of [...tableTrees(walks, meta)]) {
      const ofTable = tableHash(name)
      for (const { key, value } of walks.rows(name, tree)) {
        if (unsealed(hashBytes(ofTable, key, 0, key.length), value) === undefined)
          report(`the row ${describeKey(name, key)} of the table ${name} is damaged`)
      }
    }
    walks.checkFreePages()
  } finally {
    file.close()
  }
}

/** A key as its table decodes it; its bytes in hex if it cannot be decoded. */
function describeKey(name: string, key: Buffer): string {
  try {
    const codec = TABLE_KEYS[name as keyof typeof TABLE_KEYS]
    return JSON.stringify(codec.readKey(key, 0, key.length))
  } catch {
    return key.toString('hex')
  }
}
