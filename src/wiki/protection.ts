/** Protected titles: who may still edit the page, or create it. */
import type { Protection, ProtectionLevel } from '../domain/protection.js'
import { Refusal } from '../domain/refusal.js'
import type { Identity } from '../auth/identities.js'

/**
 * Throws protectedpagetext when the title's protection excludes the identity; `exists` tells whether the page exists.
 * `requireWriter` checks the general right to edit, and src/edit checks titles reserved for some editors.
 */
export function requireUnprotected(identity: Identity, protection: Protection, exists: boolean): void {
  if (!mayPass(identity, protection, exists)) throw new Refusal('protectedpagetext')
}

export function mayPass(identity: Identity, protection: Protection, exists: boolean): boolean {
  return reaches(identity, exists ? protection.edit : protection.create)
}

function reaches({ groups, rights }: Identity, level: ProtectionLevel): boolean {
  switch (level) {
    case 'none':
      return true
    case 'user':
      return groups.includes('user')
    case 'sysop':
      return rights.has('editprotected')
  }
}
