/** Protected titles: who may still edit the page, or create it. */
import type { Protection, ProtectionLevel } from '../../domain/protection.js'
import { HttpError } from '../reply/errors.js'
import type { Identity } from '../identity.js'

/**
 * Throws protectedpagetext when the title's protection keeps the identity out; `exists` says whether there is a page.
 * That it may edit at all was judged by `requireWriter`; titles that are not for everybody are judged in src/edit.
 */
export function requireUnprotected(identity: Identity, protection: Protection, exists: boolean): void {
  if (!reaches(identity, exists ? protection.edit : protection.create))
    throw new HttpError('protectedpagetext')
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
