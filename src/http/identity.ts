/** Who sends a request, and what that one may do. */
import { findTokenOwner, isTokenText } from '../auth/tokens.js'
import type { AppContext } from '../context.js'
import { type Group, userName } from '../domain/account.js'
import type { Editor } from '../domain/revision.js'
import { accountRights, anonymousRights, type EveryGroup, type Right } from '../domain/rights.js'
import { randomEntryId } from '../storage/entryIds.js'
import { getUserByName, type User } from '../storage/accounts.js'
import { cookieNames, readCookie } from './request/cookies.js'
import { invalidToken, JwtVerifier } from './auth/jwt.js'
import { addressKey, RateLimit } from '../auth/rateLimit.js'
import { ANONYMOUS_TOKEN, findSessionUser, isSameToken, sessionToken } from '../auth/sessions.js'
import { type ErrorKey, HttpError } from './reply/errors.js'
import type { RequestView } from './routing/route.js'
import type { Wiki } from './views/wiki.js'

const MINUTE_MS = 60_000
const PROJECT = 4

export interface Identity {
  /** The account, or the address of somebody without. The id is null also for a JWT user without an account yet. */
  readonly editor: Editor
  readonly groups: readonly EveryGroup[]
  readonly rights: ReadonlySet<Right>
  readonly way: 'anonymous' | 'bearer' | 'session'
  readonly anonymous: boolean
  /** What the body of a write must say; undefined where none is needed. */
  readonly csrfToken: string | undefined
  /** False for a bearer token that is good for reading alone. */
  readonly hasWriteScope: boolean
}

/** What `requireWriter` may throw, beside a missing token and a full queue. */
export const WRITER_ERRORS = [
  'rest-invalid-token',
  'rest-token-keys-unavailable',
  'rest-cross-origin-anon-write',
  'rest-insufficient-scope',
  'rest-badtoken',
  'apierror-readonly',
  'apierror-permissiondenied',
  'actionthrottledtext',
] as const satisfies readonly ErrorKey[]

export type IdentityContext = Pick<AppContext, 'config' | 'store' | 'writer' | 'clock'>

export class Identities {
  readonly #context: IdentityContext
  readonly #anonymousRights: ReadonlySet<Right>
  readonly #jwt: JwtVerifier | undefined
  readonly #edits: RateLimit | undefined

  /** Throws a SettingError when the settings of JSON Web Tokens do not fit together. */
  constructor(context: IdentityContext) {
    const { config } = context
    this.#context = context
    this.#anonymousRights = anonymousRights(config.anonymousEdits)
    this.#jwt = JwtVerifier.open(config)
    this.#edits = config.editsPerMinute === 0 ? undefined : new RateLimit(config.editsPerMinute, MINUTE_MS)
  }

  /**
   * Who sends a request: by bearer token, else by session, else by address. Throws rest-invalid-token for a token that
   * is worth nothing. A promise only for JSON Web Tokens.
   */
  identify(request: RequestView, wiki: Wiki): Identity | Promise<Identity> {
    // A client may have been told of a change in the store while this process still holds an older view.
    this.#context.store.refresh()
    const token = bearerToken(request)
    if (token !== undefined) return this.#identifyBearer(token, wiki)
    return this.#identifySession(request, wiki) ?? this.#anonymous(request.clientAddress())
  }

  /**
   * Who sends a write, if that one may write at all; `token` is the CSRF token of the body. An account that a JSON Web
   * Token names is made here if there is none, and the edit counts against the limit. Throws WRITER_ERRORS in their
   * order, and paramvalidator-missingparam for an absent CSRF token.
   */
  async requireWriter(request: RequestView, wiki: Wiki, token: string | undefined): Promise<Identity> {
    const identity = await this.identify(request, wiki)
    if (identity.way === 'anonymous') requireSameOrigin(request)
    requireToken(identity, token)
    if (this.#context.config.readOnly) throw refusal('apierror-readonly', 'readonly')
    if (!identity.rights.has('edit')) throw permissionDenied(wiki)
    this.#countEdit(identity)
    return identity.way === 'bearer' && identity.editor.id === null ? this.#register(identity) : identity
  }

  /** The account that is logged in with a session, for those who change it. */
  sessionUser(request: RequestView, wiki: Wiki): User | undefined {
    const text = sessionText(request, wiki)
    return text === undefined ? undefined : findSessionUser(this.#tables(), text, this.#now())
  }

  #identifySession(request: RequestView, wiki: Wiki): Identity | undefined {
    const text = sessionText(request, wiki)
    const user = text === undefined ? undefined : findSessionUser(this.#tables(), text, this.#now())
    if (text === undefined || user === undefined) return undefined
    return account(user, { way: 'session', csrfToken: sessionToken(text, 'csrf'), hasWriteScope: true })
  }

  #identifyBearer(token: string, wiki: Wiki): Identity | Promise<Identity> {
    if (isTokenText(token)) {
      const owner = findTokenOwner(this.#tables(), token, this.#now())
      if (owner === undefined) throw invalidToken()
      return account(owner.user, { ...BEARER, hasWriteScope: owner.scopes.includes('write') })
    }
    if (this.#jwt === undefined) throw invalidToken()
    const claim = this.#jwt.userOf(token, this.#context.clock.nowMs())
    return claim.then((text) => {
      const name = userName(text, wiki.namespaces)
      if (name === undefined) throw invalidToken()
      return account(getUserByName(this.#tables(), name) ?? { id: null, name, groups: [] }, BEARER)
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
    if (!this.#edits.take(key, this.#context.clock.nowMs())) throw new HttpError('actionthrottledtext')
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

  #tables() {
    return this.#context.store.tables
  }

  #now(): number {
    return Math.floor(this.#context.clock.nowMs() / 1000)
  }
}

const BEARER = { way: 'bearer', csrfToken: undefined, hasWriteScope: true } as const

type WayIn = Pick<Identity, 'way' | 'csrfToken' | 'hasWriteScope'>

function account(user: Editor & { readonly groups: readonly Group[] }, wayIn: WayIn): Identity {
  const { id, name, groups } = user
  return {
    editor: { id, name },
    groups: ['*', 'user', ...groups],
    rights: accountRights(groups),
    anonymous: false,
    ...wayIn,
  }
}

/** What stands in the session cookie of a request. */
export function sessionText(request: RequestView, wiki: Wiki): string | undefined {
  return readCookie(request.header('cookie'), cookieNames(wiki.site.wikiId).session)
}

/** What follows `Bearer` in the request's Authorization header; undefined where there is no such header. */
function bearerToken(request: RequestView): string | undefined {
  const [scheme = '', token = ''] = request.header('authorization').trim().split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' ? token : undefined
}

function requireToken({ csrfToken, hasWriteScope }: Identity, given: string | undefined): void {
  if (!hasWriteScope) {
    throw new HttpError('rest-insufficient-scope', [], {
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' },
    })
  }
  if (csrfToken === undefined) return
  if (given === undefined || given === '') {
    const data = { actionModuleErrorCode: 'missingparam' }
    throw new HttpError('paramvalidator-missingparam', ['token'], { data })
  }
  if (!isSameToken(given, csrfToken)) throw new HttpError('rest-badtoken')
}

/** Scripts of other sites shall not edit under the address of whoever looks at them. */
function requireSameOrigin(request: RequestView): void {
  const origin = request.header('origin')
  if (origin === '' || origin === /^https?:\/\/[^/]+/.exec(request.baseUrl())?.[0]) return
  throw new HttpError('rest-cross-origin-anon-write', [], { data: { error: 'rest-cross-origin-anon-write' } })
}

function permissionDenied({ namespaces }: Wiki): HttpError {
  const project = namespaces.nameOf(PROJECT) ?? 'Project'
  return refusal('apierror-permissiondenied', 'permissiondenied', [`[[${project}:Users|Users]]`])
}

function refusal(
  key: 'apierror-readonly' | 'apierror-permissiondenied',
  actionModuleErrorCode: string,
  args: readonly string[] = [],
): HttpError {
  return new HttpError(key, args, { data: { actionModuleErrorCode } })
}
