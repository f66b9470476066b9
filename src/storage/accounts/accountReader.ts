/** `Store.accounts`: reads accounts, tokens, sessions and editors. */
import type { Editor } from '../../domain/revision.js'
import {
  findUserId,
  getSession,
  getToken,
  getUser,
  getUserByName,
  isNameKnown,
  listTokens,
  listUsers,
  type SessionRow,
  type Token,
  type User,
} from './accounts.js'
import { actorKey, decodeActor, editorsOf } from './actors.js'
import { decodeNumber } from '../rows/rows.js'
import { isId, MAX_U32 } from '../rows/keys.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { walk } from '../tables/walk.js'

/** Below and above all names. */
const FIRST_NAME = '\0'
const LAST_NAME = '\u{10ffff}'

/** An account, or an imported editor with an id. */
export interface KnownUser {
  readonly userId: number
  readonly name: string
}

export class AccountReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  getUser(id: number): User | undefined {
    return getUser(this.#tables, id)
  }

  /** The account with a name; undefined also for imported editors without an account. */
  getUserByName(name: string): User | undefined {
    return getUserByName(this.#tables, name)
  }

  /** Tells if an account or an imported editor has or had the name. */
  isNameKnown(name: string): boolean {
    return isNameKnown(this.#tables, name)
  }

  /** The user whom a name means: an account, or an imported editor with an id. */
  findUser(name: string): KnownUser | undefined {
    const userId = findUserId(this.#tables, name)
    return userId === undefined ? undefined : { userId, name }
  }

  /** The same by id. */
  userOfId(userId: number): KnownUser | undefined {
    if (!isId(userId)) return undefined
    const name = this.getUser(userId)?.name ?? this.#nameOfEditor(userId)
    return name === undefined || name === '' ? undefined : { userId, name }
  }

  #nameOfEditor(userId: number): string | undefined {
    const row = this.#tables.actor.getBinaryFast(actorKey({ id: userId, name: '' }))
    const actor = row && this.#tables.actorName.getBinary(decodeNumber(row))
    return actor && decodeActor(actor).name
  }

  /**
   * Users from a name on, in the order of the bytes of names, or the other way round. It is read as far as the caller
   * iterates; other reads may come between.
   */
  *walkUsers(from: string | undefined, descending: boolean): Generator<KnownUser, void> {
    const [first, end] = descending ? [LAST_NAME, FIRST_NAME] : [FIRST_NAME, LAST_NAME]
    const range = { start: from ?? first, end, ascending: !descending }
    for (const name of walk(this.#tables.userName, range)) {
      const user = this.findUser(name)
      if (user !== undefined) yield user
    }
  }

  /** All accounts, by id. */
  listUsers(): User[] {
    return listUsers(this.#tables)
  }

  /** At most `limit` accounts by id, from one on. */
  usersFrom(id: number, limit: number): User[] {
    return listUsers(this.#tables, { start: id, limit })
  }

  getToken(id: number): Token | undefined {
    return getToken(this.#tables, id)
  }

  /** All tokens that are not revoked, by id. */
  listTokens(): Token[] {
    return listTokens(this.#tables)
  }

  /** A session by its end, in seconds since 1970, and the SHA-256 of its secret in hex. */
  getSession(expires: number, secretHash: string): SessionRow | undefined {
    return getSession(this.#tables, expires, secretHash)
  }

  /**
   * Everybody whom a name means: the editors with the name or the id of its user, and that user. Reads all editors.
   */
  identitiesOf(name: string): {
    readonly actorIds: readonly number[]
    readonly userId: number | null
    readonly hasAccount: boolean
  } {
    const userId = findUserId(this.#tables, name) ?? null
    const actorIds: number[] = []
    for (const { key, value } of this.#tables.actorName.getRange(WHOLE_TABLE)) {
      const actor = decodeActor(value)
      const isSame = actor.id === null ? value.length > 0 && actor.name === name : actor.id === userId
      if (isSame) actorIds.push(key)
    }
    return { actorIds, userId, hasAccount: userId !== null && this.getUser(userId) !== undefined }
  }

  /** At most `limit` editors of a page whose edits are shown, in no order. */
  editorsOf(pageId: number, limit: number): Editor[] {
    const keys = this.#tables.editor.getKeys({ start: [pageId, 0], end: [pageId, MAX_U32], limit })
    return editorsOf(
      this.#tables,
      [...keys].map(([, actorId]) => actorId),
    )
  }

  /**
   * The editor with a name: an account or imported editor that has edited under it, or a name without an id. Reads all
   * editors.
   */
  getEditor(name: string): Editor {
    for (const { value } of this.#tables.actorName.getRange(WHOLE_TABLE)) {
      const actor = decodeActor(value)
      if (actor.id !== null && actor.name === name) return actor
    }
    return { id: null, name }
  }
}
