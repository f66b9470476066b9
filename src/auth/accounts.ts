/** Login by password and creation of accounts, with limits against guessing. */
import { userName } from '../domain/account.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { SessionChange, User } from '../storage/accounts/accounts.js'
import type { Namespaces } from '../domain/namespaces.js'
import type { Site } from '../domain/site.js'
import type { IdentityContext } from './identities.js'
import { passwordFault, Passwords, TooManyPasswordsError } from './passwords.js'
import { addressKey, RateLimit } from './rateLimit.js'
import { closeSession, openSession } from './sessions.js'
import { toSeconds } from '../domain/timestamp.js'

const FIVE_MINUTES_MS = 300_000
const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400
/** How long a login lasts, as in MediaWiki. */
const SESSION_SECONDS = 30 * DAY_SECONDS
/** Failed attempts allowed in five minutes: for an account from one address, from an address, for an account. */
const FAILURES_OF_PAIR = 5
const FAILURES_OF_ADDRESS = 50
const FAILURES_OF_ACCOUNT = 100
const ACCOUNTS_OF_ADDRESS = 6

export type LoginOutcome =
  | { readonly result: 'in'; readonly user: User; readonly sessionText: string; readonly maxAge: number }
  | { readonly result: 'wrong' }
  | { readonly result: 'throttled' }

export type CreationOutcome =
  | { readonly result: 'made'; readonly name: string }
  | { readonly result: 'bad-name' | 'taken' | 'throttled' }
  | { readonly result: 'bad-password'; readonly fault: string }

export interface AccountsContext extends IdentityContext {
  readonly writer: IdentityContext['writer'] & { changeSession(change: SessionChange): Promise<void> }
}

/** The site settings that names are checked against. */
interface SiteNames {
  readonly site: Pick<Site, 'bots'>
  readonly namespaces: Namespaces
}

export class Accounts {
  readonly #context: AccountsContext
  readonly #passwords = new Passwords()
  readonly #pairs = new RateLimit(FAILURES_OF_PAIR, FIVE_MINUTES_MS)
  readonly #addresses = new RateLimit(FAILURES_OF_ADDRESS, FIVE_MINUTES_MS)
  readonly #accounts = new RateLimit(FAILURES_OF_ACCOUNT, FIVE_MINUTES_MS)
  readonly #creations = new RateLimit(ACCOUNTS_OF_ADDRESS, DAY_MS)

  constructor(context: AccountsContext) {
    this.#context = context
  }

  /** Checks a password and opens a session. When this returns, every process knows the session. */
  async logIn(wiki: SiteNames, asked: string, password: string, address: string): Promise<LoginOutcome> {
    const { store, writer, clock } = this.#context
    const name = userName(asked, wiki.namespaces)
    // An impossible name takes as long as an existing one, so that timing tells nothing.
    const user = name === undefined ? undefined : store.accounts.getUserByName(name)
    const attempt = this.#beginAttempt(name ?? '', address)
    if (attempt === undefined) return { result: 'throttled' }
    try {
      if (!(await this.#passwords.matches(password, user?.passwordHash)) || user === undefined) {
        return { result: 'wrong' }
      }
    } catch (error) {
      if (error instanceof TooManyPasswordsError) return { result: 'throttled' }
      throw error
    }
    attempt.forget()
    const now = toSeconds(clock.nowMs())
    const { text, change } = openSession(user, now, now + SESSION_SECONDS)
    await writer.changeSession(change)
    return { result: 'in', user, sessionText: text, maxAge: SESSION_SECONDS }
  }

  /** Ends a session in every process. */
  async logOut(text: string): Promise<void> {
    const change = closeSession(text)
    if (change !== undefined) await this.#context.writer.changeSession(change)
  }

  /**
   * Creates an account for anyone. Names of imported editors and of bots count as taken. `address` counts against the
   * daily limit; undefined when the limit does not apply.
   */
  async create(
    wiki: SiteNames,
    asked: string,
    password: string,
    address: string | undefined,
  ): Promise<CreationOutcome> {
    const { store, writer, config, clock } = this.#context
    const name = userName(asked, wiki.namespaces)
    if (name === undefined) return { result: 'bad-name' }
    const fault = passwordFault(password, config.passwordMinLength)
    if (fault !== undefined) return { result: 'bad-password', fault }
    const isKnown = store.accounts.isNameKnown(name) || wiki.site.bots.includes(name)
    if (isKnown) return { result: 'taken' }
    const isFree = address === undefined || this.#creations.take(addressKey(address), clock.nowMs())
    if (!isFree) return { result: 'throttled' }
    const passwordHash = await this.#passwords.hash(password).catch((error: unknown) => {
      if (error instanceof TooManyPasswordsError) return undefined
      throw error
    })
    if (passwordHash === undefined) return { result: 'throttled' }
    const verdict = await writer.write({
      kind: 'user',
      action: 'create',
      id: randomEntryId(),
      time: toSeconds(clock.nowMs()),
      name,
      passwordHash,
      groups: [],
    })
    return verdict.result === 'account' ? { result: 'made', name } : { result: 'taken' }
  }

  /**
   * Counts an attempt before its outcome is known, since parallel attempts could otherwise pass the limits. Undefined
   * when a limit is reached.
   */
  #beginAttempt(name: string, address: string): { forget(): void } | undefined {
    const nowMs = this.#context.clock.nowMs()
    const place = addressKey(address)
    const counts = [
      [this.#pairs, `${name} ${place}`],
      [this.#addresses, place],
      [this.#accounts, name],
    ] as const
    if (!counts.every(([limit, key]) => limit.allows(key, nowMs))) return undefined
    for (const [limit, key] of counts) limit.take(key, nowMs)
    return { forget: () => counts.forEach(([limit, key]) => limit.giveBack(key)) }
  }
}
