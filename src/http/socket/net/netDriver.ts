/** The driver on `node:net`, which runs on every Node without a binary. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions as NetListenOptions, type Socket } from 'node:net'
import { hostAndPort } from '../../request/urls.js'
import {
  canSharePorts,
  type Driver,
  type DriverHandlers,
  ListenError,
  type ListenOptions,
} from '../driver.js'
import { CHECK_MS, NetConnection, type Shared } from './netConnection.js'
import { Outbox } from './outbox.js'

export class NetDriver implements Driver {
  readonly #server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#connect(socket))
  readonly #shared: Shared
  readonly #connections = new Set<NetConnection>()
  #timer: NodeJS.Timeout | undefined

  constructor(handlers: DriverHandlers) {
    this.#shared = { handlers, outbox: new Outbox(), nowMs: performance.now() }
  }

  async listen({ host, port, isShared }: ListenOptions): Promise<number> {
    if (isShared && !canSharePorts()) {
      throw new ListenError(
        `server processes that share a port by node:net need Node 22.12 or later, and this is ${process.version}: give --processes 1, or --http uws`,
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
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
    return (this.#server.address() as AddressInfo).port
  }

  stopListening(): void {
    this.#server.close()
  }

  close(): void {
    this.#server.close()
    clearInterval(this.#timer)
    for (const connection of this.#connections) connection.destroy()
  }

  #connect(socket: Socket): void {
    const connection = new NetConnection(socket, this.#shared)
    this.#connections.add(connection)
    this.#shared.handlers.connections(1, connection)
    socket.on('data', (chunk: Buffer) => connection.take(chunk))
    takePushed(socket, connection)
    socket.on('end', () => connection.end())
    // `close` follows.
    socket.on('error', ignore)
    socket.on('close', () => {
      this.#connections.delete(connection)
      connection.ended()
      this.#shared.handlers.connections(-1, connection)
    })
  }

  #check(): void {
    const nowMs = performance.now()
    this.#shared.nowMs = nowMs
    this.#shared.outbox.tick()
    for (const connection of this.#connections) connection.check(nowMs)
  }
}

/**
 * Takes what Node hands to `push` while nothing waits in the stream. Else the stream adds work of its own to each read,
 * a tenth of the cost of a ready answer. If Node stops calling `push`, everything comes with the event `data`.
 */
function takePushed(socket: Socket, connection: NetConnection): void {
  const push = socket.push.bind(socket)
  socket.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || socket.readableFlowing !== true || socket.readableLength > 0) return push(chunk)
    connection.take(chunk)
    return true
  }
}

const ignore = (): void => undefined
