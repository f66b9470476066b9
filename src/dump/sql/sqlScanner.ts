/**
 * Reads the rows of a file as mysqldump writes it, from bytes that come in pieces:
 *
 *     between statements ──CREATE TABLE──► its columns ──► between statements
 *             │ INSERT INTO … VALUES                              ▲
 *             ▼                                                   │ ;
 *        between rows ──(──► a row ──► between rows ──────────────┘
 *
 * A piece may end anywhere. The scanner keeps the bytes of an incomplete row or head of a statement, and reads these
 * again with the next piece. Memory is bounded by the longest row.
 */
import { DumpError } from '../dumpError.js'
import { type ColumnKind, type RowPlan, RowReader, type SqlValue } from './rowReader.js'
import { COMMA, isWord, OPEN, readToken, SEMICOLON, skipBlanks, type Token } from './sqlTokens.js'

/** The longest row, and the longest statement without rows. */
const MAX_HELD_BYTES = 16 * 2 ** 20
/** An incomplete row longer than this is read again only when the bytes have doubled. */
const EAGER_BYTES = 64 * 1024

export interface WantedColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** Its value is null where the file does not have the column. */
  readonly isOptional?: boolean
}

export interface RowTaker {
  /**
   * The columns to read, in the order in which `takeRow` gets their values; undefined for a table to skip. `present`
   * are the columns of the file. Throws a DumpError to refuse the file.
   */
  columnsOf(table: string, present: readonly string[]): readonly WantedColumn[] | undefined
  /** The columns of a table for which the file has no CREATE TABLE, in their order; undefined for a table to skip. */
  usualColumns(table: string): readonly string[] | undefined
  /** The values are valid during the call. */
  takeRow(table: string, values: readonly SqlValue[]): void
}

interface OpenTable {
  readonly name: string
  readonly plan: RowPlan
  /** False for a table to skip. */
  readonly isWanted: boolean
}

export class SqlScanner {
  readonly #taker: RowTaker
  readonly #reader = new RowReader()
  readonly #tables = new Map<string, readonly string[]>()
  #held: Buffer = Buffer.alloc(0)
  readonly #pieces: Buffer[] = []
  #pieceBytes = 0
  /** Bytes before `#held`. */
  #passed = 0
  /** Position in `#held`: everything before it is read. */
  #at = 0
  /** The table whose rows come. */
  #open: OpenTable | undefined
  #hasTable = false

  constructor(taker: RowTaker) {
    this.#taker = taker
  }

  /** Position of the row or statement that is being read, in bytes from the start of the file. */
  get byteOffset(): number {
    return this.#passed + this.#at
  }

  write(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#pieceBytes += bytes.length
    if (this.#held.length > EAGER_BYTES && this.#pieceBytes < this.#held.length) return
    this.#scan(false)
  }

  /** Throws a DumpError if the file ends too early or has no table. */
  end(): void {
    this.#scan(true)
    if (this.#open !== undefined) {
      const where = this.#held[0] === OPEN ? 'a row' : 'a statement with rows'
      throw new DumpError(`ends inside of ${where} of the table ${this.#open.name}: the file is cut off`)
    }
    if (this.#held.length > 0) throw new DumpError('ends inside of a statement: the file is cut off')
    if (!this.#hasTable) throw new DumpError('has no SQL table')
  }

  #scan(isLast: boolean): void {
    const bytes = this.#pieces.length === 1 && this.#held.length === 0 ? this.#pieces[0]! : this.#joined()
    this.#pieces.length = this.#pieceBytes = 0
    this.#held = bytes
    for (let at = 0; ;) {
      const end =
        this.#open === undefined ? this.#passStatement(bytes, at, isLast) : this.#readRows(bytes, at)
      if (end < 0) break
      at = this.#at = end
    }
    this.#held = bytes.subarray(this.#at)
    this.#passed += this.#at
    this.#at = 0
    if (this.#held.length > MAX_HELD_BYTES) throw new DumpError('has a row or statement of more than 16 MiB')
  }

  #joined(): Buffer {
    return Buffer.concat([this.#held, ...this.#pieces])
  }

  /** Reads one statement, or the head of one with rows. Returns the position after it; -1 if bytes are missing. */
  #passStatement(bytes: Buffer, from: number, isLast: boolean): number {
    const start = skipBlanks(bytes, from, isLast)
    if (start < 0) return -1
    this.#at = start
    if (start >= bytes.length) return -1
    const first = readToken(bytes, start, isLast)
    if (first === undefined) return -1
    if (first.text === ';') return first.end
    if (first.kind !== 'word') throw new DumpError('is not SQL: no statement begins here')
    if (isWord(first, 'INSERT') || isWord(first, 'REPLACE')) return this.#openTable(bytes, first.end)
    const end = statementEnd(bytes, first.end, isLast)
    if (end >= 0 && isWord(first, 'CREATE')) this.#noteTable(bytes.subarray(first.end, end))
    return end
  }

  #noteTable(statement: Buffer): void {
    const table = readCreate(statement)
    if (table === undefined) return
    this.#hasTable = true
    this.#tables.set(table.name, table.columns)
    // Refuses a table without a wanted column before any row.
    this.#taker.columnsOf(table.name, table.columns)
  }

  #openTable(bytes: Buffer, from: number): number {
    const head = readInsertHead(bytes, from)
    if (head === undefined) return -1
    const { name, columns = this.#tables.get(name) ?? this.#taker.usualColumns(name) ?? [] } = head
    const wanted = this.#taker.columnsOf(name, columns)
    const plan = columns.map((column) => {
      const index = wanted?.findIndex((each) => each.name === column) ?? -1
      return index < 0 ? undefined : { kind: wanted![index]!.kind, index }
    })
    this.#hasTable = true
    this.#open = { name, plan, isWanted: wanted !== undefined }
    this.#reader.begin(wanted?.length ?? 0)
    return head.end
  }

  /** Reads rows up to the semicolon. Returns the position after it; -1 if bytes are missing. */
  #readRows(bytes: Buffer, from: number): number {
    const { name, plan, isWanted } = this.#open!
    const { values } = this.#reader
    for (let at = from; ;) {
      while (at < bytes.length && (bytes[at]! <= 32 || bytes[at] === COMMA)) at++
      this.#at = at
      if (at >= bytes.length) return -1
      if (bytes[at] === SEMICOLON) {
        this.#open = undefined
        return at + 1
      }
      if (bytes[at] !== OPEN) throw new DumpError(`has no row of the table ${name} where one should begin`)
      at = this.#reader.read(bytes, at, plan)
      if (at < 0) return -1
      if (isWanted) this.#taker.takeRow(name, values)
    }
  }
}

/** The position after the next semicolon outside of quotes and comments; -1 if it is missing. */
function statementEnd(bytes: Buffer, from: number, isLast: boolean): number {
  for (let at = from; ;) {
    const token = readToken(bytes, at, isLast)
    if (token === undefined) return -1
    at = token.end
    if (token.kind === 'sign' && token.text === ';') return at
  }
}

// Reads the statements that say which table and columns come: `CREATE TABLE` and the head of `INSERT`.

/** The longest head of an INSERT: a table has at most 4096 columns. */
const MAX_HEAD_BYTES = 512 * 1024
/** Words that begin a line of `CREATE TABLE` that is no column. Names of columns stand between backticks. */
const NOT_COLUMNS: ReadonlySet<string> = new Set([
  'PRIMARY',
  'UNIQUE',
  'KEY',
  'INDEX',
  'FULLTEXT',
  'SPATIAL',
  'CONSTRAINT',
  'FOREIGN',
  'CHECK',
  'PERIOD',
])

interface TableColumns {
  readonly name: string
  readonly columns: readonly string[]
}

interface InsertHead {
  readonly name: string
  /** Undefined: all columns in the table's order. */
  readonly columns: readonly string[] | undefined
  /** Position after `VALUES`. */
  readonly end: number
}

/** The table that a statement makes. `statement` begins after `CREATE`. Undefined if it makes something else. */
function readCreate(statement: Buffer): TableColumns | undefined {
  const tokens = tokensOf(statement, 0)
  if (!isWord(tokens.next().value ?? undefined, 'TABLE')) return undefined
  const columns: string[] = []
  let name = ''
  let depth = 0
  let isStart = false
  for (const token of tokens) {
    if (token.kind === 'sign') {
      if (token.text === '(') isStart = ++depth === 1
      else if (token.text === ')' && --depth === 0) break
      else if (token.text === ',') isStart = depth === 1
    } else if (depth === 0) {
      // The last name before the bracket, after IF NOT EXISTS and the name of the database.
      name = token.text
    } else {
      if (isStart && !isKeyword(token)) columns.push(token.text)
      isStart = false
    }
  }
  return { name, columns }
}

const isKeyword = ({ kind, text }: Token): boolean => kind === 'word' && NOT_COLUMNS.has(text.toUpperCase())

/** Reads from the byte after `INSERT` on. Undefined if the bytes end before the rows. */
function readInsertHead(bytes: Buffer, from: number): InsertHead | undefined {
  const columns: string[] = []
  let name = ''
  let depth = 0
  for (const token of tokensOf(bytes, from)) {
    const { kind, text, end } = token
    if (kind === 'string' || end - from > MAX_HEAD_BYTES) throw unreadable()
    if (kind === 'sign') {
      if (!HEAD_SIGNS.has(text)) throw unreadable()
      if (text === '(') depth++
      if (text === ')') depth--
    } else if (depth > 0) columns.push(text)
    else if (isWord(token, 'VALUES') || isWord(token, 'VALUE')) {
      return { name, columns: columns.length > 0 ? columns : undefined, end }
    } else name = text
  }
  if (bytes.length - from > MAX_HEAD_BYTES) throw unreadable()
  return undefined
}

const HEAD_SIGNS: ReadonlySet<string> = new Set(['(', ')', ',', '.'])

const unreadable = (): DumpError => new DumpError('has an INSERT that cannot be read')

/** The tokens from a position on, up to the last that is whole. */
function* tokensOf(bytes: Buffer, from: number): Generator<Token, undefined> {
  for (
    let token = readToken(bytes, from, false);
    token !== undefined;
    token = readToken(bytes, token.end, false)
  )
    yield token
  return undefined
}
