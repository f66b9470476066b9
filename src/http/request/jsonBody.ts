/** JSON bodies: a route declares the fields that it reads. Also the errors for unreadable bodies. */
import { type JsonField, type JsonFields, readJsonFields } from '../../workers/compute/jsonFields.js'
import { requireContentType } from './contentType.js'
import { HttpError } from '../reply/errors.js'
import type { BodyReader } from '../routing/route.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'

const JSON_TYPES = ['application/json']

/**
 * Declares a body that is a JSON object. `paths` are the fields to read (`latest.id` is a nested one); others are
 * ignored. `read` gets the fields, and throws an HttpError for values that it does not accept.
 */
export function jsonBody<Body>(
  paths: readonly string[],
  read: (fields: BodyFields) => Body,
): BodyReader<Body> {
  return {
    checkType: (contentType) => requireContentType(contentType, JSON_TYPES),
    async parse(bytes, { pool }) {
      const parsed =
        bytes.length <= MAX_INLINE_BYTES.body
          ? readJsonFields(bytes, paths)
          : await pool.run('jsonFields', { bytes, paths })
      return read(new BodyFields(requireFields(parsed)))
    },
  }
}

function requireFields(parsed: JsonFields): Readonly<Record<string, JsonField>> {
  if (parsed.ok) return parsed.fields
  if (parsed.fault === 'not-object') throw new HttpError('rest-bad-json-body')
  throw new HttpError('rest-json-body-parse-error', [parsed.detail])
}

/** The declared fields of a body. A value of the wrong type is an error; nothing converts it. */
export class BodyFields {
  readonly #fields: Readonly<Record<string, JsonField>>

  constructor(fields: Readonly<Record<string, JsonField>>) {
    this.#fields = fields
  }

  /** The value as received; undefined when absent. */
  get(path: string): JsonField {
    return this.#fields[path]
  }

  /** Throws rest-missing-body-field when the field is absent or null. */
  requireText(path: string): string {
    return this.optionalText(path) ?? this.#missing(path)
  }

  /** A field that must be present but may be null, which becomes undefined. */
  requireNullableText(path: string): string | undefined {
    if (this.get(path) === undefined) this.#missing(path)
    return this.optionalText(path)
  }

  /** Undefined when absent or null. */
  optionalText(path: string): string | undefined {
    const value = this.get(path) ?? undefined
    if (value === undefined || typeof value === 'string') return value
    throw new HttpError('rest-bad-body-field', [path, 'a string'])
  }

  #missing(path: string): never {
    throw new HttpError('rest-missing-body-field', [path])
  }
}
