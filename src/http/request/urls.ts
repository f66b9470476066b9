/** Absolute URLs of the API and addresses of clients, with the rules for trusted proxies. */
import { isIP } from 'node:net'
import { type AddressList, canonicalAddress } from './addresses.js'

/** The parts of a request that tell how the client reached it. Header values as received, empty when absent. */
export interface Origin {
  readonly peerAddress: string
  readonly host: string
  readonly forwardedProto: string
  readonly forwardedHost: string
}

/** The parts of a request that tell who sent it. Each is read on demand. */
export interface Sender {
  /** In canonical form. */
  readonly peerAddress: string
  /** All lines of X-Forwarded-For, joined by commas. */
  readonly forwardedFor: string
}

interface UrlSettings {
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

  /** `fallbackHost` (`127.0.0.1:8080`) replaces an invalid Host header. */
  constructor(settings: UrlSettings, proxies: AddressList, fallbackHost: string) {
    this.#settings = settings
    this.#proxies = proxies
    this.#fallbackHost = fallbackHost
  }

  /**
   * URL of the API with its base path, without a slash at the end. Uses the public URL when it is set, else the Host
   * header, or the forwarded headers of a trusted proxy. The host contains only characters of host names and ports,
   * which prevents injection.
   */
  baseUrl(origin: () => Origin): string {
    if (this.#settings.publicUrl !== '') return this.#settings.publicUrl
    const came = origin()
    return this.#proxies.any && this.#proxies.has(came.peerAddress)
      ? this.#urlOf(came.host, came.forwardedProto, came.forwardedHost)
      : this.#urlOf(came.host, '', '')
  }

  /**
   * Name of the host that the request is for, in lower case and without port: of the Host header, or of the forwarded
   * header of a trusted proxy.
   */
  hostName(origin: () => Origin): string {
    const came = origin()
    const isForwarded = this.#proxies.any && this.#proxies.has(came.peerAddress)
    const first = isForwarded ? firstOf(came.forwardedHost) : ''
    const host = isHost(first) ? first : came.host
    return host.replace(/:\d+$/, '').toLowerCase()
  }

  /** Caches the last URL, since almost all requests name the same host. */
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
   * The client's address: the peer, or behind a trusted proxy the last address in X-Forwarded-For that is not a trusted
   * proxy. Written as in MediaWiki: `192.0.2.1`, `2001:DB8:0:0:0:0:0:1`.
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

/** Replacement for an invalid Host header: the listening address, or `localhost` for a wildcard address. */
export function fallbackHost(host: string, port: number): string {
  return hostAndPort(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port)
}

function isHost(text: string): boolean {
  return text.length <= MAX_HOST_LENGTH && (HOST_NAME.test(text) || HOST_IPV6.test(text))
}

/** The first item of a list, to whose end each proxy adds its own. */
function firstOf(list: string): string {
  return (list.split(',', 1)[0] ?? '').trim()
}
