/** Reads the statements that say which table and columns come: `CREATE TABLE` and the head of `INSERT`. */
import { DumpError } from '../dumpError.js'
import { isWord, readToken, type Token } from './sqlTokens.js'

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

export interface TableColumns {
  readonly name: string
  readonly columns: readonly string[]
}

export interface InsertHead {
  readonly name: string
  /** Undefined: all columns in the table's order. */
  readonly columns: readonly string[] | undefined
  /** Position after `VALUES`. */
  readonly end: number
}

/** The table that a statement makes. `statement` begins after `CREATE`. Undefined if it makes something else. */
export function readCreate(statement: Buffer): TableColumns | undefined {
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
export function readInsertHead(bytes: Buffer, from: number): InsertHead | undefined {
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
