/** Holds a GET back until the store has applied the position that the request names. */
import type { Store } from '../../storage/store.js'
import { namedPosition, POSITION_HEADER } from '../request/logPosition.js'
import { type Ascii, asciiBuffer, asciiText, type NativeRequest, type NativeResponse } from './driver.js'

const POLL_MS = 2
/** Requests that may wait at a time. Others are answered at once. */
const MAX_WAITING = 1000

const HEADER = asciiBuffer(POSITION_HEADER.toLowerCase())
const COOKIE = asciiBuffer('cookie')

export class PositionWait {
  readonly #store: Pick<Store, 'position' | 'refresh'>
  readonly #waitMs: number
  #waiting = 0

  /** After `waitMs`, a request is answered from what the node has. */
  constructor(store: Pick<Store, 'position' | 'refresh'>, waitMs: number) {
    this.#store = store
    this.#waitMs = waitMs
  }

  /**
   * True if the request waits; `answer` is then called once, in a later tick, unless the client leaves before. The
   * store's view must be fresh.
   */
  holds(response: NativeResponse, native: NativeRequest, answer: (request: NativeRequest) => void): boolean {
    const wanted = namedPosition(native.getHeader(HEADER), native.getHeader(COOKIE))
    if (wanted === 0 || this.#has(wanted) || this.#waiting >= MAX_WAITING) return false
    const held = new HeldRequest(native)
    let isGone = false
    response.onAborted(() => (isGone = true))
    this.#waiting++
    const endMs = performance.now() + this.#waitMs
    const look = (): void => {
      this.#store.refresh()
      if (!isGone && !this.#has(wanted) && performance.now() < endMs) {
        setTimeout(look, POLL_MS)
        return
      }
      this.#waiting--
      if (!isGone) response.cork(() => answer(held))
    }
    setTimeout(look, POLL_MS)
    return true
  }

  #has(position: number): boolean {
    return this.#store.position().sequence >= position
  }
}

/** A copy of a request, which outlives its callback. */
class HeldRequest implements NativeRequest {
  readonly #method: string
  readonly #url: string
  readonly #query: string | undefined
  readonly #headers = new Map<string, string>()

  constructor(native: NativeRequest) {
    this.#method = native.getCaseSensitiveMethod()
    this.#url = native.getUrl()
    this.#query = native.getQuery()
    native.forEach((name, value) => {
      const before = this.#headers.get(name)
      // The libraries give the first line of a header.
      if (before === undefined) this.#headers.set(name, value)
    })
  }

  getCaseSensitiveMethod(): string {
    return this.#method
  }

  getUrl(): string {
    return this.#url
  }

  getQuery(): string | undefined {
    return this.#query
  }

  getHeader(name: Ascii): string {
    return this.#headers.get(asciiText(name)) ?? ''
  }

  forEach(take: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers) take(name, value)
  }
}
