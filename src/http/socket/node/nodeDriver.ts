/** The driver of `node:http`. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  type ListenOptions as NetListenOptions,
  Server as NetServer,
  type Socket,
} from 'node:net'
import { addressBytes } from '../../request/addresses.js'
import { hostAndPort } from '../../request/urls.js'
import { type Driver, type DriverHandlers, ListenError, type ListenOptions, type Peer } from '../driver.js'
import { NodeRequest } from './nodeRequest.js'
import { IDLE_MS, NodeResponse } from './nodeResponse.js'

/** Interval at which the library looks for idle connections. */
const CHECK_MS = 1000
/** Bytes of a body that a client must send per IDLE_MS, the same limit as in uWebSockets.js. */
const LEAST_BODY_BYTES = (16 * 1024 * IDLE_MS) / 1000
/** Pipelined requests that may wait on one connection. The server ends a connection with more. */
const MOST_WAITING = 1000

export class NodeDriver implements Driver {
  readonly #server: Server
  readonly #handlers: DriverHandlers
  readonly #connections = new WeakMap<Socket, Connection>()

  constructor(handlers: DriverHandlers) {
    this.#handlers = handlers
    this.#server = createServer(
      {
        keepAliveTimeout: IDLE_MS,
        headersTimeout: IDLE_MS,
        // NodeResponse and #watchBody limit the time of bodies.
        requestTimeout: 0,
        connectionsCheckingInterval: CHECK_MS,
      },
      (incoming, outgoing) => this.#connections.get(incoming.socket)?.take(incoming, outgoing),
    )
    this.#server.on('connection', (socket: Socket) => this.#connect(socket))
    // Without this handler, the library closes the connection without an answer.
    this.#server.on('connect', (_incoming, socket: Socket) => socket.end(METHOD_NOT_ALLOWED))
  }

  async listen({ host, port, isShared }: ListenOptions): Promise<number> {
    if (isShared && !canSharePorts()) {
      throw new ListenError(
        `server processes that share a port by node:http need Node 22.12 or later, and this is ${process.version}: give --processes 1, or --http uws`,
      )
    }
    const options: NetListenOptions & { reusePort: boolean } = { host, port, reusePort: isShared }
    this.#server.listen(options)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      const reason = 'the port is in use, or the address is not one of this machine'
      throw new ListenError(`cannot listen on ${hostAndPort(host, port)}: ${reason}`, { cause: error })
    }
    return (this.#server.address() as AddressInfo).port
  }

  stopListening(): void {
    // `close` of the HTTP server would also end idle connections, on which a request may be arriving.
    NetServer.prototype.close.call(this.#server)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #connect(socket: Socket): void {
    const connection = new Connection(socket, this.#handlers)
    this.#connections.set(socket, connection)
    this.#handlers.connections(1, connection)
    socket.once('close', () => this.#handlers.connections(-1, connection))
  }
}

const METHOD_NOT_ALLOWED = 'HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** One connection. It answers its requests in order, each after the previous answer is complete. */
class Connection implements Peer {
  readonly #socket: Socket
  readonly #handlers: DriverHandlers
  readonly #peerAddress: ArrayBuffer
  readonly #waiting: (() => void)[] = []
  #isBusy = false

  constructor(socket: Socket, handlers: DriverHandlers) {
    this.#socket = socket
    this.#handlers = handlers
    this.#peerAddress = new Uint8Array(addressBytes(socket.remoteAddress ?? '')).buffer
  }

  getRemoteAddress(): ArrayBuffer {
    return this.#peerAddress
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const begin = (): void => this.#begin(incoming, outgoing)
    if (!this.#isBusy) return begin()
    if (this.#waiting.push(begin) > MOST_WAITING) this.#socket.destroy()
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#isBusy = true
    if (hasBody(incoming)) this.#watchBody(incoming)
    outgoing.once('finish', () => {
      this.#isBusy = false
      // After an answer that closes the connection, the library has already ended its side.
      if (!this.#socket.writableEnded) this.#waiting.shift()?.()
    })
    const request = new NodeRequest(incoming)
    const response = new NodeResponse(incoming, outgoing, this.#peerAddress)
    const handle = incoming.method === 'GET' ? this.#handlers.get : this.#handlers.other
    handle(response, request)
  }

  /** Ends the connection of a client that sends a body too slowly, even when no route reads the body. */
  #watchBody(incoming: IncomingMessage): void {
    let seenBytes = this.#socket.bytesRead
    const timer = setInterval(() => {
      const isReceiving = incoming.readableFlowing === true && !incoming.complete
      if (isReceiving && this.#socket.bytesRead - seenBytes < LEAST_BODY_BYTES) this.#socket.destroy()
      seenBytes = this.#socket.bytesRead
    }, IDLE_MS).unref()
    incoming.once('close', () => clearInterval(timer))
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Node versions with the option `reusePort`. */
function canSharePorts(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}
