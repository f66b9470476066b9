/** Protections of titles as MediaWiki's clients know them. */
import type { TimedProtection } from '../../domain/protection.js'

export type RestrictedAction = 'edit' | 'move' | 'create'

/** Names of levels. Accounts that MediaWiki calls autoconfirmed are all accounts here. */
export const LEVELS = { none: undefined, user: 'autoconfirmed', sysop: 'sysop' } as const

interface Restriction {
  /** Undefined: everyone may do it. */
  readonly level: (typeof LEVELS)[keyof typeof LEVELS]
  /** Seconds since 1970; null: for good. */
  readonly expires: number | null
}

/** Of a protection in force, what holds for one action. */
export function restrictionOf(protection: TimedProtection, action: RestrictedAction): Restriction {
  const { expires, moveExpires = expires } = protection
  return { level: LEVELS[protection[action] ?? 'none'], expires: action === 'move' ? moveExpires : expires }
}
