/** Bodies of HTML forms: names with values, as `application/x-www-form-urlencoded` or `multipart/form-data`. */
import { Busboy } from '@fastify/busboy'
import { HttpError } from '../errors.js'
import type { BodyReader } from '../route.js'

/** Parsed on the event loop: more than any form of the action API needs. */
const MAX_FORM_BYTES = 64 * 1024
const MAX_FIELDS = 200
const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The last value of each name; files are passed over. No body is an empty form. */
export type FormFields = ReadonlyMap<string, string>

export function formBody(): BodyReader<FormFields> {
  return {
    checkType(contentType) {
      const type = mediaType(contentType)
      if (type === URL_ENCODED || type === MULTIPART) return
      throw new HttpError('rest-unsupported-content-type', [], { data: { content_type: type } })
    },
    parse(bytes, _context, contentType) {
      if (bytes.length > MAX_FORM_BYTES) throw new HttpError('rest-body-too-large', [MAX_FORM_BYTES])
      if (mediaType(contentType) === MULTIPART) return readMultipart(bytes, contentType)
      return new Map(new URLSearchParams(Buffer.from(bytes).toString()))
    },
  }
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase()

function readMultipart(bytes: Uint8Array, contentType: string): Promise<FormFields> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    const refuse = (): void => reject(new HttpError('rest-bad-form-body'))
    try {
      const limits = { fields: MAX_FIELDS, fieldSize: MAX_FORM_BYTES, parts: MAX_FIELDS }
      const form = new Busboy({ headers: { 'content-type': contentType }, limits })
      form.on('field', (name, value) => fields.set(name, value))
      form.on('file', (_name, file) => file.resume())
      form.on('error', refuse)
      form.on('finish', () => resolve(fields))
      form.end(bytes)
    } catch {
      // Thrown for a boundary that is missing or none.
      refuse()
    }
  })
}
