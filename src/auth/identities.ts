/** Identifies the sender of a request and the rights of that sender. */
import { PROJECT } from '../domain/namespaceIds.js'
import type { Config } from '../config/config.js'
import type { Clock } from '../context.js'
import { type Group, userName } from '../domain/account.js'
import type { Namespaces } from '../domain/namespaces.js'
import { Refusal, type RefusalKey } from '../domain/refusal.js'
import type { Editor } from '../domain/revision.js'
import { accountRights, anonymousRights, type EveryGroup, type Right } from '../domain/rights.js'
import type { EntryWriter } from '../log/entryWriter.js'
import type { AccountReader } from '../storage/accounts/accountReader.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { Store } from '../storage/store.js'
import { JwtVerifier } from './jwt.js'
import { whyClosed } from './closedWiki.js'
import { addressKey, RateLimit } from './rateLimit.js'
import { ANONYMOUS_TOKEN, findSessionUser, isSameToken, sessionToken } from './sessions.js'
import { findTokenOwner, isTokenText } from './tokens.js'
import { toSeconds } from '../domain/timestamp.js'

const MINUTE_MS = 60_000

export interface Identity {
  /** The account, or the address of an anonymous sender. The id is null also for a JWT user without an account yet. */
  readonly editor: Editor
  readonly groups: readonly EveryGroup[]
  readonly rights: ReadonlySet<Right>
  readonly way: 'anonymous' | 'bearer' | 'session'
  readonly anonymous: boolean
  /** CSRF token that the body of a write must contain; undefined when no token is needed. */
  readonly csrfToken: string | undefined
  /** False for a bearer token that only allows reading. */
  readonly hasWriteScope: boolean
}

/** The parts of a request that identify its sender. They are read on demand, and before the first wait. */
export interface Credentials {
  /** The text after `Bearer`; undefined when absent. */
  bearerToken(): string | undefined
  /** The text in the session cookie; undefined when absent. */
  sessionText(): string | undefined
  /** The client's address. */
  address(): string
  /** Whether a page of another site made the browser send the request. */
  isFromOtherSite(): boolean
}

/** Refusals of `requireWriter`, in the order of its checks. */
export const WRITER_ERRORS = [
  'rest-invalid-token',
  'rest-token-keys-unavailable',
  'rest-cross-origin-anon-write',
  'rest-insufficient-scope',
  'rest-missing-token',
  'rest-badtoken',
  'apierror-readonly',
  'rest-wiki-is-mirror',
  'apierror-permissiondenied',
  'actionthrottledtext',
] as const satisfies readonly RefusalKey[]

export interface IdentityContext {
  readonly config: Config
  readonly store: Store
  readonly writer: EntryWriter
  readonly clock: Clock
}

export class Identities {
  readonly #context: IdentityContext
  readonly #anonymousRights: ReadonlySet<Right>
  readonly #jwt: JwtVerifier | undefined
  readonly #edits: RateLimit | undefined

  /** Throws a SettingError when the JWT settings do not fit together. */
  constructor(context: IdentityContext) {
    const { config } = context
    this.#context = context
    this.#anonymousRights = anonymousRights(config.anonymousEdits)
    this.#jwt = JwtVerifier.open(config)
    this.#edits = config.editsPerMinute === 0 ? undefined : new RateLimit(config.editsPerMinute, MINUTE_MS)
  }

  /**
   * Identifies the sender by bearer token, else by session, else by address. Throws rest-invalid-token. Returns a
   * promise only for JSON Web Tokens.
   */
  identify(credentials: Credentials, namespaces: Namespaces): Identity | Promise<Identity> {
    const token = credentials.bearerToken()
    // Another process may have told the client of a change that this process's view does not show yet.
    if (token !== undefined || credentials.sessionText() !== undefined) this.#context.store.refresh()
    if (token !== undefined) return this.#identifyBearer(token, namespaces)
    return this.#identifySession(credentials) ?? this.#anonymous(credentials.address())
  }

  /**
   * Identifies the sender of a write, and checks that this sender may write at all. `token` is the CSRF token of the
   * request. Creates a missing account for a JWT user, and counts the edit against the limit. Throws WRITER_ERRORS.
   */
  async requireWriter(
    credentials: Credentials,
    namespaces: Namespaces,
    token: string | undefined,
  ): Promise<Identity> {
    this.#context.store.refresh()
    const identity = await this.identify(credentials, namespaces)
    if (identity.way === 'anonymous' && credentials.isFromOtherSite()) {
      throw new Refusal('rest-cross-origin-anon-write')
    }
    requireToken(identity, token)
    const closed = whyClosed(this.#context)
    if (closed !== undefined) throw closed
    if (!identity.rights.has('edit')) throw permissionDenied(namespaces)
    this.#countEdit(identity)
    return identity.way === 'bearer' && identity.editor.id === null ? this.#register(identity) : identity
  }

  #identifySession(credentials: Credentials): Identity | undefined {
    const text = credentials.sessionText()
    const user = text === undefined ? undefined : findSessionUser(this.#accounts(), text, this.#now())
    if (text === undefined || user === undefined) return undefined
    return this.#account(user, { way: 'session', csrfToken: sessionToken(text, 'csrf'), hasWriteScope: true })
  }

  #identifyBearer(token: string, namespaces: Namespaces): Identity | Promise<Identity> {
    if (isTokenText(token)) {
      const owner = findTokenOwner(this.#accounts(), token, this.#now())
      if (owner === undefined) throw new Refusal('rest-invalid-token')
      return this.#account(owner.user, { ...BEARER, hasWriteScope: owner.scopes.includes('write') })
    }
    if (this.#jwt === undefined) throw new Refusal('rest-invalid-token')
    const claim = this.#jwt.userOf(token, this.#context.clock.nowMs())
    return claim.then((text) => {
      const name = userName(text, namespaces)
      if (name === undefined) throw new Refusal('rest-invalid-token')
      return this.#account(this.#accounts().getUserByName(name) ?? { id: null, name, groups: [] }, BEARER)
    })
  }

  #anonymous(address: string): Identity {
    return {
      editor: { id: null, name: address },
      groups: ['*'],
      rights: this.#anonymousRights,
      way: 'anonymous',
      anonymous: true,
      csrfToken: ANONYMOUS_TOKEN,
      hasWriteScope: true,
    }
  }

  #countEdit({ editor, rights }: Identity): void {
    if (this.#edits === undefined || rights.has('noratelimit')) return
    const key = editor.id === null ? addressKey(editor.name) : `#${editor.id}`
    if (!this.#edits.take(key, this.#context.clock.nowMs())) throw new Refusal('actionthrottledtext')
  }

  async #register(identity: Identity): Promise<Identity> {
    const { name } = identity.editor
    const verdict = await this.#context.writer.write({
      kind: 'user',
      action: 'create',
      id: randomEntryId(),
      time: this.#now(),
      name,
      passwordHash: null,
      groups: [],
    })
    if (verdict.result !== 'account' && verdict.result !== 'name-taken') {
      throw new Error(`an account was not made: ${verdict.result}`)
    }
    return { ...identity, editor: { id: verdict.userId, name } }
  }

  #account(user: Editor & { readonly groups: readonly Group[] }, wayIn: WayIn): Identity {
    const { id, name, groups } = user
    return {
      editor: { id, name },
      groups: ['*', 'user', ...groups],
      rights: accountRights(groups, this.#context.config),
      anonymous: false,
      ...wayIn,
    }
  }

  #accounts(): AccountReader {
    return this.#context.store.accounts
  }

  #now(): number {
    return toSeconds(this.#context.clock.nowMs())
  }
}

const BEARER = { way: 'bearer', csrfToken: undefined, hasWriteScope: true } as const

type WayIn = Pick<Identity, 'way' | 'csrfToken' | 'hasWriteScope'>

function requireToken({ csrfToken, hasWriteScope }: Identity, given: string | undefined): void {
  if (!hasWriteScope) throw new Refusal('rest-insufficient-scope')
  if (csrfToken === undefined) return
  if (given === undefined || given === '') throw new Refusal('rest-missing-token')
  if (!isSameToken(given, csrfToken)) throw new Refusal('rest-badtoken')
}

function permissionDenied(namespaces: Namespaces): Refusal {
  const project = namespaces.nameOf(PROJECT) ?? 'Project'
  return new Refusal('apierror-permissiondenied', [`[[${project}:Users|Users]]`])
}
