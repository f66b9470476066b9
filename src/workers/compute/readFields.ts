/** Reads chosen fields from a body, in any thread: a JSON object, or a form. The rest of a hostile body stays there. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'

/** A field's value. For an object or array, only its kind. */
export type JsonField = string | number | boolean | null | undefined | { readonly kind: 'object' | 'array' }

export type JsonFields =
  /** Values by path: `latest`, `latest.id`. */
  | { readonly ok: true; readonly fields: Readonly<Record<string, JsonField>> }
  | { readonly ok: false; readonly fault: 'not-json'; readonly detail: string }
  | { readonly ok: false; readonly fault: 'not-object' }

/** `paths` are names, or names within objects, joined by points. An array counts as an object without fields. */
export function readJsonFields(bytes: Uint8Array, paths: readonly string[]): JsonFields {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The decoder (not UTF-8) and the parser (not JSON) both say what is wrong.
    return { ok: false, fault: 'not-json', detail: error instanceof Error ? error.message : '' }
  }
  if (typeof value !== 'object' || value === null) return { ok: false, fault: 'not-object' }
  const fields = Object.fromEntries(paths.map((path) => [path, fieldAt(value, path.split('.'))]))
  const halved = paths.find((path) => isHalved(fields[path]))
  if (halved !== undefined) {
    return { ok: false, fault: 'not-json', detail: `half of a surrogate pair in "${halved}"` }
  }
  return { ok: true, fields }
}

/** Tells if a text contains a lone surrogate, which only an escape such as `\ud800` can produce. */
const isHalved = (field: JsonField): boolean => typeof field === 'string' && !field.isWellFormed()

function fieldAt(value: unknown, [name, ...rest]: readonly string[]): JsonField {
  if (name === undefined) return asField(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return fieldAt((value as Record<string, unknown>)[name], rest)
}

function asField(value: unknown): JsonField {
  if (Array.isArray(value)) return { kind: 'array' }
  if (typeof value === 'object' && value !== null) return { kind: 'object' }
  return value as JsonField
}

/** Values by name. The last value of a repeated field counts. */
export type FormFields =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string>>
      /** Contents of files in pieces. */
      readonly files: Readonly<Record<string, readonly Uint8Array[]>>
    }
  | { readonly ok: false; readonly detail: string }

/** No form of this API has more fields, or more parts in a multipart body. */
const MAX_FIELDS = 100
const MAX_NAME_BYTES = 100

/** Bytes of a step. */
const STEP_BYTES = 64 * 1024

export interface FormReading {
  readonly names: readonly string[]
  /** Fields whose contents stay bytes. Files of other names count as fields with their contents. */
  readonly fileNames?: readonly string[]
  /** Lets others work between two steps of some 0.1 ms. By default the form is read at once. */
  readonly inSteps?: boolean
}

/** `contentType` tells the kind of form. */
export function readFormFields(
  bytes: Uint8Array,
  contentType: string,
  { names, fileNames = [], inSteps = false }: FormReading,
): Promise<FormFields> {
  const fields: Record<string, string> = {}
  const files: Record<string, readonly Uint8Array[]> = {}
  const keep = (name: string, value: string): void => {
    if (names.includes(name)) fields[name] = value
  }
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ ok: false, detail: error.message })
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          fieldNameSize: MAX_NAME_BYTES,
          fieldSize: bytes.length,
          fileSize: bytes.length,
          fields: MAX_FIELDS,
          files: MAX_FIELDS,
          parts: MAX_FIELDS,
        },
      })
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
      return
    }
    parser.on('field', keep)
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (fileNames.includes(name)) files[name] = chunks
        else keep(name, Buffer.concat(chunks).toString())
      })
      stream.on('error', fail)
    })
    parser.on('error', (error) => fail(error as Error))
    parser.on('finish', () => resolve({ ok: true, fields, files }))
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (inSteps) feed(parser, whole).catch(fail)
    else parser.end(whole)
  })
}

async function feed(parser: BusboyInstance, whole: Buffer): Promise<void> {
  for (let at = 0; at < whole.length; at += STEP_BYTES) {
    parser.write(whole.subarray(at, at + STEP_BYTES))
    await nextTurn()
  }
  parser.end()
}
