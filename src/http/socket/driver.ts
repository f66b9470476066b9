/**
 * The interface between the server and an HTTP library. The objects of uWebSockets.js have these forms themselves,
 * without a wrapper. The driver on `node:net` has the same forms.
 */

/** ASCII text: a string, or an ArrayBuffer, which uWebSockets.js reads in a third of the time. */
export type Ascii = string | ArrayBuffer

/** ASCII text as an ArrayBuffer, which a native call reads in a third of the time of a string. */
export const asciiBuffer = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, 'latin1')).buffer

export const asciiText = (text: Ascii): string =>
  typeof text === 'string' ? text : Buffer.from(text).toString('latin1')

/** A request. It is readable until the callback that received it returns. */
export interface NativeRequest {
  /** The method as sent. Call this before `getMethod`, which turns it into lower case. */
  getCaseSensitiveMethod(): string
  /** The path as sent, without the query. */
  getUrl(): string
  /** The query as sent; undefined without a question mark. */
  getQuery(): string | undefined
  /** Expects a name in lower case; empty when the header is absent. */
  getHeader(name: Ascii): string
  /** Calls `take` for every header line, with names in lower case. */
  forEach(take: (name: string, value: string) => void): void
}

/** The other end of a connection. */
export interface Peer {
  /** The peer's address in 4 or 16 bytes; empty when the connection has ended. */
  getRemoteAddress(): ArrayBuffer
}

/**
 * The answer to a request. A server that answers in a later tick must call `onAborted` in the first one. It must not
 * use the answer after that handler was called.
 */
export interface NativeResponse extends Peer {
  /** Passes chunks of the request's body as they arrive. A chunk is valid until the callback returns. */
  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  /**
   * Called when the connection ends before the library has the whole answer, and never after that. A later handler
   * replaces an earlier one.
   */
  onAborted(handle: () => void): unknown
  /** Groups the writes of a later tick into one. */
  cork(write: () => void): unknown
  /** Writes the status with its reason, and all header lines except Content-Length. A line break precedes each line. */
  writeStatus(head: Ascii): unknown
  /** Ends an answer without a body. Its headers may state the length that the body would have. */
  endWithoutBody(): unknown
  /**
   * Sends the whole body, and buffers the part that the client does not accept at once. `closes` also closes the
   * connection afterwards, and announces that in a header.
   */
  end(body: Uint8Array | string, closes?: boolean): unknown
  /**
   * Sends as much as the client accepts now of a body of `length` bytes. Nothing may overwrite lasting bytes, so the
   * library may hold them for later.
   */
  tryEnd(bytes: Uint8Array, length: number, areLasting?: boolean): [tookAll: boolean, isDone: boolean]
  /**
   * Sends a part of a body without a length, in chunks. By node:net, a client of HTTP/1.0 gets it up to the end of the
   * connection. `end` ends the body. False: the client has not taken all of it, and `onWritable` tells when it has.
   */
  write(bytes: Uint8Array): boolean
  /** Bytes of the body sent so far. */
  getWriteOffset(): number
  /**
   * Called after an incomplete `tryEnd`, when the client accepts more, with the offset to continue from. The handler
   * returns whether it could write everything it has.
   */
  onWritable(handle: (offset: number) => boolean): unknown
  /** Ends the connection immediately. */
  close(): unknown
}

type HandleRequest = (response: NativeResponse, request: NativeRequest) => void

/** Callbacks from a driver into the server. */
export interface DriverHandlers {
  readonly get: HandleRequest
  /** Handles requests with other methods. */
  readonly other: HandleRequest
  /** Called when a connection opens (1) or closes (-1). Only an open one has an address. */
  readonly connections: (change: number, peer: Peer) => void
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Whether several processes share the port; otherwise this process has it alone. */
  readonly isShared: boolean
}

export interface Driver {
  /** Returns the port; throws a ListenError. */
  listen(options: ListenOptions): Promise<number>
  /** Accepts no more connections; open ones stay. */
  stopListening(): void
  /** Ends all connections. */
  close(): void
}

export type MakeDriver = (handlers: DriverHandlers) => Driver

/** The port is taken, the address is not one of this machine, or the library does not support the request. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Whether this Node has the option `reusePort`. */
export function canSharePorts(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}
