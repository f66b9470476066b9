/**
 * Words that are gone from the wiki, but not yet from its log: rows of the table `erasing`. An entry that takes words
 * away adds a row in its own transaction. The eraser takes the words out of the log later, for many rows in one walk.
 */
import type { Title } from '../../domain/title.js'
import type { RevisionPart } from '../administration.js'
import { readPosition } from '../meta.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'

export type EraseRequest =
  /** `pageId` is the page that the revisions were on. */
  | {
      readonly of: 'revisions'
      readonly pageId: number
      readonly revisionIds: readonly number[]
      readonly parts: readonly RevisionPart[]
    }
  /** A page is gone: its titles go where entries tell of this page. Its revisions have requests of their own. */
  | { readonly of: 'page'; readonly pageId: number }
  /** The title of a page goes wherever it is the title of something. */
  | { readonly of: 'title'; readonly pageId: number; readonly title: Title }
  /** All that names a user. */
  | ({ readonly of: 'user' } & ErasedUser)
  /** Contents of a file, unless another file has them too. */
  | { readonly of: 'contents'; readonly sha256: string }

export interface ErasedUser {
  readonly actorIds: readonly number[]
  readonly userId: number | null
  readonly names: readonly string[]
}

export interface StoredRequest {
  readonly number: number
  readonly request: EraseRequest
  /** The last entry that may have the words. Later ones may bring them again, which is for others to judge. */
  readonly until: number
}

/** Revisions in one request. */
const MAX_REVISIONS = 1000

/** Adds a request, within the transaction that takes the words away. */
export function requestErasing(tables: Tables, request: EraseRequest): void {
  if (request.of !== 'revisions') return put(tables, request)
  for (let at = 0; at < request.revisionIds.length; at += MAX_REVISIONS)
    put(tables, { ...request, revisionIds: request.revisionIds.slice(at, at + MAX_REVISIONS) })
}

function put(tables: Tables, request: EraseRequest): void {
  const row = { request, until: readPosition(tables).sequence }
  tables.erasing.putSync(lastNumber(tables) + 1, Buffer.from(JSON.stringify(row)))
}

export const listRequests = ({ erasing }: Tables): StoredRequest[] =>
  Array.from(erasing.getRange({ ...WHOLE_TABLE }), ({ key, value }) => ({
    number: key,
    ...(JSON.parse(value.toString()) as Omit<StoredRequest, 'number'>),
  }))

export function removeRequests({ erasing }: Tables, requests: readonly StoredRequest[]): void {
  for (const { number } of requests) erasing.removeSync(number)
}

function lastNumber({ erasing }: Tables): number {
  for (const key of erasing.getKeys({ start: undefined, reverse: true, limit: 1 })) return key
  return 0
}
