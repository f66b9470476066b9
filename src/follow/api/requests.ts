/** Requests of the action API: single ones, long answers, and lists in parts. Each answer is read with patience. */
import { createHash } from 'node:crypto'
import type { ApiClient, Parameters } from './apiClient.js'
import { AnswerTooLarge } from './faults.js'
import { type Fields, fieldsOf, textOf, unexpected } from './fields.js'

/** Parts of one answer about at most 500 things. */
const MOST_PARTS = 1000
/** Rows of a part where the wiki sends as many as it may. After one that is too large, half as many. */
const MOST_ROWS = 500
/** Parts of a list that are remembered, to see that it goes round in a circle; and lists under way. */
const REMEMBERED = 20

/** A part of a list. `next` continues it; undefined at its end. */
export interface Part<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

type ReadQuery<Result> = (query: Fields) => Result

export class Requests {
  readonly #client: ApiClient
  /** Hashes of the last parts of a list, by the request that continues it. */
  readonly #walks = new Map<string, readonly string[]>()

  constructor(client: ApiClient) {
    this.#client = client
  }

  query<Result>(parameters: Parameters, read: ReadQuery<Result>): Promise<Result> {
    return this.#client.query(parameters, (answer) => read(fieldsOf(answer['query'], 'query')))
  }

  /** All parts of an answer that is longer than the wiki sends at once. */
  async *all<Result>(
    parameters: Parameters,
    read: ReadQuery<Result>,
    { isDivisible = false } = {},
  ): AsyncGenerator<Result> {
    const places = new Set<string>()
    for (let place: Parameters | undefined = {}; place !== undefined;) {
      const { result, next }: Continued<Result> = await this.#client.query(
        { ...parameters, ...place },
        (answer) => {
          const following = placeIn(answer)
          if (following !== undefined) requireProgress(places, JSON.stringify(following))
          return { result: read(fieldsOf(answer['query'], 'query')), next: following }
        },
        { isDivisible },
      )
      if (next !== undefined) places.add(JSON.stringify(next))
      yield result
      place = next
    }
  }

  /** One part of a list, and where the next one begins. */
  async part<Item>(
    parameters: Parameters,
    name: string,
    read: ReadQuery<readonly Item[]>,
    { mayBeAbsent = false } = {},
  ): Promise<Part<Item>> {
    const walk = this.#walks.get(walkOf(parameters, name)) ?? []
    return this.#inFewerRows(parameters, (fewer) =>
      this.#client.query(
        fewer,
        (answer) => {
          // A generator that finds nothing leaves the query out; its answer says that it is complete.
          const isEmpty = mayBeAbsent && answer['query'] === undefined && answer['batchcomplete'] === true
          const query = isEmpty ? {} : fieldsOf(answer['query'], 'query')
          const next = nextIn(answer, name)
          if (next !== undefined) this.#remember(parameters, name, next, walk, query)
          return { items: read(query), next }
        },
        { isDivisible: true },
      ),
    )
  }

  /** Throws a fault if the list goes on without end: where it began, or with what it has sent before. */
  #remember(
    parameters: Parameters,
    name: string,
    next: string,
    walk: readonly string[],
    query: Fields,
  ): void {
    if (next === parameters[name]) throw unexpected('it continues where it began')
    const hash = createHash('sha256').update(JSON.stringify(query)).digest('base64')
    if (walk.includes(hash)) throw unexpected('it continues with what came before')
    const key = walkOf({ ...parameters, [name]: next }, name)
    this.#walks.delete(key)
    this.#walks.set(key, [...walk, hash].slice(-REMEMBERED))
    for (const oldest of this.#walks.keys()) if (this.#walks.size > REMEMBERED) this.#walks.delete(oldest)
  }

  /** Asks for fewer rows while the answer is too large. */
  async #inFewerRows<Result>(
    parameters: Parameters,
    ask: (parameters: Parameters) => Promise<Result>,
  ): Promise<Result> {
    const limit = Object.keys(parameters).find((each) => parameters[each] === 'max')
    for (let rows = MOST_ROWS; ; rows >>= 1) {
      try {
        return await ask(
          rows === MOST_ROWS || limit === undefined ? parameters : { ...parameters, [limit]: rows },
        )
      } catch (error) {
        if (!(error instanceof AnswerTooLarge)) throw error
        if (rows === 1 || limit === undefined) throw unexpected(error.message)
      }
    }
  }
}

interface Continued<Result> {
  readonly result: Result
  readonly next: Parameters | undefined
}

function placeIn(answer: Fields): Parameters | undefined {
  if (answer['continue'] === undefined) return undefined
  const next = fieldsOf(answer['continue'], 'continue')
  return Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]))
}

function requireProgress(places: ReadonlySet<string>, next: string): void {
  if (places.has(next)) throw unexpected('it continues where it was before')
  if (places.size >= MOST_PARTS) throw unexpected(`it has more than ${MOST_PARTS} parts`)
}

function nextIn(answer: Fields, name: string): string | undefined {
  if (answer['continue'] === undefined) return undefined
  const stated = fieldsOf(answer['continue'], 'continue')[name]
  return typeof stated === 'number' ? String(stated) : textOf(stated, name)
}

/** The list and its place. Its first part may state a beginning instead. */
const walkOf = (parameters: Parameters, name: string): string =>
  JSON.stringify(
    Object.entries(parameters)
      .filter(([each]) => each === name || !/start$/.test(each))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Asks for items, and for half as many while the answer is too large. Returns the ids that are too large alone. */
export async function inSmallerParts(
  ids: readonly number[],
  ask: (ids: readonly number[]) => Promise<void>,
): Promise<number[]> {
  if (ids.length === 0) return []
  try {
    await ask(ids)
    return []
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error
    if (ids.length === 1) return [...ids]
    const half = ids.length >> 1
    return [
      ...(await inSmallerParts(ids.slice(0, half), ask)),
      ...(await inSmallerParts(ids.slice(half), ask)),
    ]
  }
}

export function* parts<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
