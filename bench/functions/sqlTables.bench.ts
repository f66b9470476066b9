/** Reading SQL tables: the cost of a megabyte, with and without gzip. 1,000,000 µs for a call would be 1 MB/s. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { type RowTaker, SqlScanner } from '../../src/dump/sql/sqlScanner.js'
import { type FunctionTask, measureFunctions } from '../support/functionBench.js'
import { readOptions } from '../support/options.js'

const MEGABYTE = 1_000_000
const PIECE_BYTES = 128 * 1024
const CODES = ['ar', 'bg', 'cy', 'de', 'el', 'es', 'fr', 'gd', 'ja', 'ru', 'zh']
const TITLES = ['Haus', 'Σπίτι', '家', 'Дом (здание)', 'Maison individuelle', "L'eau", 'Taigh']

const table = langlinks()
const packed = gzipSync(table)

const tasks: FunctionTask[] = [
  { name: 'SqlScanner(1 MB of langlinks)', calls: 1, run: () => scan(table) },
  { name: 'gunzip and SqlScanner(1 MB of langlinks)', calls: 1, run: () => scan(gunzipSync(packed)) },
  { name: 'SqlScanner(1 MB of a table to skip)', calls: 1, run: () => scan(table, false) },
]
measureFunctions('sqlTables', tasks, readOptions())

function scan(bytes: Buffer, isWanted = true): number {
  let sum = 0
  const taker: RowTaker = {
    columnsOf: () =>
      isWanted
        ? [
            { name: 'll_from', kind: 'number' },
            { name: 'll_lang', kind: 'name' },
            { name: 'll_title', kind: 'text' },
          ]
        : undefined,
    usualColumns: () => undefined,
    takeRow: (_table, values) => (sum += Number(values[0]) + String(values[2]).length),
  }
  const scanner = new SqlScanner(taker)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) scanner.write(bytes.subarray(at, at + PIECE_BYTES))
  scanner.end()
  return sum
}

/** One megabyte in one statement. */
function langlinks(): Buffer {
  const rows: string[] = []
  let length = 0
  for (let page = 1; length < MEGABYTE; page++) {
    const row = `(${page},'${CODES[page % CODES.length]}','${TITLES[page % TITLES.length]!.replace("'", "\\'")} ${page}')`
    rows.push(row)
    length += Buffer.byteLength(row) + 1
  }
  const columns = '`ll_from` int, `ll_lang` varbinary(20), `ll_title` varbinary(255)'
  return Buffer.from(
    `CREATE TABLE \`langlinks\` (${columns});\nINSERT INTO \`langlinks\` VALUES ${rows.join(',')};\n`,
  )
}
