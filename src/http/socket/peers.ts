/** Peer addresses as text, cached by their bytes. */
import { BoundedCache } from '../cache/boundedCache.js'
import { addressText } from '../request/addresses.js'
import type { NativeResponse } from './driver.js'

const REMEMBERED = 20_000

export class Peers {
  /** Log, limit and proxy check ask for the same response in turn, and the library calls the system each time. */
  #last: { readonly response: NativeResponse; readonly text: string } | undefined
  readonly #texts = new BoundedCache<string, number | string>(REMEMBERED, () => 1)

  /** The canonical address of a response's client; empty when the client has disconnected. */
  of(response: NativeResponse): string {
    if (this.#last?.response === response) return this.#last.text
    const text = this.#find(response)
    this.#last = { response, text }
    return text
  }

  #find(response: NativeResponse): string {
    const bytes = response.getRemoteAddress()
    const key = bytes.byteLength === 4 ? new Uint32Array(bytes)[0]! : Buffer.from(bytes).toString('latin1')
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = addressText(new Uint8Array(bytes))
    this.#texts.set(key, text)
    return text
  }
}
