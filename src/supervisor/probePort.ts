/** Finds out whether a port is free, before several processes share it. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartError } from './startError.js'

/**
 * Takes a port for itself alone for a moment, and gives back its number: that of the settings, or a free one for 0.
 * Processes that share a port would not notice that another server has it too. Throws a StartError when it is taken.
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
