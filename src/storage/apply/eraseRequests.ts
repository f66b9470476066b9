/**
 * Words that are gone from the wiki, but not yet from its log: rows of the table `erasing`. An entry that takes words
 * away adds a row in its own transaction. The eraser takes the words out of the log later, for many rows in one walk.
 */
import type { Editor } from '../../domain/revision.js'
import type { Title } from '../../domain/title.js'
import type { RevisionPart } from '../entries/administration.js'
import { readPosition } from '../tables/meta.js'
import { type DerivedWriter, type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'

export type EraseRequest =
  /** `pageId` is the page that the revisions were on. */
  | {
      readonly of: 'revisions'
      readonly pageId: number
      readonly revisionIds: readonly number[]
      readonly parts: readonly RevisionPart[]
    }
  /**
   * A page is gone: its titles go where entries tell of this page. `titles` has those that are known, its last one
   * first. Its revisions have requests of their own.
   */
  | { readonly of: 'page'; readonly pageId: number; readonly titles?: readonly Title[] }
  /**
   * The title of a page goes wherever it is the title of something. `isInOwnEntry`: also in the entry that takes it
   * away. `number`: which of the page's titles.
   */
  | {
      readonly of: 'title'
      readonly pageId: number
      readonly title: Title
      readonly number?: number
      readonly isInOwnEntry?: boolean
    }
  /** All that names a user. */
  | ({ readonly of: 'user' } & ErasedUser)
  /** Names that the followed wiki hides in a place: those that no other place shows are to go. */
  | { readonly of: 'editors'; readonly editors: readonly Editor[] }
  /** Contents of a file, unless another file has them too. */
  | { readonly of: 'contents'; readonly sha256: string }
  | UnusedContents

/** Contents of a removed or replaced file, on a node of a cluster. They alone go: no words were erased. */
interface UnusedContents {
  readonly of: 'unused'
  readonly sha256: string
}

export interface ErasedUser {
  readonly actorIds: readonly number[]
  readonly userId: number | null
  readonly names: readonly string[]
  /** The store has lost the user already: only the log is left. */
  readonly isGone?: boolean
}

interface Numbered {
  readonly number: number
}

export interface StoredRequest extends Numbered {
  readonly request: EraseRequest
  /** The last entry that may have the words. Later ones may bring them again, which is for others to judge. */
  readonly until: number
}

/** Revisions, or editors, in one request. */
const MOST_AT_ONCE = 1000

/** Adds a request, within the transaction that takes the words away. */
export function requestErasing(tables: Tables, request: EraseRequest): void {
  if (request.of === 'revisions')
    for (const revisionIds of parts(request.revisionIds)) put(tables, { ...request, revisionIds })
  else if (request.of === 'editors')
    for (const editors of parts(request.editors)) put(tables, { ...request, editors })
  else put(tables, request)
}

function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += MOST_AT_ONCE) yield items.slice(at, at + MOST_AT_ONCE)
}

function put(tables: Tables, request: EraseRequest): void {
  const isInOwnEntry = request.of === 'title' && request.isInOwnEntry === true
  const row = { request, until: readPosition(tables).sequence + (isInOwnEntry ? 1 : 0) }
  tables.erasing.putSync(lastNumber(tables) + 1, Buffer.from(JSON.stringify(row)))
}

/** Requests to take words out of the log. */
export const listRequests = (tables: Tables): StoredRequest[] =>
  listAll(tables).filter(({ request }) => request.of !== 'unused')

const listAll = ({ erasing }: Tables): StoredRequest[] =>
  Array.from(erasing.getRange(WHOLE_TABLE), ({ key, value }) => ({
    number: key,
    ...(JSON.parse(value.toString()) as Omit<StoredRequest, 'number'>),
  }))

export function removeRequests({ erasing }: Tables, requests: readonly Numbered[]): void {
  for (const { number } of requests) erasing.removeSync(number)
}

function lastNumber({ erasing }: Tables): number {
  for (const key of erasing.getKeys({ start: undefined, reverse: true, limit: 1 })) return key
  return 0
}

/** Contents of a file that a node is to remove, unless a file of the wiki has them: see files/removeUnused.ts. */
interface NotedContents extends Numbered {
  readonly sha256: string
}

export function noteUnused(store: DerivedWriter, sha256: string): void {
  store.transactDerived(() => requestErasing(store.tables, { of: 'unused', sha256 }))
}

export const notedContents = ({ tables }: TableHolder): NotedContents[] =>
  listAll(tables).flatMap(({ number, request }) =>
    request.of === 'unused' ? [{ number, sha256: request.sha256 }] : [],
  )

/** Within a write transaction. */
export function forgetNoted({ tables }: TableHolder, noted: readonly NotedContents[]): void {
  removeRequests(tables, noted)
}
