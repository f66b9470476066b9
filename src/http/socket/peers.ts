/** Peer addresses as text, cached by their bytes. */
import { BoundedCache } from '../../runtime/boundedCache.js'
import { addressText } from '../request/addresses.js'
import type { NativeResponse, Peer } from './driver.js'

const REMEMBERED = 20_000

/**
 * The library asks the system for an address each time, which takes a microsecond. So while all open connections come
 * from one address, as they do behind a proxy, the system is asked once for each connection.
 */
export class Peers {
  #connections = 0
  /** The address of all open connections; undefined while there are none. */
  #only: string | undefined
  /** Whether there were others, since there was no connection. */
  #isMixed = false
  /** Log, limit and proxy check ask for the same response in turn. */
  #last: { readonly response: NativeResponse; readonly text: string } | undefined
  readonly #texts = new BoundedCache<string, number | string>(REMEMBERED, () => 1)

  /** A connection was made. One that has ended again has no address, and brings no request. */
  connect(peer: Peer): void {
    this.#connections++
    const text = this.#find(peer)
    if (text === '') return
    this.#only ??= text
    if (this.#only !== text) this.#isMixed = true
  }

  /** A connection has ended; the library does not tell which one. */
  disconnect(): void {
    if (--this.#connections > 0) return
    this.#only = undefined
    this.#isMixed = false
  }

  /** The canonical address of a response's client; may be empty when the client has disconnected. */
  of(response: NativeResponse): string {
    if (this.#only !== undefined && !this.#isMixed) return this.#only
    if (this.#last?.response === response) return this.#last.text
    const text = this.#find(response)
    this.#last = { response, text }
    return text
  }

  #find(peer: Peer): string {
    const bytes = peer.getRemoteAddress()
    const key = bytes.byteLength === 4 ? new Uint32Array(bytes)[0]! : Buffer.from(bytes).toString('latin1')
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = addressText(new Uint8Array(bytes))
    this.#texts.set(key, text)
    return text
  }
}
