/** Client address, base URL and given id of requests, with the rules for trusted proxies. */
import type { Config } from '../../config/config.js'
import { AddressList } from '../request/addresses.js'
import { isAcceptableRequestId } from '../request/requestId.js'
import { BaseUrls, fallbackHost, type Origin, type Sender } from '../request/urls.js'
import { asciiBuffer, type NativeRequest, type NativeResponse } from './driver.js'
import type { Peers } from './peers.js'

const HOST = asciiBuffer('host')
const REQUEST_ID = asciiBuffer('x-request-id')

export class Origins {
  readonly #peers: Peers
  readonly #proxies: AddressList
  readonly #baseUrls: BaseUrls

  /** `port` is the port that the server listens on. */
  constructor(
    config: Pick<Config, 'trustedProxies' | 'publicUrl' | 'basePath' | 'host'>,
    port: number,
    peers: Peers,
  ) {
    this.#peers = peers
    this.#proxies = new AddressList(config.trustedProxies)
    this.#baseUrls = new BaseUrls(config, this.#proxies, fallbackHost(config.host, port))
  }

  /** URL of the API as the request names it: see BaseUrls. */
  baseUrl(response: NativeResponse, request: NativeRequest): string {
    return this.#baseUrls.baseUrl(() => new NativeOrigin(response, request, this.#peers))
  }

  /** Name of the host that the request is for: see BaseUrls. */
  hostName(response: NativeResponse, request: NativeRequest): string {
    return this.#baseUrls.hostName(() => new NativeOrigin(response, request, this.#peers))
  }

  /** Address of the client: see BaseUrls. */
  clientAddress(response: NativeResponse, request: NativeRequest): string {
    if (!this.#proxies.any) return this.#peers.of(response)
    return this.#baseUrls.clientAddress(() => new NativeSender(response, request, this.#peers))
  }

  /** The request id from a trusted proxy. */
  givenId(response: NativeResponse, request: NativeRequest): string | undefined {
    if (!this.#proxies.any) return undefined
    const given = request.getHeader(REQUEST_ID)
    return isAcceptableRequestId(given) && this.#proxies.has(this.#peers.of(response)) ? given : undefined
  }
}

/** Reads on demand: the address takes a microsecond, and all header lines take two. */
class NativeSender implements Sender {
  readonly #response: NativeResponse
  protected readonly request: NativeRequest
  readonly #peers: Peers

  constructor(response: NativeResponse, request: NativeRequest, peers: Peers) {
    this.#response = response
    this.request = request
    this.#peers = peers
  }

  get peerAddress(): string {
    return this.#peers.of(this.#response)
  }

  /** All X-Forwarded-For lines as one list: `getHeader` returns the first only, and a proxy may add a second line. */
  get forwardedFor(): string {
    const lines: string[] = []
    this.request.forEach((name, value) => {
      if (name === 'x-forwarded-for') lines.push(value)
    })
    return lines.join(',')
  }
}

class NativeOrigin extends NativeSender implements Origin {
  get host(): string {
    return this.request.getHeader(HOST)
  }

  get forwardedProto(): string {
    return this.request.getHeader('x-forwarded-proto')
  }

  get forwardedHost(): string {
    return this.request.getHeader('x-forwarded-host')
  }
}
