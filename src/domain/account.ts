/** Accounts: their names, their groups and the scopes of their tokens. */
import { USER } from './namespaceIds.js'
import type { Namespaces } from './namespaces.js'
import { parseTitle } from './title.js'

/** Groups that an operator can put an account into. `*` and `user` apply by themselves. */
export const GROUPS = ['bot', 'sysop'] as const
export type Group = (typeof GROUPS)[number]

/** Groups whose members are kept from a mirrored wiki. Each has some hundred members. */
export const WIKI_GROUPS = ['bot', 'bureaucrat', 'interface-admin', 'suppress', 'sysop'] as const

export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]

/** MediaWiki's limit for names, in bytes; a name is a page title as well. */
const MAX_NAME_BYTES = 235
const FORBIDDEN = /[/@:=]/
/** IPv4, also with its last part crossed out. IPv6 and ranges need no pattern: colons and slashes are forbidden. */
const LOOKS_LIKE_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){2}\.(?:\d{1,3}|xxx)$/

/**
 * The name of an account as the title of its user page: blanks joined, first letter raised. Undefined when no account
 * can have it: it is not a title, has a sign that other names need, or looks like an IP address.
 */
export function userName(text: string, namespaces: Namespaces): string | undefined {
  if (Buffer.byteLength(text) > MAX_NAME_BYTES || FORBIDDEN.test(text) || text.includes('#')) return undefined
  const parsed = parseTitle(namespaces.keyPrefix(USER) + text, namespaces)
  if (!parsed.ok || parsed.title.namespace !== USER) return undefined
  const name = parsed.title.dbkey.replaceAll('_', ' ')
  return LOOKS_LIKE_ADDRESS.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES ? undefined : name
}

export const isWikiGroup = (text: unknown): text is string =>
  (WIKI_GROUPS as readonly unknown[]).includes(text)
export const isGroup = (text: string): text is Group => (GROUPS as readonly string[]).includes(text)
export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
