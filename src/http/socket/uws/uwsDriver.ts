/**
 * The driver of uWebSockets.js, the only file that imports it. Loading it throws when no package has a binary for
 * this Node and system.
 */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import type * as Library from 'uWebSockets.js'
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { hostAndPort } from '../../request/urls.js'
import { type Driver, type DriverHandlers, ListenError, type ListenOptions } from '../driver.js'

/** A package with binaries for older systems, which operators may install. */
const FOR_OLDER_SYSTEMS: string = 'uws-pack'

export const library = await loadLibrary()
const { App, us_listen_socket_close, us_socket_local_port } = library

/** The package that the product brings, or the one for older systems. Throws the error of the first. */
async function loadLibrary(): Promise<typeof Library> {
  const require = createRequire(import.meta.url)
  try {
    // An import() of this package that fails ends a process of Node 20, even if the error is caught.
    return require('uWebSockets.js') as typeof Library
  } catch (error) {
    const older = (await import(FOR_OLDER_SYSTEMS).catch(() => undefined)) as typeof Library | undefined
    if (older === undefined) throw error
    return older
  }
}

/** Gives the port to one server only: a second start fails instead of sharing the port silently. */
const EXCLUSIVE_PORT = 1
/** The system spreads new connections over all processes that listen with this option. */
const SHARED_PORT = 0

/** The package's types lack this signature of `listen`. */
interface ListeningApp extends TemplatedApp {
  listen: TemplatedApp['listen'] &
    ((
      host: string,
      port: number,
      options: number,
      callback: (socket: us_listen_socket | false) => void,
    ) => TemplatedApp)
}

export class UwsDriver implements Driver {
  readonly #app = App() as ListeningApp
  #socket: us_listen_socket | undefined

  constructor({ get, other, connections }: DriverHandlers) {
    this.#app.filter((peer, change) => connections(Number(change), peer))
    this.#app.get('/*', get)
    this.#app.any('/*', other)
  }

  listen({ host, port, isShared }: ListenOptions): Promise<number> {
    // The library calls back before `listen` returns.
    this.#app.listen(host, port, isShared ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      this.#socket = socket === false ? undefined : socket
    })
    if (this.#socket !== undefined) return Promise.resolve(us_socket_local_port(this.#socket))
    const reason = 'the port is in use, or the address is not one of this machine'
    return Promise.reject(new ListenError(`cannot listen on ${hostAndPort(host, port)}: ${reason}`))
  }

  stopListening(): void {
    if (this.#socket !== undefined) us_listen_socket_close(this.#socket)
    this.#socket = undefined
  }

  close(): void {
    this.#app.close()
  }
}

/** A request in two segments. */
const SEGMENTS = ['GET / HTTP', '/1.1\r\nHost: localhost\r\n\r\n']
const LIMIT_MS = 1000
const TURNS = 5

/**
 * Whether the library answers a request whose first line comes in two segments: some binaries answer 505. Takes some
 * milliseconds, on a port of its own.
 */
export async function answersCutRequest(): Promise<boolean> {
  let listening = undefined as us_listen_socket | undefined
  const app = App().get('/', (response, request) => void response.end(request.getUrl()))
  // The library calls back before `listen` returns.
  app.listen('127.0.0.1', 0, (socket) => {
    if (socket !== false) listening = socket
  })
  if (listening === undefined) return false
  const client = connect({ port: us_socket_local_port(listening), host: '127.0.0.1', noDelay: true })
  try {
    await once(client, 'connect')
    client.write(SEGMENTS[0]!)
    // Within these turns of the event loop, the library reads the first segment.
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
    client.write(SEGMENTS[1]!)
    const [answer] = (await once(client, 'data', { signal: AbortSignal.timeout(LIMIT_MS) })) as [Buffer]
    return answer.toString('latin1').startsWith('HTTP/1.1 200 ')
  } catch {
    return false
  } finally {
    client.destroy()
    us_listen_socket_close(listening)
  }
}
