/** The SQL tables that an import takes. */
import { isWikiGroup } from '../../domain/account.js'
import { interwikiFault } from '../../domain/interwiki.js'
import { writeCategoryValue } from '../../storage/sqlTables/categoryValues.js'
import { numberedName } from '../../storage/sqlTables/linkNames.js'
import { LOCAL_NAME, URL_NAME } from '../../storage/apply/sqlTables/applyTable.js'
import { TARGET } from '../../storage/apply/sqlTables/redirectPages.js'
import type { SqlTable } from '../../storage/rows/sqlTableNames.js'
import { changeTagKind } from './changeTags.js'
import type { TableKind } from './tableKind.js'
import {
  isId,
  isNamespace,
  isShort,
  MAX_CODE_BYTES,
  MAX_TITLE_BYTES,
  isCount,
  parseSqlTime,
} from './values.js'
import { createHash } from 'node:crypto'
import { type FileFacts, MEDIA_TYPES, sha1Base36 } from '../../domain/file.js'
import { mediaTypeOf, UNKNOWN_MIME_TYPE } from '../../domain/mediaTypes.js'
import type { Editor } from '../../domain/revision.js'
import type { SqlValue } from '../../dump/sql/rowReader.js'
import { valuesOfImage, writeOldImage } from '../../storage/sqlTables/imageFacts.js'
import type { ProtectionLevel } from '../../domain/protection.js'
import { CASCADES, EXPIRES, MOVE_EXPIRES, protectedId } from '../../storage/apply/sqlTables/protectTitles.js'
import type { NamedValues } from '../../storage/sqlTables/sqlTables.js'

// The tables of protections: `page_restrictions` of pages, `protected_titles` of titles without one.

const pageRestrictionsKind: TableKind = {
  columns: [
    { name: 'pr_page', kind: 'number' },
    { name: 'pr_type', kind: 'name' },
    { name: 'pr_level', kind: 'name' },
    { name: 'pr_expiry', kind: 'text' },
    { name: 'pr_cascade', kind: 'number', isOptional: true },
  ],
  usual: ['pr_id', 'pr_page', 'pr_type', 'pr_level', 'pr_cascade', 'pr_expiry'],
  read: ([id, type, level, expiry, cascade]) => {
    const end = type === 'edit' ? EXPIRES : MOVE_EXPIRES
    const values = type === 'edit' || type === 'move' ? valuesOf(type, level, expiry, end) : undefined
    if (!isId(id) || values === undefined) return undefined
    return { id, values: type === 'edit' && cascade === 1 ? [...values, [CASCADES, '']] : values }
  },
}

const protectedTitlesKind: TableKind = {
  columns: [
    { name: 'pt_namespace', kind: 'number' },
    { name: 'pt_title', kind: 'text' },
    { name: 'pt_create_perm', kind: 'name' },
    { name: 'pt_expiry', kind: 'text' },
  ],
  usual: [
    'pt_namespace',
    'pt_title',
    'pt_user',
    'pt_reason_id',
    'pt_timestamp',
    'pt_expiry',
    'pt_create_perm',
  ],
  read: ([namespace, title, level, expiry]) => {
    const values = valuesOf('create', level, expiry)
    if (!isNamespace(namespace) || !isShort(title, MAX_TITLE_BYTES) || values === undefined) return undefined
    return { id: protectedId(namespace, title.replaceAll(' ', '_')), values }
  },
}

/** Undefined if nothing is protected, or the time of expiry cannot be read. */
function valuesOf(action: string, level: SqlValue, expiry: SqlValue, end = EXPIRES): NamedValues | undefined {
  const known = levelOf(level)
  if (known === undefined) return undefined
  if (expiry === null || expiry === '' || expiry === 'infinity') return [[action, known]]
  const expires = parseSqlTime(expiry)
  return expires === undefined
    ? undefined
    : [
        [action, known],
        [end, String(expires)],
      ]
}

/** Levels for accounts of some age become `user`; all stricter ones, and those of single wikis, become `sysop`. */
function levelOf(level: SqlValue): ProtectionLevel | undefined {
  if (typeof level !== 'string' || level === '') return undefined
  return FOR_ACCOUNTS.has(level) ? 'user' : 'sysop'
}

const FOR_ACCOUNTS: ReadonlySet<string> = new Set(['user', 'autoconfirmed', 'editsemiprotected'])

// The tables of links: where a page leads to.

/** Longer addresses are no links for the store. */
const MAX_URL_BYTES = 2000

/** `pagelinks` and `templatelinks`: names, or in newer wikis numbers of `linktarget`. */
const titleLinks = (prefix: 'pl' | 'tl'): TableKind => ({
  columns: [
    { name: `${prefix}_from`, kind: 'number' },
    { name: `${prefix}_namespace`, kind: 'number', isOptional: true },
    { name: `${prefix}_title`, kind: 'text', isOptional: true },
    { name: `${prefix}_target_id`, kind: 'number', isOptional: true },
  ],
  needsOneOf: [`${prefix}_title`, `${prefix}_target_id`],
  usual: [`${prefix}_from`, `${prefix}_namespace`, `${prefix}_title`, `${prefix}_from_namespace`],
  read: ([id, namespace, title, targetId]) => {
    if (!isId(id)) return undefined
    if (isNamespace(namespace) && isShort(title, MAX_TITLE_BYTES))
      return { id, values: [[`${namespace}:${title.replaceAll(' ', '_')}`, '']] }
    return isId(targetId) ? { id, values: [[numberedName(targetId), '']] } : undefined
  },
})

const pageLinksKind = titleLinks('pl')
const templateLinksKind = titleLinks('tl')

const externalLinksKind: TableKind = {
  columns: [
    { name: 'el_from', kind: 'number' },
    { name: 'el_to', kind: 'text', isOptional: true },
    { name: 'el_to_domain_index', kind: 'text', isOptional: true },
    { name: 'el_to_path', kind: 'text', isOptional: true },
  ],
  needsOneOf: ['el_to', 'el_to_domain_index'],
  usual: ['el_id', 'el_from', 'el_to', 'el_index', 'el_index_60'],
  read: ([id, url, domain, path]) => {
    const stated = typeof url === 'string' ? url : addressOf(domain, path)
    return isId(id) && isShort(stated, MAX_URL_BYTES) ? { id, values: [[stated, '']] } : undefined
  },
}

/** An address whose host is in reverse, such as `https://org.example.www.`. Source: MediaWiki's manual. */
function addressOf(domain: SqlValue, path: SqlValue): string | undefined {
  const [, protocol = '', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:(?:\/\/)?)([^:@]*)(.*)$/i.exec(typeof domain === 'string' ? domain : '') ?? []
  if (protocol === '') return undefined
  const name = host.startsWith('V4.')
    ? host.slice(3, -1)
    : host.split('.').filter(Boolean).reverse().join('.')
  const after = typeof path === 'string' ? path : ''
  return rest.startsWith('@')
    ? `${protocol}${rest.slice(1)}@${name}${after}`
    : `${protocol}${name}${rest}${after}`
}

const interwikiLinksKind: TableKind = {
  columns: [
    { name: 'iwl_from', kind: 'number' },
    { name: 'iwl_prefix', kind: 'text' },
    { name: 'iwl_title', kind: 'text' },
  ],
  usual: ['iwl_from', 'iwl_prefix', 'iwl_title'],
  read: ([id, prefix, title]) =>
    isId(id) && isShort(prefix, MAX_CODE_BYTES) && (title === '' || isShort(title, MAX_TITLE_BYTES))
      ? { id, values: [[`${prefix}:${title}`, '']] }
      : undefined,
}

// The tables `image` and `oldimage`: facts of the present upload of each file, and of those before it.

const MAX_PIXELS = 10_000_000
const MAX_BYTES = 2 ** 50

/** Columns of the facts of an upload. `prefix` is `img` or `oi`. */
const factColumns = (prefix: string): TableKind['columns'] => [
  { name: `${prefix}_size`, kind: 'number' },
  { name: `${prefix}_width`, kind: 'number' },
  { name: `${prefix}_height`, kind: 'number' },
  { name: `${prefix}_media_type`, kind: 'name' },
  { name: `${prefix}_major_mime`, kind: 'name' },
  { name: `${prefix}_minor_mime`, kind: 'name' },
  { name: `${prefix}_timestamp`, kind: 'text' },
  { name: `${prefix}_sha1`, kind: 'text' },
  // MediaWiki before 1.34. Later versions have the number of an actor, whose table is not published.
  { name: `${prefix}_user`, kind: 'number', isOptional: true },
  { name: `${prefix}_user_text`, kind: 'text', isOptional: true },
]

/** The facts of a row with `factColumns`. */
function factsIn(name: string, row: readonly SqlValue[]): FileFacts | undefined {
  const [size, width, height, mediaType, major, minor, time, sha1, userId, userName] = row
  const timestamp = parseSqlTime(time)
  if (timestamp === undefined) return undefined
  if (!isCount(size, MAX_BYTES) || !isCount(width, MAX_PIXELS) || !isCount(height, MAX_PIXELS))
    return undefined
  const mimeType = mimeTypeOf(major, minor)
  return {
    sizeBytes: size,
    width,
    height,
    durationSeconds: null,
    mediaType: MEDIA_TYPES.find((each) => each === mediaType) ?? mediaTypeOf(mimeType),
    mimeType,
    sha1: sha1Of(sha1) ?? standIn(name, timestamp, size),
    uploader: uploaderOf(userId, userName),
    timestamp,
    sha256: null,
  }
}

const imageKind: TableKind = {
  columns: [{ name: 'img_name', kind: 'text' }, ...factColumns('img')],
  usual: [
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
  ],
  read([name, ...row]) {
    if (!isShort(name, MAX_TITLE_BYTES)) return undefined
    const facts = factsIn(name, row)
    return facts && { id: name.replaceAll(' ', '_'), values: valuesOfImage(facts) }
  },
}

/** Earlier uploads by the name that their contents have in the archive. Hidden ones are left out. */
const oldImageKind: TableKind = {
  columns: [
    { name: 'oi_name', kind: 'text' },
    { name: 'oi_archive_name', kind: 'text' },
    { name: 'oi_deleted', kind: 'number' },
    ...factColumns('oi'),
  ],
  usual: [
    'oi_name',
    'oi_archive_name',
    'oi_size',
    'oi_width',
    'oi_height',
    'oi_bits',
    'oi_description_id',
    'oi_actor',
    'oi_timestamp',
    'oi_metadata',
    'oi_media_type',
    'oi_major_mime',
    'oi_minor_mime',
    'oi_deleted',
    'oi_sha1',
  ],
  read([name, archiveName, deleted, ...row]) {
    if (!isShort(name, MAX_TITLE_BYTES) || !isShort(archiveName, MAX_ARCHIVE_BYTES)) return undefined
    const facts = deleted === 0 ? factsIn(name, row) : undefined
    return facts && { id: name.replaceAll(' ', '_'), values: [[archiveName, writeOldImage(facts)]] }
  },
}

/** A title with the time before it. */
const MAX_ARCHIVE_BYTES = MAX_TITLE_BYTES + 15

/** MediaWiki writes `unknown/unknown` for files that it does not know. */
function mimeTypeOf(major: SqlValue, minor: SqlValue): string {
  const type = `${major}/${minor}`
  return major !== 'unknown' && /^[a-z0-9]{1,32}\/[a-z0-9.+-]{1,100}$/.test(type) ? type : UNKNOWN_MIME_TYPE
}

const sha1Of = (value: SqlValue): string | undefined =>
  typeof value === 'string' && /^[0-9a-z]{1,31}$/.test(value) ? value.padStart(31, '0') : undefined

/** Placeholder where the table has no SHA-1. Clients detect a new upload by the hash. */
const standIn = (...upload: readonly unknown[]): string =>
  sha1Base36(createHash('sha1').update(JSON.stringify(upload)).digest('hex'))

const uploaderOf = (id: SqlValue, name: SqlValue): Editor | undefined =>
  isShort(name, MAX_TITLE_BYTES) ? { id: isId(id) ? id : null, name } : undefined

const PROPERTY_NAME = /^[\w:.-]{1,60}$/
/** Longer descriptions would fill the rows of the search index. */
const MAX_DESCRIPTION_BYTES = 1000

export const TABLE_KINDS: Readonly<Record<SqlTable, TableKind>> = {
  langlinks: {
    columns: [
      { name: 'll_from', kind: 'number' },
      { name: 'll_lang', kind: 'name' },
      { name: 'll_title', kind: 'text' },
    ],
    usual: ['ll_from', 'll_lang', 'll_title'],
    read: ([id, name, value]) =>
      isId(id) && isShort(name, MAX_CODE_BYTES) && isShort(value, MAX_TITLE_BYTES)
        ? { id, values: [[name, value]] }
        : undefined,
  },
  page_props: {
    columns: [
      { name: 'pp_page', kind: 'number' },
      { name: 'pp_propname', kind: 'name' },
      { name: 'pp_value', kind: 'text' },
    ],
    usual: ['pp_page', 'pp_propname', 'pp_value', 'pp_sortkey'],
    read: ([id, name, value]) => {
      if (!isId(id) || typeof name !== 'string') return undefined
      if (name === 'wikibase-shortdesc')
        return isShort(value, MAX_DESCRIPTION_BYTES) ? { id, values: [[name, value]] } : undefined
      const isPicture = name === 'page_image_free' || name === 'page_image'
      if (isPicture && isShort(value, MAX_TITLE_BYTES))
        return { id, values: [[name, value.replaceAll(' ', '_')]] }
      // Switches such as `notoc` have no value. Data of extensions, such as templatedata, are longer.
      const isKept = PROPERTY_NAME.test(name) && (value === '' || isShort(value, MAX_TITLE_BYTES))
      return isKept && !isPicture ? { id, values: [[name, value]] } : undefined
    },
  },
  imagelinks: {
    columns: [
      { name: 'il_from', kind: 'number' },
      { name: 'il_to', kind: 'text', isOptional: true },
      { name: 'il_target_id', kind: 'number', isOptional: true },
    ],
    needsOneOf: ['il_to', 'il_target_id'],
    usual: ['il_from', 'il_to', 'il_from_namespace'],
    read: ([id, name, targetId]) => {
      if (!isId(id)) return undefined
      if (isShort(name, MAX_TITLE_BYTES)) return { id, values: [[name.replaceAll(' ', '_'), '']] }
      return isId(targetId) ? { id, values: [[numberedName(targetId), '']] } : undefined
    },
  },
  categorylinks: {
    columns: [
      { name: 'cl_from', kind: 'number' },
      { name: 'cl_to', kind: 'text', isOptional: true },
      { name: 'cl_target_id', kind: 'number', isOptional: true },
      { name: 'cl_sortkey_prefix', kind: 'text', isOptional: true },
      { name: 'cl_timestamp', kind: 'name', isOptional: true },
    ],
    needsOneOf: ['cl_to', 'cl_target_id'],
    usual: ['cl_from', 'cl_to', 'cl_sortkey', 'cl_timestamp', 'cl_sortkey_prefix', 'cl_collation', 'cl_type'],
    read: ([id, name, targetId, prefix, time]) => {
      if (!isId(id)) return undefined
      const sortKey = isShort(prefix, MAX_TITLE_BYTES) ? prefix.replaceAll('\n', '') : ''
      const value = writeCategoryValue(sortKey, parseSqlTime(time))
      if (isShort(name, MAX_TITLE_BYTES)) return { id, values: [[name.replaceAll(' ', '_'), value]] }
      return isId(targetId) ? { id, values: [[numberedName(targetId), value]] } : undefined
    },
  },
  linktarget: {
    columns: [
      { name: 'lt_id', kind: 'number' },
      { name: 'lt_namespace', kind: 'number' },
      { name: 'lt_title', kind: 'text' },
    ],
    usual: ['lt_id', 'lt_namespace', 'lt_title'],
    read: ([id, namespace, name]) =>
      isId(id) && isNamespace(namespace) && isShort(name, MAX_TITLE_BYTES)
        ? { id, values: [[name.replaceAll(' ', '_'), String(namespace)]] }
        : undefined,
  },
  user_groups: {
    columns: [
      { name: 'ug_user', kind: 'number' },
      { name: 'ug_group', kind: 'name' },
    ],
    usual: ['ug_user', 'ug_group', 'ug_expiry'],
    read: ([id, group]) => (isId(id) && isWikiGroup(group) ? { id, values: [[group, '']] } : undefined),
  },
  change_tag: changeTagKind,
  change_tag_def: {
    columns: [
      { name: 'ctd_id', kind: 'number' },
      { name: 'ctd_name', kind: 'text' },
    ],
    usual: ['ctd_id', 'ctd_name', 'ctd_user_defined', 'ctd_count'],
    read: ([id, name]) =>
      isId(id) && isShort(name, MAX_TITLE_BYTES) ? { id, values: [[name, '']] } : undefined,
  },
  redirect: {
    columns: [
      { name: 'rd_from', kind: 'number' },
      { name: 'rd_namespace', kind: 'number' },
      { name: 'rd_title', kind: 'text' },
      { name: 'rd_interwiki', kind: 'text', isOptional: true },
      { name: 'rd_fragment', kind: 'text', isOptional: true },
    ],
    usual: ['rd_from', 'rd_namespace', 'rd_title', 'rd_interwiki', 'rd_fragment'],
    read: ([id, namespace, title, interwiki, fragment]) => {
      if (!isId(id) || !isNamespace(namespace) || !isShort(title, MAX_TITLE_BYTES)) return undefined
      const isAway = isShort(interwiki, MAX_CODE_BYTES)
      const section = isShort(fragment, MAX_TITLE_BYTES) ? `#${fragment}` : ''
      const target = `${isAway ? interwiki : namespace}:${title}${section}`
      return { id, values: [[TARGET, target.replaceAll('_', ' ')]] }
    },
  },
  pagelinks: pageLinksKind,
  templatelinks: templateLinksKind,
  externallinks: externalLinksKind,
  iwlinks: interwikiLinksKind,
  page_restrictions: pageRestrictionsKind,
  protected_titles: protectedTitlesKind,
  interwiki: {
    columns: [
      { name: 'iw_prefix', kind: 'text' },
      { name: 'iw_url', kind: 'text' },
      { name: 'iw_local', kind: 'number', isOptional: true },
    ],
    usual: ['iw_prefix', 'iw_url', 'iw_api', 'iw_wikiid', 'iw_local', 'iw_trans'],
    read: ([prefix, url, local]) => {
      if (typeof prefix !== 'string' || typeof url !== 'string') return undefined
      const entry = { prefix: prefix.toLowerCase(), url }
      if (interwikiFault(entry) !== undefined) return undefined
      const isStated = local === 0 || local === 1
      return {
        id: entry.prefix,
        values: [...(isStated ? [[LOCAL_NAME, `${local}`] as const] : []), [URL_NAME, url]],
      }
    },
  },
  image: imageKind,
  shared_image: { ...imageKind, sqlName: 'image' },
  oldimage: oldImageKind,
}
