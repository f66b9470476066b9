/** SQL tables of our own making, as mysqldump writes them. */

export const LANGLINKS = ['ll_from', 'll_lang', 'll_title'] as const

/** A file with one table. `rows` are statements with rows. */
export function sqlTable(table: string, columns: readonly string[], rows: string): string {
  return `-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: db1    Database: testwiki

/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`${table}\`;
CREATE TABLE \`${table}\` (
${columns.map((name) => `  \`${name}\` varbinary(255) NOT NULL DEFAULT '(,;',`).join('\n')}
  PRIMARY KEY (\`${columns[0]}\`),
  UNIQUE KEY \`other\` (\`${columns.at(-1)}\`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;

/*!40000 ALTER TABLE \`${table}\` DISABLE KEYS */;
${rows}
/*!40000 ALTER TABLE \`${table}\` ENABLE KEYS */;

-- Dump completed on 2026-01-01  0:00:00
`
}

/** One statement with these rows. */
export function insert(table: string, rows: readonly (readonly (string | number | null)[])[]): string {
  const values = rows.map((row) => `(${row.map(valueOf).join(',')})`)
  return rows.length === 0 ? '' : `INSERT INTO \`${table}\` VALUES ${values.join(',')};`
}

/** A file of language links. */
export const langlinks = (rows: readonly (readonly [page: number, code: string, title: string])[]): string =>
  sqlTable('langlinks', LANGLINKS, insert('langlinks', rows))

function valueOf(value: string | number | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  return `'${value
    .replace(/['"\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\0', '\\0')}'`
}
