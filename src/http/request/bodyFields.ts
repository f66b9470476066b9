/** Bodies as JSON or as a form: a route declares the fields that it reads. Also the errors for unreadable bodies. */
import type { AppContext } from '../../context.js'
import {
  type JsonField,
  type JsonFields,
  readFormFields,
  readJsonFields,
} from '../../workers/compute/readFields.js'
import { HttpError } from '../reply/errors.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'

const JSON_TYPES = ['application/json']
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** How a route reads the body of its requests. */
export interface BodyReader<Body> {
  /** Checks the Content-Type before the body is read; throws an HttpError. `hasBody` follows from the headers. */
  checkType(contentType: string, hasBody: boolean): void
  /** Throws an HttpError when the route does not accept the bytes. */
  parse(bytes: Uint8Array, context: Pick<AppContext, 'pool'>, contentType: string): Body | Promise<Body>
}

/** Throws rest-no-content-type or rest-unsupported-content-type. `accepted` lists the allowed types in lower case. */
function requireContentType(contentType: string, accepted: readonly string[]): void {
  if (contentType === '') {
    throw new HttpError('rest-no-content-type', [], { data: { error: 'no-content-type' } })
  }
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (accepted.includes(type)) return
  throw new HttpError('rest-unsupported-content-type', [], { data: { content_type: type } })
}

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

/** Files of a form by the names of their fields, each in pieces. The bytes are valid until the request is answered. */
export type FormFiles = Readonly<Record<string, readonly Uint8Array[]>>

/**
 * Declares a form body. `names` are the fields to read; others are ignored. `read` gets the fields that are present,
 * and throws an HttpError for values that it does not accept. `fileNames` are fields that stay bytes.
 */
export function formBody<Body>(
  names: readonly string[],
  read: (fields: Readonly<Record<string, string>>, files: FormFiles) => Body,
  fileNames: readonly string[] = [],
): BodyReader<Body> {
  return {
    checkType(contentType, hasBody) {
      // A request without a body needs no Content-Type.
      if (hasBody) requireContentType(contentType, FORM_TYPES)
    },
    async parse(bytes, { pool }, contentType) {
      if (bytes.length === 0) return read({}, {})
      const isShort = bytes.length <= MAX_INLINE_BYTES.body
      // A file is not copied to a thread, which would take longer than to find its end here, in steps.
      const isHere = isShort || hasFile(bytes, fileNames)
      const parsed = isHere
        ? await readFormFields(bytes, contentType, { names, fileNames, inSteps: !isShort })
        : await pool.run('formFields', { bytes, contentType, names })
      if (!parsed.ok) throw new HttpError('rest-form-body-parse-error', [parsed.detail])
      return read(parsed.fields, parsed.files)
    },
  }
}

function hasFile(bytes: Uint8Array, names: readonly string[]): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return names.some((name) => whole.includes(`name="${name}"`))
}
