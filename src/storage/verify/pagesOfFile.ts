/**
 * Checks the store's file page by page, without LMDB: the trees of pages, the free pages, and the seal of every row. A
 * fault found here may end a process that reads the store through LMDB.
 */
import { walkFile } from '../file/fileWalk.js'
import { TABLE_KEYS } from '../tables/tables.js'

/**
 * Reports each fault of the file at `path`. If other processes write to the store, the caller must hold a snapshot (see
 * `Store.holdSnapshot`). Otherwise pages change while they are read.
 */
export function checkPagesOfFile(path: string, report: (problem: string) => void): void {
  walkFile(path, {
    fault: (message) => report(`file: ${message}`),
    table: (name, rows) => {
      for (const { key, isSound } of rows)
        if (!isSound) report(`the row ${describeKey(name, key)} of the table ${name} is damaged`)
    },
  })
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
