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
import { decodeActor, editorsOf } from './actors.js'
import { MAX_U32 } from '../rows/keys.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'

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

  /** All accounts, by id. */
  listUsers(): User[] {
    return listUsers(this.#tables)
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
