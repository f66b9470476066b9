/** Accounts: what they may be called, the groups they can be in, and what their tokens are good for. */
import { USER } from './namespaceIds.js'
import type { Namespaces } from './namespaces.js'
import { parseTitle } from './title.js'

/** Groups that an account can be put into; `*` and `user` come by themselves. */
export const GROUPS = ['bot', 'sysop'] as const
export type Group = (typeof GROUPS)[number]

export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]

/** MediaWiki's limit for names, in bytes; a name is a page title as well. */
const MAX_NAME_BYTES = 235
const FORBIDDEN = /[/@:=]/
/** IPv4, also with the last part crossed out. Colons and slashes, of IPv6 and of ranges, are forbidden anyway. */
const LOOKS_LIKE_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){2}\.(?:\d{1,3}|xxx)$/

/**
 * The name of an account as the wiki writes it: as the title of its user page, so blanks are joined and the first
 * letter is raised. Undefined when no account can have it: no title, with a sign that other names need, or an address.
 */
export function userName(text: string, namespaces: Namespaces): string | undefined {
  if (Buffer.byteLength(text) > MAX_NAME_BYTES || FORBIDDEN.test(text) || text.includes('#')) return undefined
  const parsed = parseTitle(namespaces.keyPrefix(USER) + text, namespaces)
  if (!parsed.ok || parsed.title.namespace !== USER) return undefined
  const name = parsed.title.dbkey.replaceAll('_', ' ')
  return LOOKS_LIKE_ADDRESS.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES ? undefined : name
}

export const isGroup = (text: string): text is Group => (GROUPS as readonly string[]).includes(text)
export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
