/** Checks that a route accepts the Content-Type of a request. */
import { HttpError } from '../reply/errors.js'

/** Throws rest-no-content-type or rest-unsupported-content-type. `accepted` lists the allowed types in lower case. */
export function requireContentType(contentType: string, accepted: readonly string[]): void {
  if (contentType === '') {
    throw new HttpError('rest-no-content-type', [], { data: { error: 'no-content-type' } })
  }
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (accepted.includes(type)) return
  throw new HttpError('rest-unsupported-content-type', [], { data: { content_type: type } })
}
