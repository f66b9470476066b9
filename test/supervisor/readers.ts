/** Clients that read the same URLs over and over, each on a connection that it keeps as long as the server does. */
import { Agent, request } from 'node:http'

export class Readers {
  readonly #urls: readonly string[]
  readonly #agent = new Agent({ keepAlive: true })
  readonly #loops: Promise<void>[]
  #stopped = false
  answers = 0
  readonly failures: string[] = []
  /** First twelve digits of the request ids that came last: every process has its own. */
  readonly processes = new Set<string>()

  constructor(urls: readonly string[], count: number) {
    this.#urls = urls
    this.#loops = Array.from({ length: count }, () => this.#read())
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#loops)
    this.#agent.destroy()
  }

  async #read(): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const url = this.#urls[n % this.#urls.length]!
      try {
        const { status, id } = await this.#get(url)
        if (status === 200) this.answers++
        else this.failures.push(`status ${status} of ${url}`)
        this.processes.add(id.slice(0, 12))
      } catch (error) {
        this.failures.push(`${String(error)} of ${url}`)
      }
    }
  }

  #get(url: string): Promise<{ status: number; id: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { agent: this.#agent }, (answer) => {
        answer.resume()
        answer.on('error', reject)
        const id = String(answer.headers['x-request-id'])
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, id }))
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
  }
}
