/**
 * What the server needs of an HTTP library. The objects of uWebSockets.js have the forms below, so nothing stands
 * between them and the server; the driver of `node:http` brings them about.
 */

/** ASCII text: a string, or an ArrayBuffer, which uWebSockets.js takes in a third of the time. */
export type Ascii = string | ArrayBuffer

/** A request; it can be read until the callback that brought it returns. */
export interface NativeRequest {
  /** As sent. Call it before any other method that names the method. */
  getCaseSensitiveMethod(): string
  /** The path as sent, without the query. */
  getUrl(): string
  /** The query as sent; undefined without a question mark. */
  getQuery(): string | undefined
  /** Takes a name in lower case; empty when absent. */
  getHeader(name: Ascii): string
  /** All header lines, names in lower case. */
  forEach(take: (name: string, value: string) => void): void
}

/**
 * The answer to a request. A server that does not answer in the same tick must call `onAborted` in it, and may touch
 * the answer no more once the handler was called.
 */
export interface NativeResponse {
  /** Address of the other end of the connection, in 4 or 16 bytes; none when the connection has ended. */
  getRemoteAddress(): ArrayBuffer
  /** Takes the request's body as it arrives; a chunk is good until the callback returns. */
  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  /** The connection has ended before the answer was out. A later handler replaces an earlier one. */
  onAborted(handle: () => void): unknown
  /** Writes that belong together, in a later tick than the request's. */
  cork(write: () => void): unknown
  /** Status with its reason, and all header lines but Content-Length, each with a line break before it. */
  writeStatus(head: Ascii): unknown
  /** Ends an answer that has no body; its headers tell the length of the body that it might have. */
  endWithoutBody(): unknown
  /**
   * Sends the whole body, and keeps what the client does not take at once; `closes` the connection then, and says so.
   */
  end(body: Uint8Array | string, closes?: boolean): unknown
  /** Sends as much of a body of `length` bytes as the client takes now. */
  tryEnd(bytes: Uint8Array | ArrayBuffer, length: number): [tookAll: boolean, isDone: boolean]
  /** Bytes of the body that the client has taken. */
  getWriteOffset(): number
  /**
   * After `tryEnd` took a part: the client takes more, from this offset of the body; tells whether all was written that
   * there is.
   */
  onWritable(handle: (offset: number) => boolean): unknown
  /** Ends the connection at once. */
  close(): unknown
}

export type HandleRequest = (response: NativeResponse, request: NativeRequest) => void

/** What a driver calls. */
export interface DriverHandlers {
  readonly get: HandleRequest
  /** Requests with other methods. */
  readonly other: HandleRequest
  /** So many connections more (1) or fewer (-1). */
  readonly connections: (change: number) => void
}

export interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Whether other processes share the port; otherwise it is this one's alone. */
  readonly isShared: boolean
}

export interface Driver {
  /** Gives back the port; throws a ListenError. */
  listen(options: ListenOptions): Promise<number>
  /** Takes no more connections; those that are open stay. */
  stopListening(): void
  /** Ends all connections. */
  close(): void
}

export type MakeDriver = (handlers: DriverHandlers) => Driver

/** The port is taken, the address is none of this machine, or the library cannot do what is asked for. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
