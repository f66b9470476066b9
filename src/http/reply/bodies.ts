/** Builds answers from JSON that the store keeps ready, and digests of bodies. */
import { hash } from 'node:crypto'

const COMMA = Buffer.from(',')
const DIGEST_DIGITS = 24

/**
 * Completes an open JSON object: a copy of its bytes, then `tail`, which ends with the closing brace. `open` may be a
 * view into the store.
 */
export function continueObject(open: Buffer, tail: string): Buffer {
  const body = Buffer.allocUnsafe(open.length + Buffer.byteLength(tail))
  open.copy(body, 0, 0, open.length)
  body.write(tail, open.length)
  return body
}

/** A JSON object without its closing brace. */
export function reopenObject(closed: Buffer): Buffer {
  return closed.subarray(0, closed.length - 1)
}

/** A JSON object with an array of ready objects under `name`, followed by the fields of `rest`. */
export function listBody(
  name: string,
  items: readonly Buffer[],
  rest: Readonly<Record<string, string>>,
): Buffer {
  const parts: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)]
  items.forEach((item, index) => {
    if (index > 0) parts.push(COMMA)
    parts.push(item)
  })
  const fields = JSON.stringify(rest).slice(1)
  parts.push(Buffer.from(fields === '}' ? ']}' : `],${fields}`))
  return Buffer.concat(parts)
}

/** For entity tags that depend on the body itself. Equal for equal bodies: 24 hex digits. */
export function bodyDigest(body: Uint8Array): string {
  return hash('sha256', body).slice(0, DIGEST_DIGITS)
}
