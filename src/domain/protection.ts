/** Protection of titles: who may edit a page, and who may create a missing one. */

/** `none`: everyone who may edit. `user`: accounts only. `sysop`: only accounts in that group. */
export const PROTECTION_LEVELS = ['none', 'user', 'sysop'] as const
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number]

export interface Protection {
  readonly edit: ProtectionLevel
  readonly create: ProtectionLevel
}

export const UNPROTECTED: Protection = { edit: 'none', create: 'none' }

/** Protection for a time. */
export interface TimedProtection extends Protection {
  /** When the protection against edits and creation ends, in seconds since 1970; null: never. */
  readonly expires: number | null
  /** Who may move the page, if they may edit it. Absent: everyone who may edit. */
  readonly move?: ProtectionLevel
  /** When the protection against moves ends, if not at `expires`. */
  readonly moveExpires?: number | null
  /** The wiki also protects the pages that the page includes. This server does not. */
  readonly cascades?: true
}

/** Who may do one thing to a title, and until when, in seconds since 1970; null: for good. */
export interface StatedLevel {
  readonly level: ProtectionLevel
  readonly expires: number | null
}

/** What another wiki states of a title, in the one form that is stored. Levels `none` do not expire. */
export function timedProtection(
  { edit, create, move }: Readonly<Record<'edit' | 'create' | 'move', StatedLevel>>,
  cascades: boolean,
): TimedProtection {
  const { expires } = edit.level === 'none' ? create : edit
  return {
    edit: edit.level,
    create: create.level,
    expires,
    ...(move.level !== 'none' && { move: move.level }),
    ...(move.level !== 'none' && move.expires !== expires && { moveExpires: move.expires }),
    ...(cascades && edit.level !== 'none' && { cascades }),
  }
}
