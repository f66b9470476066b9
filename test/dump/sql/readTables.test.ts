/** The reader of SQL tables, with files as mysqldump writes them and files that it would not write. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openDump } from '../../../src/dump/openDump.js'
import { readTables, recognise } from '../../../src/dump/sql/readTables.js'
import type { SqlValue } from '../../../src/dump/sql/rowReader.js'
import { SqlScanner, type RowTaker } from '../../../src/dump/sql/sqlScanner.js'
import { insert, LANGLINKS, langlinks, sqlTable } from '../../support/sqlTables.js'
import { describeShared } from '../../support/shared.js'

interface Outcome {
  readonly rows: SqlValue[][]
  readonly tables: string[]
  readonly error: string | undefined
}

/** Reads all columns of all tables as texts, in the order of the file. */
class Everything implements RowTaker {
  readonly rows: SqlValue[][] = []
  readonly tables: string[] = []
  columnsOf(_table: string, present: readonly string[]) {
    return present.map((name) => ({ name, kind: 'text' as const }))
  }
  usualColumns(table: string) {
    return table === 'langlinks' ? LANGLINKS : undefined
  }
  takeRow(table: string, values: readonly SqlValue[]) {
    this.tables.push(table)
    this.rows.push([...values])
  }
}

/** Reads bytes in pieces of `size`. */
function scan(bytes: Buffer | string, size = Infinity): Outcome {
  const taker = new Everything()
  const scanner = new SqlScanner(taker)
  const all = Buffer.from(bytes)
  let error: string | undefined
  try {
    for (let at = 0; at < all.length; at += size) scanner.write(all.subarray(at, at + size))
    scanner.end()
  } catch (cause) {
    error = `${(cause as Error).message} at ${scanner.byteOffset}`
  }
  return { rows: taker.rows, tables: taker.tables, error }
}

const rowsIn = (statements: string): SqlValue[][] => {
  const { rows, error } = scan(sqlTable('t', ['a', 'b'], statements))
  expect(error).toBeUndefined()
  return rows
}

describe('the reader of SQL tables reads', () => {
  test.each([
    ['an escaped quote', `'L\\'eau'`, "L'eau"],
    ['a doubled quote', `'it''s'`, "it's"],
    ['a backslash at the end', `'fin\\\\'`, 'fin\\'],
    ['every escape', `'a\\nb\\rc\\td\\0e\\Zf\\"g\\%\\_\\q'`, 'a\nb\rc\td\0e\x1af"g%_q'],
    ['an empty string', `''`, ''],
    ['a string with the word NULL', `'NULL'`, 'NULL'],
    ['NULL', 'null', null],
    ['rows inside of a string', `'x),(2,\\'y'`, "x),(2,'y"],
    ['a comment inside of a string', `'-- no /* comment'`, '-- no /* comment'],
    ['a number', '-2e-05', '-2e-05'],
    ['spaces around a value', `  '7' `, '7'],
    ['bytes in hexadecimal', '0x414243', 'ABC'],
    ['a string with a character set', `_binary 'é'`, 'é'],
    ['bytes in hexadecimal after a character set', '_binary 0x414243', 'ABC'],
    ['a string in hexadecimal', "X'4142c3a9'", 'ABé'],
    ['an empty string in hexadecimal', "x''", ''],
    ['a string in hexadecimal after a character set', "_binary X'41'", 'A'],
    ['a string of a national character set', "N'é'", 'é'],
    ['a string in double quotes', `"L'eau"`, "L'eau"],
    ['a doubled double quote', `"say ""so"" ''twice''"`, `say "so" ''twice''`],
    ['an escaped double quote', `"a\\"b\\'c"`, `a"b'c`],
    ['double quotes in a string', `'say ""so""'`, 'say ""so""'],
    ['rows inside of double quotes', `"x),(2,'y"`, "x),(2,'y"],
    ['a line break in a string', `'a\nb'`, 'a\nb'],
    ['letters of two, three and four bytes', `'éŌ🌳'`, 'éŌ🌳'],
  ])('%s', (_name, written, value) => {
    expect(rowsIn(`INSERT INTO \`t\` VALUES (1,${written});`)).toEqual([['1', value]])
    expect(rowsIn(`INSERT INTO \`t\` VALUES (${written},1);`)).toEqual([[value, '1']])
  })

  test('several statements, a row a line, and both line ends', () => {
    const text = sqlTable(
      't',
      ['a', 'b'],
      `INSERT INTO \`t\` VALUES\n(1,2),\n(3,4);\nINSERT INTO t VALUES (5,6);`,
    )
    const rows = [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]
    expect(scan(text)).toEqual({ rows, tables: ['t', 't', 't'], error: undefined })
    expect(scan(text.replaceAll('\n', '\r\n')).rows).toEqual(rows)
  })

  test('columns that the statement names, without CREATE TABLE', () => {
    const { rows, error } = scan(
      "insert ignore into d.t (b, `a`) values ('x',7);REPLACE INTO `t`(`a`) VALUES (8)\n;",
    )
    expect({ rows, error }).toEqual({ rows: [['x', '7'], ['8']], error: undefined })
  })

  test('rows of a table that is known, without CREATE TABLE, and passes over those of others', () => {
    const { rows, error } = scan(
      "INSERT INTO langlinks VALUES (1,'fr','Eau');INSERT INTO other VALUES (1,2);",
    )
    expect({ rows, error }).toEqual({ rows: [['1', 'fr', 'Eau'], []], error: undefined })
    expect(scan('INSERT INTO langlinks VALUES (1);').error).toMatch(/1 values in a table of 3 columns/)
  })

  test('names in double quotes', () => {
    const text = `CREATE TABLE "t" ("a" int DEFAULT "x", "b" text, PRIMARY KEY ("a"));\nINSERT INTO "t" ("b","a") VALUES ("c",7);`
    expect(scan(text)).toEqual({ rows: [['c', '7']], tables: ['t'], error: undefined })
  })

  test('comments with quotes and semicolons, and statements without rows', () => {
    const text = `-- don't\n/* it's; */\nSET @x = 'a;b';\n# another's\n${insert('t', [[1]]).replace('`t`', 't (a)')}\nUNLOCK TABLES;`
    expect(scan(text)).toEqual({ rows: [['1']], tables: ['t'], error: undefined })
  })

  test('two tables, an empty one, and an end without a line break', () => {
    const text =
      sqlTable('t', ['a'], insert('t', [[1]])) + sqlTable('u', ['a', 'b'], '') + insert('u', [[2, 'x']])
    expect(scan(text)).toEqual({ rows: [['1'], ['2', 'x']], tables: ['t', 'u'], error: undefined })
    expect(scan(sqlTable('t', ['a'], ''))).toEqual({ rows: [], tables: [], error: undefined })
  })

  test('bytes that are not UTF-8 as no value, and the rows around them', () => {
    const text = sqlTable('t', ['a', 'b'], "INSERT INTO `t` VALUES (1,'caf@'),(2,'café'),(3,'@\\'');")
    const bytes = Buffer.from(text)
    for (let at = bytes.indexOf('@'); at >= 0; at = bytes.indexOf('@')) bytes[at] = 0xe9
    expect(scan(bytes).rows).toEqual([
      ['1', undefined],
      ['2', 'café'],
      ['3', undefined],
    ])
  })

  test('the same rows wherever the pieces of the file end', () => {
    const rows = [
      [1, "L'eau", null],
      [2, 'Chêne\n🌳', 'x),(3'],
      [3, '', 'y\\'],
    ]
    const text =
      sqlTable('t', ['a', 'b', 'c'], insert('t', rows)) +
      `/* it's */ INSERT INTO t (a) VALUES (_binary 'é'),(-1.5),(X'c3a9'),("b""c");`
    const whole = scan(text)
    expect(whole.error).toBeUndefined()
    expect(whole.rows).toHaveLength(7)
    for (let size = 1; size < 40; size++) expect(scan(text, size)).toEqual(whole)
  })

  test('a row of 15 MB in small pieces without reading it again and again', () => {
    const long = 'é'.repeat(7_500_000)
    const { rows, error } = scan(
      sqlTable(
        't',
        ['a', 'b'],
        insert('t', [
          [1, long],
          [2, 'b'],
        ]),
      ),
      32 * 1024,
    )
    expect(error).toBeUndefined()
    expect(rows[0]![1] === long).toBe(true)
    expect(rows[1]).toEqual(['2', 'b'])
  })
})

describe('the reader of SQL tables refuses', () => {
  const rows = insert('t', [
    [1, 'a'],
    [2, 'b'],
  ])
  test.each([
    [
      'a file cut inside of a row',
      sqlTable('t', ['a', 'b'], rows).split("'b'")[0]!,
      /ends inside of a row of the table t/,
    ],
    [
      'a file cut after a row',
      sqlTable('t', ['a', 'b'], rows).split(',(2')[0]!,
      /ends inside of a statement with rows/,
    ],
    [
      'a file cut inside of a statement',
      `${sqlTable('t', ['a', 'b'], rows)}SET @x =`,
      /ends inside of a statement: /,
    ],
    [
      'a row with too few values',
      `${sqlTable('t', ['a', 'b'], rows)}INSERT INTO t VALUES (3);`,
      /a row of 1 values in a table of 2/,
    ],
    ['digits that are none', `${sqlTable('t', ['a', 'b'], rows)}INSERT INTO t VALUES (3,X'4G');`, /no value/],
    ['a value that is none', `${sqlTable('t', ['a', 'b'], rows)}INSERT INTO t VALUES (3,now());`, /no value/],
    [
      'rows without brackets',
      `${sqlTable('t', ['a', 'b'], rows)}INSERT INTO t VALUES 3;`,
      /no row of the table t where/,
    ],
    [
      'an INSERT with a query',
      `${sqlTable('t', ['a', 'b'], rows)}INSERT INTO t SELECT 'x' FROM u;`,
      /an INSERT that cannot be read/,
    ],
    ['a file without a table', '-- nothing\nSET @x = 1;\n', /has no SQL table/],
    ['XML', '<mediawiki>\n<page/>\n</mediawiki>\n', /is not SQL/],
  ])('%s, after the rows before', (name, text, message) => {
    const { rows: read, error } = scan(text)
    expect(error).toMatch(message)
    const expected = /without a table|XML/.test(name) ? 0 : /cut (?:inside of|after) a row/.test(name) ? 1 : 2
    expect(read).toHaveLength(expected)
    for (const size of [1, 7])
      expect(scan(text, size)).toEqual({ rows: read, tables: read.map(() => 't'), error })
  })

  test('a row of more than 16 MB', () => {
    const text = sqlTable('t', ['a'], `INSERT INTO t VALUES ('${'x'.repeat(35e6)}');`)
    expect(scan(text, 1e6).error).toMatch(/more than 16 MiB/)
  })

  test('a wrong place with its byte', () => {
    const text = `${sqlTable('t', ['a'], insert('t', [[1]]))}INSERT INTO t VALUES (2),(3 4);`
    expect(scan(text).error).toMatch(new RegExp(`goes on as none should at ${Buffer.byteLength(text) - 6}$`))
  })
})

describe('a file is recognised by its content', () => {
  const open = async (text: string | Buffer) => {
    const standardInput = Readable.from([Buffer.from(text)])
    return recognise(await openDump('-', { standardInput }))
  }
  test.each([
    ['a table', langlinks([]), true],
    ['a table, packed', gzipSync(langlinks([])), true],
    ['rows alone', '\n insert into langlinks (ll_from) values (1);', true],
    ['a dump', '<mediawiki/>', false],
    ['a dump after spaces', '\n <?xml version="1.0"?><mediawiki/>', false],
    ['a text', 'Dropped: nothing', false],
    ['nothing', '', false],
  ])('%s', async (_name, text, isSql) => {
    const { source, isSql: found } = await open(text)
    expect(found).toBe(isSql)
    const parts: Buffer[] = []
    for await (const bytes of source.stream) parts.push(bytes)
    const plain = Buffer.from(text)
    expect(Buffer.concat(parts)).toEqual(plain[0] === 0x1f ? gunzipSync(plain) : plain)
    expect(source.sha256()).toMatch(/^[0-9a-f]{64}$/)
  })

  test('and errors of its first bytes come when it is read', async () => {
    const cut = gzipSync(langlinks([[1, 'fr', 'Eau']])).subarray(0, 100)
    const { source } = await open(cut)
    const read = async () => {
      for await (const _ of readTables(source, new Everything()));
    }
    await expect(read()).rejects.toThrow(/standard input: the gzip data end early: .*\(byte 0 of the SQL\)/)
  })
})

describeShared('tables of dumps', 'oracle/sql-tables', (folder) => {
  const read = async (path: string): Promise<Outcome> => {
    const taker = new Everything()
    const source = await openDump(path)
    let error: string | undefined
    try {
      for await (const _ of readTables(source, taker));
    } catch (cause) {
      error = (cause as Error).message
    } finally {
      await source.close()
    }
    return { rows: taker.rows, tables: taker.tables, error }
  }
  interface Odd {
    rows: (SqlValue | { repeat: string; times: number })[][] | null
    error?: string
  }
  const odd = JSON.parse(readFileSync(join(folder, 'odd/expected.json'), 'utf8')) as Record<string, Odd>

  test.each(Object.entries(odd))('odd: %s', async (name, expected) => {
    const { rows, error } = await read(join(folder, 'odd', name))
    const isBadUtf8 = name === 'not-utf8.sql'
    const wanted = expected.rows?.map((row) =>
      row.map((value) =>
        typeof value === 'object' && value !== null
          ? value.repeat.repeat(value.times)
          : value === null && isBadUtf8
            ? undefined
            : value,
      ),
    )
    if (wanted !== undefined) expect(rows).toEqual(wanted)
    // The reader's caller refuses a table without a wanted column.
    const fails = expected.error !== undefined && name !== 'fewer-columns.sql'
    expect(error !== undefined, error).toBe(fails)
  })

  test.each([
    ['wikidatawiki-20170325-langlinks.sql.gz', 90_551],
    ['simplewiki-2021-change_tag_def.sql.gz', 84],
  ])('real: %s', async (name, count) => {
    const { rows, error } = await read(join(folder, 'real', name))
    expect({ error, count: rows.length }).toEqual({ error: undefined, count })
  })

  const made = JSON.parse(readFileSync(join(folder, 'made/expected.json'), 'utf8')) as Record<
    string,
    { rows: number; first: SqlValue[][] }
  >
  test.each(Object.entries(made))('made: %s', async (table, expected) => {
    const { rows, tables, error } = await read(join(folder, `made/gardenwiki-20261122-${table}.sql.gz`))
    expect(error).toBeUndefined()
    expect(tables).toEqual(Array.from({ length: expected.rows }, () => table))
    const first = rows.slice(0, expected.first.length)
    expect(first).toEqual(
      expected.first.map((row) => row.map((value) => (value === null ? null : String(value)))),
    )
  })
})
