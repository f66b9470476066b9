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

export const IMAGE = [
  'img_name',
  'img_size',
  'img_width',
  'img_height',
  'img_metadata',
  'img_bits',
  'img_media_type',
  'img_major_mime',
  'img_minor_mime',
  'img_description_id',
  'img_actor',
  'img_timestamp',
  'img_sha1',
] as const

export interface ImageRow {
  readonly name: string
  readonly size?: number
  readonly width?: number
  readonly height?: number
  readonly type?: string
  readonly mime?: string
  /** Fourteen digits. */
  readonly time?: string
  readonly sha1?: string
}

/** A file of the table `oldimage`, with one earlier upload of each file. */
export function oldImageTable(
  rows: readonly (ImageRow & { readonly archiveName: string; readonly deleted?: number })[],
): string {
  const columns = [
    ...['oi_name', 'oi_archive_name', 'oi_size', 'oi_width', 'oi_height', 'oi_media_type', 'oi_major_mime'],
    ...['oi_minor_mime', 'oi_timestamp', 'oi_deleted', 'oi_sha1'],
  ]
  const cells = rows.map(({ name, archiveName, size = 200, width = 60, height = 40, ...row }) => {
    const { time = '20251122143146', deleted = 0, sha1 = '4o3of2m14kmf6xp7sn3gwva5xie8885' } = row
    return [name, archiveName, size, width, height, 'BITMAP', 'image', 'png', time, deleted, sha1]
  })
  return sqlTable('oldimage', columns, insert('oldimage', cells))
}

/** A file of the table `image`. */
export function imageTable(rows: readonly ImageRow[]): string {
  const cells = rows.map(({ name, size = 283, width = 120, height = 80, type = 'BITMAP', ...row }) => {
    const { mime = 'image/png', time = '20261122143146', sha1 = 'fa02wbrxnn6mnhkchwu93gi24xcw06u' } = row
    const [major = '', ...minor] = mime.split('/')
    return [name, size, width, height, '{"data":{}}', 8, type, major, minor.join('/'), 47, 1, time, sha1]
  })
  return sqlTable('image', IMAGE, insert('image', cells))
}
