/**
 * Imports of SQL tables: megabytes of SQL for a second of processor time of the whole process, and its memory.
 *
 *     node bench/results/build/bench/sqlImport.bench.js [--rounds N]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDump } from '../src/dump/openDump.js'
import { readTables, recognise } from '../src/dump/sql/readTables.js'
import type { RowTaker } from '../src/dump/sql/sqlScanner.js'
import { DumpWriter } from '../src/import/dumpWriter.js'
import { TableImport } from '../src/import/tables/importTables.js'
import { TABLE_KINDS } from '../src/import/tables/tableKinds.js'
import { Applier } from '../src/storage/apply/applier.js'
import { Store } from '../src/storage/store.js'
import { readOptions } from './support/options.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { summarise } from './support/statistics.js'
import { formatNumber, printTable } from './support/table.js'

const PAGES = 100_000
const MB = 1e6
const FILE_MB = 60
const ROUNDS = 3
const CODES = 'ar bg ca cs cy da de el es fi fr gd hu it ja nl pl ru zh'.split(' ')
const TITLES = ['Haus', 'Σπίτι', '家', 'Дом (здание)', 'Maison individuelle', "L\\'eau", 'Taigh']
const METADATA = `{${'\\"Model\\":\\"a camera\\",'.repeat(20)}}`

interface BenchFile {
  readonly name: string
  readonly table: 'langlinks' | 'image'
  /** A row by its number from 0. */
  readonly row: (n: number) => string
}

const link = (page: number, code: number, n: number): string =>
  `(${(page % PAGES) + 1},'${CODES[code % CODES.length]}','${TITLES[n % TITLES.length]} ${n}')`

const FILES: readonly BenchFile[] = [
  // In the order of pages, as mysqldump writes the table.
  { name: 'langlinks', table: 'langlinks', row: (n) => link(Math.floor(n / CODES.length), n, n) },
  // Rows of a page stand far apart, as in old dumps.
  { name: 'langlinks-scattered', table: 'langlinks', row: (n) => link(n, Math.floor(n / PAGES), n) },
  { name: 'image', table: 'image', row: imageRow },
]

function imageRow(n: number): string {
  return (
    `('File_${String(n).padStart(9, '0')}.jpg',${1000 + n},1200,800,'${METADATA}',8,'BITMAP','image','jpeg',` +
    `${n},${n},'20200101000000','${n.toString(36).padStart(31, '0')}')`
  )
}

interface Sample {
  readonly task: string
  readonly megabytesPerSecond: number
  readonly rowsPerSecond: number
  readonly residentBytes: number
}

const rounds = readOptions().rounds ?? ROUNDS
const sandbox = new Sandbox()
const folder = sandbox.folder('sql')
const store = Store.open(join(folder, 'data'), { create: true })
const samples: Sample[] = []
try {
  writePages()
  const files = FILES.map((file) => ({ ...file, ...writeTable(file) }))
  for (let round = 1; round <= rounds; round++) {
    for (const { name, table, bytes, rows } of files) {
      for (const ending of ['sql', 'sql.gz']) {
        const path = join(folder, `${name}.${ending}`)
        await measure(`read ${name}.${ending}`, { bytes, rows }, () => readFile(path))
      }
      await measure(`import ${name}.sql`, { bytes, rows }, () => importFile(join(folder, `${name}.sql`)))
      // The next round imports all rows again.
      await importFile(emptyTable(table))
    }
  }
  report()
} finally {
  await store.close()
  await sandbox.close()
}

function report(): void {
  const tasks = [...new Set(samples.map(({ task }) => task))]
  const median = (task: string, figure: Exclude<keyof Sample, 'task'>): number =>
    summarise(samples.filter((each) => each.task === task).map((each) => each[figure])).median
  const row = (task: string): string[] => [
    task,
    formatNumber(median(task, 'megabytesPerSecond'), 1),
    formatNumber(median(task, 'rowsPerSecond'), 0),
    formatNumber(median(task, 'residentBytes') / MB, 0),
  ]
  printTable(['task', 'MB/s', 'rows/s', 'resident MB'], tasks.map(row))
  const summary = tasks.map((task) => ({
    task,
    megabytesPerSecond: median(task, 'megabytesPerSecond'),
    rowsPerSecond: median(task, 'rowsPerSecond'),
    residentBytes: median(task, 'residentBytes'),
  }))
  writeResult('sqlImport', { setup: { pages: PAGES, fileMegabytes: FILE_MB, rounds }, samples, summary })
}

async function measure(
  task: string,
  { bytes, rows }: { readonly bytes: number; readonly rows: number },
  run: () => Promise<void>,
): Promise<void> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const residentBytes = process.memoryUsage().rss
  samples.push({
    task,
    megabytesPerSecond: bytes / MB / seconds,
    rowsPerSecond: rows / seconds,
    residentBytes,
  })
}

/** Reads a file as an import does, and finds what its rows mean. */
async function readFile(path: string): Promise<void> {
  const opened = await openDump(path)
  const { source } = await recognise(opened)
  const taker: RowTaker = {
    columnsOf: (table) => TABLE_KINDS[table as BenchFile['table']].columns,
    usualColumns: () => undefined,
    takeRow: (table, values) => void TABLE_KINDS[table as BenchFile['table']].read(values),
  }
  for await (const _ of readTables(source, taker));
  await opened.close()
}

async function importFile(path: string): Promise<void> {
  const opened = await openDump(path)
  const { source } = await recognise(opened)
  const ignore = (): void => undefined
  const applier = new Applier(store)
  await new TableImport({ store, applier, source, tell: ignore, onPiece: ignore }).run()
  await opened.close()
}

function createTable(table: BenchFile['table']): string {
  const columns = TABLE_KINDS[table].usual.map((name) => `  \`${name}\` varbinary(255)`)
  return `CREATE TABLE \`${table}\` (\n${columns.join(',\n')}\n);\n`
}

function emptyTable(table: BenchFile['table']): string {
  const path = join(folder, `${table}-none.sql`)
  writeFileSync(path, createTable(table))
  return path
}

/** Writes a file of one table, plain and packed, in statements of a megabyte. */
function writeTable({ name, table, row }: BenchFile): { readonly bytes: number; readonly rows: number } {
  const statements = [createTable(table)]
  let rows = 0
  while (statements.length <= FILE_MB) {
    const values: string[] = []
    for (let length = 0; length < MB; rows++) length += Buffer.byteLength(values[values.push(row(rows)) - 1]!)
    statements.push(`INSERT INTO \`${table}\` VALUES ${values.join(',')};\n`)
  }
  const sql = Buffer.from(statements.join(''))
  writeFileSync(join(folder, `${name}.sql`), sql)
  writeFileSync(join(folder, `${name}.sql.gz`), gzipSync(sql))
  return { bytes: sql.length, rows }
}

function writePages(): void {
  const writer = new DumpWriter(store, new Applier(store), 'bench')
  const revision = {
    ...{
      parentId: undefined,
      timestamp: 1_600_000_000,
      editor: { id: 1, name: 'Ann' },
      comment: '',
      minor: false,
    },
    ...{ contentModel: 'wikitext', text: 'x', statedSizeBytes: undefined, statedSha1: undefined },
  }
  for (let first = 1; first <= PAGES; first += 1000) {
    const ids = Array.from({ length: 1000 }, (_, n) => first + n)
    writer.writePages(
      ids.map((id) => ({
        ...{ id, namespace: 0, dbkey: `Page_${id}`, redirectTarget: undefined },
        revisions: [{ ...revision, id }],
      })),
    )
  }
  writer.end(null)
}
