/** Protection of titles: who may still edit a page, or create it where there is none. */

/** `none`: whoever may edit at all; `user`: accounts only; `sysop`: accounts of that group. */
export const PROTECTION_LEVELS = ['none', 'user', 'sysop'] as const
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number]

export interface Protection {
  readonly edit: ProtectionLevel
  readonly create: ProtectionLevel
}

export const UNPROTECTED: Protection = { edit: 'none', create: 'none' }
