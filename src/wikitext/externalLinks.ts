/** Addresses outside of the wiki that a wikitext names, and their places in an index. */

/** Protocols with a host. */
const HOSTED = new Set([
  'http',
  'https',
  'ftp',
  'ftps',
  'sftp',
  'irc',
  'ircs',
  'git',
  'svn',
  'ssh',
  'gopher',
  'telnet',
])
const UNHOSTED = [
  'mailto:',
  'news:',
  'tel:',
  'sms:',
  'sip:',
  'sips:',
  'magnet:',
  'geo:',
  'bitcoin:',
  'urn:',
  'xmpp:',
]
/** Longer addresses do not count. */
const MAX_URL_LENGTH = 2000
const REST = new RegExp(`[^\\s<>"[\\]|{}\\x00-\\x1f\\x7f]{1,${MAX_URL_LENGTH}}`, 'y')
const WORD = /(?:^|[^\p{L}\p{N}_])([a-z]{3,6}):$/iu
/** The longest protocol, its colon, and the sign before it. */
const MAX_PROTOCOL_LENGTH = 8
/** Signs that end a sentence rather than an address. */
const TRAILING = /[,;.:!?]+$/
const TRAILING_WITH_BRACKET = /[,;.:!?)]+$/

const CONTROLS = /[\0-\x20\x7f]/
const LEADS_SOMEWHERE = /^(?:[a-z]+:(?:\/\/)?|\/\/)[^/:]/i

/** Whether an address can be a target. */
export const isAddress = (url: string): boolean =>
  url.length <= MAX_URL_LENGTH && LEADS_SOMEWHERE.test(url) && !CONTROLS.test(url) && url.isWellFormed()

/** Addresses in a text, at most `limit`, maybe some twice. `visible` has no comments. */
export function* externalUrls(visible: string, limit: number): Iterable<string> {
  let found = 0
  let end = 0
  for (const start of urlStarts(visible)) {
    // An address may have others in it. A walk of the protocols begins again at the start.
    if (start < end && start > end - MAX_URL_LENGTH) continue
    REST.lastIndex = start
    const [stated = ''] = REST.exec(visible) ?? []
    end = start + stated.length
    const url = visible[start - 1] === '[' ? stated : withoutTrailing(stated)
    if (isAddress(url)) yield url
    if (++found === limit) return
  }
}

/** An address without protocol counts in brackets alone. */
function* urlStarts(visible: string): Iterable<number> {
  for (let at = visible.indexOf('//'); at >= 0; at = visible.indexOf('//', at + 2)) {
    const word = WORD.exec(visible.slice(Math.max(0, at - MAX_PROTOCOL_LENGTH), at))?.[1]
    if (word !== undefined && HOSTED.has(word.toLowerCase())) yield at - word.length - 1
    else if (visible[at - 1] === '[') yield at
  }
  for (const protocol of UNHOSTED)
    for (let at = visible.indexOf(protocol); at >= 0; at = visible.indexOf(protocol, at + protocol.length))
      if (!/[\p{L}\p{N}_]/u.test(visible[at - 1] ?? '')) yield at
}

const withoutTrailing = (url: string): string =>
  url.replace(url.includes('(') ? TRAILING : TRAILING_WITH_BRACKET, '')

const PARTS = /^([a-z][a-z0-9+.-]*:)?(\/\/)?([^/?#]*)(.*)$/is
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * The place of an address among others: with the labels of its host in reverse, such as `https://org.example.www./a`.
 * Source: MediaWiki's column `el_index`. An address without protocol is where that of `https` is.
 */
export function externalIndex(url: string): string {
  const [, protocol = 'https:', slashes, authority = '', path = ''] = PARTS.exec(url) ?? []
  const scheme = protocol.toLowerCase()
  if (slashes === undefined) {
    const at = authority.lastIndexOf('@')
    if (scheme !== 'mailto:' || at < 0) return `${scheme}${authority}${path}`
    return `${scheme}${reversed(authority.slice(at + 1))}@${authority.slice(0, at)}${path}`
  }
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const port = /:\d*$/.exec(host)?.[0] ?? ''
  const name = host.slice(0, host.length - port.length)
  return `${scheme}//${reversed(name)}${port}${path === '' ? '/' : path}`
}

function reversed(host: string): string {
  const name = host.toLowerCase()
  if (IPV4.test(name)) return `V4.${name}.`
  return `${name.split('.').reverse().join('.')}.`
}
