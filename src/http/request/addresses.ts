/** Lists of addresses and networks. */
import { BlockList, isIP } from 'node:net'
import { BoundedCache } from '../../runtime/boundedCache.js'

/** Number of cached verdicts. A server sees few proxies, and a check of an address takes a microsecond. */
const REMEMBERED = 64

export class AddressList {
  readonly #list = new BlockList()
  readonly #known = new BoundedCache<boolean>(REMEMBERED, () => 1)
  readonly any: boolean

  /** Takes addresses and networks as `10.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
  constructor(entries: readonly string[]) {
    this.any = entries.length > 0
    for (const entry of entries) {
      const [address = '', prefix] = entry.split('/')
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
      if (prefix === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(prefix), family)
    }
  }

  /** Expects an address in the socket's form: IPv6 in full, or IPv4, possibly mapped into IPv6. */
  has(peerAddress: string): boolean {
    const known = this.#known.get(peerAddress)
    if (known !== undefined) return known
    const address = unmapped(peerAddress)
    const version = isIP(address)
    const isListed = version !== 0 && this.#list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    this.#known.set(peerAddress, isListed)
    return isListed
  }
}

/** The IPv4 address inside a mapped IPv6 address; any other address unchanged. */
function unmapped(address: string): string {
  const mapped = /^(?:::ffff:|0000:0000:0000:0000:0000:ffff:)(.+)$/i.exec(address)?.[1]
  return mapped === undefined ? address : mappedIpv4(mapped)
}

/**
 * The canonical form: IPv4 unchanged, IPv6 as eight groups of capital digits without leading zeros. Expects an address
 * that isIP accepts.
 */
export function canonicalAddress(address: string): string {
  const plain = unmapped(address)
  if (isIP(plain) !== 6) return plain
  const short = new URL(`http://[${plain.split('%', 1)[0]}]`).hostname.slice(1, -1).toUpperCase()
  const [head = '', tail] = short.split('::')
  if (tail === undefined) return short
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const zeros = 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)].join(':')
}

const IPV4_IN_IPV6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** The canonical text of an address of 4 or 16 bytes; empty for no bytes. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length !== 16) return bytes.join('.')
  if (IPV4_IN_IPV6.every((byte, at) => bytes[at] === byte)) return bytes.subarray(12).join('.')
  const group = (at: number): string => ((bytes[at]! << 8) | bytes[at + 1]!).toString(16).toUpperCase()
  return [0, 2, 4, 6, 8, 10, 12, 14].map(group).join(':')
}

/** The bytes of an address in any form that isIP accepts; empty for the empty text. */
export function addressBytes(address: string): Uint8Array {
  if (address === '') return new Uint8Array()
  const text = canonicalAddress(address)
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number)
  const groups = text.split(':').map((group) => parseInt(group, 16))
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

/** Converts `7f00:0001` to `127.0.0.1`; keeps dotted text unchanged. */
function mappedIpv4(tail: string): string {
  const groups = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(tail)
  if (groups === null) return tail
  const [high, low] = [parseInt(groups[1]!, 16), parseInt(groups[2]!, 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
