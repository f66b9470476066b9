/** Absolute URLs of the API, and whom to believe about its host. */
import { isIP } from 'node:net'
import { type AddressList, canonicalAddress } from './addresses.js'

/** What of a request says where it came in. Header values are as received, empty when absent. */
export interface Origin {
  readonly peerAddress: string
  readonly host: string
  readonly forwardedProto: string
  readonly forwardedHost: string
}

/** What of a request says who sent it; each is read only when it is needed. */
export interface Sender {
  /** Canonical. */
  readonly peerAddress: string
  /** All lines of X-Forwarded-For, joined by commas. */
  readonly forwardedFor: string
}

export interface UrlSettings {
  readonly publicUrl: string
  readonly basePath: string
  readonly trustedProxies: readonly string[]
}

const MAX_HOST_LENGTH = 260
const HOST_NAME = /^[A-Za-z0-9._-]+(:\d{1,5})?$/
const HOST_IPV6 = /^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

export class BaseUrls {
  readonly #settings: UrlSettings
  readonly #proxies: AddressList
  readonly #fallbackHost: string
  #last = { host: '', forwardedProto: '', forwardedHost: '', url: '' }

  /** `fallbackHost` (`127.0.0.1:8080`) stands in for a Host header that cannot be one. */
  constructor(settings: UrlSettings, proxies: AddressList, fallbackHost: string) {
    this.#settings = settings
    this.#proxies = proxies
    this.#fallbackHost = fallbackHost
  }

  /**
   * URL of the API with its base path, without a slash at the end: the public URL where one is set, else from the
   * Host header, or from the forwarded headers of a trusted proxy. No sign outside host names and ports gets in.
   */
  baseUrl(origin: () => Origin): string {
    if (this.#settings.publicUrl !== '') return this.#settings.publicUrl
    const came = origin()
    return this.#proxies.any && this.#proxies.has(came.peerAddress)
      ? this.#urlOf(came.host, came.forwardedProto, came.forwardedHost)
      : this.#urlOf(came.host, '', '')
  }

  /** Almost all requests name the same host, so its URL is kept. */
  #urlOf(host: string, forwardedProto: string, forwardedHost: string): string {
    const last = this.#last
    const isSame =
      host === last.host && forwardedProto === last.forwardedProto && forwardedHost === last.forwardedHost
    if (isSame && last.url !== '') return last.url
    const scheme = firstOf(forwardedProto).toLowerCase() === 'https' ? 'https' : 'http'
    const first = firstOf(forwardedHost)
    const url = this.#url(scheme, isHost(first) ? first : host)
    this.#last = { host, forwardedProto, forwardedHost, url }
    return url
  }

  #url(scheme: 'http' | 'https', host: string): string {
    return `${scheme}://${isHost(host) ? host : this.#fallbackHost}${this.#settings.basePath}`
  }

  /**
   * Address of who sent a request: the peer, or, where that is a trusted proxy, the last address of X-Forwarded-For
   * that is none. Written as MediaWiki does: `192.0.2.1`, `2001:DB8:0:0:0:0:0:1`.
   */
  clientAddress(sender: () => Sender): string {
    const came = sender()
    const { peerAddress } = came
    if (!this.#proxies.any || !this.#proxies.has(peerAddress)) return peerAddress
    let address = peerAddress
    const hops = came.forwardedFor.split(',')
    while (this.#proxies.has(address)) {
      const hop = hops.pop()?.trim() ?? ''
      if (isIP(hop) === 0) break
      address = hop
    }
    return canonicalAddress(address)
  }
}

/** `host:port` for a URL, with brackets around an IPv6 address. */
export function hostAndPort(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

/** Stands in for a Host header that cannot be one: the listening address, where that is one that clients can use. */
export function fallbackHost(host: string, port: number): string {
  return hostAndPort(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port)
}

function isHost(text: string): boolean {
  return text.length <= MAX_HOST_LENGTH && (HOST_NAME.test(text) || HOST_IPV6.test(text))
}

/** The first of a list: each proxy adds its own to the end. */
function firstOf(list: string): string {
  return (list.split(',', 1)[0] ?? '').trim()
}
