/** Requests of the action API: single ones, long answers, and lists in parts. */
import type { ApiClient, Parameters } from './apiClient.js'
import { type Fields, fieldsOf, textOf, unexpected } from './fields.js'

export interface QueryPart {
  readonly query: Fields
  /** Undefined at the end of the list. */
  readonly next: string | undefined
}

export class Requests {
  readonly #client: ApiClient

  constructor(client: ApiClient) {
    this.#client = client
  }

  async query(parameters: Parameters): Promise<Fields> {
    const answer = await this.#client.query(parameters)
    return answer['query'] === undefined ? {} : fieldsOf(answer['query'], 'query')
  }

  /** All parts of an answer that is longer than the wiki sends at once. */
  async *all(parameters: Parameters): AsyncGenerator<Fields> {
    for (let place: Fields = {}; ;) {
      const answer = await this.#client.query({ ...parameters, ...(place as Parameters) })
      if (answer['query'] !== undefined) yield fieldsOf(answer['query'], 'query')
      if (answer['continue'] === undefined) return
      const next = fieldsOf(answer['continue'], 'continue')
      if (JSON.stringify(next) === JSON.stringify(place)) throw unexpected('it continues where it began')
      place = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]))
    }
  }

  /** One part of a list, and where the next one begins. */
  async part(parameters: Parameters, name: string): Promise<QueryPart> {
    const answer = await this.#client.query(parameters)
    const query = answer['query'] === undefined ? {} : fieldsOf(answer['query'], 'query')
    if (answer['continue'] === undefined) return { query, next: undefined }
    const stated = fieldsOf(answer['continue'], 'continue')[name]
    const next = typeof stated === 'number' ? String(stated) : textOf(stated, name)
    if (next === parameters[name]) throw unexpected('it continues where it began')
    return { query, next }
  }
}
