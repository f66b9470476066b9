/** Checks that a port is free before several processes share it. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartError } from './startError.js'

/**
 * Listens alone on a port for a moment and returns its number: the given one, or a free one for 0. Processes that share
 * a port would not notice another server on it. Throws a StartError when the port is taken.
 */
export async function probePort(host: string, port: number): Promise<number> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    const reason = 'the port is in use, or the address is not one of this machine'
    throw new StartError(`cannot listen on ${host}:${port}: ${reason}`, { cause: error })
  } finally {
    server.close()
  }
}
