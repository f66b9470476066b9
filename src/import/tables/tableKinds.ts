/** The SQL tables that an import takes. */
import { isWikiGroup } from '../../domain/account.js'
import { interwikiFault } from '../../domain/interwiki.js'
import { numberedName } from '../../storage/sqlTables/linkNames.js'
import { URL_NAME } from '../../storage/apply/sqlTables/applyTable.js'
import { TARGET } from '../../storage/apply/sqlTables/redirectPages.js'
import type { SqlTable } from '../../storage/rows/sqlTableNames.js'
import { changeTagKind } from './changeTags.js'
import { imageKind } from './imageKind.js'
import { pageRestrictionsKind, protectedTitlesKind } from './protectionKinds.js'
import type { TableKind } from './tableKind.js'
import { externalLinksKind, interwikiLinksKind, pageLinksKind, templateLinksKind } from './linkKinds.js'
import { isId, isNamespace, isShort, MAX_CODE_BYTES, MAX_TITLE_BYTES } from './values.js'

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
      return isPicture && isShort(value, MAX_TITLE_BYTES)
        ? { id, values: [[name, value.replaceAll(' ', '_')]] }
        : undefined
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
    ],
    needsOneOf: ['cl_to', 'cl_target_id'],
    usual: ['cl_from', 'cl_to', 'cl_sortkey', 'cl_timestamp', 'cl_sortkey_prefix', 'cl_collation', 'cl_type'],
    read: ([id, name, targetId, prefix]) => {
      if (!isId(id)) return undefined
      const sortKey = isShort(prefix, MAX_TITLE_BYTES) ? prefix : ''
      if (isShort(name, MAX_TITLE_BYTES)) return { id, values: [[name.replaceAll(' ', '_'), sortKey]] }
      return isId(targetId) ? { id, values: [[numberedName(targetId), sortKey]] } : undefined
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
    ],
    usual: ['iw_prefix', 'iw_url', 'iw_api', 'iw_wikiid', 'iw_local', 'iw_trans'],
    read: ([prefix, url]) => {
      if (typeof prefix !== 'string' || typeof url !== 'string') return undefined
      const entry = { prefix: prefix.toLowerCase(), url }
      return interwikiFault(entry) === undefined ? { id: entry.prefix, values: [[URL_NAME, url]] } : undefined
    },
  },
  image: imageKind,
  shared_image: { ...imageKind, sqlName: 'image' },
}
