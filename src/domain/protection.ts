/** Protection of titles: who may edit a page, and who may create a missing one. */

/** `none`: everyone who may edit. `user`: accounts only. `sysop`: only accounts in that group. */
export const PROTECTION_LEVELS = ['none', 'user', 'sysop'] as const
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number]

export interface Protection {
  readonly edit: ProtectionLevel
  readonly create: ProtectionLevel
}

export const UNPROTECTED: Protection = { edit: 'none', create: 'none' }
