/** A cable between clients and a server of this machine, which can be cut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * While the cable is cut nothing comes through, and nobody is told: connections stay open, their bytes wait, and new
 * connections get no answer. Afterwards the bytes arrive, as the system sends them again.
 */
export class Cable {
  readonly #toPort: number
  readonly #server: Server
  readonly #ends = new Set<Socket>()
  #isCut = false

  private constructor(toPort: number) {
    this.#toPort = toPort
    this.#server = createServer({ pauseOnConnect: true }, (near) => this.#plugIn(near))
  }

  /** A cable to a port of 127.0.0.1. */
  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port)
    cable.#server.listen(0, '127.0.0.1')
    await once(cable.#server, 'listening')
    return cable
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(): void {
    this.#isCut = true
    for (const end of this.#ends) end.pause()
  }

  mend(): void {
    this.#isCut = false
    for (const end of this.#ends) end.resume()
  }

  close(): void {
    this.#server.close()
    for (const end of this.#ends) end.destroy()
  }

  #plugIn(near: Socket): void {
    const far = connect(this.#toPort, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(end)
      end.on('data', (bytes) => other.write(bytes))
      end.on('error', () => undefined)
      end.on('close', () => {
        this.#ends.delete(end)
        other.destroy()
      })
      if (this.#isCut) end.pause()
      else end.resume()
    }
  }
}
