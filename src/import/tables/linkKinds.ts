/** The tables of links: where a page leads to. */
import type { SqlValue } from '../../dump/sql/rowReader.js'
import { numberedName } from '../../storage/sqlTables/linkNames.js'
import type { TableKind } from './tableKind.js'
import { isId, isNamespace, isShort, MAX_CODE_BYTES, MAX_TITLE_BYTES } from './values.js'

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

export const pageLinksKind = titleLinks('pl')
export const templateLinksKind = titleLinks('tl')

export const externalLinksKind: TableKind = {
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

export const interwikiLinksKind: TableKind = {
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
