/** What modules of `action=query` are, and what they give. */
import type { ActionCall } from '../frame/call.js'
import type { Reader } from '../frame/reading.js'
import type { Parameter, ParameterTable, Values } from '../frame/declaration.js'
import type { Fields } from '../frame/values.js'
import type { PageEntry, PageSet } from '../pageSet/pageSet.js'
import type { Generated } from '../pageSet/namedPages.js'

export interface QueryCall extends ActionCall {
  readonly pages: PageSet
  /** The module gives pages to others, and not to the client. */
  readonly isGenerator: boolean
  /** Who reads parameters: name, path and prefix of the module. */
  readonly module: Reader
  /** What a module may still add to the answer, in bytes. Large contents take from it; see `Room`. */
  readonly room: Room
}

/** Room in an answer. What does not fit comes with the next one. */
export class Room {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Whether the bytes fit. The first ones always do, so that each answer goes on. */
  takes(bytes: number): boolean {
    const fits = bytes <= this.#left || this.#isFirst
    if (fits) this.#left -= bytes
    this.#isFirst = false
    return fits
  }

  #isFirst = true
}

/** Parameters that a client sends to get more, without the prefix. */
export type More = Readonly<Record<string, string | number>>

interface Base<Table extends ParameterTable> {
  readonly name: string
  readonly prefix: string
  readonly summary: string
  readonly parameters: Table
}

/** A result, as an entry of a list or as a page that a generator gives. */
export interface Item extends Generated {
  readonly fields: unknown
  /** Of a property: the page that it belongs to. */
  readonly entry?: PageEntry
}

export interface Listing {
  readonly items: readonly Item[]
  readonly more?: More | undefined
  /** Fields of `query` beside the list. */
  readonly beside?: Fields
}

/** Fields of pages. */
export interface Facts {
  readonly facts: ReadonlyMap<PageEntry, Fields>
  readonly more?: More | undefined
}

/** A property with one value for each page. */
export interface FactModule<Table extends ParameterTable = ParameterTable> extends Base<Table> {
  readonly kind: 'facts'
  run(call: QueryCall, values: Values<Table>): Facts | Promise<Facts>
}

/** A property that is a list for each page. As a generator it gives the entries. */
export interface ListedPropModule<Table extends ParameterTable = ParameterTable> extends Base<Table> {
  readonly kind: 'listedProp'
  readonly isGenerator: boolean
  run(call: QueryCall, values: Values<Table>): Listing | Promise<Listing>
}

export interface ListModule<Table extends ParameterTable = ParameterTable> extends Base<Table> {
  readonly kind: 'list'
  readonly isGenerator: boolean
  /** No results: no list at all, as a generator. */
  run(call: QueryCall, values: Values<Table>): Listing | Promise<Listing>
}

export interface MetaModule<Table extends ParameterTable = ParameterTable> extends Base<Table> {
  readonly kind: 'meta'
  /** Fields of `query`. */
  run(call: QueryCall, values: Values<Table>): Fields | Promise<Fields>
}

export type PropModule = FactModule | ListedPropModule
export type QueryModule = PropModule | ListModule | MetaModule

/** Forgets the types of the parameters, which only the module itself needs. */
export const defineFacts = <Table extends ParameterTable>(
  module: Omit<FactModule<Table>, 'kind'>,
): FactModule => ({ kind: 'facts', ...module }) as unknown as FactModule
export const defineListedProp = <Table extends ParameterTable>(
  module: Omit<ListedPropModule<Table>, 'kind'>,
): ListedPropModule => ({ kind: 'listedProp', ...module }) as unknown as ListedPropModule
export const defineList = <Table extends ParameterTable>(
  module: Omit<ListModule<Table>, 'kind'>,
): ListModule => ({ kind: 'list', ...module }) as unknown as ListModule
export const defineMeta = <Table extends ParameterTable>(
  module: Omit<MetaModule<Table>, 'kind'>,
): MetaModule => ({ kind: 'meta', ...module }) as unknown as MetaModule

export type { Parameter }
