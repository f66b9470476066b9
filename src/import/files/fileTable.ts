/** Tables of file facts, as interfaces and databases of other wikis export them. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'

/** The table cannot be read; the message gives the reason. */
export class FileTableError extends UserError {
  override readonly name = 'FileTableError'
}

/** The columns: those of `imageinfo` in MediaWiki's action API, and the file's name. */
export const COLUMNS = [
  'name',
  'width',
  'height',
  'size',
  'mime',
  'duration',
  'sha1',
  'timestamp',
  'user',
] as const
export type Column = (typeof COLUMNS)[number]

export interface TableRow {
  /** Line number in the file, from 1. */
  readonly lineNumber: number
  /** Cells as written, without empty ones. Undefined: the line cannot be read. */
  readonly cells: ReadonlyMap<Column, string> | undefined
}

/**
 * Reads a table line by line. Each line is a JSON object, or cells divided by tabs below a header line with the column
 * names. Ignores unknown columns and blank lines. Throws a FileTableError when the file cannot be read, or has no
 * column `name`.
 */
export async function* readFileTable(path: string): AsyncGenerator<TableRow> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })
  let header: readonly string[] | undefined
  let lineNumber = 0
  try {
    for await (const line of lines) {
      lineNumber++
      if (line.trim() === '') continue
      if (line.startsWith('{')) yield { lineNumber, cells: parseObject(line) }
      else if (header === undefined) header = parseHeader(line)
      else yield { lineNumber, cells: cellsOf(zip(header, line.split('\t'))) }
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new FileTableError(describeSystemError(error, path), { cause: error })
  }
}

function parseHeader(line: string): string[] {
  const names = line.split('\t').map((name) => name.trim())
  if (!names.includes('name')) throw new FileTableError('the first line of the table has no column "name"')
  return names
}

function parseObject(line: string): ReadonlyMap<Column, string> | undefined {
  try {
    return cellsOf(Object.entries(JSON.parse(line) as object))
  } catch {
    return undefined
  }
}

const zip = (names: readonly string[], cells: readonly string[]): [string, string][] =>
  names.map((name, n) => [name, cells[n] ?? ''])

function cellsOf(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<Column, string> {
  const cells = new Map<Column, string>()
  for (const [name, value] of entries) {
    const isColumn = (COLUMNS as readonly string[]).includes(name)
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    if (isColumn && text !== '') cells.set(name as Column, text)
  }
  return cells
}
