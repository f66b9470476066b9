/** Which addresses a request asks for: `protocol` and `query` of `prop=extlinks` and `list=exturlusage`. */
import { externalIndex } from '../../../storage/links/linkReader.js'

export const PROTOCOLS = [
  ...['http', 'https', 'ftp', 'ftps', 'sftp', 'irc', 'ircs', 'git', 'svn', 'ssh', 'gopher', 'telnet'],
  ...['mailto', 'news', 'tel', 'sms', 'sip', 'sips', 'magnet', 'geo', 'bitcoin', 'urn', 'xmpp'],
] as const
type Protocol = '' | (typeof PROTOCOLS)[number]

const UNHOSTED = /^(?:mailto|news|tel|sms|sips?|magnet|geo|bitcoin|urn|xmpp)$/

export interface AddressPattern {
  /** With which places of the index begin, as of `externalIndex`. */
  readonly prefix: string
  readonly matches: (place: string) => boolean
}

/** A query without protocol is of `http` alone. `*.` stands for any host below. */
export function addressPattern(query: string | undefined, protocol: Protocol): AddressPattern {
  const scheme = protocol === '' && query !== undefined && query !== '' ? 'http' : protocol
  const start = scheme === '' ? '' : `${scheme}:${UNHOSTED.test(scheme) ? '' : '//'}`
  const [, wildcard, host = '', path = ''] = /^(\*\.)?([^/?#]*)(.*)$/s.exec(query ?? '') ?? []
  if (host === '') return patternOf(start, '')
  if (wildcard === undefined) return patternOf(externalIndex(start + host + path), '')
  const below = externalIndex(`${start}${host}`)
  return patternOf(UNHOSTED.test(scheme) ? below : below.slice(0, -1), path)
}

const patternOf = (prefix: string, path: string): AddressPattern => ({
  prefix,
  matches: (place) =>
    place.startsWith(prefix) && (path === '' || place.slice(place.indexOf('./') + 1).startsWith(path)),
})
