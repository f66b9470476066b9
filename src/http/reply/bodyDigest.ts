/** Entity tags that depend on the body itself. */
import { hash } from 'node:crypto'

const DIGITS = 24

/** Equal for equal bodies: 24 hex digits. */
export function bodyDigest(body: Uint8Array): string {
  return hash('sha256', body).slice(0, DIGITS)
}
