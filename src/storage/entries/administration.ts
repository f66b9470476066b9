/**
 * Changes by operators: accounts, tokens, protected titles, hidden parts of revisions. These are bodies of log entries.
 */
import type { Group, Scope } from '../../domain/account.js'
import type { Protection } from '../../domain/protection.js'

/** Holds hashes only, never secrets, since the log keeps it forever. */
export type UserChange =
  | {
      readonly kind: 'user'
      readonly action: 'create'
      readonly name: string
      /** Null: the account cannot log in with a password. */
      readonly passwordHash: string | null
      readonly groups: readonly Group[]
    }
  | {
      readonly kind: 'user'
      readonly action: 'password'
      readonly userId: number
      readonly passwordHash: string | null
    }
  | {
      readonly kind: 'user'
      readonly action: 'groups'
      readonly userId: number
      readonly groups: readonly Group[]
    }

export type TokenChange =
  | {
      readonly kind: 'token'
      readonly action: 'create'
      readonly userId: number
      /** SHA-256 of the secret, in hex. */
      readonly secretHash: string
      readonly scopes: readonly Scope[]
      /** Seconds since 1970; null: the token does not expire. */
      readonly expires: number | null
      /** The owner's name for it. */
      readonly name: string
    }
  | { readonly kind: 'token'; readonly action: 'revoke'; readonly tokenId: number }

/** Replaces the title's protection. Both levels `none` remove it. */
export interface ProtectChange extends Protection {
  readonly kind: 'protect'
  readonly namespace: number
  readonly dbkey: string
  /** Seconds since 1970; null: the protection does not expire. */
  readonly expires: number | null
}

/** Parts of a revision to hide (true) or to show again (false); an absent part stays as it is. */
export interface HideChange {
  readonly kind: 'hide'
  readonly revisionId: number
  readonly text?: boolean
  readonly comment?: boolean
  readonly user?: boolean
}

export const REVISION_PARTS = ['text', 'comment', 'user'] as const
export type RevisionPart = (typeof REVISION_PARTS)[number]

/**
 * Takes words out of the store for good. The entry itself names nothing but ids. Words in the log, and their bytes in
 * the file, go later: see erase/eraser.ts.
 */
export type EraseChange =
  | {
      readonly kind: 'erase'
      readonly action: 'revisions'
      readonly revisionIds: readonly number[]
      readonly parts: readonly RevisionPart[]
    }
  | { readonly kind: 'erase'; readonly action: 'page'; readonly pageId: number }
  | {
      readonly kind: 'erase'
      readonly action: 'user'
      /** Editors whose names go. */
      readonly actorIds: readonly number[]
      /** The account that goes, with all names that lead to it. Null: no account. */
      readonly userId: number | null
    }

export type AdministrativeChange = UserChange | TokenChange | ProtectChange | HideChange | EraseChange

export type AdministrativeVerdict =
  | { readonly result: 'account'; readonly userId: number }
  | { readonly result: 'token'; readonly tokenId: number }
  | { readonly result: 'name-taken'; readonly userId: number }
  /** Words went from this many revisions. */
  | { readonly result: 'erased'; readonly revisions: number }
  /** The text of a page's latest revision cannot be hidden. */
  | { readonly result: 'latest-text' }
  /** The store never had the part that was to be shown again. */
  | { readonly result: 'part-unknown'; readonly part: RevisionPart }
