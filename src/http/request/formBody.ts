/** Form bodies, URL-encoded or multipart: a route declares the fields that it reads. */
import { readFormFields } from '../../workers/compute/formFields.js'
import { requireContentType } from './contentType.js'
import { HttpError } from '../reply/errors.js'
import type { BodyReader } from '../routing/route.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Declares a form body. `names` are the fields to read; others are ignored. `read` gets the fields that are present,
 * and throws an HttpError for values that it does not accept.
 */
export function formBody<Body>(
  names: readonly string[],
  read: (fields: Readonly<Record<string, string>>) => Body,
): BodyReader<Body> {
  return {
    checkType(contentType, hasBody) {
      // A request without a body needs no Content-Type.
      if (hasBody) requireContentType(contentType, FORM_TYPES)
    },
    async parse(bytes, { pool }, contentType) {
      if (bytes.length === 0) return read({})
      const parsed =
        bytes.length <= MAX_INLINE_BYTES.body
          ? await readFormFields(bytes, contentType, names)
          : await pool.run('formFields', { bytes, contentType, names })
      if (!parsed.ok) throw new HttpError('rest-form-body-parse-error', [parsed.detail])
      return read(parsed.fields)
    },
  }
}
