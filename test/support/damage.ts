/** Damage to stores that are closed: rows as LMDB has them, past the code that seals them. */
import { join } from 'node:path'
import { open } from 'lmdb'

export interface RawTable {
  readonly rows: readonly { readonly key: Buffer; readonly value: Buffer }[]
  readonly put: (key: Buffer, value: Buffer) => void
  readonly remove: (key: Buffer) => void
}

/** Lets `change` at the bytes of a table. */
export async function changeRows(
  dataDir: string,
  table: string,
  change: (table: RawTable) => void,
): Promise<void> {
  const root = open({ path: join(dataDir, 'store'), maxDbs: 64, maxReaders: 1024 })
  const database = root.openDB<Buffer, Buffer>(table, { encoding: 'binary', keyEncoding: 'binary' })
  try {
    const rows = [...database.getRange({ start: undefined as never })].map(({ key, value }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
    }))
    change({
      rows,
      put: (key, value) => void database.putSync(key, value),
      remove: (key) => void database.removeSync(key),
    })
  } finally {
    await root.close()
  }
}

/** Turns a bit of some bytes, counted from the first byte's lowest. */
export function flipBit(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped[bit >> 3]! ^= 1 << (bit & 7)
  return flipped
}
