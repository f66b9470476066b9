/**
 * Makes stores of older formats out of stores of today. Format 3: the log's chain is over the entries themselves. Format
 * 2: also without seals, marks of local revisions, times of hiding, and with one index.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { open, type Key } from 'lmdb'
import { LOG_START } from '../../src/storage/meta.js'
import { decodePageRow, encodePageRow } from '../../src/storage/rows/rows.js'
import { hashBytes, SEAL_BYTES, sealed, tableHash } from '../../src/storage/rows/seal.js'
import { TABLE_KEYS } from '../../src/storage/tables.js'
import { changeRows } from './damage.js'

/** Of the flags at this place of a history row. */
const FLAGS_AT = 12
const MADE_HERE = 128
/** Format 2 has one set of index tables, and nothing but these says which encoder made it. */
const SECOND_INDEX = /B$/

/** Turns the closed store of a folder into one of format 3. */
export async function makeFormat3(dataDir: string): Promise<void> {
  let { sequence, digest } = LOG_START
  await changeRows(dataDir, 'log', ({ rows }) => {
    for (const { value } of rows) {
      sequence++
      digest = createHash('sha256').update(digest).update(value.subarray(0, -SEAL_BYTES)).digest('hex')
    }
  })
  await changeRows(dataDir, 'meta', ({ put }) => {
    for (const [name, value] of [
      ['format', 3],
      ['position', { sequence, digest }],
    ] as const) {
      const key = Buffer.from(name)
      put(key, sealed(hashBytes(tableHash('meta'), key, 0, key.length), Buffer.from(JSON.stringify(value))))
    }
  })
}

/** Turns the closed store of a folder into one of format 2, row by row. */
export async function makeFormat2(dataDir: string): Promise<void> {
  await makeFormat3(dataDir)
  const root = open({ path: join(dataDir, 'store'), maxDbs: 64, maxReaders: 1024 })
  try {
    for (const name of Object.keys(TABLE_KEYS)) {
      const table = root.openDB<Buffer, Key>(name, { encoding: 'binary', keyEncoding: 'binary' })
      const rows = Array.from(table.getRange({}), ({ key, value }) => ({
        key: Buffer.from(key as Buffer),
        value: Buffer.from(value),
      }))
      root.transactionSync(() => {
        if (SECOND_INDEX.test(name)) table.clearSync()
        else for (const { key, value } of rows) table.putSync(key, rowOf(name, key, value))
      })
    }
  } finally {
    await root.close()
  }
}

function rowOf(table: string, key: Buffer, sealed: Buffer): Buffer {
  const row = sealed.subarray(0, sealed.length - SEAL_BYTES)
  if (table === 'history') row[FLAGS_AT]! &= ~MADE_HERE
  if (table === 'page') return encodePageRow({ ...decodePageRow(row), hidingTime: 0 })
  if (table !== 'meta') return row
  if (key.toString() === 'format') return Buffer.from('2')
  if (key.toString() !== 'index') return row
  const { encoder } = JSON.parse(row.toString()) as { encoder: number }
  return Buffer.from(JSON.stringify({ encoder, rebuilding: false }))
}
