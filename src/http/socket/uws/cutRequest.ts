/** Tries the fault of some binaries of uWebSockets.js: 505 to a request whose first line comes in two segments. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'

const SEGMENTS = ['GET / HTTP', '/1.1\r\nHost: localhost\r\n\r\n']
const LIMIT_MS = 1000
const TURNS = 5

/** Whether the library answers such a request. Takes some milliseconds, on a port of its own. */
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
